"""Compiling with numba, and all other uses of its internal interfaces.

They may change from one numba version to the next; ``tests/kernel/test_numba.py`` names what a new
one breaks.
"""

from __future__ import annotations

import contextlib
import gc
import linecache
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba import types
from numba.core import caching, ccallback, config, event, registry
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError

# Each registers the types and operations that it is about.
from ryugi_engine.kernel import cache_key, targets
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.codegen import bits, copying, memory, sharing, vectors, views  # noqa: F401
from ryugi_engine.kernel.codegen.facts import given
from ryugi_engine.kernel.codegen.operations import dispatcher_of
from ryugi_engine.kernel.codegen.pipeline import KernelPipeline
from ryugi_engine.kernel.object_code import LOCK
from ryugi_engine.kernel.views import Facts

_compiler_lock: Any = global_compiler_lock
_config: Any = config
_event: Any = event


class CompileError(Exception):
    """A kernel that numba refuses: file, line and reason in one line."""


#: What numba puts before the name of a C function that wraps a compiled one.
_WRAPPER_PREFIX = "cfunc."


class _KernelLibrary(JITCodeLibrary):
    """A compiled function's LLVM module, which is linked into those of its callers.

    numba would optimise each function and make machine code of it, once by itself and again in each
    entry that it is inlined into. Here only entries are optimised, with all that they call. With
    ``NUMBA_OPT=0`` nothing is, and nothing is inlined: kernels are slow, and soon compiled. They
    are linked once then, into entries, which takes much less memory.
    """

    def finalize(self) -> None:
        """Link the module with all that it reaches; without optimisation an entry's alone."""
        if not _config.OPT:
            if not self._is_entry():
                self._finalize_final_module()
                return
            self._linking_libraries = sharing.reached(self, dispatcher_of)
        super().finalize()

    def _is_entry(self) -> bool:
        defined = (fn.name for fn in self._final_module.functions if not fn.is_declaration)
        return any(name.startswith(_WRAPPER_PREFIX) for name in defined)

    def _optimize_functions(self, ll_module: Any) -> None:
        if _config.OPT:
            super()._optimize_functions(ll_module)
        else:
            ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if _config.OPT and self._is_entry():
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: nothing of it is loaded."""
        self._ensure_finalized()
        return 0

    def machine_code(self, machine: Any) -> bytes:
        """Return the object file for one of LLVM's target machines."""
        # emitting changes a module
        code: bytes = machine.emit_object(self._final_module.clone())
        return code


@cache
def _target_machine(target: str) -> Any:
    """Return LLVM's target machine; that of numba, for the processor that there is, for NATIVE."""
    if target == targets.NATIVE:
        codegen: Any = registry.cpu_target.target_context.codegen()
        return codegen._tm
    return binding.Target.from_default_triple().create_target_machine(
        cpu=target, opt=_config.OPT, reloc="static", codemodel="jitdefault", jit=True
    )


@contextlib.contextmanager
def _kernel_libraries(target: str) -> Iterator[None]:
    """Let numba compile into libraries of kernels for a target meanwhile."""
    codegen: Any = registry.cpu_target.target_context.codegen()
    before = codegen._library_class, codegen.set_env, codegen._tm
    codegen._tm = _target_machine(target)
    codegen._library_class = _KernelLibrary
    codegen.set_env = lambda name, env: None  # for functions that use Python objects
    try:
        yield
    finally:
        codegen._library_class, codegen.set_env, codegen._tm = before


@contextlib.contextmanager
def _hurried() -> Iterator[None]:
    """Collect no garbage meanwhile, of which numba makes little, and let it time no locks.

    A tenth of the time would go to the one, and a twentieth to the other.
    """
    enabled, before = gc.isenabled(), (_event.start_event, _event.end_event)
    gc.disable()
    _event.start_event = _event.end_event = lambda *args, **more: None
    try:
        yield
    finally:
        _event.start_event, _event.end_event = before
        if enabled:
            gc.enable()


