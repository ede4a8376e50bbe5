"""Kernels and operations as Python declares them, before anything is compiled.

Nothing here needs numba: with a complete cache an engine starts without it.
:mod:`ryugi_engine.kernel.codegen` says what numba and LLVM make of these declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

#: Results of ``status`` and ``no_moves``, from the point of view of the side to move.
ONGOING, DRAWN, LOST, WON = range(4)
#: The smallest score by which ``order`` marks a tactical move; scores of quiet moves are below.
TACTICAL_SCORE = 1 << 19
#: Maximum number of legal moves in a position.
MAX_MOVES = 4096


class Kernel:
    """A function that other kernels call: ``inline`` into each caller, or as a routine."""

    def __init__(self, function: Callable[..., Any], *, inline: bool) -> None:
        assert isinstance(function, FunctionType)
        self.function = function
        self.inline = inline
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__

    def __call__(self, *args: Any) -> Any:
        """Call the function; in kernels only."""
        raise TypeError(f"{self.__name__} can be called in kernels only")


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function that is inlined into every caller."""
    return Kernel(function, inline=True)


def routine(function: Callable[..., Any]) -> Any:
    """Mark a function that the compiler may leave as a call."""
    return Kernel(function, inline=False)


class Operation:
    """A function of kernels that LLVM's instructions implement."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *args: Any) -> Any:
        """Apply the operation; in kernels only."""
        raise TypeError(f"{self.__name__} can be called in kernels only")


def operation(function: Callable[..., Any]) -> Operation:
    """Declare an operation by its arguments and its documentation; the body is empty."""
    declared = Operation(function.__name__)
    declared.__doc__ = function.__doc__
    return declared
