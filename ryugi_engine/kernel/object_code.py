"""Machine code as bytes: loading it, by LLVM's linker where our own does not do."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from functools import cache
from typing import Any, NamedTuple

from ryugi_engine.kernel import elf
from ryugi_engine.kernel.cache import Machine

#: Held while compiling or loading: LLVM is not thread-safe there.
LOCK = threading.RLock()
#: What numba's error paths call. No kernel raises: :mod:`ryugi_engine.kernel.lint` refuses it.
_ERROR_PATH: tuple[str, ...] = (
    "NRT_Free",
    "numba_do_raise",
    "numba_gil_ensure",
    "numba_gil_release",
)
_ERROR_PATH += ("numba_runtime_build_excinfo_struct", "numba_unpickle")


class Loaded(NamedTuple):
    """Functions loaded in this process; the library must live as long as they are called."""

    addresses: list[int]
    library: Any


@cache
def _abort() -> int:
    libc = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("msvcrt")
    return ctypes.cast(libc.abort, ctypes.c_void_p).value or 0


@cache
def _address_of(name: str) -> int:
    """Return the address of what kernels call outside: Python's and the C library's functions."""
    if name in _ERROR_PATH:
        return _abort()
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, name))
    except ValueError:
        raise elf.Unsupported(f"unknown symbol {name}") from None


@cache
def _target() -> Any:
    from llvmlite import binding  # late: it takes long

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    for name in _ERROR_PATH:
        if binding.address_of_symbol(name) is None:  # numba supplies them where it is imported
            binding.add_symbol(name, _abort())
    return binding.Target.from_default_triple()


def load_functions(machine: Machine) -> Loaded:
    """Load functions from machine code that another process has compiled."""
    if elf.is_supported():
        with contextlib.suppress(elf.Unsupported):
            return Loaded(*elf.load(machine.code, machine.symbols, _address_of))
    return _link_by_llvm(machine)


def _link_by_llvm(machine: Machine) -> Loaded:
    """Load machine code by LLVM; each object file has a linker of its own.

    Names are not unique: two processes give the same name to different helpers.
    """
    from llvmlite import binding  # late: it takes long

    with LOCK:
        library = binding.create_mcjit_compiler(
            binding.parse_assembly(""), _target().create_target_machine(jit=True)
        )
        library.add_object_file(binding.ObjectFileRef.from_data(machine.code))
        library.finalize_object()
        addresses = [library.get_function_address(symbol) for symbol in machine.symbols]
        return Loaded(addresses, library)
