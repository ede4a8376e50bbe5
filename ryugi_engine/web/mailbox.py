"""A mailbox: work from any thread, done on one thread in the order in which it comes."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable

from ryugi_engine.errors import UserError
from ryugi_engine.processes.process import complain

Work = Callable[[], None]


class Mailbox:
    """A thread and its work. Methods may be called from any thread."""

    def __init__(self, name: str, fault: Callable[[str], None]) -> None:
        """``fault`` is called on the mailbox's thread with what went wrong there."""
        self._work: queue.Queue[Work | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._fault = fault
        #: Seconds until ``due`` is called if no work comes before; None: it is not.
        self.patience: Callable[[], float | None] = lambda: None
        self.due: Work = lambda: None

    def start(self) -> None:
        """Begin with the work."""
        self._thread.start()

    def put(self, work: Work) -> None:
        """Do this after all that has been put in before."""
        self._work.put(work)

    def stop(self) -> None:
        """End the thread after all that has been put in."""
        self._work.put(None)
        self._thread.join(5.0)

    def _run(self) -> None:
        while True:
            try:
                work = self._work.get(timeout=self.patience())
            except queue.Empty:
                work = self.due
            if work is None:
                return
            try:
                work()
            except UserError as error:
                self._fault(str(error))
            except Exception as error:  # the thread goes on, and the fault is seen
                where = traceback.extract_tb(error.__traceback__)[-1]
                text = f"the table has failed: {error!r} ({where.name}, line {where.lineno})"
                complain(text)
                self._fault(text[:500])
