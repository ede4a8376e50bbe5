"""Positions of shogi as SFEN, ``BOARD SIDE HANDS NUMBER``, as USI and most programs write them.

Black, ``b``, has the capitals and moves first in SFEN; position texts call that side White, ``w``,
as Fairy-Stockfish does. SFEN counts plies. Lishogi's of Chu Shogi has no hands, but may have the
square where a lion was captured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ryugi_engine.games.notation import square_name

_HANDS = re.compile("-|(?:[0-9]*[A-Za-z])+")
_SQUARE = re.compile("([0-9]{1,2})([a-p])")


def is_sfen(words: Sequence[str]) -> bool:
    """Return whether a text is SFEN: by its first word, or by four fields, the third of hands."""
    if words[:1] == ["sfen"]:
        return True
    if len(words) != 4 or "[" in words[0] or not words[3].isdecimal():
        return False
    return words[1] in ("w", "b") and _HANDS.fullmatch(words[2]) is not None


def from_sfen(words: Sequence[str], files: int, ranks: int, *, held: bool) -> list[str]:
    """Return the fields of a position text for those of SFEN; fields that it lacks are missing.

    Where pieces are ``held`` in hand, ``1b`` is one of them. Elsewhere it is a square.
    """
    board, *rest = words[words[:1] == ["sfen"] :] or [""]
    side = {"b": "w", "w": "b"}.get(rest[0], rest[0]) if rest else "w"
    hands = rest[1].strip("-") if len(rest) > 1 else ""
    mark = "-"
    if not held and (square := _SQUARE.fullmatch(hands)):
        file, rank = files - int(square[1]), ranks - 1 - (ord(square[2]) - ord("a"))
        if 0 <= file < files and 0 <= rank < ranks:
            mark, hands = square_name((file, rank)), ""
    number = rest[2:3]
    if number and number[0].isdecimal() and len(number[0]) < 10:
        number = [str((int(number[0]) + 1) // 2)]
    return [f"{board}[{hands}]", side, "-", mark, *(["0", *number] if number else []), *rest[3:]]
