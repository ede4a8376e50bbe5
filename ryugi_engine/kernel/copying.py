"""Copying and clearing whole views and fields."""

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


def _writable_bytes(kind: Any) -> int:
    """Return the size in bytes of a view or field; TypingError for others and constant ones."""
    if isinstance(kind, ViewType) and not kind.layout.constant:
        return kind.layout.bytes
    if isinstance(kind, FieldType) and not kind.constant:
        return kind.element.bytes
    raise TypingError(f"{kind} is no view or field that a kernel may write")


@operation
def copy(typingctx: Any, target: Any, source: Any) -> Any:
    """Copy a whole view or field to another one of the same type.

    LLVM makes vector instructions of the loop: for so few bytes calling memcpy is slower.
    """
    size = _writable_bytes(target)
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
    """Set a whole view or field to zero."""
    size = _writable_bytes(target)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        fill = builder.module.declare_intrinsic("llvm.memset", [args[0].type, WORD])
        zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
        builder.call(fill, [args[0], zero, ir.Constant(WORD, size), no])
        return context.get_dummy_value()

    return signature(types.none, target), codegen
