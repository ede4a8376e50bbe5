"""Progress of compiling: the kernel at work, the work left, and who is notified.

:mod:`ryugi_engine.kernel.jit` notes it here; nothing is shown without :func:`watch`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol


class Kernel(Protocol):
    """An entry of ``jit``."""

    name: str

    @property
    def extent(self) -> int:
        """The number of functions compiled into the entry, a measure of the work."""

    def is_ready(self) -> bool:
        """Return whether it is loaded, or can be loaded from the cache."""


class Watcher(Protocol):
    """Shows progress; called from any thread."""

    def begin(self) -> None:
        """Called when compiling begins: poll :func:`progress` from now on."""

    def end(self) -> None:
        """End the report: nothing is written after this has returned."""


class Progress(NamedTuple):
    """A snapshot of the progress of compiling."""

    #: The kernel that this process compiles, or another one compiles for it; "" at the very end.
    kernel: str
    #: Kernels that are not compiled yet; if ``total`` is 0 they may not all be needed.
    left: int
    #: Kernels that had to be compiled at the beginning; 0: each is compiled when it is first used.
    total: int
    #: Part of the work that is done, from 0 to 1, by the kernels' extents.
    done: float = 0.0


_lock = threading.Lock()
_watcher: Watcher | None = None
#: Blocks of :func:`expecting` and :func:`compiling` that are entered.
_depth = 0
_current: list[Kernel] = []
_expected: list[Kernel] = []
_candidates: Sequence[Kernel] = ()


def watch(watcher: Watcher | None) -> None:
    """Set the watcher that is notified of compiling, in place of the one before."""
    global _watcher
    with _lock:
        before, _watcher = _watcher, watcher
        if _depth:
            if before is not None:
                before.end()
            if watcher is not None:
                watcher.begin()


def progress() -> Progress | None:
    """Return what is being compiled; None if nothing is."""
    current, expected = [*_current], [*_expected]
    if not (current or expected):
        return None
    left = [item for item in expected or [*_candidates] if not item.is_ready()]
    name = next((item.name for item in [*current, *left]), "")
    work = sum(item.extent for item in expected)
    done = 1 - sum(item.extent for item in left) / work if work else 0.0
    return Progress(name.partition(".")[2], len(left), len(expected), done)


@contextlib.contextmanager
def expecting(kernels: Sequence[Kernel]) -> Iterator[None]:
    """Record the kernels that are going to be compiled; an empty list changes nothing."""
    if not kernels:
        yield
        return
    _expected.extend(kernels)
    try:
        with _at_work():
            yield
    finally:
        for item in kernels:
            _expected.remove(item)


@contextlib.contextmanager
def compiling(kernel: Kernel, others: Sequence[Kernel]) -> Iterator[None]:
    """Record that a kernel is being compiled; ``others`` may follow if none are expected."""
    global _candidates  # noqa: PLW0603
    _current.append(kernel)
    _candidates = others
    try:
        with _at_work():
            yield
    finally:
        _current.remove(kernel)


@contextlib.contextmanager
def _at_work() -> Iterator[None]:
    global _depth  # noqa: PLW0603
    with _lock:
        _depth += 1
        if _depth == 1 and _watcher is not None:
            _watcher.begin()
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _watcher is not None:
                _watcher.end()
