"""What LLVM makes of vectors, see :mod:`ryugi_engine.kernel.vectors`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import signature
from numba.extending import models, register_model

from ryugi_engine.kernel import vectors as declared
from ryugi_engine.kernel.block import BOUNDSCHECK
from ryugi_engine.kernel.codegen.bits import WORD
from ryugi_engine.kernel.codegen.operations import implements
from ryugi_engine.kernel.codegen.views import FieldType, stop_if

_INT16, _INT32 = ir.IntType(16), ir.IntType(32)


class Int16VectorType(types.Type):
    """numba's type of a vector of 16-bit integers."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"Int16Vector({count})")


@register_model(Int16VectorType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, ir.VectorType(_INT16, fe_type.count))


def _type_of(field: Any) -> Int16VectorType:
    if isinstance(field, FieldType) and field.element.name == "i16":
        if len(field.element.shape) == 1:
            return Int16VectorType(field.element.shape[0])
    raise TypingError(f"{field} is no row of 16-bit integers")


def _load(builder: Any, field: Any, pointer: Any) -> Any:
    """Emit the load of a field as a vector."""
    vector = ir.VectorType(_INT16, field.element.shape[0])
    value = builder.load(builder.bitcast(pointer, vector.as_pointer()), align=field.element.align)
    if field.constant:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@implements(declared.load)
def _do_load(typingctx: Any, field: Any) -> Any:

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _load(builder, field, args[0])

    return signature(_type_of(field), field), codegen


@implements(declared.store)
def _do_store(typingctx: Any, field: Any, value: Any) -> Any:
    if _type_of(field) != value or field.constant:
        raise TypingError(f"{value} and {field} do not fit")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = ir.VectorType(_INT16, field.element.shape[0])
        pointer = builder.bitcast(args[0], vector.as_pointer())
        builder.store(args[1], pointer, align=field.element.align)
        return context.get_dummy_value()

    return signature(types.none, field, value), codegen


def _elementwise(typingctx: Any, name: str, value: Any, field: Any) -> Any:
    if _type_of(field) != value:
        raise TypingError(f"{value} and {field} do not fit")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, name)(args[0], _load(builder, field, args[1]))

    return signature(value, value, field), codegen


@implements(declared.add)
def _do_add(typingctx: Any, value: Any, field: Any) -> Any:
    return _elementwise(typingctx, "add", value, field)


@implements(declared.subtract)
def _do_subtract(typingctx: Any, value: Any, field: Any) -> Any:
    return _elementwise(typingctx, "sub", value, field)


@implements(declared.screlu_dot)
def _do_screlu_dot(typingctx: Any, value: Any, weights: Any, top: Any) -> Any:
    if _type_of(weights) != value or not isinstance(top, types.IntegerLiteral):
        raise TypingError(f"{value} and {weights} do not fit, or the top is no literal")
    count, highest = value.count, top.literal_value

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        short, wide = ir.VectorType(_INT16, count), ir.VectorType(_INT32, count)

        def limited(comparison: str, vector: Any, bound: int) -> Any:
            limit = ir.Constant(short, [bound] * count)
            return builder.select(builder.icmp_signed(comparison, vector, limit), vector, limit)

        clipped = limited("<", limited(">", args[0], 0), highest)
        weighted = builder.mul(clipped, _load(builder, weights, args[1]))
        products = builder.mul(builder.sext(weighted, wide), builder.sext(clipped, wide))
        name = f"llvm.vector.reduce.add.v{count}i32"
        total = builder.module.globals.get(name)
        if total is None:
            total = ir.Function(builder.module, ir.FunctionType(_INT32, [wide]), name)
        return builder.sext(builder.call(total, [products]), WORD)

    return signature(types.int64, value, weights, top), codegen


# ---- WordVector ----------------------------------------------------------------------------------


class WordVectorType(types.Type):
    """numba's type of a vector of words."""

    def __init__(self) -> None:
        super().__init__("WordVector")


