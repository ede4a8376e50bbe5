"""Reading CECP commands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.numbers import read, read_decimal


def number(words: Sequence[str], name: str) -> int:
    """The whole number that follows a command, by its name in the table of ranges.

    UserError says what is wrong.
    """
    if not words:
        raise UserError(f"{name}: the number is missing")
    return read(name, words[0])


def level(words: Sequence[str]) -> tuple[int, float, float]:
    """(moves a session or 0, seconds a session, increment) of ``level MPS MIN[:SEC] INC``.

    What follows the base time in its word (``25+5``) is ignored, as the protocol's text asks.
    """
    if len(words) < 3:
        raise UserError("'level' needs moves, minutes and increment")
    match = re.match(r"([0-9.]+)(?::([0-9]+)|(?!:[0-9]))(?![\w.])", words[1])
    if match is None:
        raise UserError(f"'{' '.join(words)[:40]}' is not like '40 5:00 0'")
    base = 60 * read_decimal("level minutes", match.group(1))
    base += read("level seconds", match.group(2) or "0")
    return read("level moves", words[0]), base, read_decimal("level increment", words[2])


def option(words: Sequence[str]) -> tuple[str, str | None]:
    """(name, value or None for a button) of ``option NAME[=VALUE]``; both may hold spaces."""
    name, equals, value = " ".join(words).partition("=")
    if not name.strip():
        raise UserError("the option is missing")
    return name.strip(), value.strip() if equals else None


def two_legs(word: str) -> tuple[str, str]:
    """(whole move, square on the way) of a move like ``d5e5,e5e4``; "" for one of a single leg."""
    square = "([a-z][0-9]{1,2})"
    legs = re.fullmatch(f"{square}{square},{square}{square}([a-z]?)", word, re.IGNORECASE)
    if legs is None or legs.group(2).lower() != legs.group(3).lower():
        return word, ""
    return legs.group(1) + legs.group(4) + legs.group(5), legs.group(2).lower()
