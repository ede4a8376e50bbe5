"""The kernel decorators, and compiling or loading what they mark.

``@kernel`` marks a function that is inlined into its callers, and ``@routine`` one that is called.
``@entry(n)`` marks one of n ``int64`` arguments with a C address. Python calls an entry without the
interpreter lock, other kernels through the address. ``@template(n, BUNDLE)`` marks an entry of a
bundle that may be specialised for each game (:mod:`ryugi_engine.kernel.bundle`). Importing this
module reads and writes no file.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from ryugi_engine.kernel import (
    background,
    cache,
    compile_progress,
    declarations,
    helpers,
    lint,
    packaged,
    targets,
)
from ryugi_engine.kernel.bundle import Bundle, announce, bundles, log
from ryugi_engine.kernel.views import Values


class _Listener(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(record.getMessage())


def report_to(tell: Callable[[str], None] | None) -> None:
    """Pass every message about compiling to ``tell``, from any thread; None discards them."""
    log.handlers[:] = [] if tell is None else [_Listener(tell)]
    log.setLevel(logging.INFO)
    log.propagate = False


def kept_in() -> str:
    """Return the cache folder's path, or why there is none, as text for the user."""
    return str(cache.place().folder or "memory only")


# ---- other processes -----------------------------------------------------------------------------


def assist(
    modules: Iterable[str], made: Iterable[_Made], names: Sequence[str], number: int, count: int
) -> None:
    """Compile bundles of these modules for some targets, except what others are compiling."""
    helpers.end_with_parent()
    for module in modules:
        importlib.import_module(module)
    general = {item.name: item for item in bundles}
    chosen = [general[name].given(values) for name, values in made]
    for item in _shared_out(chosen, number, count):
        if not item.is_ready(*names):
            item.machines(*names, wait=False)


def _shared_out(chosen: Iterable[Bundle], number: int, count: int) -> list[Bundle]:
    """Return bundles in the order in which process ``number`` of ``count`` takes them.

    Each process has packages of its own, because numba analyses but once what the bundles of a
    package share; it takes the largest first. Of the others' packages it takes the smallest first.
    What is made for a game needs no numba, so it is shared out one by one.
    """
    packages: dict[object, list[Bundle]] = {}
    for item in sorted(chosen, key=lambda item: -item.extent):
        packages.setdefault(item if item.values else item.package, []).append(item)
    groups = sorted(packages.values(), key=lambda group: -sum(item.extent for item in group))
    own = [item for group in groups[number::count] for item in group]
    return own + [item for group in groups for item in group if item not in own][::-1]


# ---- kernels -------------------------------------------------------------------------------------


kernel, routine = declarations.kernel, declarations.routine
#: A bundle of one game for another process: the name of that for all games, and what is known.
_Made = tuple[str, Values]


class Entry:
    """A compiled function with a C address; a call from Python releases the interpreter lock.

    Its bundle is compiled, or loaded from the cache, by :func:`load` or when it is first used.
    """

    def __init__(self, bundle: Bundle, number: int, arity: int) -> None:
        self.bundle, self._number, self.arity = bundle, number, arity
        self.function = bundle.functions[number]
        self.name = lint.name_of(self.function)

    @property
    def late(self) -> bool:
        """Whether it is not loaded before its use."""
        return self.bundle.late

    def load(self, *, own: bool = False) -> None:
        """Load its bundle, or compile it; see ``Bundle.load``."""
        self.bundle.load(own=own)

    @cached_property
    def address(self) -> int:
        """The function's C address; compiles or loads it first."""
        return self.bundle.address(self._number)

    @cached_property
    def _call(self) -> Callable[..., int]:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * self.arity))(self.address)

    def __call__(self, *args: int) -> int:
        return int(self._call(*args))


def entry(arity: int, *, late: bool = False) -> Callable[[Callable[..., int]], Entry]:
    """Mark an entry of ``arity`` int64 arguments; ``late`` ones are not loaded before their use."""

    def decorate(function: Callable[..., int]) -> Entry:
        bundle = Bundle(lint.name_of(function), late=late)
        return Entry(bundle, bundle.add(function, arity), arity)

    return decorate


