"""``Squares``: a bitboard in Python, with the operations that it has in kernels."""

from __future__ import annotations

from collections.abc import Iterator

from ryugi_engine.kernel.bits import signed

_ALL = (1 << 128) - 1


class Squares:
    """A set of squares 0..127, immutable; see :mod:`ryugi_engine.kernel.bits`."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value & _ALL

    def __and__(self, other: Squares) -> Squares:
        return Squares(self.value & other.value)

    def __or__(self, other: Squares) -> Squares:
        return Squares(self.value | other.value)

    def __xor__(self, other: Squares) -> Squares:
        return Squares(self.value ^ other.value)

    def __invert__(self) -> Squares:
        return Squares(~self.value)

    def __lshift__(self, count: int) -> Squares:
        return Squares(self.value << count)

    def __rshift__(self, count: int) -> Squares:
        return Squares(self.value >> count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Squares) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        return self.value != 0

    def __iter__(self) -> Iterator[int]:
        value = self.value
        while value:
            low = value & -value
            yield low.bit_length() - 1
            value ^= low

    @property
    def lo(self) -> int:
        """Squares 0 to 63, as an int64."""
        return signed(self.value)

    @property
    def hi(self) -> int:
        """Squares 64 to 127, as an int64."""
        return signed(self.value >> 64)

    def count(self) -> int:
        """Return the number of squares."""
        return self.value.bit_count()

    def first(self) -> int:
        """Return the lowest square; -1 if there is none."""
        return (self.value & -self.value).bit_length() - 1

    def pop(self) -> tuple[int, Squares]:
        """Return (lowest square, the rest)."""
        return self.first(), Squares(self.value & (self.value - 1))

    def has(self, square: int) -> int:
        """Return whether the square is in the set, as 1 or 0."""
        return self.value >> square & 1
