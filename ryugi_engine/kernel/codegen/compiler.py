"""Compiling with numba, and all other uses of its internal interfaces.

They may change from one numba version to the next; ``tests/kernel/test_numba.py`` names what a new
one breaks.
"""

from __future__ import annotations

import contextlib
import gc
import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba import types
from numba.core import caching, ccallback, event, registry
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError

# Each registers the types and operations that it is about.
from ryugi_engine.kernel import cache_key
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.codegen import bits, copying, memory, specialising, vectors, views  # noqa: F401
from ryugi_engine.kernel.codegen.pipeline import KernelPipeline
from ryugi_engine.kernel.object_code import LOCK

_compiler_lock: Any = global_compiler_lock
_event: Any = event


class CompileError(Exception):
    """A kernel that numba refuses: file, line and reason in one line."""


class _KernelLibrary(JITCodeLibrary):
    """A compiled function's LLVM module, as it is.

    numba would optimise each function and make machine code of it, once by itself and again in each
    entry that it is inlined into. Here it is linked once, with all that its bundle needs.
    """

    def add_ir_module(self, ir_module: Any) -> None:
        """Add a module; what is inlined into every caller is marked, for later."""
        for function in ir_module.functions:
            if "alwaysinline" in function.attributes:
                function.attributes.discard("alwaysinline")
                function.attributes.add(specialising.KERNEL.decode())
        super().add_ir_module(ir_module)

    def finalize(self) -> None:
        """Link nothing."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: nothing of it is loaded."""
        self._ensure_finalized()
        return 0


def _reached(libraries: Iterable[Any]) -> list[Any]:
    """Return libraries with those of what they call."""
    found: dict[Any, None] = {}  # in the order of the walk
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting += library._linking_libraries
    return list(found)


def _linked(libraries: Sequence[Any], symbols: Sequence[str]) -> bytes:
    """Return the bitcode of libraries with all that they call; ``symbols`` can be found in it."""
    context: Any = registry.cpu_target.target_context
    whole = binding.parse_assembly(str(context.codegen()._create_empty_module("bundle")))
    for library in libraries:
        whole.link_in(library._final_module, preserve=True)
    for library in _reached(libraries):
        if library not in libraries:
            whole.link_in(library._get_module_for_linking(), preserve=True)
    for function in whole.functions:
        if not function.is_declaration and function.name not in symbols:
            function.linkage = "linkonce_odr"  # removed when nothing calls it
    whole.verify()
    bitcode: bytes = whole.as_bitcode()
    return bitcode


@contextlib.contextmanager
def _kernel_libraries() -> Iterator[None]:
    """Let numba compile into libraries of kernels meanwhile."""
    codegen: Any = registry.cpu_target.target_context.codegen()
    before = codegen._library_class, codegen.set_env
    codegen._library_class = _KernelLibrary
    codegen.set_env = lambda name, env: None  # for functions that use Python objects
    try:
        yield
    finally:
        codegen._library_class, codegen.set_env = before


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


def compile_functions(functions: Sequence[tuple[Callable[..., int], int]]) -> Machine:
    """Compile functions, each of so many int64 arguments and an int64 result, to bitcode.

    CompileError if one does not compile, TypeError if it would not run in another process.
    """
    libraries, symbols = [], []
    with LOCK, _compiler_lock, _kernel_libraries(), _hurried():
        for function, arity in functions:
            signature = types.int64(*([types.int64] * arity))
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
            if result.library.has_dynamic_globals or result.reload_init or result.lifted:
                raise TypeError(
                    f"{function.__qualname__} holds what only this process has: "
                    "a large array, an address"
                )
            libraries.append(result.library)
            symbols.append(callback.native_name)
        return Machine(tuple(symbols), _linked(libraries, symbols))


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
    codes = [reached.__code__ for reached in cache_key.functions_of([function])]
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
