"""The start position of a definition, which other keys refer to."""

from __future__ import annotations

import re
from typing import NamedTuple

from ryugi_engine.games.definitions import Reader
from ryugi_engine.games.game import counted
from variants.chess.definition import Square

#: Letters of a start position: a board of 16 x 16 with full hands.
MAX_START = 2000
_SIGN = re.compile(r"[0-9]+|\+?[A-Za-z]~?|\*")


class Start(NamedTuple):
    """A start position: its text, and the sign on each square (``P``, ``+p``, ``Q~``, ``*``)."""

    text: str
    board: dict[Square, str]


def board_of(rows: str, files: int, ranks: int, letters: str) -> dict[Square, str]:
    """Return the signs on the squares of a FEN's first field; ValueError names the rank."""
    given = rows.split("/")
    if len(given) != ranks:
        raise ValueError(f"{counted(len(given), 'rank')} instead of {ranks}")
    board: dict[Square, str] = {}
    for rank, row in zip(range(ranks - 1, -1, -1), given, strict=True):
        file, at = 0, 0
        while at < len(row):
            match = _SIGN.match(row, at)
            if match is None:
                raise ValueError(f"rank {rank + 1}: {row[at]!r} is no piece")
            sign, at = match[0], match.end()
            if sign[0].isdigit():
                if len(sign) > 2 or sign[0] == "0":
                    raise ValueError(f"rank {rank + 1}: '{sign[:8]}' is not a count of squares")
                file += int(sign)
                continue
            if sign != "*" and sign.strip("+~").upper() not in letters:
                raise ValueError(f"rank {rank + 1}: unknown letter '{sign}'")
            board[file, rank] = sign
            file += 1
        if file != files:
            raise ValueError(f"rank {rank + 1}: {counted(file, 'square')} instead of {files}")
    return board


def parse_start(reader: Reader, files: int, ranks: int, letters: str) -> Start:
    """Return the start position of a table; DefinitionError if it is wrong."""
    text: str = reader.text("start", MAX_START)
    fields = text.split()
    if not fields:
        raise reader.fail("start", "is empty")
    try:
        return Start(text, board_of(fields[0].split("[")[0], files, ranks, letters))
    except ValueError as error:
        raise reader.fail("start", str(error)) from None
