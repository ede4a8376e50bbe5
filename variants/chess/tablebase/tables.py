"""Tables of a game in memory: written from the moves of its pieces, and generated once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from ryugi_engine.kernel.bits import signed
from ryugi_engine.kernel.block import Block
from variants.chess.tablebase import generator
from variants.chess.tablebase import layout as L

#: A direction, and the largest number of steps in it.
Ray = tuple[int, int, int]
Rays = tuple[Ray, ...]
#: Masks of a word with every other bit, pair of bits and four bits.
_ODD = (0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0F0F_0F0F_0F0F_0F0F)
#: Bytes of a placement in the blocks of a table.
_SIZES = {"sets": 32, "pending": 8, "prey": 1, "due": 1, "distances": L.SQUARES}
#: The steps of a king, those to the left and right first.
_ALL_ROUND = [(-1, 0), (1, 0), *((x, y) for y in (-1, 1) for x in (-1, 0, 1))]
_FILE, _RANK = np.arange(L.SQUARES) % 8, np.arange(L.SQUARES) // 8


class Army(NamedTuple):
    """The rays of the strong side's king, of the bare king, and of the strong side's pieces."""

    king: Rays
    bare: Rays
    pieces: tuple[Rays, ...]


class Board(NamedTuple):
    """The size of a board, at most 8 by 8, and whether a stalemated king has lost."""

    files: int
    ranks: int
    stalemate_loses: bool

    @property
    def squares(self) -> int:
        """All squares, as a set."""
        return _set_of((self.files > _FILE) & (self.ranks > _RANK))

    def kings(self) -> list[int]:
        """Return the squares of the strong king that are looked at: others are mirrored."""
        files = self.files if self.files % 2 else self.files // 2
        return [8 * rank + file for rank in range(self.ranks) for file in range(files)]

    def room(self, x: int, y: int, most: int) -> Any:
        """Return how many of ``most`` steps in a direction stay on the board, by square."""
        steps = np.full(L.SQUARES, most)
        for step, at, size in ((x, _FILE, self.files), (y, _RANK, self.ranks)):
            if step:
                steps = np.minimum(steps, (size - 1 - at if step > 0 else at) // abs(step))
        return np.maximum(steps, 0)

    def targets(self, rays: Rays, square: int, own: Set[int], enemies: Set[int]) -> Iterator[int]:
        """Yield where a piece goes from a square; it stops before its own and on enemies."""
        for x, y, most in rays:
            rank, file = divmod(square, 8)
            for _ in range(most):
                file, rank = file + x, rank + y
                at = 8 * rank + file
                if not (0 <= file < self.files and 0 <= rank < self.ranks) or at in own:
                    break
                yield at
                if at in enemies:
                    break


class Table:
    """The distances to mate of a bare king against a king and one or two pieces."""

    def __init__(self, board: Board, army: Army, without: Sequence[Table] = ()) -> None:
        """Generate it; ``without`` are the tables after the capture of each of two pieces."""
        self._board, self._without = board, without
        self._block = Block(L.TABLE.words)
        table = L.TABLE.of(self._block)
        pieces = army.pieces
        table["files"], table["squares"], table["odd"] = board.files, board.squares, _ODD
        kings = board.kings()
        table["king_files"], table["kings"] = max(square % 8 for square in kings) + 1, len(kings)
        for number, square in enumerate(kings):
            table["king_of_number"][number], table["number_of_king"][square] = square, number
        table["second"] = 6 if len(pieces) > 1 else 0
        table["alike"] = len(pieces) > 1 and pieces[0] == pieces[1]
        table["stalemate_loses"] = board.stalemate_loses
        steps = [(x, y) for x, y, _one in army.bare]
        table["all_round"] = sorted(steps) == sorted(_ALL_ROUND)
        steps = _ALL_ROUND if table["all_round"] else steps
        table["steps"] = len(steps)
        for number, (x, y) in enumerate(steps):
            table["step"][number] = x + 8 * y
            table["step_to"][number] = _set_of(board.room(-x, -y, 1) > 0) & board.squares
        for number, rays in enumerate((army.king, *pieces)):
            self._write_piece(table["piece"][number], rays)
        for number, smaller in enumerate(without):
            table["without"][number] = smaller._block.address
        placements = len(kings) * L.SQUARES ** len(pieces)
        self._blocks = {name: Block(size * placements // 8) for name, size in _SIZES.items()}
        for name, block in self._blocks.items():
            table[name] = block.address
        generator.begin(self._block.address)

    def advance(self) -> bool:
        """Find the positions of the next distance; return whether there may be more."""
        if generator.advance(self._block.address):
            return True
        self._blocks = {"distances": self._blocks["distances"]}
        return False

    def _write_piece(self, piece: Any, rays: Rays) -> None:
        piece["directions"] = len(rays)
        for number, (x, y, most) in enumerate(rays):
            piece["step"][number] = x + 8 * y
            piece["ahead"][number] = self._board.room(x, y, most)
            piece["back"][number] = self._board.room(-x, -y, most)

    @property
    def longest(self) -> int:
        """The moves of the longest mate, 0 if none is forced."""
        return int(L.TABLE.of(self._block)["longest"])

    def plies(self, king: int, pieces: Sequence[int], bare: int, *, bare_to_move: bool) -> int:
        """Return the plies to mate, NO_MATE or ILLEGAL; squares are ``rank * 8 + file``."""
        a, b = (*pieces, -1)[:2]
        return generator.plies(self._block.address, king, a, b, bare, int(bare_to_move))


def _set_of(chosen: Any) -> int:
    """Return a set of squares as a word, of what is chosen of each."""
    return signed(sum(1 << int(square) for square in np.flatnonzero(chosen)))
