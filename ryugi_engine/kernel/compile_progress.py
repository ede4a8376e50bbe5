"""Progress of compiling: the kernel at work, the work left, and who is notified.

:mod:`ryugi_engine.kernel.jit` notes it here; nothing is shown without :func:`watch`.
"""

from __future__ import annotations

import contextlib
import threading
import time
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
    #: Seconds since this work began.
    seconds: float = 0.0
    #: Estimate of the seconds that remain, in proportion to the work; None: not known yet.
    remaining: float | None = None


class _Stopwatch:
    """The time of compiling: when it began, and when it is expected to end."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._done = self._end = 0.0

    def times(self, done: float) -> tuple[float, float | None]:
        """Return the seconds so far, and those left when the share ``done`` of the work is done."""
        now = time.monotonic()
        if done != self._done:
            self._done, self._end = done, now + (now - self._began) * (1 - done) / (done or 1)
        return now - self._began, max(self._end - now, 1.0) if done else None


_lock = threading.Lock()
_watcher: Watcher | None = None
#: Blocks of :func:`expecting` and :func:`compiling` that are entered.
_depth = 0
_current: list[Kernel] = []
_expected: list[Kernel] = []
_candidates: Sequence[Kernel] = ()
_stopwatch = _Stopwatch()


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
    times = _stopwatch.times(done)
    return Progress(name.partition(".")[2], len(left), len(expected), done, *times)


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
    global _depth, _stopwatch  # noqa: PLW0603
    with _lock:
        _depth += 1
        if _depth == 1:
            _stopwatch = _Stopwatch()
            if _watcher is not None:
                _watcher.begin()
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0 and _watcher is not None:
                _watcher.end()
