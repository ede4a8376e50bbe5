"""Raw memory and bit operations for kernels, as LLVM intrinsics.

A kernel sees its data as *blocks*: flat memory made by :class:`ryugi_engine.kernel.abi.Block`
and named by its address, an ``int64``. An index counts elements of the width in the function's
name. All kernel arithmetic is ``int64``. numba promises LLVM that ``+ - *`` on int64 never
overflow, so code on whole 64-bit patterns uses :func:`mul` and :func:`add`, which wrap, and
:func:`shr`, which shifts logically.

With ``RYUGI_BOUNDSCHECK=1`` in the environment every access is compared with the size in front of
the block; a violation stops the process with an illegal-instruction trap.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import LoweringError

from ryugi_engine.kernel.bits import WORD, operation
from ryugi_engine.kernel.jit import kernel

#: Words between a block's address and the word that holds its size in bytes.
SIZE_WORD = 8
BOUNDSCHECK = os.environ.get("RYUGI_BOUNDSCHECK") == "1"


def _pointer(builder: Any, addr: Any, index: Any, elem: ir.IntType) -> Any:
    """Return a typed pointer to ``addr[index]``, bounds-checked if BOUNDSCHECK is on."""
    if BOUNDSCHECK:
        size_at = builder.inttoptr(
            builder.sub(addr, ir.Constant(WORD, 8 * SIZE_WORD)), WORD.as_pointer()
        )
        elements = builder.sdiv(builder.load(size_at), ir.Constant(WORD, elem.width // 8))
        low = builder.icmp_signed("<", index, ir.Constant(WORD, 0))
        high = builder.icmp_signed(">=", index, elements)
        with builder.if_then(builder.or_(low, high), likely=False):
            trap = builder.module.declare_intrinsic(
                "llvm.trap", fnty=ir.FunctionType(ir.VoidType(), [])
            )
            builder.call(trap, [])
    base = builder.inttoptr(addr, elem.as_pointer())
    return builder.gep(base, [index], inbounds=True)


def _loader(bits: int, *, shared: bool = False) -> Any:
    elem = ir.IntType(bits)

    def declare(typingctx: Any, addr: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = _pointer(builder, args[0], args[1], elem)
            if shared:
                value = builder.load_atomic(pointer, "monotonic", bits // 8)
            else:
                value = builder.load(pointer, align=bits // 8)
            return builder.zext(value, WORD) if bits < 64 else value

        return types.int64(types.int64, types.int64), codegen

    return operation(declare)


def _storer(bits: int) -> Any:
    elem = ir.IntType(bits)

    def declare(typingctx: Any, addr: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            narrow = builder.trunc(args[2], elem) if bits < 64 else args[2]
            builder.store(narrow, _pointer(builder, args[0], args[1], elem), align=bits // 8)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, types.int64), codegen

    return operation(declare)


load64 = _loader(64)
load32 = _loader(32)
load8 = _loader(8)
#: A load that is never optimised away: another thread may write the word.
shared64 = _loader(64, shared=True)
store64 = _storer(64)
store32 = _storer(32)
store8 = _storer(8)


@operation
def shr(typingctx: Any, value: Any, count: Any) -> Any:
    """Return ``value`` shifted right by ``count`` in 0..63, zeros shifted in."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@operation
def mul(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the product modulo 2**64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@operation
def add(typingctx: Any, a: Any, b: Any) -> Any:
    """Return the sum modulo 2**64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@operation
def popcount(typingctx: Any, value: Any) -> Any:
    """Return the number of set bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@operation
def ctz(typingctx: Any, value: Any) -> Any:
    """Return the index of the lowest set bit of a value that is not 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@operation
def select(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    """Return ``yes if condition else no``, both evaluated, without a branch."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(args[0], args[1], args[2])

    return types.int64(types.boolean, types.int64, types.int64), codegen


_MIX_1 = 0xFF51AFD7ED558CCD - (1 << 64)
_MIX_2 = 0xC4CEB9FE1A85EC53 - (1 << 64)


@kernel
def mix(word: Any) -> Any:
    """Hash a word bijectively: the finalizer of MurmurHash3 (A. Appleby)."""
    word = mul(word ^ shr(word, 33), _MIX_1)
    word = mul(word ^ shr(word, 33), _MIX_2)
    return word ^ shr(word, 33)


def _of_words(arity: int, codegen: Callable[..., Any]) -> Any:
    """Return an intrinsic of so many int64 arguments with an int64 result."""

    def declare(typingctx: Any, *words: Any) -> Any:
        return types.int64(*([types.int64] * arity)), codegen

    # numba asks for the number of arguments
    names = ["typingctx", *(f"word{i}" for i in range(arity))]
    kind = inspect.Parameter.POSITIONAL_ONLY
    parameters = [inspect.Parameter(name, kind) for name in names]
    declare.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return operation(declare)


def _caller(arity: int) -> Any:
    function_type = ir.FunctionType(WORD, [WORD] * arity)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(builder.inttoptr(args[0], function_type.as_pointer()), args[1:])

    return _of_words(arity + 1, codegen)


#: ``callN(address, ...)`` calls the compiled entry at an address with N int64 arguments.
call1 = _caller(1)
call2 = _caller(2)
call3 = _caller(3)
call4 = _caller(4)
call5 = _caller(5)
call6 = _caller(6)


def _routine_name(mangled: str) -> str:
    """Return a function's name from its mangled one, where each part follows its length."""
    parts, at = [], 0
    while (number := re.compile("[0-9]+").search(mangled, at)) is not None:
        length = int(number.group())
        parts.append(mangled[number.end() : number.end() + length])
        at = number.end() + length
        if at < len(mangled) and not mangled[at].isdigit():
            break
    return parts[-1] if parts else mangled


def _recursion(arity: int) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # numba's name of the function spells the types of its arguments
        routine = _routine_name(builder.function.name)
        if "Literal" in builder.function.name:
            raise LoweringError(f"{routine} recurses and was called with a literal")
        # LLVM's function has two arguments more: where the result and an error go
        if len(builder.function.args) - 2 != arity:
            raise LoweringError(f"recurse{arity} in {routine}, which takes another number of words")
        convention = context.call_conv
        status, result = convention.call_function(
            builder, builder.function, signature.return_type, signature.args, args
        )
        with builder.if_then(status.is_error, likely=False):
            convention.return_status_propagate(builder, status)
        return result

    return _of_words(arity, codegen)


#: ``recurseN(...)`` calls the routine that it stands in, which has N int64 arguments and an int64
#: result. If a routine called itself by name, numba would infer the types of all of it again for
#: each call. The routine must not be called with a literal: numba would specialise it.
recurse3 = _recursion(3)
recurse4 = _recursion(4)
recurse5 = _recursion(5)
recurse6 = _recursion(6)
recurse7 = _recursion(7)
recurse8 = _recursion(8)
