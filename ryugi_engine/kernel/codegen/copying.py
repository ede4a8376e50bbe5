"""What LLVM makes of copies of views and fields, see :mod:`ryugi_engine.kernel.copying`."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.templates import signature

from ryugi_engine.kernel import copying as declared
from ryugi_engine.kernel.codegen.bits import BITS, WORD, words_of
from ryugi_engine.kernel.codegen.operations import implements
from ryugi_engine.kernel.codegen.views import FieldType, ViewType


def _writable_bytes(kind: Any) -> int:
    """Return the size in bytes of a view or field; TypingError for others and constant ones."""
    if isinstance(kind, ViewType) and not kind.layout.constant:
        return kind.layout.bytes
    if isinstance(kind, FieldType) and not kind.constant:
        return kind.element.bytes
    raise TypingError(f"{kind} is no view or field that a kernel may write")


@implements(declared.copy)
def _copy(typingctx: Any, target: Any, source: Any) -> Any:
    # LLVM makes vector instructions of the loop: for so few bytes calling memcpy is slower.
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


@implements(declared.clear)
def _clear(typingctx: Any, target: Any) -> Any:
    size = _writable_bytes(target)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        fill = builder.module.declare_intrinsic("llvm.memset", [args[0].type, WORD])
        zero, no = ir.Constant(ir.IntType(8), 0), ir.Constant(ir.IntType(1), 0)
        builder.call(fill, [args[0], zero, ir.Constant(WORD, size), no])
        return context.get_dummy_value()

    return signature(types.none, target), codegen


@implements(declared.merge)
def _merge(typingctx: Any, target: Any, source: Any, row: Any, keep: Any, put: Any) -> Any:
    count = row.element.shape[0]
    vector = ir.VectorType(WORD, 2 * count)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def everywhere(value: Any) -> Any:
            pair = ir.Constant(ir.VectorType(WORD, 2), ir.Undefined)
            for number, word in enumerate(words_of(builder, value)):
                place = ir.Constant(ir.IntType(32), number)
                pair = builder.insert_element(pair, word, place)
            pattern = ir.Constant(ir.VectorType(ir.IntType(32), 2 * count), [0, 1] * count)
            return builder.shuffle_vector(pair, ir.Constant(pair.type, ir.Undefined), pattern)

        to, origin, member = (builder.bitcast(arg, vector.as_pointer()) for arg in args[:3])
        kept = builder.and_(builder.load(origin, align=8), everywhere(args[3]))
        added = builder.and_(builder.load(member, align=8), everywhere(args[4]))
        builder.store(builder.or_(kept, added), to, align=8)
        return context.get_dummy_value()

    return signature(types.none, target, source, row, BITS, BITS), codegen
