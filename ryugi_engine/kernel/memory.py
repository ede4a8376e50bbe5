"""Raw memory and bit operations for kernels, as LLVM intrinsics.

A kernel sees its data as *blocks*: flat memory made by :class:`ryugi_engine.kernel.abi.Block`
and named by its address, an ``int64``. An index counts elements of the width in the
function's name. All kernel arithmetic is ``int64``, so that a plain literal never turns an
expression into a float. numba promises LLVM that ``+ - *`` on int64 never overflow, so code
that works with whole 64-bit patterns uses :func:`mul` and :func:`add`, which wrap, and
:func:`shr`, which shifts logically.

With ``RYUGI_BOUNDSCHECK=1`` in the environment every access is compared with the size in
the block's header and a violation stops the process with an illegal-instruction trap.
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
from numba.extending import intrinsic

from ryugi_engine.kernel.jit import kernel

#: Words between a block's address and the word that holds its size in bytes.
SIZE_WORD = 8
BOUNDSCHECK = os.environ.get("RYUGI_BOUNDSCHECK") == "1"

_I64 = ir.IntType(64)


def _operation(declare: Callable[..., Any]) -> Any:
    """numba's intrinsic, typed as what kernels may call with any arguments."""
    return intrinsic(declare)


def _pointer(builder: Any, addr: Any, index: Any, elem: ir.Type, count: int = 1) -> Any:
    """Typed pointer to ``addr[index]``, with the size check when that is on."""
    if BOUNDSCHECK:
        width = elem.width // 8 if isinstance(elem, ir.IntType) else 8
        size_at = builder.inttoptr(
            builder.sub(addr, ir.Constant(_I64, 8 * SIZE_WORD)), _I64.as_pointer()
        )
        elements = builder.sdiv(builder.load(size_at), ir.Constant(_I64, width))
        last = builder.add(index, ir.Constant(_I64, count - 1))
        low = builder.icmp_signed("<", index, ir.Constant(_I64, 0))
        high = builder.icmp_signed(">=", last, elements)
        with builder.if_then(builder.or_(low, high), likely=False):
            trap = builder.module.declare_intrinsic(
                "llvm.trap", fnty=ir.FunctionType(ir.VoidType(), [])
            )
            builder.call(trap, [])
    base = builder.inttoptr(addr, elem.as_pointer())
    return builder.gep(base, [index], inbounds=True)


def _loader(bits: int, *, constant: bool = False, shared: bool = False) -> Any:
    elem = ir.IntType(bits)

    def declare(typingctx: Any, addr: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = _pointer(builder, args[0], args[1], elem)
            if shared:
                value = builder.load_atomic(pointer, "monotonic", bits // 8)
            else:
                value = builder.load(pointer, align=bits // 8)
            if constant:
                value.set_metadata("invariant.load", builder.module.add_metadata([]))
            return builder.zext(value, _I64) if bits < 64 else value

        return types.int64(types.int64, types.int64), codegen

    return _operation(declare)


def _storer(bits: int) -> Any:
    elem = ir.IntType(bits)

    def declare(typingctx: Any, addr: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            narrow = builder.trunc(args[2], elem) if bits < 64 else args[2]
            builder.store(narrow, _pointer(builder, args[0], args[1], elem), align=bits // 8)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, types.int64), codegen

    return _operation(declare)


load64 = _loader(64)
load32 = _loader(32)
load8 = _loader(8)
#: Loads from a block that no kernel writes; the compiler may keep the value over stores.
const64 = _loader(64, constant=True)
const16 = _loader(16, constant=True)
#: A load that is done each time: another thread may write the word.
shared64 = _loader(64, shared=True)
store64 = _storer(64)
store32 = _storer(32)
store8 = _storer(8)


@_operation
def shr(typingctx: Any, value: Any, count: Any) -> Any:
    """Logical right shift of ``value`` by ``count`` in 0..63."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@_operation
def mul(typingctx: Any, a: Any, b: Any) -> Any:
    """Product modulo 2**64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@_operation
def add(typingctx: Any, a: Any, b: Any) -> Any:
    """Sum modulo 2**64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@_operation
def popcount(typingctx: Any, value: Any) -> Any:
    """Number of set bits."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@_operation
def ctz(typingctx: Any, value: Any) -> Any:
    """Index of the lowest set bit of a value that is not 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@_operation
def select(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    """``yes if condition else no`` on evaluated values, without a jump."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(args[0], args[1], args[2])

    return types.int64(types.boolean, types.int64, types.int64), codegen


_MIX_1 = 0xFF51AFD7ED558CCD - (1 << 64)
_MIX_2 = 0xC4CEB9FE1A85EC53 - (1 << 64)


@kernel
def mix(word: Any) -> Any:
    """A bijection that spreads every bit: the finalizer of MurmurHash3 (A. Appleby)."""
    word = mul(word ^ shr(word, 33), _MIX_1)
    word = mul(word ^ shr(word, 33), _MIX_2)
    return word ^ shr(word, 33)


def _of_words(arity: int, codegen: Callable[..., Any]) -> Any:
    """An operation of so many int64 arguments with an int64 result."""

    def declare(typingctx: Any, *words: Any) -> Any:
        return types.int64(*([types.int64] * arity)), codegen

    # numba asks for the number of arguments
    names = ["typingctx", *(f"word{i}" for i in range(arity))]
    kind = inspect.Parameter.POSITIONAL_ONLY
    parameters = [inspect.Parameter(name, kind) for name in names]
    declare.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return _operation(declare)


def _caller(arity: int) -> Any:
    function_type = ir.FunctionType(_I64, [_I64] * arity)

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
    """The function's own name out of numba's for LLVM, which puts its length before each part."""
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


#: ``recurseN(...)`` calls the routine that it stands in, whose N arguments and result are int64.
#: By its name numba would infer the types of the whole routine again for each such call. Nobody may
#: call the routine with a literal: numba would compile it with that in place of the argument.
recurse3 = _recursion(3)
recurse4 = _recursion(4)
recurse5 = _recursion(5)
recurse6 = _recursion(6)
recurse7 = _recursion(7)
recurse8 = _recursion(8)


def _merge(words: int) -> Any:
    """``dst[i] = (src[i] & keep) | (row[i] & put)`` for some words, as vector instructions."""
    vector = ir.VectorType(_I64, words)

    def declare(
        typingctx: Any, s: Any, dst: Any, src: Any, t: Any, row: Any, keep: Any, put: Any
    ) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            state, to, origin, tables, at, kept, added = args

            def splat(word: Any) -> Any:
                undef = ir.Constant(vector, ir.Undefined)
                first = builder.insert_element(undef, word, ir.Constant(ir.IntType(32), 0))
                zeros = ir.Constant(ir.VectorType(ir.IntType(32), words), [0] * words)
                return builder.shuffle_vector(first, undef, zeros)

            def pointer(base: Any, index: Any) -> Any:
                word = _pointer(builder, base, index, _I64, words)
                return builder.bitcast(word, vector.as_pointer())

            old = builder.load(pointer(state, origin), align=8)
            member = builder.load(pointer(tables, at), align=8)
            new = builder.or_(builder.and_(old, splat(kept)), builder.and_(member, splat(added)))
            builder.store(new, pointer(state, to), align=8)
            return context.get_dummy_value()

        return types.none(*([types.int64] * 7)), codegen

    return _operation(declare)


#: ``merge12(S, dst, src, T, row, keep, put)`` on twelve words.
merge12 = _merge(12)
