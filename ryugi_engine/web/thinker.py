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
        progress: Callable[[], None],
        tell: Callable[[str], None],
    ) -> None:
        """``progress`` is called when :meth:`lines` has something new; ``tell`` gets messages."""
        super().__init__(variants_file, tell)
        self._found, self._progress = found, progress
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
            self._progress()

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
        self._purpose = None
        self.session.stop()

    def start(
        self, purpose: Purpose, position: Position, limits: Limits, lines: int, level: int = FULL
    ) -> None:
        """Search a position, as a player of a level does."""
        self.stop()
        with self._lock:
            self._reports.clear()
        self._position = position.copy()
        self.session.options.set("MultiPV", str(lines))
        self.set_level(str(level))
        self.session.set_position(*position.since_null())
        self._purpose = purpose
        try:
            self.session.go(limits)
        except UserError:
            self._purpose = None
            raise

    def lines(self) -> list[dict[str, Any]]:
        """Return the best lines so far, the best first; scores are White's."""
        with self._lock:
            reports = [self._reports[number] for number in sorted(self._reports)]
        position = self._position
        if position is None:
            return []
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
        return found
