"""What the lines of both protocols are parsed to; Malformed says what is wrong with one."""

from __future__ import annotations

from dataclasses import dataclass, field

from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import whole


class Malformed(ValueError):
    """A line does not follow the specification; the message is a short phrase."""


@dataclass
class Info:
    """Fields of a UCI ``info`` line or of a line of CECP's thinking output; None: it has none."""

    #: By UCI's names; ``time`` in milliseconds.
    numbers: dict[str, int] = field(default_factory=dict)
    cp: int | None = None
    mate: int | None = None
    bound: str = ""
    pv: list[str] | None = None

    @property
    def scored(self) -> bool:
        """Whether the line has a score."""
        return self.cp is not None or self.mate is not None

    @property
    def rank(self) -> int:
        """Number of the principal variation, from 1 (``multipv``)."""
        return self.numbers.get("multipv", 1)


def whole_number(what: str, text: str, low: int = -(2**64), high: int = 2**64) -> int:
    """Read a whole number; Malformed names it if it is none, or out of its range."""
    try:
        return whole(text, low, high)
    except UserError as error:
        raise Malformed(f"{what} {error}") from None
