"""``Board``: the squares of a simple game, and kernels that move sets of them.

Square ``rank * files + file`` is a bit of a bitboard; a board has 128 squares at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ryugi_engine.errors import GameError
from ryugi_engine.kernel.bits import bits, words
from ryugi_engine.kernel.declarations import kernel

_SQUARES = 128
_FILES = 26


class Board:
    """A board of ``files`` x ``ranks`` squares."""

    def __init__(self, files: int, ranks: int) -> None:
        if not all(isinstance(number, int) for number in (files, ranks)):
            raise GameError(f"size: {str(files)[:20]}x{str(ranks)[:20]} is no size of a board")
        if not (1 <= files <= _FILES and 1 <= ranks <= 99 and files * ranks <= _SQUARES):
            raise GameError(
                f"size: {files}x{ranks} has more than {_FILES} files or {_SQUARES} squares, or none"
            )
        self.files, self.ranks = files, ranks

    def words(self, squares: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """Return the two words of a set of (file, rank) pairs, from 0; for ``bits(*words)``."""
        value = 0
        for file, rank in squares:
            if not (0 <= file < self.files and 0 <= rank < self.ranks):
                raise GameError(f"({file}, {rank}) is no square of {self.files}x{self.ranks}")
            value |= 1 << (rank * self.files + file)
        return words(value)

    def where(self, wanted: Callable[[int, int], bool]) -> Any:
        """Return a kernel without arguments: the set of all squares with wanted(file, rank)."""
        lo, hi = self.words(
            (file, rank)
            for file in range(self.files)
            for rank in range(self.ranks)
            if wanted(file, rank)
        )

        def squares():
            return bits(lo, hi)

        return kernel(squares)

    def shift(self, files: int, ranks: int) -> Any:
        """Return a kernel that moves a set by so many files and ranks; what leaves is dropped."""
        lo, hi = self.words(
            (file, rank)
            for file in range(self.files)
            for rank in range(self.ranks)
            if 0 <= file - files < self.files and 0 <= rank - ranks < self.ranks
        )
        distance = ranks * self.files + files
        if abs(distance) >= 64:
            raise GameError(f"shift: ({files}, {ranks}) is a step of more than 63 squares")

        def up(squares):
            return (squares << distance) & bits(lo, hi)

        def down(squares):
            return (squares >> -distance) & bits(lo, hi)

        def stay(squares):
            return squares & bits(lo, hi)

        return kernel(up if distance > 0 else down if distance < 0 else stay)

    def slide(self, files: int, ranks: int) -> Any:
        """Return a kernel (squares, empty): the empty squares that slides in a direction reach.

        A slide ends before the first square that is not in ``empty``.
        """
        step = self.shift(files, ranks)

        def reached(squares, empty):
            ray = step(squares) & empty
            all_ = ray
            while ray:
                ray = step(ray) & empty
                all_ = all_ | ray
            return all_

        return kernel(reached)
