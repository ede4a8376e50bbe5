"""The kernel decorators, and compiling or loading what they mark.

``@kernel`` marks a function that is inlined into its callers, ``@routine`` one that is called, and
``@entry(n)`` one of n ``int64`` arguments with a C address: Python calls it without the interpreter
lock, other kernels through the address. ``@template(n, TABLES)`` marks an entry that is compiled
for each game by itself, with what the game's block of tables holds as constants.

Only entries are compiled by themselves and cached on disk, under a key that changes with everything
that the machine code depends on (:mod:`ryugi_engine.kernel.cache_key`), in a folder that only the
user can write (:mod:`ryugi_engine.kernel.cache`); those that a wheel brings along are found first
(:mod:`ryugi_engine.kernel.packaged`). Importing this module reads and writes no file.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import (
    cache,
    cache_key,
    compile_progress,
    declarations,
    helpers,
    lint,
    packaged,
    targets,
)
from ryugi_engine.kernel.cache import Machine
from ryugi_engine.kernel.object_code import LOCK, Function, load_function
from ryugi_engine.kernel.views import Facts, Layout, Values

#: The package of the entries that all games use.
_ENGINE = __name__.partition(".")[0]
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
    """Pass every message about compiling to ``tell``, from any thread; None discards them."""
    _log.handlers[:] = [] if tell is None else [_Listener(tell)]
    _log.setLevel(logging.INFO)
    _log.propagate = False


@functools.cache
def _announce() -> None:
    """Log that kernels are being compiled; once in a process."""
    _log.info("compiling the kernels, once for this version; this takes a while")


def kept_in() -> str:
    """Return the cache folder's path, or why there is none, as text for the user."""
    return str(cache.place().folder or "memory only")


# ---- other processes -----------------------------------------------------------------------------


def _end_with_parent() -> None:
    """Exit when standard input ends: the pipe closes however the parent process ends."""
    with contextlib.suppress(OSError):
        os.read(0, 1)
    os._exit(0)


def assist(
    modules: Iterable[str],
    made: Iterable[_Made],
    late: bool,
    names: Sequence[str],
    number: int,
    count: int,
) -> None:
    """Compile what the modules need for some targets, except what others are compiling."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    entries = _chosen(modules, late)
    for module, name, values in made:
        entries.append(getattr(importlib.import_module(module), name).given(values))
    for item in _shared_out(entries, number, count):
        if not item.is_ready(*names):
            item.machines(*names, wait=False)


def _shared_out(entries: Iterable[Entry], number: int, count: int) -> list[Entry]:
    """Return entries in the order in which process ``number`` of ``count`` takes them.

    Each process has packages of its own, because numba analyses but once what the entries of a
    package share; it takes the largest first. Of the others' packages it takes the smallest first.
    The entries that templates make for a game are a package.
    """
    packages: dict[object, list[Entry]] = {}
    for item in sorted(entries, key=lambda item: -item.extent):
        packages.setdefault((item.package, item.made and item.made[-1]), []).append(item)
    groups = sorted(packages.values(), key=lambda group: -sum(item.extent for item in group))
    own = [item for group in groups[number::count] for item in group]
    return own + [item for group in groups for item in group if item not in own][::-1]


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
    def package(self) -> str:
        """Name of the package that its module lies in."""
        return self.name.rpartition(".")[0].rpartition(".")[0]

    @functools.cache  # noqa: B019 - entries live as long as the process
    def content_key(self, target: str) -> str:
        """Return the key of its content, see :mod:`ryugi_engine.kernel.cache_key`."""
        return cache_key.content_key_of(self._function, target, self._facts)

    @functools.cache  # noqa: B019
    def key(self, target: str) -> str:
        """Return its key in the cache."""
        return cache_key.key_of(self._function, self.content_key(target))

    @property
    def made(self) -> _Made | None:
        """The template and values from which another process makes this entry; None without one."""
        if self._facts is None:
            return None
        return self._function.__module__, self._function.__name__, self._facts.values

    @property
    def extent(self) -> int:
        """Number of kernels that are compiled into it."""
        return len(cache_key.functions_of(self._function))

    def belongs_to(self, modules: Iterable[str]) -> bool:
        """Return whether the entry is the engine's, or in a package of one of these modules."""
        packages = {module.rpartition(".")[0] for module in modules}
        return self.package in packages or self.name.partition(".")[0] == _ENGINE

    def is_ready(self, *names: str) -> bool:
        """Return whether it is loaded or can be loaded; or is cached for all these targets."""
        if names:
            return all(cache.is_kept(self.name, self.key(name)) for name in names)
        if self._compiled is not None:
            return True
        target = targets.target()
        return packaged.is_there(self.name, self.content_key(target)) or self.is_ready(target)

    def load(self, *, wait: bool = True) -> bool:
        """Load the function from package or cache, or compile it; return whether it is loaded.

        With ``wait`` False it is left alone while another process compiles it.
        """
        with self._lock:
            if self._compiled is None:
                target = targets.target()
                brought = packaged.read(self.name, self.content_key(target))
                found = [brought] if brought else self.machines(target, wait=wait)
                if found:
                    self._compiled = load_function(found[0])
        return self._compiled is not None

    def machines(self, *names: str, wait: bool = True) -> list[Machine]:
        """Return the machine code for targets, from the cache or compiled.

        With ``wait`` False, none while another process compiles it.
        """
        with cache.claim(f"{self.name} {self.key(names[0])}", wait=wait) as mine:
            if not mine:
                return []
            kept = [self._kept(self.key(name)) for name in names]
            found = [machine for machine in kept if machine is not None]
            return found if len(found) == len(names) else self._compile_shown(names)

    def _kept(self, key: str) -> Machine | None:
        try:
            return cache.read(self.name, key)
        except cache.Damaged as error:
            _log.warning("%s: it is compiled anew", error)
        except OSError as error:
            _log.warning("%s: %s: it is compiled instead", self.name, error.strerror or error)
        return None

    def _compile_shown(self, names: Sequence[str]) -> list[Machine]:
        others = [one for one in _entries if one.package == self.package and not one.late]
        with compile_progress.compiling(self, others):
            return self._compile(names)

    def _compile(self, names: Sequence[str]) -> list[Machine]:
        _announce()
        compiled_entries.append(self.name)
        from ryugi_engine.kernel.codegen import compiler  # late: they import numba
        from ryugi_engine.kernel.codegen.signature_cache import signatures_kept

        try:
            for function in cache_key.functions_of(self._function):
                lint.check_source(function)
            with LOCK, signatures_kept():
                machines = compiler.compile_function(self._function, self.arity, names, self._facts)
        except (compiler.CompileError, GameError) as error:
            _entries[:] = [item for item in _entries if item is not self]  # other games go on
            name = "" if isinstance(error, GameError) else f"{self.name}: "
            raise GameError(f"{name}{error}") from None
        try:
            for name, machine in zip(names, machines, strict=True):
                cache.write(self.name, self.key(name), machine)
        except OSError as error:
            reason = error.strerror or error
            _log.warning("%s: compiled, but could not be kept: %s", self.name, reason)
        cache.trim()
        return machines

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
        """Return the entry for games of which these values are known, see ``views.Facts``.

        Games have the same one if they differ in nothing that it reads.
        """
        facts = Facts(self._layout, values).read_by(cache_key.names_of(self._function))
        if facts.values not in self._made:
            self._made[facts.values] = Entry(self._function, self._arity, self._late, facts)
        return self._made[facts.values]


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


