"""The engine of a table: it finds moves, hints and lines, one search at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ryugi_engine.core.partner import Partner
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.records.san import in_san
from ryugi_engine.search.levels import FULL
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Result

#: Seconds for a hint.
HINT_SECONDS = 1.0
#: Moves of a line that a page is sent.
_LONGEST = 12


@dataclass(frozen=True)
class Purpose:
    """Purpose of a search: ``move``, ``hint``, ``threats`` or ``analysis`` of a position."""

    kind: str
    line: int = 0
    ply: int = 0


class Thinker(Partner):
    """Runs searches by a session; results go to callbacks, on the search's thread."""

    def __init__(
        self,
        variants_file: str,
        found: Callable[[Purpose, Result], None],
        tell: Callable[[str], None],
    ) -> None:
        """``found`` gets results; ``tell`` gets messages."""
        super().__init__(variants_file, tell)
        self._found = found
        #: Called when :meth:`report` has something new.
        self.progress: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._purpose: Purpose | None = None
        self._position: Position | None = None
        self._reports: dict[int, Report] = {}

    @property
    def purpose(self) -> Purpose | None:
        """The purpose of the running or last search; None after :meth:`stop`."""
        return self._purpose

    def take_report(self, report: Report) -> None:
        if self._purpose is not None:
            with self._lock:
                self._reports[report.multipv] = report
            self.progress()

    def take_result(self, result: Result) -> None:
        purpose = self._purpose
        if purpose is not None:
            if purpose.kind == "move":
                self.score = result.score.cp
            self._found(purpose, result)

    def change_game(self, game: Game) -> None:
        """Begin a game, another one or the same again; UserError if its kernels fail to load."""
        self.stop()
        self.session.set_game(game)
        self.session.begin_loading()
        self.session.wait_ready()
        self.begin_anew()

    def stop(self) -> None:
        """Stop the running search and drop its results."""
        if self._purpose is not None:
            self._purpose = None
            self.session.stop()

    def start(
        self,
        purpose: Purpose,
        position: Position,
        limits: Limits,
        lines: int = 1,
        level: int = FULL,
    ) -> None:
        """Search a position, which no one else may use, as a player of a level does."""
        self.stop()
        with self._lock:
            self._reports.clear()
        self._position = position
        self.session.options.set("MultiPV", str(lines))
        self.set_level(str(level))
        self.session.take_position(position)
        self._purpose = purpose
        try:
            self.session.go(limits)
        except UserError:
            self._purpose = None
            raise

    def report(self) -> dict[str, Any] | None:
        """Return the best lines so far as a message, the best first; None if no search runs.

        Scores are White's.
        """
        purpose, position = self._purpose, self._position
        if purpose is None or position is None:
            return None
        with self._lock:
            reports = [self._reports[number] for number in sorted(self._reports)]
        sign = 1 if position.side == 0 else -1
        found = []
        for report in reports:
            score = report.score
            found.append(
                {
                    "cp": sign * score.cp,
                    "mate": None if score.mate is None else sign * score.mate,
                    "depth": report.depth,
                    "nodes": report.nodes,
                    "moves": report.pv[:_LONGEST],
                    "sans": in_san(position, report.pv[:_LONGEST]),
                }
            )
        place = {"kind": purpose.kind, "line": purpose.line, "ply": purpose.ply}
        return {"type": "lines", **place, "lines": found}
