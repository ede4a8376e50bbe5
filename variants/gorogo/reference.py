"""GoRoGo's reference rules: simple and slow, the kernels are checked against them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from variants.gorogo.text import SIZE, PositionData, format_text, move_name, parse_text

Square = tuple[int, int]
_SQUARES = [(file, rank) for rank in range(SIZE) for file in range(SIZE)]
_SCORING, _NO_MOVE = "more captured stones", "no legal move"


def _neighbours(at: Square) -> Iterator[Square]:
    file, rank = at
    for other in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)):
        if other in _SQUARES:
            yield other


class Reference:
    """A position; :meth:`legal_moves` gives the positions after it."""

    def __init__(self, data: PositionData) -> None:
        self.data = data

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Return the position of a text."""
        return cls(parse_text(text))

    def text(self) -> str:
        """Return the canonical position text."""
        return format_text(self.data)

    def _group(self, board: dict[Square, str], at: Square, members: str) -> set[Square]:
        """Return the points connected with ``at`` through points that hold one of ``members``."""
        group, frontier = {at}, [at]
        while frontier:
            for other in _neighbours(frontier.pop()):
                if other not in group and board.get(other, "-") in members:
                    group.add(other)
                    frontier.append(other)
        return group

    def _after(self, letter: str, at: Square) -> Reference | None:
        """Return the position after a placement; None if the placed group has no liberty."""
        data = self.data
        own, enemy = "Ss"[data.side], "sS"[data.side]
        board = dict(data.board)
        board[at] = "H" if letter == "H" else own
        dead = set()
        for point, piece in board.items():
            # to the mover's enemy the Henges are the mover's stones
            if piece == enemy:
                group = self._group(board, point, enemy)
                if all(n in board for member in group for n in _neighbours(member)):
                    dead.add(point)
        for point in dead:
            del board[point]
        if letter == "S":
            group = self._group(board, at, own + "H")
            if all(n in board for member in group for n in _neighbours(member)):
                return None
        stones, henges = list(data.stones), list(data.henges)
        (henges if letter == "H" else stones)[data.side] -= 1
        return Reference(
            replace(
                data,
                board=board,
                stones=stones,
                henges=henges,
                side=1 - data.side,
                number=data.number + data.side,
            )
        )

    def legal_moves(self) -> dict[str, Reference]:
        """Return the positions after every legal move, keyed by the move's name."""
        data = self.data
        stones, henges = data.stones[data.side], data.henges[data.side]
        moves: dict[str, Reference] = {}
        if henges == 1 and stones == 0:
            return moves  # a Henge may not be a player's last piece
        for letter, count in (("S", stones), ("H", henges)):
            if count == 0 or (letter == "S" and data.is_setup):
                continue
            for at in _SQUARES:
                if at not in data.board:
                    after = self._after(letter, at)
                    if after is not None:
                        moves[move_name(letter, at)] = after
        return moves

    def result(self) -> tuple[str, str] | None:
        """Return (result, reason) if the game is over, else None."""
        data = self.data
        if sum(data.stones) + sum(data.henges) == 0:
            white, black = data.captured
            return ("0-1" if black > white else "1-0", _SCORING)
        if not self.legal_moves():
            return ("0-1" if data.side == 0 else "1-0", _NO_MOVE)
        return None
