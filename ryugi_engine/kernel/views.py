"""Layouts: named fields of a memory block, declared once for kernels and for Python.

    WORKER = Layout("worker", nodes=i64, killers=i32[256, 2], board=bitboard[12])

In a kernel ``w = WORKER(W)`` is a view of the block at address W. Fields are read and written
through it: ``w.nodes += 1``, ``w.killers[ply][0] = move``, ``w.board[us] |= one(square)``. A view
is an address and costs nothing at run time. Fields of 8, 16 and 32 bits are read as int64,
sign-extended if their type is signed. ``u64`` is an int64 with the same bits, which in Python takes
1 << 63. ``WORKER(S, word)`` is a view that begins at a word of the block, like a frame in a state.
In Python ``WORKER.of(block)`` is a numpy record of the same memory.

``constant=True`` declares that no kernel writes the block: the compiler may keep what it has read,
and a kernel that writes is refused. ``as_specialisable`` declares that, besides, values of fields
may become known after a kernel has been compiled. A field of type ``shared`` is loaded at every
use: other threads write it.

With ``RYUGI_BOUNDSCHECK=1`` a view that reaches beyond its block, or an index beyond its field,
stops the process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ryugi_engine.kernel.block import Block

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

    def as_specialisable(self, path: str) -> Element:
        """Return the same type in a specialisable block, where ``path`` leads to it."""
        if self.layout is None:
            return self
        return self.layout.as_specialisable(path).element()._shaped(self.shape)

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
u64 = Element("u64", 8, np.uint64, signed=False)
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
        #: Of a specialisable layout, what a field's name follows in a ``Values``; else None.
        self.known_as: str | None = None
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

    def as_constant(self) -> Layout:
        """Return the same layout for kernels that only read."""
        if self.constant:
            return self
        return Layout(self.name, constant=True, align=self.alignment, **self.fields)

    def as_specialisable(self, path: str = "") -> Layout:
        """Return the same layout for kernels that only read, and whose values may become known."""
        fields = {f: e.as_specialisable(f"{path}{f}.") for f, e in self.fields.items()}
        made = Layout(self.name, constant=True, align=self.alignment, **fields)
        made.known_as = path
        return made

    @property
    def kernel_key(self) -> str:
        """A text of all that compiled kernels depend on, for the cache key."""
        parts = (f"{name}@{self.offsets[name]}:{e.key}" for name, e in self.fields.items())
        kind = f"{self.constant} {self.known_as}"
        return f"{self.name} {kind} {self.bytes} {' '.join(parts)}"

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
        """Return a view of the block at an address, from a word offset on; in kernels only."""
        raise TypeError(f"{self.name}: a view can be made in kernels only; see Layout.of")


#: Fields of a specialisable block whose values are known, each with its path, ``walling`` or, in a
#: nested layout, ``descriptors.form``. Of an array it is the value that all elements have.
Values = tuple[tuple[str, int], ...]


def read_by(names: Collection[str], values: Values) -> Values:
    """Return the values that kernels which look up these names may read."""
    return tuple(item for item in values if item[0].rpartition(".")[2] in names)


def values_of(layout: Layout, block: Block, without: frozenset[str]) -> Values:
    """Return what a block holds: all numbers, and arrays that hold one number everywhere."""
    return tuple(_values(layout, layout.of(block), without, ""))


def _values(
    layout: Layout, record: Any, without: frozenset[str], path: str
) -> Iterator[tuple[str, int]]:
    """Yield (path, value) of the fields that have one value in a record, or an array of records."""
    for name, element in layout.fields.items():
        content = np.asarray(record[name])
        if name in without or element.name == "bitboard":
            continue
        if element.layout is not None:
            yield from _values(element.layout, content, without, f"{path}{name}.")
        elif (content == content.flat[0]).all():
            yield f"{path}{name}", int(content.flat[0])