def load(
    *modules: str,
    entries: Iterable[Entry] = (),
    late: bool = False,
    wanted: Callable[[], bool] = lambda: True,
) -> bool:
    """Import modules, then compile or load the entries that they need; ``late`` ones on request.

    So with further ``entries``, those of templates. If there is much to compile other processes
    help: GUIs wait 10 or 15 seconds for an engine. ``wanted`` is asked before anything is
    compiled; return False if it has said no.
    """
    chosen = _needed(modules, entries, late)
    missing = [item for item in chosen if not item.is_ready()]
    if missing and not wanted():
        return False
    with contextlib.ExitStack() as help_:
        if missing:
            _announce()
            help_.enter_context(compile_progress.expecting(missing))
            count = help_.enter_context(helpers.running(modules, missing, late))
            chosen = _shared_out(chosen, 0, count)
        # what others are compiling comes last: it is done by then
        for wait in (False, True):
            for item in chosen:
                if not (item.is_ready() or wanted()):
                    return False
                item.load(wait=wait)
    return True


def _needed(modules: Iterable[str], entries: Iterable[Entry], late: bool) -> list[Entry]:
    for module in modules:
        _import(module)
    further = [item for item in entries if late or not item.late]
    return [*dict.fromkeys(_chosen(modules, late) + further)]


def compile_for_package(folder: Path, *modules: str, entries: Iterable[Entry] = ()) -> None:
    """Write the entries that modules need, and further ones, to a new folder, for each target."""
    names = targets.PACKAGED
    chosen = _needed(modules, entries, late=True)
    missing = [item for item in chosen if not item.is_ready(*names)]
    with (
        compile_progress.expecting(missing),
        helpers.running(modules, missing, True, names) as count,
    ):
        for wait in (False, True):
            for item in _shared_out(chosen, 0, count):
                for name, machine in zip(names, item.machines(*names, wait=wait), strict=wait):
                    packaged.write(folder / name, item.name, item.content_key(name), machine)


def load_all(entries: Iterable[Entry]) -> None:
    """Compile or load these entries."""
    chosen = [*entries]
    with compile_progress.expecting([item for item in chosen if not item.is_ready()]):
        for item in chosen:
            item.load()
