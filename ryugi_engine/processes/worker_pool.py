"""Threads that work through a sequence of items, each with a worker of its own.

The work is done in kernels, which release the interpreter lock.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

#: Seconds without a result after which :meth:`WorkerPool.results` yields None.
_TICK = 0.5
_END: Any = object()


class Worker(Protocol):
    """Does one piece of work at a time."""

    def stop(self) -> None:
        """End the present piece of work soon; from any thread."""


W = TypeVar("W", bound=Worker)
Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerPool(Generic[W, Item, Result]):
    """A context manager, at whose end all workers are stopped; it works through one sequence."""

    def __init__(self, workers: Sequence[W], run: Callable[[W, Item], Result | None]) -> None:
        """``run`` works on an item; None stands for no result, for example of a stopped worker."""
        self._workers = workers
        self._run = run
        # bounded: workers do not run ahead of who takes the results
        self._results: queue.Queue[Result | BaseException | None] = queue.Queue(64 * len(workers))
        self._stopping = threading.Event()

    def __enter__(self) -> WorkerPool[W, Item, Result]:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def results(self, items: Iterable[Item]) -> Iterator[Result | None]:
        """Yield results as they come, and None after each half second without one.

        An item is taken when a worker is free. An exception of a worker or of ``items`` is raised.
        """
        remaining = iter(items)
        taking = threading.Lock()

        def work(worker: W) -> None:
            try:
                while not self._stopping.is_set():
                    with taking:
                        item = next(remaining, _END)
                    if item is _END:
                        break
                    result = self._run(worker, item)
                    if result is not None:
                        self._put(result)
                self._put(None)
            except BaseException as error:
                self._put(error)

        for worker in self._workers:
            threading.Thread(target=work, args=(worker,), daemon=True).start()
        working = len(self._workers)
        while working:
            try:
                result = self._results.get(timeout=_TICK)
            except queue.Empty:
                yield None
                continue
            if isinstance(result, BaseException):
                raise result
            if result is None:
                working -= 1
            else:
                yield result

    def _put(self, result: Result | BaseException | None) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(queue.Full):
                self._results.put(result, timeout=_TICK)
                return

    @property
    def stopping(self) -> bool:
        """Whether :meth:`stop` has been called."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Stop all workers; the work at hand yields no results."""
        self._stopping.set()
        for worker in self._workers:
            worker.stop()
