"""Run long jobs in a thread, one at a time: searches, perft, bench."""

from __future__ import annotations

import queue
import threading
import time
import weakref
from collections.abc import Callable

from ryugi_engine.core.events import Event, Note, Task

_Work = Callable[[], None]


def _work_off(waiting: queue.SimpleQueue[_Work | None]) -> None:
    """Run what is put into a queue, until that is None."""
    while (work := waiting.get()) is not None:
        work()
        del work  # with the position that it holds


class Jobs:
    """Runs jobs one at a time.

    One thread runs all of them: to start one takes longer than a shallow search.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        """``emit`` gets an event for an error."""
        self._emit = emit
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._task: Task | None = None
        self._over = threading.Event()
        self._over.set()
        self._began = 0.0
        #: When :meth:`finish` has waited for a job last, by ``time.perf_counter``.
        self.finished = 0.0

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return not self._over.is_set()

    def start(self, task: Task, name: str, run: Callable[[], None]) -> None:
        """Stop the running job, then start a long one that ends when ``task`` is asked to stop."""
        self.stop()

        def work() -> None:
            try:
                run()
            except Exception as error:
                # the session goes on, but no error is swallowed: it is reported
                self._emit(Note(f"error: {name} failed: {error!r}"[:500]))
            finally:
                self._over.set()

        if self._thread is None:
            self._thread = threading.Thread(target=_work_off, args=(self._waiting,), daemon=True)
            self._thread.start()
            weakref.finalize(self, self._waiting.put, None)
        self._task, self._began = task, time.perf_counter()
        self._over.clear()
        self._waiting.put(work)

    def signal_stop(self) -> None:
        """Ask the running job to end; do not wait for it."""
        task = self._task
        if task is not None:
            task.stop()

    def finish(self, begun_after: float = 0.0) -> bool:
        """Wait for the running job to report if it ends by itself; return whether it does.

        A job that began before ``begun_after``, by ``time.perf_counter``, is not waited for.
        """
        task = self._task
        if not self.busy or task is None or not task.bounded or self._began < begun_after:
            return False
        self._over.wait()
        self.finished = time.perf_counter()
        return True

    def stop(self) -> None:
        """End the running job; return when it has reported."""
        if self.busy:
            self.signal_stop()
            self._over.wait()
        self._task = None