class _Keep(caching.NullCache):
    """A cache that only keeps the last compile result."""

    result: Any = None

    def save_overload(self, sig: Any, data: Any) -> None:
        self.result = data


def compile_function(
    function: Callable[..., int], arity: int, names: Sequence[str], facts: Facts | None = None
) -> list[Machine]:
    """Compile a function of so many int64 arguments and an int64 result, with what is known.

    There is a result for each of the targets that are named. The first one's optimisations are
    those of all: most of the time goes before any instruction is chosen.
    CompileError if it does not compile, TypeError if it would not run in another process.
    """
    signature = types.int64(*([types.int64] * arity))
    with LOCK, _compiler_lock, _kernel_libraries(names[0]), _hurried(), given(facts):
        callback: Any = ccallback.CFunc(
            function,
            (signature.args, signature.return_type),
            {},
            {"error_model": "numpy"},
            pipeline_class=KernelPipeline,
        )
        callback._cache = keep = _Keep()
        try:
            callback.compile()
        except NumbaError as error:
            raise CompileError(_complaint(error, function)) from None
        result = keep.result
        library = result.library
        if library.has_dynamic_globals or result.reload_init or result.lifted:
            raise TypeError(
                f"{function.__qualname__} holds what only this process has: "
                "a large array, an address"
            )
        codes = (library.machine_code(_target_machine(name)) for name in names)
        return [Machine(callback.native_name, code) for code in codes]


#: Lines of numba's messages that surround the one to the point.
_PREAMBLE = re.compile(
    r"Failed in|Internal error at|Overload|Rejected|There are|- (Of|With)|^ *\\^"
)
_PLACE = re.compile(r'File "([^"]*)", line ([0-9]+)|at (\S+\.py) \(([0-9]+)\)')
_INTERNAL = re.compile(r"site-packages|ryugi_engine/(kernel|simple_game)/|^<")
#: Reasons that say nothing to who does not know numba, and what they mean.
_MEANINGS = {
    re.compile(r"Untyped global name '(\w+)'.*<class 'function'>"): (
        r"'\1' is not marked with @kernel, or calls itself"
    ),
    re.compile(r"NRT required.*"): "kernels have no lists, strings or other objects",
}
_VIEW, _NAMED_VIEW = re.compile(r"(type )?View\((\w+) [0-9]+\)"), r"\2"


def _called_at(function: Callable[..., int], file: str, line: str) -> tuple[str, str] | None:
    """Return the place of a game's function that a line of what all games share calls."""
    text = linecache.getline(file, int(line))
    codes = [reached.__code__ for reached in cache_key.functions_of(function)]
    named = [c for c in codes if c.co_name in text and not _INTERNAL.search(c.co_filename)]
    code = max(named, key=lambda found: len(found.co_name), default=None)
    return None if code is None else (code.co_filename, str(code.co_firstlineno))


def _complaint(error: NumbaError, function: Callable[..., int]) -> str:
    """Return a compiler error in one line: file, line number and the reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = next((line for line in lines if not _PREAMBLE.search(line)), lines[0] if lines else "")
    call = next((line for line in lines if line.startswith(">>> ")), "")
    if reason.endswith("signature:"):
        reason = f"{reason} {call[4:]}"
    for pattern, meaning in _MEANINGS.items():
        reason = pattern.sub(meaning, reason)
    places = _PLACE.findall(text)
    if not places:
        return reason
    # the innermost place that is no part of the compiler or of what all kernels use
    named = [(file or other, line or number) for file, line, other, number in places]
    own = [at for at in named if not _INTERNAL.search(at[0])]
    own += [at for at in (_called_at(function, *shared) for shared in named) if at]
    file, line = own[0] if own else named[-1]
    return f"{Path(file).name}:{line}: {_VIEW.sub(_NAMED_VIEW, reason)}"
