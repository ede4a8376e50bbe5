"""Goryujin's rules written for reading, not for speed: what the kernels are compared with."""

from __future__ import annotations

from collections.abc import Iterator

from ryugi_engine.games.game import PASS
from variants.goryujin.shapes import SHAPES, Cell, End
from variants.goryujin.text import (
    FILES,
    HOME,
    LAST_PASS,
    RANKS,
    Dragon,
    Placement,
    PositionData,
    format_text,
    parse_text,
)


def _on_board(piece: Placement) -> bool:
    shape = piece.shape
    return 0 <= piece.file <= FILES - shape.width and 0 <= piece.rank <= RANKS - shape.height


def _beside(cell: Cell, direction: int) -> Cell:
    """Return the next square up, right, down or left."""
    file, rank = cell
    return [(file, rank + 1), (file + 1, rank), (file, rank - 1), (file - 1, rank)][direction]


class Reference:
    """A position; :meth:`legal_moves` gives the positions after it."""

    def __init__(self, data: PositionData) -> None:
        self.data = data
        self._moves: dict[str, Reference] | None = None

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Return the position of a text."""
        return cls(parse_text(text))

    def text(self) -> str:
        """Return the canonical position text."""
        return format_text(self.data)

    def _fits(
        self, piece: Placement, side: int, lifted: Placement | None, joint: End | None
    ) -> bool:
        """Return whether a piece lies on free squares with the joint as its only own contact."""
        board = self._board
        if lifted is not None:
            board = {cell: who for cell, who in board.items() if cell not in lifted.cells}
        if not _on_board(piece) or any(cell in board for cell in piece.cells):
            return False
        contacts = [
            (beside, (direction + 2) % 4)
            for cell in piece.cells
            for direction in range(4)
            if board.get(beside := _beside(cell, direction), (-1,))[0] == side
        ]
        return contacts == ([] if joint is None else [(joint.cell, joint.direction)])

    def _joined(self, end: End) -> Iterator[Placement]:
        """Yield every placement of every piece with an end that faces ``end``."""
        at = _beside(end.cell, end.direction)
        for shape in SHAPES:
            for cell, direction in shape.ends:
                if direction == (end.direction + 2) % 4:
                    yield Placement(shape, at[0] - cell[0], at[1] - cell[1])

    def _turns(self, side: int) -> Iterator[tuple[str, int, Placement | None]]:
        """Yield (name, dragon, piece) of every legal turn but a pass; dragon -1 is a new one."""
        hand = self.data.hand(side)
        home = HOME[side]
        if hand["P"] > 0:
            for shape in SHAPES:
                if shape.letter == "P":
                    rank = home if side == 0 else home - shape.height + 1
                    for file in range(FILES):
                        piece = Placement(shape, file, rank)
                        if self._fits(piece, side, None, None):
                            yield piece.name, -1, piece
        for number, dragon in enumerate(self.data.dragons[side]):
            if dragon.finished:
                continue
            free = dragon.free_ends()
            # the end that the P itself has joined is free once the P is lifted
            landing = dragon.tip.ends if len(dragon.pieces) == 2 else free
            for end in landing if len(dragon.pieces) > 1 else ():
                for piece in self._joined(end):
                    if piece.shape.letter == "P":
                        if self._fits(piece, side, dragon.pieces[0], end):
                            yield piece.name + "+", number, piece
            for end in free:
                for piece in self._joined(end):
                    if piece.shape.letter != "P" and hand[piece.shape.letter] > 0:
                        at_home = any(rank == home for _file, rank in piece.cells)
                        if not at_home and self._fits(piece, side, None, end):
                            yield piece.name, number, piece

    def _after(self, name: str, number: int, piece: Placement | None) -> Reference:
        data = self.data
        dragons = [list(side) for side in data.dragons]
        own = dragons[data.side]
        if piece is not None:
            if number < 0:
                own.append(Dragon([piece]))
            elif name.endswith("+"):
                own[number] = Dragon([*own[number].pieces[1:], piece], finished=True)
            else:
                own[number] = Dragon([*own[number].pieces, piece])
        passes = data.passes + 1 if piece is None else 0
        after = PositionData(
            (dragons[0], dragons[1]), 1 - data.side, passes, data.number + data.side
        )
        return Reference(after)

    def legal_moves(self) -> dict[str, Reference]:
        """Return the positions after every legal move, keyed by the move's name."""
        if self._moves is None:
            self._board: dict[Cell, tuple[int, int, int]] = self.data.board()
            self._moves = {}
            if self._ended() is None:
                side = self.data.side
                for turn in self._turns(side):
                    self._moves[turn[0]] = self._after(*turn)
                if not self._moves and next(self._turns(1 - side), None) is not None:
                    self._moves[PASS] = self._after(PASS, -1, None)
        return self._moves

    def timeout_pass(self) -> Reference:
        """Return the position after the pass of a side that has exceeded its time."""
        return self._after(PASS, -1, None)

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) if the game is over, else None."""
        ended = self._ended()
        if ended is None and not self.legal_moves():
            result, why = self._comparison()
            ended = result, f"no legal turn, {why}"
        return ended

    def _ended(self) -> tuple[str, str] | None:
        """Return (result, reason) after a touchdown at distance 1 or the last pass, else None."""
        for side, result in enumerate(("1-0", "0-1")):
            if self.data.distances(side)[:1] == [1]:
                return result, "touchdown at distance 1"
        if self.data.passes < LAST_PASS:
            return None
        result, why = self._comparison()
        return result, f"five passes, {why}"

    def _comparison(self) -> tuple[str, str]:
        """Return (result, reason) by the touchdowns, the nearest first; Black wins ties."""
        white, black = list(self.data.distances(0)), list(self.data.distances(1))
        touched = bool(white)
        while white and black:
            ours, theirs = white.pop(0), black.pop(0)
            if ours != theirs:
                return ("1-0" if ours < theirs else "0-1"), "nearer touchdown"
        if white or black:
            return ("1-0" if white else "0-1"), "one more touchdown"
        return "0-1", "equal touchdowns" if touched else "no touchdown"
