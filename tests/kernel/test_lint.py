"""Arithmetic that lint refuses: numbers of 64 bits in operations that must not overflow."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import pytest

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import hashing, lint, memory

#: An odd number of 63 bits, as hashes are multiplied by.
_FACTOR = 0x5851F42D4C957F2D
_NAMES = {
    "FACTOR": _FACTOR,
    "NEGATIVE": _FACTOR - (1 << 64),
    "SMALL": 1000,
    "memory": memory,
    "mul": memory.mul,
    "add": memory.add,
    "shr": memory.shr,
    "mix": hashing.mix,
    "other": memory.popcount,
}


def _function(expression: str) -> FunctionType:
    names: dict[str, Any] = {"__name__": __name__, **_NAMES}
    exec(f"def kernel(a, b):\n    c = a\n    c += {expression}\n    return c", names)
    function = names["kernel"]
    assert isinstance(function, FunctionType)
    return function


@pytest.mark.parametrize(
    "expression",
    [
        "shr((a * 2 + b) * FACTOR, 40)",
        "shr(FACTOR * (a * 2 + b), 40)",
        "other(b, a * FACTOR & 7)",
        "NEGATIVE * a",
        "a * 0x9E3779B97F4A7C15",
        "a * -0x61C8864680B583EB",
        "a * 2654435769 * 3",
        "mix(a) * b",
        "b * mix(a + 1)",
        "mix(a) - mix(b)",
        "memory.mul(a, FACTOR) + b",
        "3 * add(a, b)",
        "a + FACTOR",
        "b if a else a * FACTOR",
        "(a and b) * FACTOR",
    ],
)
def test_arithmetic_of_64_bits_is_refused(expression: str) -> None:
    with pytest.raises(GameError, match="line 3: .* overflows an int64: use 'mul' or 'add'"):
        lint.check_source(_function(expression))


@pytest.mark.parametrize(
    "expression",
    [
        "shr(mul(a * 2 + b, FACTOR), 40) + 1",
        "mul(FACTOR, a) ^ b * SMALL",
        "add(mix(a), FACTOR) & FACTOR",
        "mix(a * 3 + b) % 64",
        "shr(mix(a), 60) * b",
        "other(FACTOR, 2) * b",
        "a * SMALL * 1000000 - (1 << 40)",
        "(FACTOR if a else 2) & b",
        "a - other(FACTOR if a else 2) * b",
    ],
)
def test_other_arithmetic_is_not(expression: str) -> None:
    lint.check_source(_function(expression))
