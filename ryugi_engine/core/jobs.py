"""What takes long runs in a thread of its own, one at a time: searches, perft, bench."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ryugi_engine.core.events import Event, Note, Task


class Jobs:
    """The job that is running, if there is one."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        """``emit`` gets an event for an error."""
        self._emit = emit
        self._thread: threading.Thread | None = None
        self._task: Task | None = None

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, task: Task, name: str, run: Callable[[], None]) -> None:
        """Stop the running job, then start a long one that ends when ``task`` is asked to stop."""
        self.stop()

        def work() -> None:
            try:
                run()
            except Exception as error:
                # the session goes on, but no error is swallowed: it is reported
                self._emit(Note(f"error: {name} failed: {error!r}"[:500]))

        self._task = task
        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()

    def signal_stop(self) -> None:
        """End what is running, without waiting for it."""
        task = self._task
        if task is not None:
            task.stop()

    def stop(self) -> None:
        """End what is running and return when it has reported."""
        if self.busy:
            self.signal_stop()
            assert self._thread is not None
            self._thread.join()
        self._thread = self._task = None
