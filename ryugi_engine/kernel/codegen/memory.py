"""What LLVM makes of raw memory and bit operations, see :mod:`ryugi_engine.kernel.memory`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import LoweringError

from ryugi_engine.kernel import memory as declared
from ryugi_engine.kernel.block import BOUNDSCHECK, SIZE_WORD
from ryugi_engine.kernel.codegen.bits import WORD
from ryugi_engine.kernel.codegen.operations import implements
from ryugi_engine.kernel.declarations import Operation


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


def _implement_load(operation: Operation, bits: int, *, shared: bool = False) -> None:
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

    implements(operation)(declare)


def _implement_store(operation: Operation, bits: int) -> None:
    elem = ir.IntType(bits)

    def declare(typingctx: Any, addr: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            narrow = builder.trunc(args[2], elem) if bits < 64 else args[2]
            builder.store(narrow, _pointer(builder, args[0], args[1], elem), align=bits // 8)
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, types.int64), codegen

    implements(operation)(declare)


for _bits in (8, 32, 64):
    _implement_load(getattr(declared, f"load{_bits}"), _bits)
    _implement_store(getattr(declared, f"store{_bits}"), _bits)
_implement_load(declared.shared64, 64, shared=True)


@implements(declared.prefetch)
def _prefetch(typingctx: Any, addr: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        intrinsic = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        pointer = builder.bitcast(_pointer(builder, args[0], args[1], WORD), byte)
        # to read, to be kept in all caches, data
        flags = [ir.Constant(flag, value) for value in (0, 3, 1)]
        builder.call(intrinsic, [pointer, *flags])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), codegen


@implements(declared.shr)
def _shr(typingctx: Any, value: Any, count: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@implements(declared.mul)
def _mul(typingctx: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@implements(declared.add)
def _add(typingctx: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return types.int64(types.int64, types.int64), codegen


@implements(declared.popcount)
def _popcount(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@implements(declared.ctz)
def _ctz(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@implements(declared.select)
def _select(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(args[0], args[1], args[2])

    return types.int64(types.boolean, types.int64, types.int64), codegen


def _implement(operation: Operation, arity: int, codegen: Callable[..., Any]) -> None:
    """Implement an operation of so many int64 arguments and an int64 result."""

    def declare(typingctx: Any, *words: Any) -> Any:
        return types.int64(*([types.int64] * arity)), codegen

    # numba asks for the number of arguments
    names = ["typingctx", *(f"word{i}" for i in range(arity))]
    kind = inspect.Parameter.POSITIONAL_ONLY
    parameters = [inspect.Parameter(name, kind) for name in names]
    declare.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    implements(operation)(declare)


def _implement_call(operation: Operation, arity: int) -> None:
    function_type = ir.FunctionType(WORD, [WORD] * arity)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.call(builder.inttoptr(args[0], function_type.as_pointer()), args[1:])

    _implement(operation, arity + 1, codegen)


for _arity in range(1, 7):
    _implement_call(getattr(declared, f"call{_arity}"), _arity)


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


def _implement_recursion(operation: Operation, arity: int) -> None:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # LLVM's function has two arguments more: where the result and an error go
        if len(builder.function.args) - 2 != arity:
            # numba's name of the function spells the types of its arguments
            routine = _routine_name(builder.function.name)
            raise LoweringError(f"recurse{arity} in {routine}, which takes another number of words")
        convention = context.call_conv
        status, result = convention.call_function(
            builder, builder.function, signature.return_type, signature.args, args
        )
        with builder.if_then(status.is_error, likely=False):
            convention.return_status_propagate(builder, status)
        return result

    _implement(operation, arity, codegen)


for _arity in range(3, 9):
    _implement_recursion(getattr(declared, f"recurse{_arity}"), _arity)
