"""Saturated evaluations: monotone, undone in reports, and what they are for."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import EVAL_LIMIT
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.saturation import saturated, unsaturated
from ryugi_engine.search.searcher import Searcher

#: Positions of Stockfish's games, with the number of moves in which it mates.
MATES = [
    ("r5k1/1p6/p5KB/2p1q3/P7/2P3P1/1P6/R7 b - - 0 32", 4),
    ("4k2r/pBr3pp/3Q4/8/1p6/6P1/PBPP1P1P/RN4K1 w - - 1 20", 4),
    ("r4rk1/pp4b1/3pP1pp/8/P1p2P1P/1P3qP1/3p1N2/R5K1 b - - 0 30", 4),
]


def test_saturation_keeps_the_order_and_is_undone(source: random.Random) -> None:
    for _ in range(2000):
        limit = source.choice([0, 1, 1000, EVAL_LIMIT])
        one, other = (source.randrange(-EVAL_LIMIT, EVAL_LIMIT + 1) for _ in range(2))
        small, large = sorted([one, other])
        assert saturated.function(small, limit) <= saturated.function(large, limit)
        assert saturated.function(-one, limit) == -saturated.function(one, limit)
        back = unsaturated.function(saturated.function(one, limit), limit)
        assert abs(back) <= abs(one) < abs(back) + 8
        assert back == one or abs(one) > limit > 0


@pytest.mark.parametrize(("text", "moves"), MATES)
def test_mates_are_found_where_a_side_is_winning_anyhow(text: str, moves: int) -> None:
    """The first is not found in 2.4 million nodes without saturation."""
    searcher, position = Searcher(16), Position(registry().game("chess"), text)
    searcher.prepare(position, Limits(nodes=300_000))
    assert searcher.run(position, lambda report: None).score.mate == moves