_WORD_VECTOR = WordVectorType()
_WORDS = ir.VectorType(WORD, declared.WORDS)


@register_model(WordVectorType)
class _WordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _WORDS)


def _words_at(builder: Any, field: Any, pointer: Any, at: Any) -> Any:
    """Emit the address of a vector in a field, with the check of its bounds."""
    if BOUNDSCHECK:
        last = ir.Constant(WORD, field.element.shape[0] - declared.WORDS)
        stop_if(builder, builder.icmp_unsigned(">", at, last))
    word = builder.gep(builder.bitcast(pointer, WORD.as_pointer()), [at], inbounds=True)
    return builder.bitcast(word, _WORDS.as_pointer())


def _check_words(field: Any) -> None:
    if not isinstance(field, FieldType) or field.element.name != "i64":
        raise TypingError(f"{field} is no row of words")
    if len(field.element.shape) != 1 or field.element.shape[0] < declared.WORDS:
        raise TypingError(f"{field} is no row of {declared.WORDS} words or more")


@implements(declared.load_words)
def _do_load_words(typingctx: Any, field: Any, at: Any) -> Any:
    _check_words(field)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_words_at(builder, field, args[0], args[1]), align=8)

    return signature(_WORD_VECTOR, field, types.int64), codegen


@implements(declared.store_words)
def _do_store_words(typingctx: Any, field: Any, at: Any, value: Any) -> Any:
    _check_words(field)
    if field.constant or value != _WORD_VECTOR:
        raise TypingError(f"{value} cannot be stored in {field}")

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _words_at(builder, field, args[0], args[1]), align=8)
        return context.get_dummy_value()

    return signature(types.none, field, types.int64, value), codegen


@implements(declared.no_words)
def _no_words(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(_WORDS, None)

    return signature(_WORD_VECTOR), codegen


def _word_by_word(name: str, negated: bool = False) -> Callable[..., Any]:
    """Return the implementation of an operation of two vectors; ``negated``: the second one."""

    def declare(typingctx: Any, a: Any, b: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            other = builder.not_(args[1]) if negated else args[1]
            return getattr(builder, name)(args[0], other)

        return signature(_WORD_VECTOR, _WORD_VECTOR, _WORD_VECTOR), codegen

    return declare


implements(declared.and_words)(_word_by_word("and_"))
implements(declared.or_words)(_word_by_word("or_"))
implements(declared.and_not_words)(_word_by_word("and_", negated=True))


@implements(declared.shift_words)
def _shift_words(typingctx: Any, value: Any, left: Any, right: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        undefined = ir.Constant(_WORDS, ir.Undefined)
        first = ir.Constant(ir.IntType(32), 0)
        pattern = ir.Constant(ir.VectorType(ir.IntType(32), declared.WORDS), None)

        def everywhere(count: Any) -> Any:
            one = builder.insert_element(undefined, count, first)
            return builder.shuffle_vector(one, undefined, pattern)

        return builder.lshr(builder.shl(args[0], everywhere(args[1])), everywhere(args[2]))

    return signature(_WORD_VECTOR, _WORD_VECTOR, types.int64, types.int64), codegen


def _union(builder: Any, value: Any) -> Any:
    name = f"llvm.vector.reduce.or.v{declared.WORDS}i64"
    reduce = builder.module.globals.get(name)
    if reduce is None:
        reduce = ir.Function(builder.module, ir.FunctionType(WORD, [_WORDS]), name)
    return builder.call(reduce, [value])


@implements(declared.union_of_words)
def _union_of_words(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _union(builder, args[0])

    return signature(types.int64, _WORD_VECTOR), codegen


@implements(declared.any_word)
def _any_word(typingctx: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = _union(builder, args[0])
        return builder.icmp_unsigned("!=", word, ir.Constant(WORD, 0))

    return signature(types.boolean, _WORD_VECTOR), codegen
