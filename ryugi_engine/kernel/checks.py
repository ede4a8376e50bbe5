"""What is refused in a kernel's code when it is marked, before anything is compiled.

numba would compile all of this and give numbers: ``/`` makes a float that an int64 result cuts
off, ``//`` and ``%`` by zero are 0, and a ``recurseN`` with a wrong N takes words from the stack.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ryugi_engine.games.game import GameError

_RECURSION = re.compile(r"recurse([0-9]+)\Z")
#: Instructions that only mark a place.
_SILENT = ("CACHE", "EXTENDED_ARG", "PRECALL", "RESUME", "NOP")


def name_of(function: Callable[..., Any]) -> str:
    """How complaints call a kernel: ``variants.chess_family.entries.make_move``."""
    return f"{function.__module__}.{function.__qualname__}"


def _steps(code: CodeType) -> Iterator[tuple[int, dis.Instruction]]:
    """(line, instruction) of a function's code."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        place = getattr(step, "positions", None)
        if place is not None and place.lineno:
            line = place.lineno
        if step.opname not in _SILENT:
            yield line, step


def _value(function: Callable[..., Any], steps: list[dis.Instruction]) -> Any:
    """The number that the last of the instructions loads, if it is the same at every call."""
    if steps and steps[-1].opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
        return steps[-1].argval
    globals_ = function.__globals__
    if steps and steps[-1].opname == "LOAD_GLOBAL":
        return globals_.get(steps[-1].argval)
    if len(steps) > 1 and steps[-1].opname == "LOAD_ATTR" and steps[-2].opname == "LOAD_GLOBAL":
        return getattr(globals_.get(steps[-2].argval), steps[-1].argval, None)
    return None


def look_at(function: Callable[..., Any], arity: int | None = None) -> None:
    """GameError names the kernel, the line and what is wrong with it; ``arity`` of an entry."""
    name, code = name_of(function), function.__code__

    def refuse(line: int, reason: str) -> None:
        raise GameError(f"{name}: line {line}: {reason}")

    if arity is not None and code.co_argcount != arity:
        refuse(
            code.co_firstlineno,
            f"the entry is marked as one of arity {arity} and takes {code.co_argcount} arguments",
        )
    before: list[dis.Instruction] = []
    for line, step in _steps(code):
        if step.opname == "BINARY_OP":
            operation = step.argrepr.removesuffix("=")
            if operation == "/":
                refuse(line, "'/' makes a float, of which an int64 keeps the whole part: use '//'")
            zero = _value(function, before)
            if operation in ("//", "%") and isinstance(zero, int) and zero == 0:
                refuse(line, f"'{operation}' by zero")
        found = _RECURSION.match(str(step.argval)) if step.opname == "LOAD_GLOBAL" else None
        if found is not None and int(found.group(1)) != code.co_argcount:
            refuse(
                line,
                f"{found.group()} in a routine that takes {code.co_argcount} arguments:"
                f" it has to be recurse{code.co_argcount}",
            )
        before = [*before[-1:], step]
