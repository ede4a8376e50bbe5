"""The one place that compiles: the kernel decorators, and loading what they mark.

``@kernel`` marks a helper that is inlined into its callers, ``@routine`` one that is called,
and ``@entry(n)`` a function of n ``int64`` arguments with a C address, which Python calls
(without the interpreter lock) and other kernels call through that address. Only entries are
compiled by themselves and kept on disk, by a key that changes with whatever they are made of
(:mod:`ryugi_engine.kernel.key`), in a folder that only the user can write
(:mod:`ryugi_engine.kernel.store`). Nothing is read, made or set before the first is loaded.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba

from ryugi_engine.games.game import GameError
from ryugi_engine.kernel import checks, inside, key, store

_ROOT = Path(__file__).resolve().parents[2]
#: A second process is worth starting for more entries than this.
_ALONE = 4
#: What is told of compiling and of damaged files; who owns the process's output listens.
_log = logging.getLogger(__name__)
#: The entries that had to be compiled, not loaded, in this process.
compiled_entries: list[str] = []


class _Listener(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(record.getMessage())


def report_to(tell: Callable[[str], None] | None) -> None:
    """From now on hand every line about compiling to ``tell``, from whatever thread it comes.

    None: nobody wants to know.
    """
    _log.handlers[:] = [] if tell is None else [_Listener(tell)]
    _log.setLevel(logging.INFO)
    _log.propagate = False


@cache
def _announce() -> None:
    """Once in a process."""
    _log.info("compiling the kernels, once for this version; this takes a while")


def kept_in() -> str:
    """Where compiled kernels are kept, for a person."""
    return str(store.place().folder or "memory only")


# ---- a second process ----------------------------------------------------------------------------

_HELPER_CODE = """\
import sys
sys.path.insert(0, {root!r})
from ryugi_engine.kernel import jit
jit.assist({modules!r}, {late})
"""


@contextlib.contextmanager
def _helper(modules: tuple[str, ...], late: bool) -> Iterator[None]:
    """A second process that compiles for the same folder; it ends with the block, or with us.

    It begins with the last of the modules. Its failure needs no attention: what it has not left in
    the folder is compiled here.
    """
    folder = store.place().folder
    if folder is None:
        yield
        return
    code = _HELPER_CODE.format(root=str(_ROOT), modules=modules[::-1], late=late)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RYUGI_CACHE_DIR": str(folder.parent)},
        )
    except OSError as error:
        _log.warning("no second process to compile with: %s", error.strerror or error)
        yield
        return
    try:
        yield
    finally:
        process.kill()  # files are written whole or not at all
        process.communicate()


def _end_with_parent() -> None:
    """Leave when standard input ends: the other end of the pipe closes however the parent ends."""
    with contextlib.suppress(OSError):
        os.read(0, 1)
    os._exit(0)


def assist(modules: Iterable[str], late: bool) -> None:
    """Compile what the modules need and another process is not at."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for module in modules:
        importlib.import_module(module)
        for item in _entries:
            if late or not item.late:
                item.load(wait=False)


# ---- kernels -------------------------------------------------------------------------------------

# Helpers are never called from Python: without the wrappers that numba would add for that,
# compiling takes half the time.
_HELPER: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}


def kernel(function: Callable[..., Any]) -> Any:
    """A helper that is inlined into every caller."""
    checks.look_at(function)
    return numba.njit(forceinline=True, **_HELPER)(function)


def routine(function: Callable[..., Any]) -> Any:
    """A helper that the compiler may leave as a call."""
    checks.look_at(function)
    return numba.njit(**_HELPER)(function)


#: In the order of their definition.
_entries: list[Entry] = []


class Entry:
    """A compiled function with a C address; calling it from Python releases the lock.

    It is compiled, or loaded from the folder, when it is asked for or by :func:`load`.
    """

    def __init__(self, function: Callable[..., int], arity: int, late: bool) -> None:
        checks.look_at(function, arity)
        self.name = checks.name_of(function)
        self.late = late
        self._function = function
        self.arity = arity
        self._lock = threading.Lock()
        self._compiled: inside.Function | None = None
        _entries.append(self)

    @cached_property
    def key(self) -> str:
        """What the machine code depends on, see :mod:`ryugi_engine.kernel.key`."""
        return key.key_of(self._function)

    def is_ready(self) -> bool:
        """Whether it is loaded, or can be without compiling it."""
        return self._compiled is not None or store.is_kept(self.name, self.key)

    def load(self, *, wait: bool = True) -> bool:
        """Load the function from the folder, or compile it.

        False if it was left alone because another process is at it and it is not to be waited for.
        """
        with self._lock:
            if self._compiled is None:
                with store.claim(self.name, wait) as mine:
                    if mine:
                        self._compiled = self._kept() or self._compile()
        return self._compiled is not None

    def _kept(self) -> inside.Function | None:
        try:
            machine = store.read(self.name, self.key)
            return None if machine is None else inside.load_function(machine)
        except store.Damaged as error:
            _log.warning("%s: it is compiled anew", error)
        except OSError as error:
            _log.warning("%s: %s: it is compiled instead", self.name, error.strerror or error)
        return None

    def _compile(self) -> inside.Function:
        _announce()
        compiled_entries.append(self.name)
        try:
            function, machine = inside.compile_function(self._function, self.arity)
        except inside.CompilerError as error:
            _entries[:] = [item for item in _entries if item is not self]  # other games go on
            raise GameError(f"{self.name}: {inside.complaint(error)}") from None
        try:
            store.write(self.name, self.key, machine)
        except OSError as error:
            reason = error.strerror or error
            _log.warning("%s: compiled, but could not be kept: %s", self.name, reason)
        return function

    @cached_property
    def address(self) -> int:
        """Where the function starts."""
        self.load()
        assert self._compiled is not None
        return self._compiled.address

    @cached_property
    def _call(self) -> Callable[..., int]:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * self.arity))(self.address)

    def __call__(self, *args: int) -> int:
        return int(self._call(*args))


def entry(arity: int, *, late: bool = False) -> Callable[[Callable[..., int]], Entry]:
    """Mark a function of ``arity`` int64 arguments; ``late`` if games are played without it."""

    def decorate(function: Callable[..., int]) -> Entry:
        return Entry(function, arity, late)

    return decorate


def _import(module: str) -> None:
    """Import a module; if that fails what it has marked is forgotten: other games go on."""
    before = len(_entries)
    try:
        importlib.import_module(module)
    except BaseException:
        del _entries[before:]
        raise


def load(*modules: str, late: bool = False) -> None:
    """Import modules and compile or load all entries that are known then, late ones if asked to.

    If there is much to compile a second process helps: GUIs wait 10 or 15 seconds for an engine.
    """
    with contextlib.ExitStack() as help_:
        help_at_once = not store.files()
        if help_at_once:
            help_.enter_context(_helper(modules, late))
        for module in modules:
            _import(module)
        wanted = [item for item in _entries if late or not item.late]
        missing = [item for item in wanted if not item.is_ready()]
        if missing:
            _announce()
        if len(missing) > _ALONE and not help_at_once:
            help_.enter_context(_helper(modules, late))
        # what the helper is at comes last: it is done by then
        for item in [item for item in wanted if not item.load(wait=False)]:
            item.load()
    if missing:
        store.drop_stale()
