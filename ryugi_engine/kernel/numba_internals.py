"""All uses of numba's internal interfaces, which may change from one numba version to the next.

``tests/kernel/test_numba.py`` names what a new numba version breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numba.extending
from numba import types
from numba.core import caching, ccallback, registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

#: The base class of numba's errors.
CompilerError = NumbaError

#: Held while compiling or loading: numba and LLVM are not thread-safe there.
_lock: Any = global_compiler_lock

#: The class of what ``numba.extending.intrinsic`` returns.
_Intrinsic: Any = numba.extending._Intrinsic  # type: ignore[attr-defined]

#: The base class of the types of values in kernels.
Type: Any = types.Type


class Machine(NamedTuple):
    """A compiled function as bytes that another process can load."""

    #: Names of the library and of the C function in it.
    library: str
    symbol: str
    #: The object file, and the LLVM bitcode with its symbol table.
    code: bytes
    bitcode: bytes


class Function(NamedTuple):
    """A function loaded in this process; the library must live as long as it is called."""

    address: int
    library: Any


def _codegen() -> Any:
    context: Any = registry.cpu_target.target_context
    context.refresh()
    return context.codegen()


def processor() -> str:
    """Return the target processor and the compiler's settings, which decide the machine code."""
    config: Any = numba.config
    names = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "BOUNDSCHECK")
    with _lock:
        return repr((_codegen().magic_tuple(), [getattr(config, name, None) for name in names]))


class _Keep(caching.NullCache):
    """A cache that only keeps the last compile result."""

    result: Any = None

    def save_overload(self, sig: Any, data: Any) -> None:
        self.result = data


def compile_function(function: Callable[..., int], arity: int) -> tuple[Function, Machine]:
    """Compile a function of so many int64 arguments and an int64 result.

    CompilerError if it does not compile, TypeError if it would not run in another process.
    """
    signature = types.int64(*([types.int64] * arity))
    with _lock:
        callback: Any = ccallback.CFunc(
            function, (signature.args, signature.return_type), {}, {"error_model": "numpy"}
        )
        callback._cache = keep = _Keep()
        callback.compile()
        result = keep.result
        library = result.library
        if library.has_dynamic_globals or result.reload_init or result.lifted:
            raise TypeError(
                f"{function.__qualname__} holds what only this process has: "
                "a large array, an address"
            )
        name, kind, (code, bitcode) = library.serialize_using_object_code()
        assert kind == "object"
        machine = Machine(name, callback.native_name, code, bitcode)
        return Function(callback.address, library), machine


#: Lines of numba's messages that surround the one to the point.
_PREAMBLE = re.compile(
    r"Failed in|Internal error at|Overload|Rejected|There are|- (Of|With)|^ *\\^"
)
_PLACE = re.compile(r'File "([^"]*)", line ([0-9]+)|at (\S+\.py) \(([0-9]+)\)')


def complaint(error: CompilerError) -> str:
    """Return a compiler error in one line: file, line number and the reason."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reason = next((line for line in lines if not _PREAMBLE.search(line)), lines[0] if lines else "")
    places = _PLACE.findall(text)
    if not places:
        return reason
    file, line, other, number = places[-1]
    return f"{Path(file or other).name}:{line or number}: {reason}"


def load_function(machine: Machine) -> Function:
    """Load what another process has compiled."""
    state = (machine.library, "object", (machine.code, machine.bitcode))
    with _lock:
        library = _codegen().unserialize_library(state)
        return Function(int(library.get_pointer_to_function(machine.symbol)), library)


def python_function(value: Any) -> FunctionType | None:
    """Return the Python function of a kernel, routine or intrinsic; None for anything else."""
    if isinstance(value, Dispatcher):
        value = value.py_func
    elif isinstance(value, _Intrinsic):
        value = value._defn
    return value if isinstance(value, FunctionType) else None
