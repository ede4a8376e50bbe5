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

from ryugi_engine.kernel import inside
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount
from tests.helpers import ROOT

#: Module and name -> who needs it. What a public name would do is not here.
INSIDE = {
    "numba.extending _Intrinsic": "kernel/inside.py: python_function",
    "numba.core.dispatcher Dispatcher": "kernel/inside.py: python_function",
    "numba.core.caching NullCache.save_overload": "kernel/inside.py: _Keep",
    "numba.core.ccallback CFunc.compile": "kernel/inside.py: compile_function",
    "numba.core.ccallback CFunc.native_name": "kernel/inside.py: compile_function",
    "numba.core.ccallback CFunc.address": "kernel/inside.py: compile_function",
    "numba.core.registry cpu_target.target_context": "kernel/inside.py: _codegen",
    "numba.core.codegen CPUCodegen.magic_tuple": "kernel/inside.py: processor",
    "numba.core.codegen CPUCodegen.unserialize_library": "kernel/inside.py: load_function",
    "numba.core.codegen CPUCodeLibrary.serialize_using_object_code": "kernel/inside.py",
    "numba.core.codegen CPUCodeLibrary.has_dynamic_globals": "kernel/inside.py",
    "numba.core.codegen JITCodeLibrary.get_pointer_to_function": "kernel/inside.py",
    "numba.core.callconv CPUCallConv.return_status_propagate": "memory.py: recurseN",
    "numba.core.callconv CPUCallConv.call_function": "memory.py: recurseN",
    "numba.core.compiler_lock global_compiler_lock": "kernel/inside.py",
    "numba.core.errors LoweringError": "memory.py: recurseN",
    "numba.core.errors NumbaError": "kernel/inside.py: complaint",
    "numba.core.errors TypingError": "kernel/views.py, kernel/whole.py",
    "numba.core.cgutils for_range": "kernel/whole.py: copy",
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
    function, machine = inside.compile_function(_difference, 2)
    again = inside.load_function(machine)
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
    _, machine = inside.compile_function(_difference, 2)
    inside.load_function(machine)
    inside.processor()
    assert len(locked) >= 3
    assert all(locked)


def test_the_function_behind_a_kernel() -> None:
    for value in (kernel(_difference), routine(_difference)):
        assert inside.python_function(value) is _difference
    behind = inside.python_function(popcount)
    assert behind is not None
    assert behind.__module__ == "ryugi_engine.kernel.memory"
    assert inside.python_function(3) is None


def test_the_processor_is_told() -> None:
    assert str(numba.config.OPT) in inside.processor()  # type: ignore[attr-defined]
    assert len(inside.processor()) > 40
