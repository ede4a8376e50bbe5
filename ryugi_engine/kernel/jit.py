"""The kernel decorators, and compiling or loading what they mark.

``@kernel`` marks a function that is inlined into its callers, ``@routine`` one that is called, and
``@entry(n)`` one of n ``int64`` arguments with a C address: Python calls it without the interpreter
lock, other kernels through the address. ``@template(n, TABLES)`` marks an entry that is compiled
for each game by itself, with what the game's block of tables holds as constants.
Only entries are compiled by themselves and cached on disk,
under a key that changes with everything that the machine code depends on
(:mod:`ryugi_engine.kernel.cache_key`), in a folder that only the user can write
(:mod:`ryugi_engine.kernel.cache`). Importing this module reads and writes no file.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import cache, cache_key, compile_progress, declarations, lint
from ryugi_engine.kernel.object_code import Function, load_function
from ryugi_engine.kernel.views import Facts, Layout, Values

#: The package of the entries that all games use.
_ENGINE = __name__.partition(".")[0]
_ROOT = Path(__file__).resolve().parents[2]
#: A second process helps when more entries than this have to be compiled.
_ALONE = 4
#: Messages about compiling and damaged files; whoever owns the process's output listens.
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
    """Pass every message about compiling to ``tell``, from any thread; None: to nobody."""
    _log.handlers[:] = [] if tell is None else [_Listener(tell)]
    _log.setLevel(logging.INFO)
    _log.propagate = False


#: Whether :func:`load` found kernels that have to be compiled, and is not over yet.
compiling = False


@functools.cache
def _announce() -> None:
    """Log that kernels are being compiled; once in a process."""
    _log.info("compiling the kernels, once for this version; this takes a while")


def kept_in() -> str:
    """Return the cache's folder as text for the user."""
    return str(cache.place().folder or "memory only")


# ---- a second process ----------------------------------------------------------------------------

_HELPER_CODE = """\
import sys
sys.path.insert(0, {root!r})
from ryugi_engine.kernel import jit
jit.assist({modules!r}, {made!r}, {late})
"""


@contextlib.contextmanager
def _helper(modules: tuple[str, ...], made: list[_Made], late: bool) -> Iterator[None]:
    """Run a second process that compiles into the same folder; it ends with the block, or with us.

    Its failures are ignored: what it has not compiled is compiled here.
    """
    folder = cache.place().folder
    if folder is None:
        yield
        return
    import subprocess  # a warm start has no use for it

    code = _HELPER_CODE.format(root=str(_ROOT), modules=modules, made=made, late=late)
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
    """Exit when standard input ends: the pipe closes however the parent process ends."""
    with contextlib.suppress(OSError):
        os.read(0, 1)
    os._exit(0)


def assist(modules: Iterable[str], made: Iterable[_Made], late: bool) -> None:
    """Compile what the modules need, except what another process is compiling."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    entries = _chosen(modules, late)
    for module, name, values in made:
        entries.append(getattr(importlib.import_module(module), name).given(values))
    # the largest first: those that are left for the end are small ones, and soon done
    for item in sorted(entries, key=lambda item: -item.extent):
        item.load(wait=False)


# ---- kernels -------------------------------------------------------------------------------------


kernel, routine = declarations.kernel, declarations.routine
#: All entries that are no template's, in the order of their definition.
_entries: list[Entry] = []
#: An entry of a template for another process: the template's module and name, and what is known.
_Made = tuple[str, str, Values]


class Entry:
    """A compiled function with a C address; a call from Python releases the interpreter lock.

    It is compiled, or loaded from the cache, by :func:`load` or when it is first used.
    """

    def __init__(
        self, function: Callable[..., int], arity: int, late: bool, facts: Facts | None = None
    ) -> None:
        lint.check_arity(function, arity)
        self.name = lint.name_of(function)
        self.late = late
        self._function = function
        self.arity = arity
        self._facts = facts
        self._lock = threading.Lock()
        self._compiled: Function | None = None
        if facts is None:
            _entries.append(self)

    @cached_property
    def key(self) -> str:
        """The cache key, see :mod:`ryugi_engine.kernel.cache_key`."""
        return cache_key.key_of(self._function, self._facts)

    @property
    def made(self) -> _Made | None:
        """What another process needs to make the same entry of a template; None if it is none's."""
        if self._facts is None:
            return None
        return self._function.__module__, self._function.__name__, self._facts.values

    @property
    def extent(self) -> int:
        """Number of kernels that are compiled into it."""
        return len(cache_key.functions_of(self._function))

    def belongs_to(self, modules: Iterable[str]) -> bool:
        """Return whether it is the engine's, or lies in a package of one of these modules."""
        packages = {module.rpartition(".")[0] for module in modules}
        return self.name.rpartition(".")[0].rpartition(".")[0] in packages or (
            self.name.partition(".")[0] == _ENGINE
        )

    def is_ready(self) -> bool:
        """Return whether it is loaded, or can be loaded from the cache."""
        return self._compiled is not None or cache.is_kept(self.name, self.key)

    def load(self, *, wait: bool = True) -> bool:
        """Load the function from the cache, or compile it; return whether it is loaded.

        With ``wait`` False it is left alone while another process compiles it.
        """
        with self._lock:
            if self._compiled is None:
                with cache.claim(f"{self.name} {self.key}", wait=wait) as mine:
                    if mine:
                        self._compiled = self._kept() or self._compile_shown()
        return self._compiled is not None

    def _kept(self) -> Function | None:
        try:
            machine = cache.read(self.name, self.key)
            return None if machine is None else load_function(machine)
        except cache.Damaged as error:
            _log.warning("%s: it is compiled anew", error)
        except OSError as error:
            _log.warning("%s: %s: it is compiled instead", self.name, error.strerror or error)
        return None

    def _compile_shown(self) -> Function:
        package = self.name.rpartition(".")[0].rpartition(".")[0]
        others = [one for one in _entries if one.name.startswith(f"{package}.") and not one.late]
        with compile_progress.compiling(self, others):
            return self._compile()

    def _compile(self) -> Function:
        _announce()
        compiled_entries.append(self.name)
        from ryugi_engine.kernel.codegen import compiler  # late: it imports numba

        try:
            for function in cache_key.functions_of(self._function):
                if function.__module__ != __name__:  # a field `entry` reads as the decorator
                    lint.check_source(function)
            machine = compiler.compile_function(self._function, self.arity, self._facts)
        except (compiler.CompileError, GameError) as error:
            _entries[:] = [item for item in _entries if item is not self]  # other games go on
            name = "" if isinstance(error, GameError) else f"{self.name}: "
            raise GameError(f"{name}{error}") from None
        try:
            if not cache_key.has_variables(self._function):
                cache.write(self.name, self.key, machine)
        except OSError as error:
            reason = error.strerror or error
            _log.warning("%s: compiled, but could not be kept: %s", self.name, reason)
        return load_function(machine)

    @cached_property
    def address(self) -> int:
        """The function's C address; compiles or loads it first."""
        self.load()
        assert self._compiled is not None
        return self._compiled.address

    @cached_property
    def _call(self) -> Callable[..., int]:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * self.arity))(self.address)

    def __call__(self, *args: int) -> int:
        return int(self._call(*args))


