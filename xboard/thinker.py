"""Searches and what they are for; their reports, and their results on the conversation's thread."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import Wire
from ryugi_engine.core.events import BestMove, Event, Progress
from ryugi_engine.core.session import Session
from ryugi_engine.search.limits import Limits
from xboard import writer

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Result


class Job(enum.Enum):
    """What is being searched for."""

    NOTHING = ""
    MOVE = "a move to play"
    PONDER = "an answer to the move that the opponent is expected to make"
    ANALYSIS = "reports"
    HINT = "a move to suggest"


class Thinker:
    """One search at a time of the session's position."""

    def __init__(self, wire: Wire, session: Session, done: Callable[[Job, Result], None]) -> None:
        """``done`` is called on the conversation's thread unless the search was cancelled."""
        self._wire = wire
        self._session = session
        self._done = done
        self._serial = 0
        self._began = 0.0
        self.job = Job.NOTHING
        #: Whether to write reports while searching for moves.
        self.post = False
        #: The last report on the present position.
        self.report: Report | None = None

    def start(self, job: Job, limits: Limits) -> None:
        """Search the position; only when no other search is running."""
        self.job = job
        self._began = time.perf_counter()
        try:
            self._session.go(limits)
        except Exception:
            self.job = Job.NOTHING
            raise

    def ponder_hit(self, limits: Limits) -> None:
        """The move pondered on was played: go on as for a move."""
        self.job = Job.MOVE
        self._began = time.perf_counter()
        self._session.ponder_hit(limits)

    def cancel(self) -> None:
        """End the search, if there is one, without a result."""
        if self.job is not Job.NOTHING:
            self.job = Job.NOTHING  # its last report would be taken for the next position's
            self._session.stop()
            self._serial += 1  # the result is on the way and will not be wanted

    def move_now(self) -> None:
        """``?``: the move that is best so far will do."""
        if self.job is Job.MOVE:
            self._session.signal_stop()

    @property
    def seconds(self) -> float:
        """Since the search began."""
        return time.perf_counter() - self._began

    @property
    def best(self) -> str:
        """The best move so far, "" if none has been found yet."""
        return self.report.pv[0] if self.report is not None and self.report.pv else ""

    def on_event(self, event: Event) -> None:
        """What the session tells, from its thread."""
        if isinstance(event, Progress):
            if self.job is Job.NOTHING:
                return
            if event.report.multipv == 1:
                self.report = event.report
            if self.job is Job.ANALYSIS or (self.post and self.job is not Job.HINT):
                self._wire.write(writer.thinking_line(event.report))
        elif isinstance(event, BestMove):
            serial, result = self._serial, event.result
            self._wire.inbox.put(lambda: self._finish(serial, result))

    def _finish(self, serial: int, result: Result) -> None:
        if serial == self._serial:
            job, self.job = self.job, Job.NOTHING
            self._done(job, result)

    def status_line(self) -> str:
        """``stat01: time nodes ply left total move``, what ``.`` asks for."""
        status = self._session.status()
        depth = 1 if self.report is None else self.report.depth
        line = f"stat01: {int(status.seconds * 100)} {status.nodes} {depth}"
        line += f" {status.left} {status.moves}"
        return line + (f" {writer.wire_move(self.best)}" if self.best else "")
