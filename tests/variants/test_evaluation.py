"""The evaluation of the fast kernels without a net against a reference in Python."""

from __future__ import annotations

import dataclasses
import math
import random
from typing import cast

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry
from tests.conftest import FAMILY
from tests.support.effort import effort
from tests.support.helpers import ROOT, wild_position
from tests.support.reference_evaluation import reference_evaluation, reference_share
from variants.chess.definition.values import piece_values
from variants.chess.fast.rules import FastRules
from variants.chess.notation.text import PositionData

#: Invented games whose pieces move in ways that ours do not.
_ZOO = {game.name: game for game in read_definitions(str(ROOT / "scripts" / "zoo.toml"))}


def _compared(rules: FastRules, position: Position | None) -> PositionData | None:
    """A position and its evaluation, which is the reference one; None where that says nothing."""
    if position is None:
        return None
    state = rules.new_state(position.text())
    data = rules._data(state)
    if data.clock > 20:
        return None
    wanted = reference_evaluation(rules.fast, data)
    result = rules.kernels.evaluate(state.address)
    assert result == math.floor(wanted), position.text()
    return data


@pytest.mark.more
@pytest.mark.parametrize("name", [*FAMILY, "zooa", "zoob", "zoox"])
def test_it_is_what_the_reference_one_says(name: str, source: random.Random) -> None:
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    positions = (wild_position(game, source) for _ in range(effort(20, 100)))
    compared = [_compared(rules, position) for position in positions]
    assert any(compared)


@pytest.mark.more
@pytest.mark.parametrize("name", [*FAMILY, "zooa"])
def test_endings_are_what_the_reference_one_says(name: str, source: random.Random) -> None:
    game = _ZOO.get(name) or registry().game(name)
    rules = cast(FastRules, game.load()).with_net(None)
    shares = set()
    for number in range(600):
        if number > effort(30, 150) and {0.0, 1.0} < shares:
            break
        data = _compared(rules, wild_position(game, source, 4 + number % 4))
        if data is not None and data.side == 0:
            shares.add(reference_share(rules.fast, dict(data.board)))
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


def test_values_of_a_definition_go_before_those_by_moves() -> None:
    game = cast(FastRules, registry().game("chess").load()).fast
    by_moves = piece_values(dataclasses.replace(game, values={}))
    assert piece_values(dataclasses.replace(game, values={"Q": 1234})) == {**by_moves, "Q": 1234}
