"""The legal moves as a person asks for them."""

from __future__ import annotations

import textwrap

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.records.san import to_san

#: Columns of a list of moves.
_WIDTH = 78


def moves_text(position: Position, asked: str) -> list[str]:
    """Return lines with the legal moves that begin so, or go from or to a square; "" for all."""
    codes = {position.move_text(code): code for code in position.legal_codes()}
    moves = []
    for move, code in sorted(codes.items()):
        san = to_san(position, code)
        if _concerns(move, asked.lower()) or san.startswith(asked or san):
            moves.append(san)
    lines = textwrap.wrap(" ".join(moves), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [*lines, counted(len(moves), "legal move") + (f" with '{asked}'" if asked else "")]


def _concerns(move: str, wanted: str) -> bool:
    """Return whether a move begins with some letters, or goes from or to a square."""
    name = move.lower()
    return name.startswith(wanted) or name.removesuffix("+").endswith(wanted)
