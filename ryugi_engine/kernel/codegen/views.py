"""What numba and LLVM make of layouts, see :mod:`ryugi_engine.kernel.views`.

A view is an LLVM pointer to a byte, and so is an array field. A number in a specialisable block is
read by a call of a function that has no body yet, see :mod:`.specialising`.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    CallableTemplate,
    infer_global,
    signature,
)
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    typeof_impl,
)

from ryugi_engine.kernel.block import BOUNDSCHECK, SIZE_WORD
from ryugi_engine.kernel.codegen import specialising
from ryugi_engine.kernel.codegen.bits import BITS, WORD, of_words, words_of
from ryugi_engine.kernel.views import Element, Layout

_BYTE = ir.IntType(8)


class ViewType(types.Type):
    """The numba type of a view of a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        super().__init__(f"View({layout.name} {layout.number})")


class FieldType(types.Type):
    """The numba type of an array field; ``path`` is that of a specialisable one, else ""."""

    def __init__(self, element: Element, constant: bool, path: str = "") -> None:
        self.element = element
        self.constant = constant
        self.path = path
        super().__init__(f"Field({element.key}, {constant}, {path})")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Return the type of what may be either field: a value of it is never known."""
        plain = self._plain()
        return plain if isinstance(other, FieldType) and other._plain() == plain else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if other == self._plain() else None

    def _plain(self) -> FieldType:
        return FieldType(self.element, self.constant)


register_model(ViewType)(models.OpaqueModel)
register_model(FieldType)(models.OpaqueModel)


@lower_cast(FieldType, FieldType)
def _cast(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    return value


@cache
def view_type(layout: Layout) -> ViewType:
    """Return the type of the views of a layout."""
    return ViewType(layout)


@cache
def _constructor(layout: Layout) -> Any:
    """Return the numba type of a layout called in a kernel, which makes a view."""

    class Typing(CallableTemplate):
        key = layout

        def generic(self) -> Any:
            def call(address: Any, word: Any = None) -> Any:
                return view_type(layout)

            return call

    @lower_builtin(layout, types.int64)
    def whole(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _view(builder, layout, args[0], ir.Constant(WORD, 0))

    @lower_builtin(layout, types.int64, types.int64)
    def part(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _view(builder, layout, args[0], args[1])

    return types.Function(Typing)


@typeof_impl.register(Layout)
def _type_of_layout(layout: Layout, purpose: Any) -> Any:
    return _constructor(layout)


# ---- memory --------------------------------------------------------------------------------------


def stop_if(builder: Any, condition: Any) -> None:
    """Emit a trap that ends the process if a condition holds."""
    with builder.if_then(condition, likely=False):
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.module.declare_intrinsic("llvm.trap", fnty=kind), [])


def _view(builder: Any, layout: Layout, address: Any, word: Any) -> Any:
    if BOUNDSCHECK:
        header = builder.sub(address, ir.Constant(WORD, 8 * SIZE_WORD))
        size = builder.load(builder.inttoptr(header, WORD.as_pointer()))
        end = builder.add(builder.mul(word, ir.Constant(WORD, 8)), ir.Constant(WORD, layout.bytes))
        too_far = builder.icmp_signed(">", end, size)
        before = builder.icmp_signed("<", word, ir.Constant(WORD, 0))
        stop_if(builder, builder.or_(too_far, before))
    base = builder.inttoptr(address, WORD.as_pointer())
    return builder.bitcast(builder.gep(base, [word], inbounds=True), _BYTE.as_pointer())


def _within(builder: Any, pointer: Any, offset: Any) -> Any:
    return builder.gep(pointer, [offset], inbounds=True)


def _load(context: Any, builder: Any, pointer: Any, element: Element, constant: bool) -> Any:
    """Emit the load of a value."""

    def word_at(offset: int) -> Any:
        at = _within(builder, pointer, ir.Constant(WORD, offset))
        kind = ir.IntType(8 * min(element.size, 8))
        at = builder.bitcast(at, kind.as_pointer())
        if element.shared:
            return builder.load_atomic(at, "monotonic", 8)
        value = builder.load(at, align=min(element.size, 8))
        if constant:
            value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    if element.name == "bitboard":
        return of_words(context, builder, word_at(0), word_at(8))
    value = word_at(0)
    if element.size == 8:
        return value
    return builder.sext(value, WORD) if element.signed else builder.zext(value, WORD)


def _store(builder: Any, pointer: Any, element: Element, value: Any) -> None:
    kind = ir.IntType(8 * min(element.size, 8))
    words = words_of(builder, value) if element.name == "bitboard" else (value,)
    for number, word in enumerate(words):
        at = _within(builder, pointer, ir.Constant(WORD, 8 * number))
        narrow = builder.trunc(word, kind) if element.size < 8 else word
        builder.store(narrow, builder.bitcast(at, kind.as_pointer()), align=min(element.size, 8))


def _path(layout: Layout, field: str) -> str:
    """Return the path of a field whose value may become known, else ""."""
    element = layout.fields[field]
    number = element.layout is None and element.name != "bitboard"
    return "" if layout.known_as is None or not number else f"{layout.known_as}{field}"


def _type_of(element: Element, constant: bool, path: str = "") -> Any:
    """Return the numba type of a field, or of an element of one."""
    if element.shape:
        return FieldType(element, constant, path)
    if element.layout is not None:
        return view_type(element.layout)
    return BITS if element.name == "bitboard" else types.int64


def _read(
    context: Any, builder: Any, pointer: Any, element: Element, constant: bool, path: str
) -> Any:
    if element.shape or element.layout is not None:
        return pointer
    if path:
        return builder.call(specialising.reader(builder.module, element, path), [pointer])
    return _load(context, builder, pointer, element, constant)


# ---- fields --------------------------------------------------------------------------------------


@infer_getattr
class _Fields(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view: Any, name: str) -> Any:  # type: ignore[override]
        element = view.layout.fields.get(name)
        if element is None:
            return None
        return _type_of(element, view.layout.constant, _path(view.layout, name))


@lower_getattr_generic(ViewType)
def _get_field(context: Any, builder: Any, view: Any, value: Any, name: str) -> Any:
    layout = view.layout
    at = _within(builder, value, ir.Constant(WORD, layout.offsets[name]))
    return _read(context, builder, at, layout.fields[name], layout.constant, _path(layout, name))


@lower_setattr_generic(ViewType)
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    layout = sig.args[0].layout
    element = layout.fields[name]
    if layout.constant or element.shape or element.layout is not None:
        raise TypingError(f"{layout.name}.{name} cannot be assigned to in a kernel")
    _store(
        builder,
        _within(builder, args[0], ir.Constant(WORD, layout.offsets[name])),
        element,
        args[1],
    )


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    key = operator.getitem

    def generic(self, args: Any, kws: Any) -> Any:
        field, index = args
        if isinstance(field, FieldType) and isinstance(index, types.Integer):
            result = _type_of(field.element.inner(), field.constant, field.path)
            return signature(result, field, types.int64)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    key = operator.setitem

    def generic(self, args: Any, kws: Any) -> Any:
        field, index, _value = args
        if not isinstance(field, FieldType) or not isinstance(index, types.Integer):
            return None
        inner = field.element.inner()
        if field.constant or inner.shape or inner.layout is not None:
            return None
        return signature(types.none, field, types.int64, _type_of(inner, False))


def _item(builder: Any, field: FieldType, pointer: Any, index: Any) -> Any:
    if BOUNDSCHECK:
        extent = ir.Constant(WORD, field.element.shape[0])
        stop_if(builder, builder.icmp_unsigned(">=", index, extent))
    size = ir.Constant(WORD, field.element.inner().bytes)
    return _within(builder, pointer, builder.mul(index, size, flags=("nsw",)))


@lower_builtin(operator.getitem, FieldType, types.int64)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    at = _item(builder, field, args[0], args[1])
    return _read(context, builder, at, field.element.inner(), field.constant, field.path)


@lower_builtin(operator.setitem, FieldType, types.int64, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    _store(builder, _item(builder, field, args[0], args[1]), field.element.inner(), args[2])
    return context.get_dummy_value()
