"""The chess family's hand-crafted evaluation against a reference in Python."""

from __future__ import annotations

import dataclasses
import random
from typing import cast

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from tests.conftest import FAMILY
from tests.support.effort import effort
from tests.support.helpers import ROOT, wild_position
from tests.support.reference_evaluation import reference_evaluation, reference_share
from variants.chess.fast import layout as L
from variants.chess.fast.rules import FastRules
from variants.chess.fast.values import end_values, middle_values
from variants.chess.notation.text import PositionData

#: Centipawns by which the sum of rounded terms may differ from the reference's floats.
ROUNDED = 20
#: Invented games whose pieces move in ways that ours do not.
_ZOO = {game.name: game for game in read_definitions(str(ROOT / "scripts" / "zoo.toml"))}


def _compared(
    rules: FastRules, position: Position | None, full: int
) -> tuple[PositionData, float] | None:
    """A position and its evaluation, which is the reference one; None where that says nothing."""
    if position is None:
        return None
    state = rules.new_state(position.text())
    data = rules._data(state)
    if data.clock > 20:
        return None
    wanted = reference_evaluation(rules.fast, data, full)
    result = rules.kernels.evaluate(state.address)
    # the tables' terms are whole centipawns
    assert result == pytest.approx(wanted, abs=ROUNDED, rel=0.005), position.text()
    return data, result - wanted


@pytest.mark.more
@pytest.mark.parametrize("name", [*FAMILY, "zooa", "zoob", "zoox"])
def test_it_is_what_the_reference_one_says(name: str, source: random.Random) -> None:
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    full = int(L.TABLES.of(rules._tables)["max_phase"])
    found = (_compared(rules, wild_position(game, source), full) for _ in range(effort(20, 100)))
    off = [difference for _, difference in filter(None, found)]
    assert abs(sum(off) / len(off)) < ROUNDED / 3


@pytest.mark.more
@pytest.mark.parametrize("name", [*FAMILY, "zooa"])
def test_endings_are_what_the_reference_one_says(name: str, source: random.Random) -> None:
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    full = int(L.TABLES.of(rules._tables)["max_phase"])
    shares = set()
    for number in range(600):
        if number > effort(30, 150) and {0.0, 1.0} < shares:
            break
        compared = _compared(rules, wild_position(game, source, 4 + number % 4), full)
        if compared is not None and compared[0].side == 0:
            shares.add(reference_share(rules.fast, dict(compared[0].board)))
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


def test_values_of_a_definition_go_before_weights() -> None:
    game = cast(FastRules, registry().game("chess").load()).fast
    own = dataclasses.replace(game, values={"Q": 1234})
    assert middle_values(own)["Q"] == 1234
    assert end_values(own)["Q"] == 1234 + 1234 // 16
    assert middle_values(own)["R"] == middle_values(game)["R"]
