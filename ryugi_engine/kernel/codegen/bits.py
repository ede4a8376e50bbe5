"""What LLVM makes of bitboards, see :mod:`ryugi_engine.kernel.bits`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    bound_function,
    infer_global,
    signature,
)
from numba.extending import infer_getattr, lower_builtin, lower_getattr, models, register_model

from ryugi_engine.kernel import bits as declared
from ryugi_engine.kernel.codegen.operations import implements

WORD = ir.IntType(64)
_FLAG = ir.IntType(1)


class BitsType(types.Type):
    """The numba type of a bitboard."""

    def __init__(self) -> None:
        super().__init__("Bits")


#: The type of every bitboard.
BITS = BitsType()


@register_model(BitsType)
class _Model(models.StructModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, [("lo", types.int64), ("hi", types.int64)])


def words_of(builder: Any, value: Any) -> tuple[Any, Any]:
    """Return the two words of a bitboard's LLVM value."""
    return builder.extract_value(value, 0), builder.extract_value(value, 1)


def of_words(context: Any, builder: Any, lo: Any, hi: Any) -> Any:
    """Return the LLVM value of a bitboard made of two words."""
    value = ir.Constant(context.get_value_type(BITS), ir.Undefined)
    return builder.insert_value(builder.insert_value(value, lo, 0), hi, 1)


# ---- operators -----------------------------------------------------------------------------------


def _binary(symbol: Any, inplace: Any, combine: Callable[[Any, Any, Any], Any]) -> None:
    class Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(BITS, BITS, BITS) if args == (BITS, BITS) else None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = words_of(builder, args[0]), words_of(builder, args[1])
        return of_words(
            context, builder, combine(builder, a[0], b[0]), combine(builder, a[1], b[1])
        )

    for operation in (symbol, inplace):
        infer_global(operation)(type("Typing", (Typing,), {"key": operation}))
        lower_builtin(operation, BITS, BITS)(lower)


_binary(operator.and_, operator.iand, lambda builder, a, b: builder.and_(a, b))
_binary(operator.or_, operator.ior, lambda builder, a, b: builder.or_(a, b))
_binary(operator.xor, operator.ixor, lambda builder, a, b: builder.xor(a, b))


def _unary(symbol: Any, result: Any) -> Callable[[Any], Any]:
    class Typing(AbstractTemplate):
        key = symbol

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(result, BITS) if args == (BITS,) else None

    infer_global(symbol)(Typing)
    lowering: Callable[[Any], Any] = lower_builtin(symbol, BITS)
    return lowering


@_unary(operator.invert, BITS)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lo, hi = words_of(builder, args[0])
    return of_words(context, builder, builder.not_(lo), builder.not_(hi))


def _is_not_empty(builder: Any, value: Any) -> Any:
    lo, hi = words_of(builder, value)
    return builder.icmp_unsigned("!=", builder.or_(lo, hi), ir.Constant(WORD, 0))


@_unary(bool, types.boolean)
def _truth(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _is_not_empty(builder, args[0])


@_unary(operator.not_, types.boolean)
def _not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(_is_not_empty(builder, args[0]))


def _comparison(symbol: Any, negated: bool) -> None:
    class Typing(AbstractTemplate):
        key = symbol

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(types.boolean, BITS, BITS) if args == (BITS, BITS) else None

    infer_global(symbol)(Typing)

    @lower_builtin(symbol, BITS, BITS)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = words_of(builder, args[0]), words_of(builder, args[1])
        other = builder.or_(builder.xor(a[0], b[0]), builder.xor(a[1], b[1]))
        return builder.icmp_unsigned("!=" if negated else "==", other, ir.Constant(WORD, 0))


_comparison(operator.eq, False)
_comparison(operator.ne, True)


def _shift(symbol: Any, up: bool) -> None:
    class Typing(AbstractTemplate):
        key = symbol

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and args[0] == BITS and isinstance(args[1], types.Integer):
                return signature(BITS, BITS, types.int64)
            return None

    infer_global(symbol)(Typing)

    @lower_builtin(symbol, BITS, types.int64)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lo, hi = words_of(builder, args[0])
        rest = builder.sub(ir.Constant(WORD, 64), args[1])
        if up:
            carried = builder.lshr(lo, rest)
            new_lo = builder.shl(lo, args[1])
            return of_words(
                context, builder, new_lo, builder.or_(builder.shl(hi, args[1]), carried)
            )
        carried = builder.shl(hi, rest)
        new_hi = builder.lshr(hi, args[1])
        return of_words(context, builder, builder.or_(builder.lshr(lo, args[1]), carried), new_hi)


_shift(operator.lshift, True)
_shift(operator.rshift, False)

# ---- words and methods ---------------------------------------------------------------------------

#: Methods of a bitboard: type of the result, types of the arguments.
_METHODS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "count": (types.int64, ()),
    "first": (types.int64, ()),
    "pop": (types.Tuple((types.int64, BITS)), ()),
    "has": (types.int64, (types.int64,)),
}


