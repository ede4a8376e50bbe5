"""Regions of the board as text: squares, files and ranks, as in ``d4 e* *8``."""

from __future__ import annotations

import re

from ryugi_engine.games.notation import file_name, square_name
from variants.chess.definition.definition import Region

_WORD = re.compile(r"([a-z]|\*)([1-9][0-9]?|\*)\Z")


def parse_region(text: str, files: int, ranks: int) -> Region:
    """Return the squares of a region, "" or "-" for none; what lies beyond the board is left out.

    ValueError names the word that is no square, file or rank.
    """
    squares = set()
    for word in dict.fromkeys(text.split()):
        if word == "-":
            continue
        match = _WORD.match(word.lower())
        if match is None:
            raise ValueError(f"'{word[:20]}' is not a square as e4, a rank *8 or a file a*")
        at_file, at_rank = match.groups()
        for file in range(files):
            if at_file in ("*", file_name(file)):
                wanted = range(ranks) if at_rank == "*" else (int(at_rank) - 1,)
                squares |= {(file, rank) for rank in wanted if rank < ranks}
    return frozenset(squares)


def mirrored(region: Region, ranks: int) -> Region:
    """Return a region as Black sees it."""
    return frozenset((file, ranks - 1 - rank) for file, rank in region)


def region_text(region: Region, files: int, ranks: int) -> str:
    """Return a region as text: whole ranks and files, then squares; ``-`` for none."""
    left, words = set(region), []
    if len(left) == files * ranks:
        return "**"
    for rank in range(ranks):
        row = {(file, rank) for file in range(files)}
        if row <= region:
            words.append(f"*{rank + 1}")
            left -= row
    for file in range(files):
        column = {(file, rank) for rank in range(ranks)}
        if column <= region and column & left:
            words.append(f"{file_name(file)}*")
            left -= column
    words += [square_name(at) for at in sorted(left, key=lambda at: (at[1], at[0]))]
    return " ".join(words) or "-"
