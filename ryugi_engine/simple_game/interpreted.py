"""Kernels run by Python, without a compiler: for reference rules.

The byte code is the kernel's own; what it names is replaced: kernels by Python functions,
operations by those of this module.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

from ryugi_engine.errors import GameError
from ryugi_engine.kernel.bits import signed
from ryugi_engine.kernel.declarations import Kernel, Operation
from ryugi_engine.simple_game.squares import Squares

_WORD = (1 << 64) - 1


def _store32(words: dict[int, int], index: int, value: int) -> None:
    words[index] = value


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    return yes if condition else no


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "bits": lambda lo, hi: Squares(lo & _WORD | (hi & _WORD) << 64),
    "one": lambda square: Squares(1 << square),
    "choose": _choose,
    "select": _choose,
    "shr": lambda value, count: signed((value & _WORD) >> count),
    "mul": lambda a, b: signed(a * b),
    "add": lambda a, b: signed(a + b),
    "popcount": lambda value: (value & _WORD).bit_count(),
    "ctz": lambda value: (value & -value).bit_length() - 1,
    "store32": _store32,
}


class _Recursion:
    """``recurseN`` in the function that it stands in."""

    function: Callable[..., Any]

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def _replaced(value: Any, recursion: _Recursion) -> Any:
    if isinstance(value, Kernel):
        return interpret(value.function)
    if isinstance(value, Operation):
        if value.__name__.startswith("recurse"):
            return recursion
        if value.__name__ not in _OPERATIONS:
            raise GameError(f"{value.__name__}: only compiled kernels have this operation")
        return _OPERATIONS[value.__name__]
    return value


@functools.cache
def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel's function as one that Python runs.

    GameError if it names an operation on raw memory.
    """
    assert isinstance(function, FunctionType)
    recursion = _Recursion()
    code = function.__code__
    globals_ = {
        name: _replaced(function.__globals__[name], recursion)
        for name in code.co_names
        if name in function.__globals__
    }
    globals_["__builtins__"] = function.__globals__["__builtins__"]
    cells = tuple(
        CellType(_replaced(cell.cell_contents, recursion)) for cell in function.__closure__ or ()
    )
    made = FunctionType(code, globals_, function.__name__, function.__defaults__, cells)
    recursion.function = made
    return made
