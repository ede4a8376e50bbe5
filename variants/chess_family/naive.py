"""The naive rules at a position text, as what the kernels are compared with by everybody."""

from __future__ import annotations

from variants.chess_family.definition import Definition
from variants.chess_family.fen import format_fen, parse_fen
from variants.chess_family.reference import Board


class Naive:
    """See :class:`ryugi_engine.game.Reference`. It knows no draws but stalemate."""

    def __init__(self, board: Board) -> None:
        self._board = board

    @classmethod
    def parse(cls, definition: Definition, text: str) -> Naive:
        """From a position text."""
        return cls(Board(definition, parse_fen(definition, text)))

    def legal_moves(self) -> dict[str, Naive]:
        """The positions after every legal move, by its name."""
        return {move: Naive(after) for move, after in self._board.legal_moves().items()}

    def text(self) -> str:
        """The canonical position text."""
        return format_fen(self._board.game, self._board.data())

    def result(self) -> tuple[str, str] | None:
        """(result, reason) where there is no legal move."""
        board = self._board
        if board.legal_moves():
            return None
        if board.in_check(board.white):
            return ("0-1" if board.white else "1-0", "checkmate")
        return ("1/2-1/2", "stalemate")
