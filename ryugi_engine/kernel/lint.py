"""Checks of a kernel's byte code before it is compiled.

numba would compile all of this to wrong numbers. ``/`` makes a float that an int64 result
truncates. ``//`` and ``%`` by zero are 0. The sums and products of hashes leave the range that LLVM
counts on. ``recurseN`` with a wrong N reads garbage from the stack. Stores to views are dropped
within comprehensions and functions inside the kernel.
"""

from __future__ import annotations

import builtins
import dis
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, ModuleType
from typing import Any

from ryugi_engine.errors import GameError
from ryugi_engine.kernel.declarations import Kernel
from ryugi_engine.kernel.memory import add, mul

_RECURSION = re.compile(r"recurse([0-9]+)\Z")
#: Instructions that only mark a place.
_SILENT = ("CACHE", "EXTENDED_ARG", "PRECALL", "RESUME", "NOP")
#: Instructions of functions inside a function, and of comprehensions, which Python 3.12 inlines.
_INNER = ("MAKE_FUNCTION", "LIST_APPEND", "SET_ADD", "MAP_ADD")
#: The module of kernels whose results are patterns of 64 bits, like those of `mul` and `add`.
_HASHING = "ryugi_engine.kernel.hashing"
_PATTERN = "64 bits"
#: Constants that are no counts: the smallest that no product or sum may have.
_FACTOR, _SUMMAND = 1 << 31, 1 << 62


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


def _operations(function: Callable[..., Any]) -> Iterator[tuple[int, str, tuple[Any, Any]]]:
    """Yield (line, operator, operands) of a function's arithmetic.

    An operand is a constant, _PATTERN, or None where neither is known. After a condition within an
    expression some are taken for unknown.
    """
    stack: list[Any] = []
    for line, step in _steps(function.__code__):
        change = dis.stack_effect(step.opcode, step.arg, jump=False)
        if step.opname == "CALL":  # in Python 3.11 a part of it is that of PRECALL
            change = -1 - (step.arg or 0)
        operands = (stack[-2] if len(stack) > 1 else None, stack[-1] if stack else None)
        value = _pushed(function, stack, step)
        if change > 0:
            stack += [None] * (change - 1) + [value]
        else:
            del stack[len(stack) + change :]
            if stack and not step.opname.startswith(("STORE", "POP")):
                stack[-1] = value
        if step.opname == "BINARY_OP":
            yield line, step.argrepr.removesuffix("="), operands


def _pushed(function: Callable[..., Any], stack: list[Any], step: dis.Instruction) -> Any:
    """Return what an instruction leaves on top of the stack, as far as it is known."""
    if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
        return step.argval
    if step.opname == "LOAD_GLOBAL":
        return function.__globals__.get(step.argval)
    if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and stack and isinstance(stack[-1], ModuleType):
        return getattr(stack[-1], step.argval, None)
    if step.opname == "CALL":
        # before or after the callee is a NULL
        called = stack[: len(stack) - (step.arg or 0)][-2:]
        return _PATTERN if any(map(_makes_pattern, called)) else None
    return None


def _makes_pattern(called: Any) -> bool:
    """Return whether the result of what is called has all its 64 bits in use."""
    hashes = isinstance(called, Kernel) and called.__module__ == _HASHING
    return hashes or called is mul or called is add


def _overflows(operation: str, operand: Any) -> bool:
    """Return whether an operation may leave the range of an int64 for this operand."""
    if operand is _PATTERN:
        return operation in ("+", "-", "*")
    number = abs(operand) if isinstance(operand, int) else 0
    return (operation == "*" and number >= _FACTOR) or (
        operation in ("+", "-") and number >= _SUMMAND
    )


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


@cache  # many entries of many games reach the same kernels
def check_source(function: Callable[..., Any]) -> None:
    """Refuse a kernel that numba would compile to wrong numbers, or that raises.

    GameError names kernel, line and fault.
    """
    code = function.__code__
    for line, operation, operands in _operations(function):
        if operation == "/":
            _refuse(
                function,
                line,
                "'/' makes a float, of which an int64 keeps the whole part: use '//'",
            )
        if operation in ("//", "%") and isinstance(operands[1], int) and operands[1] == 0:
            _refuse(function, line, f"'{operation}' by zero")
        if any(_overflows(operation, operand) for operand in operands):
            _refuse(
                function,
                line,
                f"'{operation}' of so large a number overflows an int64: use 'mul' or 'add'",
            )
    for line, step in _steps(code):
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
        if call is not None and _is_inlined(function):
            _refuse(
                function,
                line,
                f"{call.group()} in a kernel calls the routine that the kernel is inlined into,"
                " or the kernel: mark it as a routine",
            )
    _check_returns(function)


def _is_inlined(function: Callable[..., Any]) -> bool:
    """Return whether a function is a module's kernel that is inlined into its callers."""
    made = function.__globals__.get(function.__name__)
    return isinstance(made, Kernel) and made.function is function and made.inline


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
