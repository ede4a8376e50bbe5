"""Machine code as bytes: loading it by LLVM's linker, without the compiler."""

from __future__ import annotations

import ctypes
import os
import threading
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding

from ryugi_engine.kernel.cache import Machine

#: Held while compiling or loading: LLVM is not thread-safe there.
LOCK = threading.RLock()
#: Environment variables that decide the machine code.
_SETTINGS = [
    *(f"NUMBA_{name}" for name in ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO")),
    *(f"NUMBA_{name}" for name in ("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES", "ENABLE_AVX")),
    "RYUGI_BOUNDSCHECK",
]
#: numba's file of settings in the working folder.
_SETTINGS_FILE = Path(".numba_config.yaml")
#: What numba's error paths call. No kernel raises: :mod:`ryugi_engine.kernel.lint` refuses it.
_ERROR_PATH: tuple[str, ...] = (
    "NRT_Free",
    "numba_do_raise",
    "numba_gil_ensure",
    "numba_gil_release",
)
_ERROR_PATH += ("numba_runtime_build_excinfo_struct", "numba_unpickle")


class Function(NamedTuple):
    """A function loaded in this process; the library must live as long as it is called."""

    address: int
    library: Any


@cache
def _target() -> Any:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    libc = ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("msvcrt")
    abort = ctypes.cast(libc.abort, ctypes.c_void_p).value
    for name in _ERROR_PATH:
        if binding.address_of_symbol(name) is None:  # numba supplies them where it is imported
            binding.add_symbol(name, abort)
    return binding.Target.from_default_triple()


def processor() -> str:
    """Return the target processor and the compiler's settings, which decide the machine code."""
    with LOCK:
        host = (
            binding.get_process_triple(),
            binding.get_host_cpu_name(),
            binding.get_host_cpu_features().flatten(),
        )
    settings = [os.environ.get(name) for name in _SETTINGS]
    file = _SETTINGS_FILE.read_bytes() if _SETTINGS_FILE.is_file() else b""
    return repr((host, settings, file))


def load_function(machine: Machine) -> Function:
    """Load what another process has compiled. Each function has a linker of its own.

    Names are not unique: two processes give the same name to different helpers.
    """
    with LOCK:
        library = binding.create_mcjit_compiler(
            binding.parse_assembly(""), _target().create_target_machine(jit=True)
        )
        library.add_object_file(binding.ObjectFileRef.from_data(machine.code))
        library.finalize_object()
        return Function(library.get_function_address(machine.symbol), library)
