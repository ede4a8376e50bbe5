"""The chess family's hand-crafted evaluation against a reference in Python, and its weights."""

from __future__ import annotations

import dataclasses
import random
from typing import cast

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from tests.conftest import FAMILY
from tests.support.helpers import ROOT, wild_position
from tests.support.reference_evaluation import UNIT, reference_evaluation, reference_share
from variants.chess.fast import layout as L
from variants.chess.fast.rules import FastRules
from variants.chess.fast.values import end_values, piece_values
from variants.chess.fast.weights import WEIGHTS, Weights
from variants.chess.text import PositionData

#: Invented games whose pieces move in ways that ours do not.
_ZOO = {game.name: game for game in read_definitions(str(ROOT / "scripts" / "zoo.toml"))}


def _some_weights(source: random.Random) -> Weights:
    """Any, but for the danger's: those are whole numbers of units."""
    drawn = {n: round(source.uniform(-30, 30), 1) for n in WEIGHTS._fields}
    for name in WEIGHTS._fields:
        if name.startswith("danger"):
            drawn[name] = float(source.randrange(0, 400))
        elif name.endswith("_square"):
            drawn[name] = round(source.uniform(-0.5, 0.5), 2)
    return Weights(**{**drawn, "danger": 1.5, "danger_most": 2000.0})


def _compared(
    rules: FastRules, position: Position | None, weights: Weights, full: int
) -> tuple[PositionData, float] | None:
    """A position and its evaluation, which is the reference one; None where that says nothing."""
    if position is None:
        return None
    state = rules.new_state(position.text())
    data = rules._data(state)
    if data.clock > 20:
        return None
    wanted = reference_evaluation(rules.fast, data, weights, full)
    result = rules.kernels.evaluate(state.address) / UNIT
    assert result == pytest.approx(wanted, abs=0.5), (position.text(), weights)
    return data, result


@pytest.mark.parametrize("name", [*FAMILY, "zooa", "zoob", "zoox"])
def test_it_is_what_the_reference_one_says(name: str, source: random.Random) -> None:
    """With the weights that games are played with, and with any."""
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    full = int(L.TABLES.of(rules._tables)["max_phase"])
    for weights in (WEIGHTS, _some_weights(source)):
        weighed = rules.with_weights(weights._asdict(), UNIT)
        for _ in range(15):
            _compared(weighed, wild_position(game, source), weights, full)


@pytest.mark.parametrize("name", [*FAMILY, "zooa"])
def test_endings_are_what_the_reference_one_says(name: str, source: random.Random) -> None:
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    rules = rules.with_weights(WEIGHTS._asdict(), UNIT)
    full = int(L.TABLES.of(rules._tables)["max_phase"])
    shares = set()
    for number in range(600):
        if number > 150 and {0.0, 1.0} < shares:
            break
        compared = _compared(rules, wild_position(game, source, 4 + number % 4), WEIGHTS, full)
        if compared is None:
            continue
        data, result = compared
        if result >= 0 and data.side == 0:
            shares.add(reference_share(rules.fast, dict(data.board), WEIGHTS))
    assert {0.0, 1.0} < shares


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/1BN1K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", True),
        ("k7/8/8/8/8/8/P7/2B1K3 w - - 0 1", False),
        ("k7/8/8/8/8/8/P7/3BK3 w - - 0 1", True),
        ("k7/8/8/8/8/8/7P/2B1K3 w - - 0 1", True),
        ("k7/8/8/8/8/8/P7/4K3 w - - 0 1", False),
        ("4k1r1/8/8/8/8/8/8/2R1K1B1 w - - 0 1", False),
        ("4k1b1/8/8/8/8/8/8/2R1K3 w - - 0 1", False),
        ("4k1r1/8/8/8/8/8/8/2Q1K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/2R1K3 w - - 0 1", True),
    ],
)
def test_a_won_ending_is_told_from_a_drawn_one(text: str, won: bool) -> None:
    """Of chess, by what every beginner learns, with the shipped net and without one."""
    game = registry().game("chess")
    own = cast(FastRules, game.load())
    for rules in (own, own.with_net(None)):
        state = rules.new_state(text)
        value = rules.kernels.evaluate(state.address)
        assert (value > 150) == won, value


def test_weights_of_one_are_not_those_of_another() -> None:
    """Two players of one game may differ, and an evaluation goes back to what it was."""
    other = cast(FastRules, registry().game("chess").load()).with_net(None)
    text = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"

    def value(rules: FastRules) -> int:
        state = rules.new_state(text)
        return rules.kernels.evaluate(state.address)

    usual = value(other)
    one = other.with_weights({**WEIGHTS._asdict(), "value_ortho": 0.0, "value_square": 0.0})
    assert value(one) < usual - 300
    assert value(other) == usual
    assert value(one.with_weights(WEIGHTS._asdict())) == usual


def test_values_of_a_definition_go_before_weights() -> None:
    game = cast(FastRules, registry().game("chess").load()).fast
    own = dataclasses.replace(game, values={"Q": 1234})
    assert piece_values(own, WEIGHTS)["Q"] == 1234
    assert end_values(own, WEIGHTS)["Q"] == 1234 + 1234 // 16
    assert piece_values(own, WEIGHTS)["R"] == piece_values(game, WEIGHTS)["R"]
