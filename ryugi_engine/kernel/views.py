"""Layouts: named fields of a memory block, declared once for kernels and for Python.

    WORKER = Layout("worker", nodes=i64, killers=i32[256, 2], board=bitboard[12])

In a kernel ``w = WORKER(W)`` is a view of the block at address W: ``w.nodes += 1``,
``w.killers[ply][0] = move``, ``w.board[us] |= one(square)``. A view is an address and costs nothing
at run time. Fields of 8, 16 and 32 bits are read as int64, sign-extended if their type is signed.
``WORKER(S, word)`` is a view that begins at a word of the block, as a frame in a state. In Python
``WORKER.of(block)`` is a numpy record of the same memory.

``constant=True`` declares that no kernel writes the block: the compiler may keep what it has read,
and a kernel that writes is refused. A field of type ``shared`` is loaded at every use: other
threads write it.

With ``RYUGI_BOUNDSCHECK=1`` a view that reaches beyond its block, or an index beyond its field,
stops the process.
"""

from __future__ import annotations

import operator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
)

from ryugi_engine.kernel.bits import BITS, WORD, of_words, operation, words_of
from ryugi_engine.kernel.memory import BOUNDSCHECK, SIZE_WORD

if TYPE_CHECKING:
    from ryugi_engine.kernel.abi import Block

_BYTE = ir.IntType(8)
_LINE = 64  # bytes of a cache line


class Element:
    """The type of a field: a scalar, a bitboard, a nested layout, or an array of them."""

    def __init__(
        self,
        name: str,
        size: int,
        dtype: Any,
        shape: tuple[int, ...] = (),
        *,
        signed: bool = True,
        shared: bool = False,
        layout: Layout | None = None,
    ) -> None:
        self.name = name
        self.size = size  # bytes of one value
        self.dtype = dtype
        self.shape = shape
        self.signed = signed
        self.shared = shared
        self.layout = layout

    def __getitem__(self, shape: int | tuple[int, ...]) -> Element:
        """Return the type of an array of this type."""
        wanted = shape if isinstance(shape, tuple) else (shape,)
        if any(extent <= 0 for extent in wanted) or self.shape:
            raise ValueError(f"{self.name}: no array of shape {wanted}")
        return self._shaped(wanted)

    def _shaped(self, shape: tuple[int, ...]) -> Element:
        return Element(
            self.name,
            self.size,
            self.dtype,
            shape,
            signed=self.signed,
            shared=self.shared,
            layout=self.layout,
        )

    def inner(self) -> Element:
        """Return the type of an element along the first dimension."""
        return self._shaped(self.shape[1:])

    def as_constant(self) -> Element:
        """Return the same type in a block that no kernel writes."""
        if self.layout is None or self.layout.constant:
            return self
        return self.layout.as_constant().element()._shaped(self.shape)

    @property
    def bytes(self) -> int:
        """Size of the whole field, in bytes."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count * self.size

    @property
    def align(self) -> int:
        """Alignment in bytes; fields of a cache line and more begin a cache line."""
        if self.bytes >= _LINE:
            return _LINE
        return min(self.size, 8)

    @property
    def key(self) -> str:
        """A text that differs where the machine code would, for the cache key."""
        inside = self.layout.kernel_key if self.layout is not None else ""
        return f"{self.name}{self.shape}{self.size}{self.signed}{self.shared}{inside}"


i64 = Element("i64", 8, np.int64)
i32 = Element("i32", 4, np.int32)
i16 = Element("i16", 2, np.int16)
i8 = Element("i8", 1, np.int8)
u32 = Element("u32", 4, np.uint32, signed=False)
u16 = Element("u16", 2, np.uint16, signed=False)
u8 = Element("u8", 1, np.uint8, signed=False)
#: A 64-bit word that another thread may write at any time.
shared = Element("shared", 8, np.int64, shared=True)
#: A :mod:`bitboard <ryugi_engine.kernel.bits>`, two words.
bitboard = Element("bitboard", 16, (np.int64, (2,)))


class ViewType(types.Type):
    """The numba type of a view of a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        super().__init__(f"View({layout.name} {layout.number})")


class FieldType(types.Type):
    """The numba type of an array field."""

    def __init__(self, element: Element, constant: bool) -> None:
        self.element = element
        self.constant = constant
        super().__init__(f"Field({element.key}, {constant})")


# Both are LLVM pointers to a byte.
register_model(ViewType)(models.OpaqueModel)
register_model(FieldType)(models.OpaqueModel)

_layouts = 0


