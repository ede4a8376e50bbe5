"""What the engine takes from numba's inside is there: a new numba that lacks some of it is named.

The upper bound in pyproject.toml goes up when these and the bench's count hold with the new one.
"""

from __future__ import annotations

import ast
import ctypes
import importlib

import numba
import pytest
from numba.core import registry
from numba.core.compiler_lock import global_compiler_lock

from ryugi_engine.kernel import numba_internals
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount
from tests.support.helpers import ROOT

#: Module and name -> who needs it. What a public name would do is not here.
INSIDE = {
    "numba.extending _Intrinsic": "kernel/numba_internals.py: python_function",
    "numba.core.dispatcher Dispatcher": "kernel/numba_internals.py: python_function",
    "numba.core.caching NullCache.save_overload": "kernel/numba_internals.py: _Keep",
    "numba.core.ccallback CFunc.compile": "kernel/numba_internals.py: compile_function",
    "numba.core.ccallback CFunc.native_name": "kernel/numba_internals.py: compile_function",
    "numba.core.ccallback CFunc.address": "kernel/numba_internals.py: compile_function",
    "numba.core.registry cpu_target.target_context": "kernel/numba_internals.py: _codegen",
    "numba.core.codegen CPUCodegen.magic_tuple": "kernel/numba_internals.py: processor",
    "numba.core.codegen CPUCodegen.unserialize_library": "kernel/numba_internals.py: load_function",
    "numba.core.codegen CPUCodeLibrary.serialize_using_object_code": "kernel/numba_internals.py",
    "numba.core.codegen CPUCodeLibrary.has_dynamic_globals": "kernel/numba_internals.py",
    "numba.core.codegen JITCodeLibrary.get_pointer_to_function": "kernel/numba_internals.py",
    "numba.core.callconv CPUCallConv.return_status_propagate": "memory.py: recurseN",
    "numba.core.callconv CPUCallConv.call_function": "memory.py: recurseN",
    "numba.core.compiler_lock global_compiler_lock": "kernel/numba_internals.py",
    "numba.core.errors LoweringError": "memory.py: recurseN",
    "numba.core.errors NumbaError": "kernel/numba_internals.py: complaint",
    "numba.core.errors TypingError": "kernel/views.py, kernel/copying.py",
    "numba.core.cgutils for_range": "kernel/copying.py: copy",
    "numba.core.typing.templates AbstractTemplate": "kernel/bits.py, kernel/views.py",
    "numba.core.typing.templates AttributeTemplate": "kernel/bits.py, kernel/views.py",
    "numba.core.typing.templates bound_function": "kernel/bits.py",
    "numba.core.typing.templates infer_global": "kernel/bits.py, kernel/views.py",
    "numba.core.typing.templates signature": "kernel/bits.py, kernel/views.py",
}


@pytest.mark.parametrize("name", INSIDE)
def test_it_is_there(name: str) -> None:
    module, attributes = name.split()
    found = importlib.import_module(module)
    for attribute in attributes.split("."):
        assert hasattr(found, attribute), f"numba {numba.__version__}: {name}: {INSIDE[name]}"
        found = getattr(found, attribute)


def test_the_list_is_whole() -> None:
    """Every import from numba's core in the sources is in it."""
    listed = [name.replace(" ", ".") for name in INSIDE]
    for path in (ROOT / "ryugi_engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba.core"):
                for alias in node.names:
                    name = f"{node.module}.{alias.name}"
                    assert any(one.startswith(name) for one in listed), (path, name)


def _difference(a: int, b: int) -> int:
    return a - b


def test_machine_code_is_taken_out_and_taken_up() -> None:
    function, machine = numba_internals.compile_function(_difference, 2)
    again = numba_internals.load_function(machine)
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    for address in (function.address, again.address):
        assert prototype(address)(44, 2) == 42


def test_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading beside a thread that compiles ends in "generator already executing", or in LLVM."""
    context = registry.cpu_target.target_context
    refresh, locked = context.refresh, []

    def seen() -> None:
        locked.append(global_compiler_lock.is_locked())
        refresh()

    monkeypatch.setattr(context, "refresh", seen)
    _, machine = numba_internals.compile_function(_difference, 2)
    numba_internals.load_function(machine)
    numba_internals.processor()
    assert len(locked) >= 3
    assert all(locked)


def test_the_function_behind_a_kernel() -> None:
    for value in (kernel(_difference), routine(_difference)):
        assert numba_internals.python_function(value) is _difference
    behind = numba_internals.python_function(popcount)
    assert behind is not None
    assert behind.__module__ == "ryugi_engine.kernel.memory"
    assert numba_internals.python_function(3) is None


def test_the_processor_is_told() -> None:
    assert str(numba.config.OPT) in numba_internals.processor()  # type: ignore[attr-defined]
    assert len(numba_internals.processor()) > 40
