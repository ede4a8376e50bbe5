"""GoRoGo's position text and move names.

``board[holdings] side - - 0 number``: S is a white stone, s a black one, H a Henge. The holdings
list what each side has in hand. Captured stones are what is missing from ten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ryugi_engine.games.game import counted
from ryugi_engine.games.notation import (
    Board,
    PositionError,
    format_board,
    parse_board,
    parse_constants,
    parse_holdings,
    parse_side,
    split_holdings,
    square_name,
)

SIZE = 5
STONES = 10
#: Henges that White and Black begin with.
HENGES = (3, 2)
START = "5/5/5/5/5[HHHSSSSSSSSSShhssssssssss] w - - 0 1"
_LETTERS = "SH"
_NAMES = ("White", "Black")
#: A move in capitals.
MOVE = re.compile(r"([SH])@([A-E][1-5])")


@dataclass
class PositionData:
    """A position as plain data; the pairs hold White's number, then Black's."""

    board: Board = field(default_factory=dict)
    stones: list[int] = field(default_factory=lambda: [STONES, STONES])
    henges: list[int] = field(default_factory=lambda: list(HENGES))
    side: int = 0
    number: int = 1

    @property
    def captured(self) -> tuple[int, int]:
        """Stones that White and Black have taken."""
        lost = [
            STONES - self.stones[side] - sum(1 for piece in self.board.values() if piece == letter)
            for side, letter in enumerate("Ss")
        ]
        return lost[1], lost[0]

    @property
    def is_setup(self) -> bool:
        """Whether White has still to place the setup Henge."""
        full = self.stones == [STONES, STONES] and self.henges == list(HENGES)
        return full and self.side == 0 and not self.board


def parse_text(text: str) -> PositionData:
    """Parse a position; PositionError names the field and the reason."""
    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise PositionError("position", f"{counted(len(fields), 'field')} instead of 6")
    rows, hands = split_holdings(fields[0])
    try:
        board = parse_board(rows, SIZE, SIZE, _LETTERS)
    except ValueError as error:
        raise PositionError("board", str(error)) from None
    held = parse_holdings(hands, _LETTERS)
    data = PositionData({at: "H" if piece == "h" else piece for at, piece in board.items()})
    data.stones = [held.get("S", 0), held.get("s", 0)]
    data.henges = [held.get("H", 0), held.get("h", 0)]
    for side, letter in enumerate("Ss"):
        placed = sum(1 for piece in data.board.values() if piece == letter)
        if placed + data.stones[side] > STONES:
            raise PositionError(
                "holdings", f"{_NAMES[side]} has more than {STONES} stones on board and in hand"
            )
        if data.henges[side] > HENGES[side]:
            raise PositionError(
                "holdings", f"{_NAMES[side]} has more than {counted(HENGES[side], 'Henge')}"
            )
    henges = sum(data.henges) + sum(1 for piece in data.board.values() if piece == "H")
    if henges != sum(HENGES):
        raise PositionError(
            "holdings", f"{counted(henges, 'Henge')} on board and in hand, not {sum(HENGES)}"
        )
    data.side = parse_side(fields[1])
    data.number = parse_constants(fields)
    return data


def format_text(data: PositionData) -> str:
    """Return the canonical text."""
    hands = "H" * data.henges[0] + "S" * data.stones[0]
    hands += "h" * data.henges[1] + "s" * data.stones[1]
    board = format_board(data.board, SIZE, SIZE)
    return f"{board}[{hands}] {'wb'[data.side]} - - 0 {data.number}"


def move_name(letter: str, at: tuple[int, int]) -> str:
    """Return a move's name: ``S@c3`` or ``H@c3``."""
    return f"{letter}@{square_name(at)}"


def normal_name(text: str) -> str:
    """Return a move in the spelling of :func:`move_name`; other texts are returned unchanged."""
    match = MOVE.fullmatch(text.upper())
    return f"{match.group(1)}@{match.group(2).lower()}" if match else text
