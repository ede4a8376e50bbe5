"""Runs one search at a time for a CECP game and writes its thinking lines."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.events import BestMove, Event, Progress
from ryugi_engine.core.session import Session
from ryugi_engine.search.limits import Limits
from xboard import writer

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Result


class Job(enum.Enum):
    """The purpose of the running search."""

    NONE = "no search"
    MOVE = "a move to play"
    PONDER = "a reply to the ponder move"
    ANALYSIS = "analysis"
    HINT = "a hint for the user"


class Thinker:
    """One search at a time of the session's position."""

    def __init__(
        self, connection: GuiConnection, session: Session, done: Callable[[Job, Result], None]
    ) -> None:
        """``done`` is called on the conversation's thread, except after :meth:`cancel`."""
        self._connection = connection
        self._session = session
        self._done = done
        self._serial = 0
        self._began = 0.0
        self._expected = ""
        self._finish: Callable[[], None] = lambda: None
        self.job = Job.NONE
        #: Whether to write thinking lines while searching for a move (``post``).
        self.post = False
        #: The last report of the best line of the current position.
        self.report: Report | None = None

    def start(self, job: Job, limits: Limits, expected: str = "") -> None:
        """Start a search of the position. No other may be running.

        ``expected`` is the opponent's move that is pondered on.
        """
        self.job, self._expected = job, expected
        try:
            self._began = self._session.go(
                limits, self._connection.received, full_strength=job is Job.HINT
            )
        except Exception:
            self.job = Job.NONE
            raise

    def ponder_hit(self, limits: Limits) -> None:
        """Turn pondering into a search for a move: the ponder move was played."""
        self.job, self._expected = Job.MOVE, ""
        self._began = time.perf_counter()
        self._session.ponder_hit(limits)

    def cancel(self) -> None:
        """End the search, if there is one, and drop its result."""
        if self.job is not Job.NONE:
            self.job = Job.NONE  # first: a late report must not count for the next position
            self._session.stop()
            self._serial += 1  # drops the result, which is already in the inbox

    def move_now(self) -> None:
        """End the search for a move with the best move so far (``?``)."""
        if self.job is Job.MOVE:
            self._session.signal_stop()

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._began

    @property
    def best(self) -> str:
        """The best move so far, "" if there is none yet."""
        return self.report.pv[0] if self.report is not None and self.report.pv else ""

    def on_event(self, event: Event) -> None:
        """Handle an event of the session, from its thread."""
        if isinstance(event, Progress):
            if self.job is Job.NONE:
                return
            if event.report.multipv == 1:
                self.report = event.report
            if self.job is Job.ANALYSIS or (self.post and self.job is not Job.HINT):
                self._connection.write(
                    writer.thinking_line(event.report, self._session.game, self._expected)
                )
        elif isinstance(event, BestMove):
            serial, result = self._serial, event.result
            self._finish = lambda: self._take(serial, result)
            self._connection.inbox.put(self._finish)

    def _take(self, serial: int, result: Result) -> None:
        if serial == self._serial:
            self._serial += 1
            job, self.job = self.job, Job.NONE
            self._done(job, result)

    def settle(self) -> None:
        """Let a search end that had not begun yet when the present line came."""
        if self._session.finish(self._connection.received or 0.0):
            self._finish()

    def status_line(self) -> str:
        """Return ``stat01: time nodes ply left total move``, the answer to ``.``."""
        status = self._session.status()
        depth = 1 if self.report is None else self.report.depth
        line = f"stat01: {int(status.seconds * 100)} {status.nodes} {depth}"
        line += f" {status.left} {status.moves}"
        return line + (
            f" {writer.protocol_move(self.best, self._session.game)}" if self.best else ""
        )
