"""Breakthrough's reference rules: simple and slow, the kernels are checked against them."""

from __future__ import annotations

from dataclasses import replace

from variants.breakthrough.text import SIZE, PositionData, format_text, parse_text

from ryugi_engine.games.notation import square_name


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

    def legal_moves(self) -> dict[str, Reference]:
        """Return the positions after every legal move, by its name."""
        data = self.data
        moves: dict[str, Reference] = {}
        if self.result() is not None:
            return moves
        own, up = ("P", 1) if data.side == 0 else ("p", -1)
        for (file, rank), letter in data.board.items():
            for step in (-1, 0, 1):
                to = (file + step, rank + up)
                there = data.board.get(to)
                if letter != own or there == own or (there is not None and step == 0):
                    continue
                if 0 <= to[0] < SIZE and 0 <= to[1] < SIZE:
                    board = {at: pawn for at, pawn in data.board.items() if at != (file, rank)}
                    board[to] = own
                    after = replace(
                        data, board=board, side=1 - data.side, number=data.number + data.side
                    )
                    moves[square_name((file, rank)) + square_name(to)] = Reference(after)
        return moves

    def result(self) -> tuple[str, str] | None:
        """(result, reason) of a finished game."""
        board = self.data.board
        if any(board.get((file, SIZE - 1)) == "P" for file in range(SIZE)):
            return ("1-0", "normal")
        if any(board.get((file, 0)) == "p" for file in range(SIZE)):
            return ("0-1", "normal")
        if "Pp"[self.data.side] not in board.values():
            return ("0-1" if self.data.side == 0 else "1-0", "normal")
        return None
