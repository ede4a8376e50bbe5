"""Parsers of CECP commands' arguments. All of them raise UserError for faulty ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import read, read_decimal

_SQUARE = "([a-z][0-9]{1,2})"
#: Commands of the CECP specification that are of no use. The engine has setboard=1 and colors=0,
#: and plays neither bughouse nor on a chess server. Those of ``edit`` are "#", "c" and "Pa2".
_UNUSED = frozenset(
    """
    accepted random white black name rating ics egtpath setscore partner ptell holding edit # c
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_EDITED = re.compile("[a-z+~]?[a-z][a-z][0-9]{1,2}", re.IGNORECASE)
_TWO_LEGS = re.compile(f"{_SQUARE}{_SQUARE},{_SQUARE}{_SQUARE}([a-z]?)", re.IGNORECASE)


def is_unused(word: str) -> bool:
    """Return whether a word is a command of the specification that the engine ignores."""
    return word.startswith("#") or word.lower() in _UNUSED or _EDITED.fullmatch(word) is not None


def number(arguments: Sequence[str], name: str) -> int:
    """Return the integer argument of a command; ``name`` selects its range in ``numbers``."""
    if not arguments:
        raise UserError(f"{name}: the number is missing")
    return read(name, arguments[0])


def level(arguments: Sequence[str]) -> tuple[int, float, float]:
    """Return (moves or 0, base seconds, increment seconds) of ``level MPS MIN[:SEC] INC``.

    Text after the base time (``25+5``) is ignored, as the CECP specification requires.
    """
    if len(arguments) < 3:
        raise UserError("'level' needs moves, minutes and increment")
    match = re.match(r"([0-9.]+)(?::([0-9]+)|(?!:[0-9]))(?![\w.])", arguments[1])
    if match is None:
        raise UserError(f"'{' '.join(arguments)[:40]}' is not like '40 5:00 0'")
    base = 60 * read_decimal("level minutes", match.group(1))
    base += read("level seconds", match.group(2) or "0")
    return read("level moves", arguments[0]), base, read_decimal("level increment", arguments[2])


def option(arguments: Sequence[str]) -> tuple[str, str | None]:
    """Return (name, value or None for a button) of ``option NAME[=VALUE]``; spaces are allowed."""
    name, equals, value = " ".join(arguments).partition("=")
    if not name.strip():
        raise UserError("the option is missing")
    return name.strip(), value.strip() if equals else None


def two_legs(word: str) -> tuple[str, str]:
    """Return (move, intermediate square) of a two-leg move ``d5e5,e5e4``; "" if it has one leg."""
    legs = _TWO_LEGS.fullmatch(word)
    if legs is None or legs.group(2).lower() != legs.group(3).lower():
        return word, ""
    return legs.group(1) + legs.group(4) + legs.group(5), legs.group(2).lower()
