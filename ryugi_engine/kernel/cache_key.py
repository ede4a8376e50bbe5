"""Keys of compiled kernels: hashes of everything that the machine code depends on.

Starting at an entry's function, a walk visits every function, intrinsic and constant that it names,
in any module. A key hashes the source of each module visited and each constant's value. So no
list of files is kept, files that no kernel reads do not matter, and neither does the folder of the
checkout.

That is the key of the content, by which a wheel's kernels are found, for any Python and numba that
are installed with it. What is compiled later has a key that also names Python and numba, the
compiler's settings, and each function's byte code. A file may have been edited since it was
imported.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ryugi_engine import about
from ryugi_engine.kernel import targets
from ryugi_engine.kernel.declarations import Kernel, Operation
from ryugi_engine.kernel.views import Values

#: Packages that enter the key by their version, not by their source.
_FOREIGN = frozenset({"numba", "llvmlite", "numpy"}) | sys.stdlib_module_names
_DECORATORS = "ryugi_engine.kernel.jit"
_DIGITS = 20


class Unkeyed(TypeError):
    """A kernel names something whose value cannot be hashed."""


def _package(module: str) -> str:
    return module.partition(".")[0]


@cache
def _source(module: str) -> bytes:
    """Return the SHA-256 of a module's source; of b"" for a module without a file."""
    path = getattr(sys.modules.get(module), "__file__", None)
    content = Path(path).read_bytes() if path and os.path.isfile(path) else b""
    return hashlib.sha256(content).digest()


#: Modules of this package that say what a kernel means, besides those that it reaches.
_MEANING = ("bits", "block", "copying", "declarations", "memory", "vectors", "views")


@cache
def _base(target: str) -> bytes:
    """Return the hash that all keys of a target share: the target, and how kernels are compiled."""
    folder = Path(__file__).parent
    digest = hashlib.sha256(targets.description(target).encode())
    modules = [folder / f"{module}.py" for module in _MEANING]
    for path in [*modules, *sorted((folder / "codegen").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


@cache
def _compiler() -> bytes:
    """Return what is known of the compiler: Python, numba, LLVM, the user's settings."""
    installed = [about.installed(package) for package in ("numba", "llvmlite")]
    return f"{sys.version_info[:2]} {installed} {targets.settings()}".encode()


def _shape(code: CodeType) -> str:
    """Return byte code with its constants and names, without path and line numbers."""
    constants = [_shape(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{code.co_code!r} {constants} {names} {code.co_flags}"


def _names(code: CodeType) -> set[str]:
    """Return every name that the code, or code nested in it, may look up."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


class _Facts:
    """What one function names: modules, functions, and a line of text for each constant."""

    def __init__(self, function: FunctionType) -> None:
        where = f"{function.__module__}.{function.__qualname__}"
        self.modules = {function.__module__}
        self.code = f"{where}: {_shape(function.__code__)}"
        self.lines: set[str] = set()
        if not os.path.isfile(function.__code__.co_filename):
            self.lines.add(self.code)  # what has no source is what its code is
        self.functions: list[FunctionType] = []
        names = _names(function.__code__)
        for name in sorted(names & function.__globals__.keys()):
            value = function.__globals__[name]
            if isinstance(value, ModuleType):
                self.module(value, names, where)
            else:
                self.value(value, f"{where} {name}")
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        for name, cell in cells:
            self.value(cell.cell_contents, f"{where} {name}")
        for number, value in enumerate(function.__defaults__ or ()):
            self.value(value, f"{where} default {number}")

    def module(self, module: ModuleType, names: set[str], where: str) -> None:
        """Visit the attributes of a module that ``names`` may refer to."""
        if _package(module.__name__) in _FOREIGN:
            return
        for name in sorted(names & vars(module).keys()):
            value = vars(module)[name]
            if isinstance(value, ModuleType):
                self.module(value, names, where)
            else:
                self.value(value, f"{where} {module.__name__}.{name}")

    def value(self, value: Any, where: str) -> None:
        if isinstance(value, Kernel):
            value = value.function
        if isinstance(value, FunctionType):
            # a field named `entry` reads as the decorator, which no kernel calls
            if _package(value.__module__) not in _FOREIGN and value.__module__ != _DECORATORS:
                self.functions.append(value)
        elif isinstance(value, Operation):
            pass  # this package's, whose source is in every key
        elif value is None or isinstance(value, bool | int | float | str | bytes):
            self.lines.add(f"{where} = {value!r}")
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                self.value(item, f"{where}[{number}]")
        elif isinstance(value, np.ndarray):
            content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
            self.lines.add(f"{where} = {value.dtype} {value.shape} {content}")
        elif isinstance(getattr(value, "kernel_key", None), str):
            self.lines.add(f"{where} = {value.kernel_key}")
        elif isinstance(value, type):
            if _package(value.__module__) not in _FOREIGN:
                self.modules.add(value.__module__)
        elif callable(value) and _package(getattr(value, "__module__", None) or "") in _FOREIGN:
            pass  # the compiler's own, or Python's
        elif _package(type(value).__module__) in _FOREIGN and " at 0x" not in str(value):
            self.lines.add(f"{where} = {type(value).__name__} {value}")
        else:
            raise Unkeyed(f"{where}: a {type(value).__name__} cannot be part of a compiled kernel")


@cache
def _facts_of(function: FunctionType) -> _Facts:
    """Return a function's facts; most kernels are part of several entries."""
    return _Facts(function)


def functions_of(functions: Iterable[Callable[..., int]]) -> list[FunctionType]:
    """Return entries' functions and all kernels that they reach."""
    waiting = [function for function in functions if isinstance(function, FunctionType)]
    reached = dict.fromkeys(waiting)  # in the order of the walk
    while waiting:
        for other in _facts_of(waiting.pop()).functions:
            if other not in reached:
                reached[other] = None
                waiting.append(other)
    return list(reached)


def names_of(functions: Iterable[Callable[..., int]]) -> frozenset[str]:
    """Return every name that kernels and those that they reach may look up, fields among them."""
    return frozenset().union(*(_names(reached.__code__) for reached in functions_of(functions)))


def content_key_of(functions: Iterable[Callable[..., int]], target: str, known: Values = ()) -> str:
    """Return the key of what functions are made of, and of what is known, in hexadecimal digits.

    Unkeyed (a TypeError) names a kernel and what it uses if that cannot be hashed.
    """
    facts = [_facts_of(reached) for reached in functions_of(functions)]
    digest = hashlib.sha256(_base(target))
    for module in sorted(set().union(*(fact.modules for fact in facts))):
        digest.update(module.encode() + b"\0" + _source(module))
    for line in sorted(set().union(*(fact.lines for fact in facts))):
        digest.update(line.encode() + b"\n")
    if known:
        digest.update(repr(known).encode())
    return digest.hexdigest()[:_DIGITS]


def key_of(functions: Iterable[Callable[..., int]], content_key: str) -> str:
    """Return the key of functions that are compiled here, in hexadecimal digits."""
    digest = hashlib.sha256(content_key.encode() + _compiler())
    for code in sorted(_facts_of(reached).code for reached in functions_of(functions)):
        digest.update(code.encode() + b"\n")
    return digest.hexdigest()[:_DIGITS]
