"""Tune the search's parameters by self-play on several games at once, with a log to resume from.

The log is a line of JSON with the run's facts, then one for each pair of games, as they end.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ryugi_engine import __version__, typed
from ryugi_engine.errors import UserError
from ryugi_engine.line_log import LineLog, OtherRun
from ryugi_engine.output import TUNING_LOG
from ryugi_engine.progress import Progress
from ryugi_engine.search import parameters as P
from ryugi_engine.train.settings import SearchTuningSettings
from ryugi_engine.train.spsa import Spsa, Tunable

_FACTS = "search tuning"
#: Parameters that Python reads, but of which each player can have its own.
_OF_A_PLAYER = ("lmr_base", "lmr_divisor")
#: An iteration's line: its number, and half points.
_Iteration: Any = tuple[int, Annotated[int, 0, 4] | None]


class GameSource(NamedTuple):
    """A game to tune for: its name, and the file that defines it, "" for the engine's own."""

    name: str
    variants: str = ""


def tunable_names() -> list[str]:
    """Return the names of the parameters that can be tuned."""
    return [p.name for p in P.PARAMETERS if p.compiled or p.name in _OF_A_PLAYER]


def _tunables(names: Sequence[str]) -> list[Tunable]:
    """Return the named parameters, all if none is named; UserError for an unknown name."""
    possible = tunable_names()
    for name in names:
        if name not in possible:
            raise UserError(f'train search: "{name}" is none of the parameters: {possible}')
    chosen = names or possible
    return [Tunable(p.name, int(p.value), p.low, p.high) for p in P.PARAMETERS if p.name in chosen]


def facts_of(games: Sequence[str], settings: SearchTuningSettings, spsa: Spsa) -> dict[str, Any]:
    """Return what a log's run depends on."""
    return {
        "games": list(games),
        "nodes": settings.nodes,
        "iterations": spsa.iterations,
        "seed": spsa.seed,
        "learning rate": spsa.learning_rate,
        "parameters": [list(tunable) for tunable in spsa.tunables],
        "version": __version__,
    }


class Log(LineLog):
    """The file of a run: its facts, and the score of each iteration that has ended."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        """Open the file, or begin it; UserError if it is another run's or damaged."""
        #: Half points by the iteration's number; None: no game was played.
        self.points: dict[int, int | None] = {}
        self._facts, self._begun = json.loads(json.dumps(facts)), False
        super().__init__(path, TUNING_LOG, "is being written by another tuning run", self._take)
        if not self._begun:
            self.write({_FACTS: facts})

    def _take(self, entry: Any) -> None:
        if self._begun:
            number, points = typed.read(_Iteration, entry)
            self.points[number] = points
            return
        held = entry[_FACTS] if isinstance(entry, dict) else {}
        for name, value in self._facts.items():
            if held.get(name) != value:
                raise OtherRun(f"its run has other {name}: give the same, or another file")
        self._begun = True

    def add(self, number: int, points: int | None) -> None:
        """Append an iteration's score."""
        self.write([number, points])
        self.points[number] = points


def summary(spsa: Spsa) -> list[str]:
    """Return lines with the parameters' old and new values, and how to try them."""
    rounded = spsa.rounded()
    lines = [f"{'parameter':32} {'before':>7} {'now':>9}"]
    lines += [
        f"{tunable.name:32} {tunable.value:7} {spsa.values[tunable.name]:9.1f}"
        for tunable in spsa.tunables
    ]
    changed = [f"{t.name}={rounded[t.name]}" for t in spsa.tunables if rounded[t.name] != t.value]
    if changed:
        lines.append(f'RYUGI_TUNE="{",".join(changed)}"')
    return lines


def new_spsa(settings: SearchTuningSettings) -> Spsa:
    """Return the state of a run before its first game; UserError for an unknown parameter."""
    return Spsa(
        _tunables(settings.parameters), settings.iterations, settings.seed, settings.learning_rate
    )


def tune_search(
    games: Sequence[GameSource],
    path: Path,
    settings: SearchTuningSettings,
    *,
    report: Callable[[str], None],
) -> Spsa:
    """Play iterations until there are ``settings.iterations``; return the run's state.

    The games take turns. An existing log is resumed. UserError if a playing process ends.
    """
    spsa = new_spsa(settings)
    facts = facts_of([game.name for game in games], settings, spsa)
    with Log(path, facts) as log, _playing(settings.threads) as pool:
        for number, points in sorted(log.points.items()):
            if points is not None:
                spsa.learn(number, points)
        missing = iter([n for n in range(settings.iterations) if n not in log.points])
        have, wanted = len(log.points), settings.iterations
        progress = Progress("iterations", report, have=have, wanted=wanted)
        running: dict[Future[int | None], int] = {}

        def start() -> None:
            number = next(missing, None)
            if number is not None:
                trial = spsa.trial(number)
                game = games[number % len(games)]
                running[pool.submit(_play, game, settings.nodes, number, trial)] = number

        for _ in range(settings.threads):
            start()
        while running:
            done, _waiting = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                number = running.pop(future)
                try:
                    points = future.result()
                except BrokenProcessPool:
                    raise UserError("train search: a process that plays has ended") from None
                if points is not None:
                    spsa.learn(number, points)
                log.add(number, points)
                progress(len(log.points))
                start()
    return spsa


def _play(game: GameSource, nodes: int, number: int, trial: Any) -> int | None:
    """Play an iteration's games, in a process of its own."""
    from ryugi_engine.train.tuning_games import play_pair  # its kernels are compiled there only

    return play_pair(*game, nodes, number, trial.plus, trial.minus)


def _begin() -> None:
    from ryugi_engine.train.tuning_games import begin

    begin()


@contextmanager
def _playing(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Run processes whose kernels read the parameters from memory."""
    before = os.environ.get(P.RUN_TIME)
    os.environ[P.RUN_TIME] = "1"
    pool = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        if before is None:
            del os.environ[P.RUN_TIME]
