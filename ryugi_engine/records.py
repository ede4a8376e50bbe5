"""Game records: PGN with moves in the engine's notation.

Source: S. J. Edwards, "Portable Game Notation Specification", 1994; ``Variant`` is the tag that
XBoard and Cute Chess write. Moves stand in long algebraic form instead of SAN.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_WIDTH = 80


@dataclass
class Record:
    """A game as written: tags in order, moves with comments, result."""

    tags: Mapping[str, str]
    moves: Sequence[str]
    result: str
    comments: Sequence[str] = field(default_factory=list)
    white_first: bool = True
    first_number: int = 1


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def format_pgn(record: Record) -> str:
    """The game as PGN text, movetext wrapped at 80 columns, with a blank line behind."""
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in record.tags.items()]
    words: list[str] = []
    number, white = record.first_number, record.white_first
    for index, move in enumerate(record.moves):
        if white:
            words.append(f"{number}.")
        elif index == 0:
            words.append(f"{number}...")
        words.append(move)
        comment = record.comments[index] if index < len(record.comments) else ""
        if comment:
            words += ("{" + comment.replace("}", ")") + "}").split()
        number += not white
        white = not white
    words.append(record.result)
    lines.append("")
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    lines += [line, "", ""]
    return "\n".join(lines)


def append_pgn(path: Path, record: Record) -> None:
    """Add a game to a file and see it through to the disk; OSError if that fails."""
    with open(path, "a", encoding="utf-8") as handle:
        handle.write(format_pgn(record))
        handle.flush()
        os.fsync(handle.fileno())