@infer_getattr
class _Attributes(AttributeTemplate):
    key = BitsType

    def resolve_lo(self, value: Any) -> Any:
        return types.int64

    def resolve_hi(self, value: Any) -> Any:
        return types.int64


def _typed_method(name: str) -> None:
    result, arguments = _METHODS[name]

    @bound_function(f"bits.{name}")
    def resolve(self: Any, value: Any, args: Any, kws: Any) -> Any:
        if len(args) == len(arguments) and not kws:
            return signature(result, *arguments)
        return None

    setattr(_Attributes, f"resolve_{name}", resolve)


for _name in _METHODS:
    _typed_method(_name)


@lower_getattr(BitsType, "lo")
def _lo(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return builder.extract_value(value, 0)


@lower_getattr(BitsType, "hi")
def _hi(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return builder.extract_value(value, 1)


def _trailing_zeros(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(_FLAG, 1))


@lower_builtin("bits.count", BITS)
def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lo, hi = words_of(builder, args[0])
    return builder.add(builder.ctpop(lo), builder.ctpop(hi))


@lower_builtin("bits.first", BITS)
def _first(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lo, hi = words_of(builder, args[0])
    low = builder.icmp_unsigned("!=", lo, ir.Constant(WORD, 0))
    word = builder.select(low, lo, hi)
    base = builder.select(low, ir.Constant(WORD, 0), ir.Constant(WORD, 64))
    return builder.or_(_trailing_zeros(builder, word), base)


@lower_builtin("bits.pop", BITS)
def _pop(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Branch on the low word: a well predicted branch is cheaper than a chain of selects."""
    lo, hi = words_of(builder, args[0])
    one = ir.Constant(WORD, 1)
    low = builder.icmp_unsigned("!=", lo, ir.Constant(WORD, 0))
    with builder.if_else(low) as (then, otherwise):
        with then:
            square_lo = _trailing_zeros(builder, lo)
            rest_lo = builder.and_(lo, builder.sub(lo, one))
            block_lo = builder.block
        with otherwise:
            square_hi = builder.add(_trailing_zeros(builder, hi), ir.Constant(WORD, 64))
            rest_hi = builder.and_(hi, builder.sub(hi, one))
            block_hi = builder.block

    def either(a: Any, b: Any) -> Any:
        merged = builder.phi(WORD)
        merged.add_incoming(a, block_lo)
        merged.add_incoming(b, block_hi)
        return merged

    square = either(square_lo, square_hi)
    left = of_words(context, builder, either(rest_lo, lo), either(hi, rest_hi))
    return context.make_tuple(builder, sig.return_type, (square, left))


@lower_builtin("bits.has", BITS, types.int64)
def _has(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lo, hi = words_of(builder, args[0])
    low = builder.icmp_signed("<", args[1], ir.Constant(WORD, 64))
    shift = builder.and_(args[1], ir.Constant(WORD, 63))
    word = builder.lshr(builder.select(low, lo, hi), shift)
    return builder.and_(word, ir.Constant(WORD, 1))


# ---- making one ----------------------------------------------------------------------------------


@implements(declared.bits)
def _bits(typingctx: Any, lo: Any, hi: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return of_words(context, builder, args[0], args[1])

    return BITS(types.int64, types.int64), codegen


@implements(declared.one)
def _one(typingctx: Any, square: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bit = builder.shl(ir.Constant(WORD, 1), builder.and_(args[0], ir.Constant(WORD, 63)))
        high = builder.neg(builder.lshr(args[0], ir.Constant(WORD, 6)))
        return of_words(
            context, builder, builder.and_(bit, builder.not_(high)), builder.and_(bit, high)
        )

    return BITS(types.int64), codegen


@implements(declared.choose)
def _choose(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        a, b = words_of(builder, args[1]), words_of(builder, args[2])
        return of_words(
            context,
            builder,
            builder.select(args[0], a[0], b[0]),
            builder.select(args[0], a[1], b[1]),
        )

    return BITS(types.boolean, BITS, BITS), codegen