def entry(arity: int, *, late: bool = False) -> Callable[[Callable[..., int]], Entry]:
    """Mark an entry of ``arity`` int64 arguments; ``late`` ones are not loaded before their use."""

    def decorate(function: Callable[..., int]) -> Entry:
        return Entry(function, arity, late)

    return decorate


class Template:
    """An entry that is compiled for each game by itself, see :func:`template`."""

    def __init__(
        self, function: Callable[..., int], arity: int, layout: Layout, late: bool
    ) -> None:
        lint.check_arity(function, arity)
        self._function, self._arity = function, arity
        self._layout, self._late = layout, late
        self._made: dict[Values, Entry] = {}

    def given(self, values: Values) -> Entry:
        """Return the entry for games of which these values are known, see ``views.Facts``."""
        if values not in self._made:
            facts = Facts(self._layout, values)
            self._made[values] = Entry(self._function, self._arity, self._late, facts)
        return self._made[values]


def template(
    arity: int, layout: Layout, *, late: bool = False
) -> Callable[[Callable[..., int]], Template]:
    """Mark an entry that is compiled with known values of a constant layout's fields."""

    def decorate(function: Callable[..., int]) -> Template:
        return Template(function, arity, layout, late)

    return decorate


def _chosen(modules: Iterable[str], late: bool) -> list[Entry]:
    """Return the entries that modules need, in the order of their definition."""
    return [item for item in _entries if (late or not item.late) and item.belongs_to(modules)]


def _import(module: str) -> None:
    """Import a module; if that fails, forget the entries that it has marked, and raise."""
    before = len(_entries)
    try:
        importlib.import_module(module)
    except BaseException:
        del _entries[before:]
        raise


def _compiled() -> None:
    global compiling  # noqa: PLW0603
    compiling = False


def load(
    *modules: str,
    entries: Iterable[Entry] = (),
    late: bool = False,
    wanted: Callable[[], bool] = lambda: True,
) -> bool:
    """Import modules, then compile or load the entries that they need; ``late`` ones on request.

    So with further ``entries``, those of templates. If there is much to compile a second process
    helps: GUIs wait 10 or 15 seconds for an engine. ``wanted`` is asked before anything is
    compiled; return False if it has said no.
    """
    global compiling  # noqa: PLW0603 - read by other threads
    for module in modules:
        _import(module)
    further = [item for item in entries if late or not item.late]
    chosen = [*dict.fromkeys(_chosen(modules, late) + further)]
    missing = [item for item in chosen if not item.is_ready()]
    if missing and not wanted():
        return False
    with contextlib.ExitStack() as help_:
        if missing:
            compiling = True
            help_.callback(_compiled)
            _announce()
            help_.enter_context(compile_progress.expecting(missing))
        if len(missing) > _ALONE:
            made = [item.made for item in missing if item.made is not None]
            help_.enter_context(_helper(modules, made, late))
        # what the helper is compiling comes last: it is done by then
        for wait in (False, True):
            for item in chosen:
                if not (item.is_ready() or wanted()):
                    return False
                item.load(wait=wait)
    if missing:
        cache.drop_stale()
    return True


def load_all(entries: Iterable[Entry]) -> None:
    """Compile or load these entries."""
    chosen = [*entries]
    with compile_progress.expecting([item for item in chosen if not item.is_ready()]):
        for item in chosen:
            item.load()
