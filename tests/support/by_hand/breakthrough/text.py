"""Breakthrough's position text, ``board side - - 0 number``: P is a white piece, p a black one."""

from __future__ import annotations

from dataclasses import dataclass, field

from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    Board,
    PositionError,
    format_board,
    parse_board,
    parse_constants,
    parse_side,
)

SIZE = 8
START = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"


@dataclass
class PositionData:
    """A position as plain data."""

    board: Board = field(default_factory=dict)
    side: int = 0
    number: int = 1


def parse_text(text: str) -> PositionData:
    """Parse a position; PositionError names the field and the reason."""
    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise PositionError("position", f"{counted(len(fields), 'field')} instead of 6")
    try:
        board = parse_board(fields[0], SIZE, SIZE, "P")
    except ValueError as error:
        raise PositionError("board", str(error)) from None
    return PositionData(board, parse_side(fields[1]), parse_constants(fields))


def format_text(data: PositionData) -> str:
    """Return the canonical text."""
    board = format_board(data.board, SIZE, SIZE)
    return f"{board} {'wb'[data.side]} - - 0 {data.number}"
