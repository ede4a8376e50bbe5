"""``Lanes``: a row of 16-bit numbers as one value in kernels, in the processor's vector registers.

``lanes(field)`` reads a field of type ``i16[n]`` and ``keep(field, a)`` writes one; ``plus(a,
field)`` and ``minus(a, field)`` go lane by lane, modulo 2**16, and ``clipped_square_dot(a, weights,
top)`` makes a number of the lanes.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import signature
from numba.extending import models, register_model

from ryugi_engine.kernel.bits import WORD, operation
from ryugi_engine.kernel.views import FieldType

_HALF, _INT = ir.IntType(16), ir.IntType(32)


class LanesType(types.Type):
    """numba's type of so many 16-bit numbers."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"Lanes({count})")


@register_model(LanesType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, ir.VectorType(_HALF, fe_type.count))


def _type_of(field: Any) -> LanesType:
    if isinstance(field, FieldType) and field.element.name == "i16":
        if len(field.element.shape) == 1:
            return LanesType(field.element.shape[0])
    raise TypingError(f"{field} is no row of 16-bit numbers")


def _row(builder: Any, field: Any, pointer: Any) -> Any:
    """A field's numbers."""
    vector = ir.VectorType(_HALF, field.element.shape[0])
    value = builder.load(builder.bitcast(pointer, vector.as_pointer()), align=field.element.align)
    if field.constant:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@operation
def lanes(typingctx: Any, field: Any) -> Any:
    """The numbers of a field."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _row(builder, field, args[0])

    return signature(_type_of(field), field), codegen


@operation
def keep(typingctx: Any, field: Any, value: Any) -> Any:
    """Write lanes to a field."""
    if _type_of(field) != value or field.constant:
        raise TypingError(f"{value} and {field} do not fit")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.VectorType(_HALF, field.element.shape[0])
        pointer = builder.bitcast(args[0], vector.as_pointer())
        builder.store(args[1], pointer, align=field.element.align)
        return context.get_dummy_value()

    return signature(types.none, field, value), codegen


def _lane_by_lane(typingctx: Any, name: str, value: Any, field: Any) -> Any:
    if _type_of(field) != value:
        raise TypingError(f"{value} and {field} do not fit")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, name)(args[0], _row(builder, field, args[1]))

    return signature(value, value, field), codegen


@operation
def plus(typingctx: Any, value: Any, field: Any) -> Any:
    """The sum of lanes and a field, lane by lane."""
    return _lane_by_lane(typingctx, "add", value, field)


@operation
def minus(typingctx: Any, value: Any, field: Any) -> Any:
    """The difference of lanes and a field, lane by lane."""
    return _lane_by_lane(typingctx, "sub", value, field)


@operation
def clipped_square_dot(typingctx: Any, value: Any, weights: Any, top: Any) -> Any:
    """The sum over all lanes of weight * c * c, where c is the lane within 0..``top``, a literal.

    weight * c is to fit 16 bits and the sum 32.
    """
    if _type_of(weights) != value or not isinstance(top, types.IntegerLiteral):
        raise TypingError(f"{value} and {weights} do not fit, or the top is no literal")
    count, highest = value.count, top.literal_value

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        short, wide = ir.VectorType(_HALF, count), ir.VectorType(_INT, count)

        def held(comparison: str, lane: Any, bound: int) -> Any:
            limit = ir.Constant(short, [bound] * count)
            return builder.select(builder.icmp_signed(comparison, lane, limit), lane, limit)

        clipped = held("<", held(">", args[0], 0), highest)
        weighed = builder.mul(clipped, _row(builder, weights, args[1]))
        products = builder.mul(builder.sext(weighed, wide), builder.sext(clipped, wide))
        name = f"llvm.vector.reduce.add.v{count}i32"
        total = builder.module.globals.get(name)
        if total is None:
            total = ir.Function(builder.module, ir.FunctionType(_INT, [wide]), name)
        return builder.sext(builder.call(total, [products]), WORD)

    return signature(types.int64, value, weights, top), codegen
