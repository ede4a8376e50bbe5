"""Run a study: play its units, keep each game, write the page now and then."""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.files.output import FIGURES_OF_STUDY, PAGE
from ryugi_engine.files.reading import MAX_DEFINITIONS, naming, read_text
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from ryugi_engine.study.journal import Journal
from ryugi_engine.study.plan import Plan, Unit, digest_of, plan_of
from ryugi_engine.study.rounds import Rounds
from ryugi_engine.study.study import Study
from ryugi_engine.study.study_page import page
from ryugi_engine.study.workers import Workers
from ryugi_engine.text.progress import Progress

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster

#: Seconds of play until there is a page in any case, and from one page to the next; a page takes at
#: most so much of the time.
_FIRST_PAGE, _NEXT_PAGE, _SHARE = 240.0, 120.0, 0.05
_FIRST_NODES = 20_000


@dataclass(frozen=True)
class Settings:
    """What is to be studied for how long, and where it is written."""

    #: Hours of all calls together; rounds of games at most, if that is not None.
    hours: float
    rounds: int | None
    processes: int
    seed: int
    nodes: tuple[int, int, int] | None
    page: Path
    journal: Path
    json: Path | None
    #: The file with a user's definition; "" for a game of the engine.
    variants: str


def speed_of(game: Game) -> float:
    """Return how many nodes a second a search of the start has."""
    searcher, position = Searcher(1), Position(game)
    best = 0.0
    for _ in range(2):  # the first pays for the memory
        searcher.clear()
        searcher.prepare(position, Limits(nodes=_FIRST_NODES, move_time=2.0))
        began = time.perf_counter()
        nodes = searcher.run(position, lambda report: None).nodes
        best = max(best, nodes / max(1e-6, time.perf_counter() - began))
    return best


def study(
    game: Game, settings: Settings, report: Callable[[str], None], cluster: Cluster | None = None
) -> Study:
    """Play until the time or the rounds are over; return the figures, which are written, too.

    A journal with games is resumed. UserError if a file cannot be written: no game is lost.
    KeyboardInterrupt ends it tidily.
    """
    text = read_text(Path(settings.variants), MAX_DEFINITIONS) if settings.variants else ""
    with Journal(settings.journal, digest_of(game, text), game.title) as journal:
        if journal.plan is None:
            processes = settings.processes if cluster is None else cluster.slots
            journal.begin(
                plan_of(
                    game,
                    text,
                    seed=settings.seed,
                    seconds=3600 * settings.hours,
                    processes=processes,
                    speed=speed_of(game),
                    nodes=settings.nodes,
                )
            )
        else:
            report(f"{settings.journal}: going on after {len(journal.games):,} games")
        return _Run(game, settings, journal, report, cluster).run()


class _Run:
    """One call of a study."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        journal: Journal,
        report: Callable[[str], None],
        cluster: Cluster | None,
    ) -> None:
        self._game, self._settings, self._journal = game, settings, journal
        self._report, self._cluster = report, cluster
        assert journal.plan is not None
        self._plan: Plan = journal.plan
        self._began, self._before = time.monotonic(), journal.spent
        self._written = self._took = 0.0

    @property
    def _spent(self) -> float:
        return self._before + time.monotonic() - self._began

    def run(self) -> Study:
        seconds = 3600 * self._settings.hours
        rounds = self._settings.rounds
        units = Rounds(self._game, self._plan, self._journal)
        progress = Progress(
            "games",
            self._report,
            have=len(self._journal.games),
            wanted=math.inf if rounds is None else units.total(rounds),
            seconds=max(1.0, seconds - self._before),
        )
        try:
            with Workers(
                self._plan, self._settings.variants, self._settings.processes, self._cluster
            ) as workers:
                for number in itertools.count() if rounds is None else range(rounds):
                    if not self._play(workers, units.left(number), progress, seconds):
                        break
        except KeyboardInterrupt:
            self._write()
            raise
        result = self._write()
        self._report(f"{self._settings.page}: {len(self._journal.games):,} games")
        return result

    def _play(
        self, workers: Workers, units: Sequence[Unit], progress: Progress, seconds: float
    ) -> bool:
        """Play units; return whether there is time for more."""
        for item in workers.results(units):
            if item is not None:
                self._journal.add(*item, self._spent)
            if self._spent >= seconds:
                return False
            progress(len(self._journal.games))
            self._write_now_and_then()
        return self._spent < seconds

    def _write_now_and_then(self) -> None:
        since = self._spent - self._written if self._written else self._spent
        due = _NEXT_PAGE if self._written else _FIRST_PAGE
        if self._journal.games and since > max(due, self._took / _SHARE):
            self._write()

    def _write(self) -> Study:
        """Write page and JSON from the games so far."""
        began = time.monotonic()
        found = Study.of(self._game, self._journal, time.strftime("%Y-%m-%d"))
        with naming(self._settings.page):
            write_whole(self._settings.page, page(found), PAGE)
        if self._settings.json is not None:
            with naming(self._settings.json):
                text = json.dumps(found.to_json(), indent=1, ensure_ascii=False) + "\n"
                write_whole(self._settings.json, text, FIGURES_OF_STUDY)
        self._took = time.monotonic() - began
        self._written = self._spent
        return found