class Template:
    """An entry of a bundle that is specialised for games, see :func:`template`."""

    def __init__(self, bundle: Bundle, number: int, arity: int) -> None:
        self._bundle, self._number, self._arity = bundle, number, arity
        self._made: dict[int, Entry] = {}

    def given(self, values: Values) -> Entry:
        """Return the entry for games of which these values are known, see ``Bundle.given``."""
        bundle = self._bundle.given(values)
        if id(bundle) not in self._made:
            self._made[id(bundle)] = Entry(bundle, self._number, self._arity)
        return self._made[id(bundle)]


def template(arity: int, bundle: Bundle) -> Callable[[Callable[..., int]], Template]:
    """Mark an entry of a bundle that is specialised for games, with ``arity`` int64 arguments."""

    def decorate(function: Callable[..., int]) -> Template:
        return Template(bundle, bundle.add(function, arity), arity)

    return decorate


def _chosen(modules: Iterable[str], late: bool) -> list[Bundle]:
    """Return the bundles that modules need, in the order of their definition.

    Entries name a specialisable one where it is wanted.
    """
    always = (item for item in bundles if late or not (item.late or item.layout is not None))
    return [item for item in always if item.belongs_to(modules)]


def _import(module: str) -> None:
    """Import a module; if that fails, forget the bundles that it has made, and raise."""
    before = len(bundles)
    try:
        importlib.import_module(module)
    except BaseException:
        del bundles[before:]
        raise


def load(
    *modules: str,
    entries: Iterable[Entry] = (),
    late: bool = False,
    own: bool = False,
    wanted: Callable[[], bool] = lambda: True,
) -> bool:
    """Import modules, then compile or load the entries that they need; ``late`` ones on request.

    So with further ``entries``, those of templates. A game's own machine code is compiled now if
    ``own``, else in the background for the next start. If there is much to compile other processes
    help: GUIs wait 10 or 15 seconds for an engine. ``wanted`` is asked before anything is compiled;
    return False if it has said no.
    """
    needed = _needed(modules, entries, late)
    chosen = needed if own else _taken(needed)
    missing = [item for item in chosen if not item.is_ready()]
    if missing and not wanted():
        return False
    with contextlib.ExitStack() as help_:
        if missing:
            announce()
            help_.enter_context(compile_progress.expecting(missing))
            names = [targets.target()]
            count = help_.enter_context(helpers.running(missing, names))
            others = (item for item in chosen if item not in missing)
            chosen = [*_shared_out(missing, 0, count), *others]
        # what others are compiling comes last: it is done by then
        for wait in (False, True):
            for item in chosen:
                if not (item.is_ready() or wanted()):
                    return False
                item.load(wait=wait, own=own)
    _compile_later(needed)
    return True


def _taken(chosen: Iterable[Bundle]) -> list[Bundle]:
    """Return the bundles whose machine code is used now."""
    return [*dict.fromkeys(item.in_use for item in chosen)]


def _compile_later(chosen: Iterable[Bundle]) -> None:
    background.compile_later([item for item in chosen if item.in_use is not item])


def borrowed(entries: Iterable[Entry]) -> bool:
    """Return whether loaded entries of one game are those of all games."""
    return any(entry.bundle.borrowed for entry in entries)


def _needed(modules: Iterable[str], entries: Iterable[Entry], late: bool) -> list[Bundle]:
    for module in modules:
        _import(module)
    further = [item.bundle for item in entries if late or not item.late]
    return [*dict.fromkeys(_chosen(modules, late) + further)]


def compile_for_package(folder: Path, *modules: str, entries: Iterable[Entry] = ()) -> None:
    """Write the entries that modules need, and further ones, to a new folder, for each target."""
    names = targets.PACKAGED
    chosen = _needed(modules, entries, late=True)
    missing = [item for item in chosen if not item.is_ready(*names)]
    with compile_progress.expecting(missing), helpers.running(missing, names) as count:
        for wait in (False, True):
            for item in _shared_out(chosen, 0, count):
                for name, machine in zip(names, item.machines(*names, wait=wait), strict=wait):
                    packaged.write(folder / name, item.name, item.content_key(name), machine)
    kind = targets.BITCODE
    for item in chosen:
        if item.layout is not None:
            packaged.write(folder / kind, item.name, item.content_key(kind), item.bitcode())


def load_all(entries: Iterable[Entry]) -> None:
    """Compile or load these entries; those of one game as :func:`load` does."""
    needed = [*dict.fromkeys(item.bundle for item in entries)]
    chosen = _taken(needed)
    with compile_progress.expecting([item for item in chosen if not item.is_ready()]):
        for item in chosen:
            item.load()
    _compile_later(needed)
