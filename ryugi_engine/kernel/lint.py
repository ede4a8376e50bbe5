"""Checks of a kernel's byte code before it is compiled.

numba would compile all of this to wrong numbers: ``/`` makes a float that an int64 result
truncates, ``//`` and ``%`` by zero are 0, ``recurseN`` with a wrong N reads garbage from the stack,
stores to views are dropped within comprehensions and functions inside the kernel.
"""

from __future__ import annotations

import builtins
import dis
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ryugi_engine.errors import GameError

_RECURSION = re.compile(r"recurse([0-9]+)\Z")
#: Instructions that only mark a place.
_SILENT = ("CACHE", "EXTENDED_ARG", "PRECALL", "RESUME", "NOP")
#: Instructions of functions inside a function, and of comprehensions, which Python 3.12 inlines.
_INNER = ("MAKE_FUNCTION", "LIST_APPEND", "SET_ADD", "MAP_ADD")


def name_of(function: Callable[..., Any]) -> str:
    """Return a kernel's name in messages: ``variants.chess.fast.entries.make_move``."""
    return f"{function.__module__}.{function.__qualname__}"


def _steps(code: CodeType) -> Iterator[tuple[int, dis.Instruction]]:
    """Yield (line, instruction) of a function's code."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        place = getattr(step, "positions", None)
        if place is not None and place.lineno:
            line = place.lineno
        if step.opname not in _SILENT:
            yield line, step


def _value(function: Callable[..., Any], steps: list[dis.Instruction]) -> Any:
    """Return the value that the last instruction loads, if it is a constant or a global."""
    if steps and steps[-1].opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
        return steps[-1].argval
    globals_ = function.__globals__
    if steps and steps[-1].opname == "LOAD_GLOBAL":
        return globals_.get(steps[-1].argval)
    if len(steps) > 1 and steps[-1].opname == "LOAD_ATTR" and steps[-2].opname == "LOAD_GLOBAL":
        return getattr(globals_.get(steps[-2].argval), steps[-1].argval, None)
    return None


def _is_known(function: Callable[..., Any], name: str) -> bool:
    return name in function.__globals__ or hasattr(builtins, name)


def _refuse(function: Callable[..., Any], line: int, reason: str) -> None:
    raise GameError(f"{name_of(function)}: line {line}: {reason}")


def check_arity(function: Callable[..., Any], arity: int) -> None:
    """Raise GameError if an entry takes another number of arguments than its decorator says."""
    code = function.__code__
    if code.co_argcount != arity:
        reason = (
            f"the entry is marked as one of arity {arity} and takes {code.co_argcount} arguments"
        )
        _refuse(function, code.co_firstlineno, reason)


def check_source(function: Callable[..., Any]) -> None:
    """Refuse a kernel that numba would compile to wrong numbers, or that raises.

    GameError names kernel, line and fault.
    """
    code = function.__code__
    before: list[dis.Instruction] = []
    for line, step in _steps(code):
        if step.opname == "BINARY_OP":
            operation = step.argrepr.removesuffix("=")
            if operation == "/":
                _refuse(
                    function,
                    line,
                    "'/' makes a float, of which an int64 keeps the whole part: use '//'",
                )
            zero = _value(function, before)
            if operation in ("//", "%") and isinstance(zero, int) and zero == 0:
                _refuse(function, line, f"'{operation}' by zero")
        if step.opname in _INNER:
            _refuse(
                function,
                line,
                "a comprehension, lambda or inner function: write a loop or a kernel",
            )
        if step.opname == "RAISE_VARARGS":
            _refuse(function, line, "a kernel cannot raise or assert: return an error value")
        if step.opname == "LOAD_GLOBAL" and step.argval == "print":
            _refuse(function, line, "a kernel cannot print: it has no interpreter")
        if step.opname == "LOAD_GLOBAL" and not _is_known(function, step.argval):
            _refuse(function, line, f"the name '{step.argval}' is not defined")
        call = _RECURSION.match(str(step.argval)) if step.opname == "LOAD_GLOBAL" else None
        if call is not None and int(call.group(1)) != code.co_argcount:
            _refuse(
                function,
                line,
                f"{call.group()} in a routine that takes {code.co_argcount} arguments:"
                f" it has to be recurse{code.co_argcount}",
            )
        before = [*before[-1:], step]
    _check_returns(function)


def _check_returns(function: Callable[..., Any]) -> None:
    """Refuse a kernel that returns a value in one case and nothing in another."""
    ends: dict[bool, int] = {}
    last: dis.Instruction | None = None
    for line, step in _steps(function.__code__):
        if step.opname == "RETURN_CONST":
            ends[step.argval is None] = line
        elif step.opname == "RETURN_VALUE" and last is not None:
            ends[last.opname == "LOAD_CONST" and last.argval is None] = line
        last = step
    if len(ends) == 2:
        _refuse(function, ends[True], "it returns nothing here, and a value elsewhere")
