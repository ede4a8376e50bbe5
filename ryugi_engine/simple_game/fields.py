"""What a position of a simple game consists of, besides the side to move and the move number."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The largest number that a counter or a hand may hold.
_MOST = 1_000_000


def _high_fault(high: object, most: int) -> str:
    if isinstance(high, int) and not isinstance(high, bool) and 1 <= high <= most:
        return ""
    return f"high: {str(high)[:20]} is not in 1..{most}"


class Field:
    """A part of the position."""

    #: Its letter in position texts, upper case; "" for none.
    letter: str = ""

    def fault(self) -> str:
        """Return what is wrong with the declaration, as a phrase; "" if nothing is."""
        return ""


@dataclass(frozen=True)
class _Lettered(Field):
    letter: str

    def fault(self) -> str:
        if not isinstance(self.letter, str) or not re.fullmatch("[A-Z]", self.letter):
            return f"{str(self.letter)[:20]!r} is not a letter of A to Z"
        return ""


@dataclass(frozen=True)
class Pieces(_Lettered):
    """The squares of one kind of piece: ``p.name[side]`` is a bitboard.

    In position texts White's have the upper-case letter, Black's the lower-case one.
    """


@dataclass(frozen=True)
class Neutral(_Lettered):
    """The squares of pieces that belong to no side: ``p.name`` is a bitboard."""


@dataclass(frozen=True)
class Hand(_Lettered):
    """The number of pieces of one kind in hand, 0..high: ``p.name[side]`` is an integer."""

    high: int = 999

    def fault(self) -> str:
        """Return what is wrong with the declaration."""
        return _high_fault(self.high, 999) or super().fault()


@dataclass(frozen=True)
class Counter(Field):
    """An integer of 0..high: ``p.name``. All counters are the text's third field, like ``2,0``."""

    high: int = _MOST

    def fault(self) -> str:
        """Return what is wrong with the declaration."""
        return _high_fault(self.high, _MOST)
