"""Load machine code from an ELF object file of x86-64, without LLVM.

LLVM's linker is a library of 180 MB: loading it takes longer than all that an engine does before
its first search. Kernels are compiled for any address (the "large" code model). So only addresses
must be written into a copy of the file's sections. What this module does not know is left to LLVM.

Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, chapter 4.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ryugi_engine.kernel import targets

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
#: The file's kind: 64 bits, little-endian, version 1, relocatable, of x86-64.
_IDENT, _RELOCATABLE, _X86_64 = b"\x7fELF\x02\x01\x01", 1, 62
#: Kinds of sections, and flags of those that are loaded.
_RELA, _NOBITS, _UNWIND = 4, 8, 0x7000_0001
_WRITE, _ALLOC = 1, 2
#: A symbol's section if it is defined elsewhere.
_UNDEFINED = 0
#: The relocation that writes a symbol's 64-bit address.
_R_X86_64_64 = 1
_PROT_READ, _PROT_WRITE, _PROT_EXEC = 1, 2, 4


class Unsupported(ValueError):
    """An object file, or a system, that this module does not know."""


class Loaded(NamedTuple):
    """Functions' addresses and the memory that they lie in, which must live as long."""

    addresses: list[int]
    memory: Any


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class _File:
    """The sections of an object file, and where those that are loaded shall lie."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        ident, kind, machine, *_, offset, _flags, _size, _, _, size, count, _names = (
            _HEADER.unpack_from(content)
        )
        if ident[:7] != _IDENT or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise Unsupported("not an object file of x86-64")
        self.sections = [
            _Section(*_SECTION.unpack_from(content, offset + size * i)) for i in range(count)
        ]
        # one section has all symbols of a file: it is read once
        self._symbols: dict[int, list[tuple[str, int, int]]] = {}
        #: Offset in memory by the section's number.
        self.places: dict[int, int] = {}
        self.size = 0
        for number, section in enumerate(self.sections):
            if not section.flags & _ALLOC or section.kind in (_RELA, _UNWIND):
                continue  # no exception passes through kernels, so no one unwinds their frames
            if section.flags & _WRITE or section.kind == _NOBITS:
                raise Unsupported("writable data")
            self.size += -self.size % max(section.align, 1)
            self.places[number] = self.size
            self.size += section.size

    def bytes_of(self, section: _Section) -> bytes:
        return self.content[section.offset : section.offset + section.size]

    def text(self, table: _Section, at: int) -> str:
        start = table.offset + at
        return self.content[start : self.content.index(b"\0", start)].decode()

    def symbols(self, number: int) -> list[tuple[str, int, int]]:
        """Return (name, section, value) of each symbol of a section of symbols."""
        if number not in self._symbols:
            section = self.sections[number]
            names = self.sections[section.link]
            self._symbols[number] = [
                (self.text(names, name), where, value)
                for name, _info, _other, where, value, _size in _SYMBOL.iter_unpack(
                    self.bytes_of(section)
                )
            ]
        return self._symbols[number]


def is_supported() -> bool:
    """Return whether this process runs such files."""
    return targets.is_linux_x86_64()


def _write_addresses(file: _File, memory: mmap.mmap, base: int, find: Callable[[str], int]) -> None:
    for section in file.sections:
        if section.kind != _RELA or section.info not in file.places:
            continue
        symbols = file.symbols(section.link)
        place = file.places[section.info]
        for offset, info, addend in _RELOCATION.iter_unpack(file.bytes_of(section)):
            if info & 0xFFFF_FFFF != _R_X86_64_64:
                raise Unsupported(f"relocation {info & 0xFFFF_FFFF}")
            name, where, value = symbols[info >> 32]
            if where == _UNDEFINED:
                address = find(name)
            elif where in file.places:
                address = base + file.places[where] + value
            else:
                raise Unsupported(f"symbol {name} in section {where}")
            wanted = (address + addend) & 0xFFFF_FFFF_FFFF_FFFF
            struct.pack_into("<Q", memory, place + offset, wanted)


def load(content: bytes, symbols: Sequence[str], find: Callable[[str], int]) -> Loaded:
    """Load an object file; return the addresses of some of its functions.

    ``find`` returns the address of a symbol that the file does not define, or raises Unsupported.
    """
    try:
        file = _File(content)
        memory = mmap.mmap(
            -1, max(file.size, 1), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, _PROT_READ | _PROT_WRITE
        )
        for number, place in file.places.items():
            code = file.bytes_of(file.sections[number])
            memory[place : place + len(code)] = code
        base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        _write_addresses(file, memory, base, find)
        tables = {s.link for s in file.sections if s.kind == _RELA}
        defined = {
            name: base + file.places[where] + value
            for table in tables
            for name, where, value in file.symbols(table)
            if where in file.places
        }
    except (struct.error, IndexError, ValueError, OSError) as error:
        raise Unsupported(f"object file: {error}") from None
    for symbol in symbols:
        if symbol not in defined:
            raise Unsupported(f"no function {symbol}")
    _make_executable(base, len(memory))
    return Loaded([defined[symbol] for symbol in symbols], memory)


def _make_executable(address: int, size: int) -> None:
    """Let the processor run a range of whole pages, which can be written no more."""
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    if protect(address, size, _PROT_READ | _PROT_EXEC):
        raise Unsupported(f"mprotect: error {ctypes.get_errno()}")
