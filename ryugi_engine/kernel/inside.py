"""What the engine takes from numba's inside, all of it: other numbas may have it otherwise.

``tests/test_numba.py`` names what a new numba has broken.
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

#: What numba complains with.
CompilerError = NumbaError

#: Held by whoever compiles or loads: numba and LLVM are not made for two threads at that.
_lock: Any = global_compiler_lock

#: What ``numba.extending.intrinsic`` makes.
_Intrinsic: Any = numba.extending._Intrinsic  # type: ignore[attr-defined]

#: What numba calls the type of a value in a kernel.
Type: Any = types.Type


class Machine(NamedTuple):
    """A compiled function as bytes that another process can take up."""

    #: What numba calls the library, and the C function in it.
    library: str
    symbol: str
    #: The object file, and the LLVM bitcode that lists its symbols.
    code: bytes
    bitcode: bytes


class Function(NamedTuple):
    """A function in this process: where it starts, and what must live as long as it is called."""

    address: int
    library: Any


def _codegen() -> Any:
    context: Any = registry.cpu_target.target_context
    context.refresh()
    return context.codegen()


def processor() -> str:
    """What numba compiles for, and how: other settings give other machine code."""
    config: Any = numba.config
    names = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "BOUNDSCHECK")
    with _lock:
        return repr((_codegen().magic_tuple(), [getattr(config, name, None) for name in names]))


class _Keep(caching.NullCache):
    """Sees what numba has compiled."""

    result: Any = None

    def save_overload(self, sig: Any, data: Any) -> None:
        self.result = data


def compile_function(function: Callable[..., int], arity: int) -> tuple[Function, Machine]:
    """Compile a function of so many int64 arguments and an int64 result.

    numba's errors tell what is wrong with it; TypeError for one that would not run elsewhere.
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


#: What numba says before it comes to the point, and what follows it.
_PREAMBLE = re.compile(
    r"Failed in|Internal error at|Overload|Rejected|There are|- (Of|With)|^ *\\^"
)
_PLACE = re.compile(r'File "([^"]*)", line ([0-9]+)|at (\S+\.py) \(([0-9]+)\)')


def complaint(error: CompilerError) -> str:
    """What the compiler says of a kernel, in a line: where, and the first that is to the point."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = next((line for line in lines if not _PREAMBLE.search(line)), lines[0] if lines else "")
    places = _PLACE.findall(text)
    if not places:
        return told
    file, line, other, number = places[-1]
    return f"{Path(file or other).name}:{line or number}: {told}"


def load_function(machine: Machine) -> Function:
    """Take up what another process has compiled."""
    state = (machine.library, "object", (machine.code, machine.bitcode))
    with _lock:
        library = _codegen().unserialize_library(state)
        return Function(int(library.get_pointer_to_function(machine.symbol)), library)


def python_function(value: Any) -> FunctionType | None:
    """The function behind a kernel, a routine or an intrinsic; None for anything else."""
    if isinstance(value, Dispatcher):
        value = value.py_func
    elif isinstance(value, _Intrinsic):
        value = value._defn
    return value if isinstance(value, FunctionType) else None
