"""What readers of both protocols' lines share."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.errors import UserError
from ryugi_engine.numbers import whole


class Malformed(ValueError):
    """A line does not follow the specification; the message is a short phrase."""


def whole_number(what: str, text: str, low: int = -(2**64), high: int = 2**64) -> int:
    """Read a whole number; Malformed names it if it is none, or out of its range."""
    try:
        return whole(text, low, high)
    except UserError as error:
        raise Malformed(f"{what} {error}") from None


def fault_of(parse: Callable[[str], object], line: str) -> str | None:
    """Return what is wrong with a line; None if it is well-formed."""
    try:
        parse(line)
    except Malformed as error:
        return str(error)
    return None
