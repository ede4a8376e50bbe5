"""Copying and clearing the whole of a view or field."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.templates import signature

from ryugi_engine.kernel.bits import WORD, operation
from ryugi_engine.kernel.views import FieldType, ViewType


def _whole(kind: Any) -> int:
    """Its size in bytes; TypingError for what is constant, or no view or field."""
    if isinstance(kind, ViewType) and not kind.layout.constant:
        return kind.layout.bytes
    if isinstance(kind, FieldType) and not kind.constant:
        return kind.element.bytes
    raise TypingError(f"{kind} is no view or field that a kernel may write")


@operation
def copy(typingctx: Any, target: Any, source: Any) -> Any:
    """Copy the whole of a view or field to another one of the same kind.

    In a loop, which becomes vector instructions: for so few bytes a call of memcpy is slower.
    """
    size = _whole(target)
    if target != source:
        raise TypingError(f"{source} is not of the same kind as {target}")
    unit = ir.IntType(8 * math.gcd(size, 8))

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        to, origin = (builder.bitcast(arg, unit.as_pointer()) for arg in args)
        with cgutils.for_range(builder, ir.Constant(WORD, 8 * size // unit.width)) as loop:
            value = builder.load(builder.gep(origin, [loop.index], inbounds=True), align=1)
            builder.store(value, builder.gep(to, [loop.index], inbounds=True), align=1)
        return context.get_dummy_value()

    return signature(types.none, target, source), codegen


@operation
def clear(typingctx: Any, target: Any) -> Any:
    """Set the whole of a view or field to zeros."""
    size = _whole(target)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        fill = builder.module.declare_intrinsic("llvm.memset", [args[0].type, WORD])
        zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
        builder.call(fill, [args[0], zero, ir.Constant(WORD, size), no])
        return context.get_dummy_value()

    return signature(types.none, target), codegen