class Layout:
    """The fields of a block with their offsets, each aligned to its size or to a cache line.

    ``words`` is the total size in 64-bit words, a multiple of ``align`` bytes.
    """

    def __init__(
        self, name: str, *, constant: bool = False, align: int = _LINE, **fields: Element
    ) -> None:
        global _layouts  # noqa: PLW0603 - numba tells types apart by their names
        _layouts += 1
        self.name, self.number = name, _layouts
        self.constant = constant
        self.alignment = align
        if constant:
            fields = {field: element.as_constant() for field, element in fields.items()}
        self.fields = fields
        self.offsets: dict[str, int] = {}
        at = 0
        for field, element in fields.items():
            at += -at % element.align
            self.offsets[field] = at
            at += element.bytes
        self.bytes = at + -at % align
        self.words = self.bytes // 8
        self.type = ViewType(self)
        self._known_to_numba()

    def as_constant(self) -> Layout:
        """Return the same layout for kernels that only read."""
        return Layout(self.name, constant=True, align=self.alignment, **self.fields)

    @property
    def kernel_key(self) -> str:
        """A text of all that compiled kernels depend on, for the cache key."""
        parts = (f"{name}@{self.offsets[name]}:{e.key}" for name, e in self.fields.items())
        return f"{self.name} {self.constant} {self.bytes} {' '.join(parts)}"

    def word(self, field: str) -> int:
        """Return the word offset of a field."""
        return self.offsets[field] // 8

    def element(self) -> Element:
        """Return this layout as the type of a field of another one."""
        if self.bytes % 8:
            raise ValueError(f"{self.name}: {self.bytes} bytes are no whole number of words")
        return Element(self.name, self.bytes, self.dtype, layout=self)

    def __getitem__(self, shape: int | tuple[int, ...]) -> Element:
        return self.element()[shape]

    @cached_property
    def dtype(self) -> Any:
        """The numpy record type of this layout."""
        formats = [(np.dtype(e.dtype), e.shape) for e in self.fields.values()]
        return np.dtype(
            {
                "names": list(self.fields),
                "formats": formats,
                "offsets": list(self.offsets.values()),
                "itemsize": self.bytes,
            }
        )

    def of(self, block: Block, word: int = 0) -> Any:
        """Return a numpy record of a block's memory at a word; ValueError if it is too short."""
        part = block.words[word : word + self.words]
        if len(part) != self.words:
            raise ValueError(f"{self.name} needs {self.words} words, {len(part)} are left")
        return part.view(self.dtype)[0]

    def __call__(self, address: int, word: int = 0) -> Any:
        """In kernels: return a view of the block at an address, from a word on."""
        raise TypeError(f"{self.name}: a view can be made in kernels only; see Layout.of")

    def _known_to_numba(self) -> None:
        @type_callable(self)
        def typing(context: Any) -> Any:
            def call(address: Any, word: Any = None) -> Any:
                return self.type

            return call

        @lower_builtin(self, types.int64)
        def whole(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _view(builder, self, args[0], ir.Constant(WORD, 0))

        @lower_builtin(self, types.int64, types.int64)
        def part(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _view(builder, self, args[0], args[1])


# ---- memory --------------------------------------------------------------------------------------


def _stop_if(builder: Any, condition: Any) -> None:
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
        _stop_if(builder, builder.or_(too_far, before))
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


def _type_of(element: Element, constant: bool) -> Any:
    """Return the numba type of a field, or of an element of one."""
    if element.shape:
        return FieldType(element, constant)
    if element.layout is not None:
        return element.layout.type
    return BITS if element.name == "bitboard" else types.int64


def _read(context: Any, builder: Any, pointer: Any, element: Element, constant: bool) -> Any:
    if element.shape or element.layout is not None:
        return pointer
    return _load(context, builder, pointer, element, constant)


# ---- fields --------------------------------------------------------------------------------------


@infer_getattr
class _Fields(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view: Any, name: str) -> Any:  # type: ignore[override]
        element = view.layout.fields.get(name)
        return None if element is None else _type_of(element, view.layout.constant)


@lower_getattr_generic(ViewType)
def _get_field(context: Any, builder: Any, view: Any, value: Any, name: str) -> Any:
    at = _within(builder, value, ir.Constant(WORD, view.layout.offsets[name]))
    return _read(context, builder, at, view.layout.fields[name], view.layout.constant)


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
            result = _type_of(field.element.inner(), field.constant)
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
        _stop_if(builder, builder.icmp_unsigned(">=", index, extent))
    size = ir.Constant(WORD, field.element.inner().bytes)
    return _within(builder, pointer, builder.mul(index, size, flags=("nsw",)))


@lower_builtin(operator.getitem, FieldType, types.int64)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    at = _item(builder, field, args[0], args[1])
    return _read(context, builder, at, field.element.inner(), field.constant)


@lower_builtin(operator.setitem, FieldType, types.int64, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    field = sig.args[0]
    _store(builder, _item(builder, field, args[0], args[1]), field.element.inner(), args[2])
    return context.get_dummy_value()


@operation
def merge(typingctx: Any, target: Any, source: Any, row: Any, keep: Any, put: Any) -> Any:
    """Set ``target[i] = (source[i] & keep) | (row[i] & put)`` for every bitboard i of ``row``.

    In vector instructions. ``target`` and ``source`` are fields at the start of as many consecutive
    bitboards as ``row`` has; they may be the same field.
    """
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
