"""``Squares`` and ``Board`` against Python's sets."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.errors import GameError
from ryugi_engine.simple_game import Board
from ryugi_engine.simple_game.interpreted import interpret
from ryugi_engine.simple_game.squares import Squares
from tests.support.effort import effort


def _random_set(source: random.Random, below: int = 128) -> set[int]:
    return set(source.sample(range(below), source.randrange(below)))


def _squares(numbers: set[int]) -> Squares:
    return Squares(sum(1 << number for number in numbers))


def test_operations_are_those_of_sets(source: random.Random) -> None:
    for _ in range(effort(200, 20_000)):
        a, b = _random_set(source), _random_set(source)
        x, y = _squares(a), _squares(b)
        assert set(x & y) == a & b
        assert set(x | y) == a | b
        assert set(x ^ y) == a ^ b
        assert set(~x) == set(range(128)) - a
        n = source.randrange(1, 64)
        assert set(x << n) == {s + n for s in a if s + n < 128}
        assert set(x >> n) == {s - n for s in a if s >= n}
        assert x.count() == len(a)
        assert bool(x) == bool(a)
        assert (x == y) == (a == b)
        square = source.randrange(128)
        assert x.has(square) == (square in a)
        if a:
            assert x.first() == min(a)
            assert (x.pop()[0], set(x.pop()[1])) == (min(a), a - {min(a)})
        assert -(1 << 63) <= x.lo < 1 << 63
        assert (x.lo & (1 << 64) - 1) | (x.hi & (1 << 64) - 1) << 64 == x.value


@pytest.mark.parametrize(("files", "ranks"), [(8, 8), (5, 9), (11, 11), (16, 8), (1, 7), (26, 4)])
def test_shifts_and_slides_stay_on_the_board(files: int, ranks: int, source: random.Random) -> None:
    board = Board(files, ranks)

    def moved(squares: set[int], step: tuple[int, int]) -> set[int]:
        at = [(s % files + step[0], s // files + step[1]) for s in squares]
        return {r * files + f for f, r in at if 0 <= f < files and 0 <= r < ranks}

    for _ in range(effort(30, 2000)):
        step = source.randrange(-3, 4), source.randrange(-2, 3)
        if abs(step[1] * files + step[0]) >= 64:
            continue
        numbers = _random_set(source, files * ranks)
        empty = _random_set(source, files * ranks)
        shift = interpret(board.shift(*step).function)
        assert set(shift(_squares(numbers))) == moved(numbers, step)
        if step == (0, 0):
            continue
        reached: set[int] = set()
        ray = moved(numbers, step) & empty
        while ray:
            reached |= ray
            ray = moved(ray, step) & empty
        slide = interpret(board.slide(*step).function)
        assert set(slide(_squares(numbers), _squares(empty))) == reached


def test_a_board_has_limits() -> None:
    for size in ((27, 1), (12, 11), (0, 5), (5, 0), (-3, -3)):
        with pytest.raises(GameError, match="more than 26 files"):
            Board(*size)
    with pytest.raises(GameError, match="63 squares"):
        Board(16, 8).shift(0, 4)
    with pytest.raises(GameError, match="no square"):
        Board(3, 3).words([(3, 0)])
