"""The processors that kernels are compiled for: so few that the same machine code serves many.

Measured with Ryugi: x86-64-v3 loses nothing against the instructions of the very processor.
"""

from __future__ import annotations

import os
import struct
import sys
from functools import cache
from pathlib import Path

#: Processors with AVX2 and what came with it, and every processor of 64 bits.
X86_64_V3, X86_64 = "x86-64-v3", "x86-64"
#: Targets of the kernels in a wheel. The first one's optimisations are those of all.
PACKAGED = (X86_64_V3, X86_64)
#: In a target's place: bitcode, of which the machine code for any target is made.
BITCODE = "bitcode"
#: Compile for the processor that there is.
NATIVE = ""
#: What Linux calls the instructions of x86-64-v3, as far as x86-64 lacks them.
#: Source: x86-64 psABI, table 3.1.
_V3_FLAGS = {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"}  # x86-64-v2
_V3_FLAGS |= {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"}
#: Environment variables that decide the machine code.
_SETTINGS = [
    *(f"NUMBA_{name}" for name in ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO")),
    *(f"NUMBA_{name}" for name in ("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES", "ENABLE_AVX")),
    "RYUGI_BOUNDSCHECK",
]
#: numba's file of settings in the working folder.
_SETTINGS_FILE = Path(".numba_config.yaml")
#: What Linux says of a processor that decides which instructions a compiler may use.
_CPU_FACTS = ("vendor_id", "cpu family", "model", "stepping", "flags")
_CPU_FILE = Path("/proc/cpuinfo")
_CPU_BYTES = 1 << 14


def architecture() -> str:
    """Return the machine's name, as ``platform.machine``, whose module takes long to import."""
    return os.uname().machine if hasattr(os, "uname") else os.environ["PROCESSOR_ARCHITECTURE"]


def is_linux_x86_64() -> bool:
    """Return whether the system is the one whose targets have names here."""
    return sys.platform == "linux" and architecture() == "x86_64" and struct.calcsize("P") == 8


def settings() -> str:
    """Return the user's settings of the compiler; "" if there are none."""
    values = {name: os.environ[name] for name in _SETTINGS if name in os.environ}
    file = _SETTINGS_FILE.read_bytes() if _SETTINGS_FILE.is_file() else b""
    return repr((values, file)) if values or file else ""


@cache
def _linux_processor() -> dict[str, str]:
    """Return what the system says of the first processor."""
    try:
        with _CPU_FILE.open("rb") as file:
            first = file.read(_CPU_BYTES).decode("ascii", "replace").partition("\n\n")[0]
    except OSError:
        return {}
    lines = (line.partition(":") for line in first.splitlines())
    return {name.strip(): text.strip() for name, _, text in lines}


def target() -> str:
    """Return the target of this process: NATIVE on other systems, and where settings name one."""
    if not is_linux_x86_64() or "CPU_" in settings().upper():
        return NATIVE
    flags = _linux_processor().get("flags", "").split()
    return X86_64_V3 if _V3_FLAGS.issubset(flags) else X86_64


def _llvm_processor() -> str:
    """Return what LLVM knows of the processor."""
    from llvmlite import binding  # late: it takes long

    triple, name = binding.get_process_triple(), binding.get_host_cpu_name()
    return repr((triple, name, binding.get_host_cpu_features().flatten()))


def description(name: str) -> str:
    """Return everything about a target that decides the machine code."""
    if name:
        return name
    facts = _linux_processor()
    known = facts.keys() >= set(_CPU_FACTS)
    host = repr([facts[fact] for fact in _CPU_FACTS]) if known else _llvm_processor()
    return f"{sys.platform} {architecture()} {host}"
