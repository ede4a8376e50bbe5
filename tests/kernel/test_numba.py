"""What numba compiles is loaded as it is meant, by our loader and LLVM's.

The upper bound in pyproject.toml goes up when these and the bench's count hold with the new one.
"""

from __future__ import annotations

import ctypes
import mmap
import random
import re
import sys
import threading
from collections.abc import Callable

import numba
import pytest
from numba.core import registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types import functions

from ryugi_engine.kernel import cache, cache_key, elf, object_code, targets
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.codegen import compiler, signature_cache, specialising
from ryugi_engine.kernel.defaults import zero_scores
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount
from tests.support.helpers import ROOT, completed


def _compiled(function: Callable[..., int], arity: int) -> Machine:
    """Return the machine code of a function for this process."""
    code = compiler.compile_functions([(function, arity)])
    (content,) = specialising.machine_code(code.code, (), [targets.target()])
    return Machine(code.symbols, content)


def _difference(a: int, b: int) -> int:
    return a - b


def test_machine_code_is_loaded_without_numba() -> None:
    machine = _compiled(_difference, 2)
    code = (
        "import ctypes, sys\n"
        "from ryugi_engine.kernel.cache import Machine\n"
        "from ryugi_engine.kernel.object_code import load_functions\n"
        f"loaded = load_functions(Machine({machine.symbols!r}, {machine.code!r}))\n"
        "prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)\n"
        "print(prototype(loaded.addresses[0])(44, 2), 'numba' in sys.modules)\n"
    )
    done = completed([sys.executable, "-c", code], check=True)
    assert done.stdout == "42 False\n"


@pytest.mark.skipif(not elf.is_supported(), reason="needs Linux on x86-64")
def test_numba_compiles_the_same_in_less_time() -> None:
    """What is left out while a kernel is compiled changes no byte, and is there afterwards."""

    def loaded() -> list[bytes]:
        machine = _compiled(zero_scores.function, 5)
        file = elf._File(machine.code)  # in which names are numbered
        return [file.bytes_of(file.sections[number]) for number in file.places]

    kept = functions.BaseFunction.get_call_type
    usual = loaded()
    with signature_cache.signatures_kept():
        assert functions.BaseFunction.get_call_type is not kept
        assert loaded() == usual
    assert functions.BaseFunction.get_call_type is kept


def test_an_untried_numba_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = signature_cache.TRIED
    pin = f'"numba>={low[0]}.{low[1]},<{high[0]}.{high[1]}"'
    assert pin in (ROOT / "pyproject.toml").read_text()
    monkeypatch.setattr(signature_cache, "TRIED", (low, numba.version_info.short))
    kept = functions.BaseFunction.get_call_type
    with signature_cache.signatures_kept():
        assert functions.BaseFunction.get_call_type is kept


@pytest.mark.skipif(not elf.is_supported(), reason="needs Linux on x86-64")
def test_our_loader_and_llvm_s_load_the_same() -> None:
    """On every kernel that is kept, and their tables of constants."""
    machine = _compiled(_difference, 2)
    loaded = [object_code.load_functions(machine), object_code._link_by_llvm(machine)]
    assert isinstance(loaded[0].library, mmap.mmap)
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    assert [prototype(one.addresses[0])(44, 2) for one in loaded] == [42, 42]
    folder = cache.place().folder
    assert folder is not None
    seen = 0
    for path in sorted(folder.glob("*.kernel")):
        name, _, key = path.stem.rpartition("-")
        try:
            code = cache.read(name, key)
        except cache.Damaged:  # of an earlier version
            continue
        assert code is not None
        if code.code.startswith(b"BC"):  # bitcode
            continue
        one = elf.load(code.code, code.symbols, object_code._address_of)
        assert all(address % 16 == 0 for address in one.addresses)
        seen += 1
        if seen == 60:
            break
    assert seen > 20


@pytest.mark.skipif(not elf.is_supported(), reason="needs Linux on x86-64")
def test_a_file_of_another_kind_is_left_to_llvm() -> None:
    """Every shortened and every changed header: refused by our loader, or loaded, never a crash."""
    machine = _compiled(_difference, 2)
    code, source = machine.code, random.Random(7)
    refused = 0
    for number in range(300):
        damaged = bytearray(code)
        if number % 2:
            del damaged[source.randrange(len(code)) :]
        else:
            damaged[source.randrange(64)] ^= 1 << source.randrange(8)
        try:
            elf.load(bytes(damaged), machine.symbols, object_code._address_of)
        except elf.Unsupported:
            refused += 1
    assert refused > 150
    with pytest.raises(elf.Unsupported, match="no function nothing"):
        elf.load(code, ["nothing"], object_code._address_of)
    with pytest.raises(elf.Unsupported, match="unknown symbol of_nobody"):
        object_code._address_of("of_nobody")


def test_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading while another thread compiles ends in "generator already executing", or in LLVM."""
    context = registry.cpu_target.target_context
    refresh, locked = context.refresh, []

    def seen() -> None:
        locked.append(global_compiler_lock.is_locked() and not object_code.LOCK.acquire(False))
        refresh()

    monkeypatch.setattr(object_code, "LOCK", threading.Lock())
    monkeypatch.setattr(compiler, "LOCK", object_code.LOCK)
    monkeypatch.setattr(context, "refresh", seen)
    compiler.compile_functions([(_difference, 2)])
    assert locked
    assert all(locked)


@pytest.mark.parametrize("setting", ["NUMBA_OPT", "NUMBA_CPU_NAME", "RYUGI_BOUNDSCHECK"])
def test_the_processor_and_the_settings_are_in_the_key(
    setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(setting, raising=False)
    before, target = targets.settings(), targets.target()
    assert len(targets.description(targets.NATIVE)) > 40
    monkeypatch.setenv(setting, "1")
    assert targets.settings() != before
    assert (targets.target() == target) == (setting != "NUMBA_CPU_NAME")


def test_every_module_that_the_compiler_reads_is_in_the_key() -> None:
    """What says what a kernel means; the cache and what loads files do not."""
    folder = ROOT / "ryugi_engine" / "kernel"
    named = {
        name
        for path in (folder / "codegen").glob("*.py")
        for name in re.findall(r"^from ryugi_engine\.kernel\.(\w+) import", path.read_text(), re.M)
    }
    assert named - {"cache", "codegen", "object_code"} <= set(cache_key._MEANING)


def test_a_kernel_is_called_by_kernels_only() -> None:
    for declared in (kernel(_difference), routine(_difference), popcount):
        with pytest.raises(TypeError, match="can be called in kernels only"):
            declared(1)
