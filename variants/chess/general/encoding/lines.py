"""The lines of sliders and hoppers, for the kernels of :mod:`..moves.slides`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ryugi_engine.kernel.block import Block
from variants.chess.definition.definition import Definition, Move, Region
from variants.chess.definition.placed_moves import Placed, turned
from variants.chess.definition.squares import square_index, words_of
from variants.chess.general.memory import layout as L

#: Ways along a line, to one side each: a move in board orientation, and where it may begin.
_Ways = list[tuple[Move, Placed]]


@cache
def fills(length: int) -> Any:
    """Return what is reached from each place of a line, by the pieces that are not at its ends.

    The index is ``place << length - 2 | pieces``, the value a set of places.
    """
    pieces = np.arange(1 << (length - 2)) << 1
    found = np.zeros((length, len(pieces)), np.uint16)
    for place in range(length):
        for places in (range(place + 1, length), range(place - 1, -1, -1)):
            is_open = np.ones(len(pieces), bool)
            for at in places:
                found[place] |= (is_open << at).astype(np.uint16)
                is_open &= (pieces >> at & 1) == 0
    return found.reshape(-1)


class Lines:
    """The lines of a game's sliders and hoppers; their squares are found by ``block``."""

    def __init__(self, game: Definition) -> None:
        self.game = game
        self._lines: dict[tuple[object, ...], tuple[int, _Ways]] = {}

    def of_moves(self, moves: list[Placed], side: int) -> list[tuple[int, Move, Placed]]:
        """Return (index of the LINE of square 0, move, placed move) of each line of some slides."""
        ways: dict[tuple[object, ...], _Ways] = {}
        for placed in moves:
            move = turned(placed.move, side)
            step = max((move.dx, move.dy), (-move.dx, -move.dy))
            key = step, move.quiet, move.capture, move.hop, placed.end
            ways.setdefault(key, []).append((move, placed))
        return [(self._line(own), *own[0]) for own in ways.values()]

    def ray(self, dx: int, dy: int) -> int:
        """Return the index of the LINE of square 0 with all squares in a direction."""
        move = Move(dx, dy, 16, quiet=True, capture=True)
        return self._line([(move, Placed(move))])

    def _line(self, ways: _Ways) -> int:
        key = tuple(sorted((m.dx, m.dy, m.steps, _text(p.start)) for m, p in ways))
        number = len(self._lines) * self.game.ranks * 16
        return self._lines.setdefault(key, (number, ways))[0]

    def block(self) -> Block:
        """Return a block with the squares of all lines."""
        rows = [row for _, ways in self._lines.values() for row in self._rows(ways)]
        block = Block(L.WORDS * max(len(rows), 1))
        if rows:
            block.words[:] = np.array(rows, np.int64).reshape(-1)
        return block

    def _rows(self, ways: _Ways) -> list[list[int]]:
        rows = [[0] * L.WORDS for _ in range(self.game.ranks * 16)]
        for at in self.game.on_board():
            found = [
                (at[0] + step * move.dx, at[1] + step * move.dy)
                for move, placed in ways
                if placed.start is None or at in placed.start
                for step in range(1, move.steps + 1)
            ]
            rows[square_index(at)] = words_of(
                (file, rank)
                for file, rank in found
                if 0 <= file < self.game.files and 0 <= rank < self.game.ranks
                if self.game.together(at, (file, rank))
            )
        return rows


def _text(region: Region | None) -> str:
    return "" if region is None else str(sorted(region))
