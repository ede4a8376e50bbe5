"""Tune the search's parameters by self-play on several games at once, with a log to resume from.

The log is a line of JSON with the run's facts, then one for each pair of games, as they end.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ryugi_engine import __version__
from ryugi_engine.errors import UserError
from ryugi_engine.files import append_to, hold, naming, opened_to_append, read_bytes, read_text
from ryugi_engine.output import TUNING_LOG
from ryugi_engine.search import parameters as P
from ryugi_engine.train.settings import SearchTuningSettings
from ryugi_engine.train.spsa import Spsa, Tunable

_SECONDS_A_LINE = 10.0
_MAX_LOG = 1 << 28
_FACTS = "search tuning"
#: Parameters that Python reads, but of which each player can have its own.
_OF_A_PLAYER = ("lmr_base", "lmr_divisor")
_HELD = "is being written by another tuning run"


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


def _facts(games: Sequence[str], settings: SearchTuningSettings, spsa: Spsa) -> dict[str, Any]:
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


class Log:
    """The file of a run: its facts, and the score of each iteration that has ended."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        """Read the file if it exists; UserError if it is another run's or damaged."""
        self.path = path
        #: Half points by the iteration's number; None: no game was played.
        self.points: dict[int, int | None] = {}
        self._first = json.dumps({_FACTS: facts}) + "\n"
        with naming(path):
            there = TUNING_LOG.check(path)
        if not there:
            return
        with naming(path):
            lines = read_text(path, _MAX_LOG).splitlines(keepends=True)
        self._compare(lines[0], facts)
        for number, line in enumerate(lines[1:], start=2):
            if not line.endswith("\n"):
                break  # the run was ended while it wrote
            self._read(line, number)

    def _compare(self, line: str, facts: dict[str, Any]) -> None:
        try:
            there = json.loads(line)[_FACTS]
        except (ValueError, TypeError, KeyError):
            raise UserError(f"{self.path}: line 1 is not a tuning run's facts") from None
        for name, value in json.loads(json.dumps(facts)).items():
            if there.get(name) != value:
                raise UserError(
                    f"{self.path}: its run has other {name}: give the same, or another file"
                )

    def _read(self, line: str, number: int) -> None:
        try:
            iteration, points = json.loads(line)
            valid = type(iteration) is int and (points is None or points in range(5))
        except (ValueError, TypeError):
            valid = False
        if not valid:
            raise UserError(f"{self.path}: line {number} is not [iteration, points]")
        self.points[iteration] = points

    @contextmanager
    def writing(self) -> Iterator[Callable[[int, int | None], None]]:
        """Context with the open file; yields a function that appends an iteration's score."""
        with naming(self.path):
            descriptor = opened_to_append(self.path, TUNING_LOG)
        try:
            with naming(self.path):
                hold(descriptor, self.path, _HELD)
                self._repair(descriptor)

            def add(number: int, points: int | None) -> None:
                with naming(self.path):
                    append_to(descriptor, f"[{number}, {json.dumps(points)}]\n".encode())
                self.points[number] = points

            yield add
        finally:
            os.close(descriptor)

    def _repair(self, descriptor: int) -> None:
        """Write the first line of a new file; drop a last line that was not written whole."""
        content = read_bytes(self.path, _MAX_LOG)
        if content:
            os.ftruncate(descriptor, content.rfind(b"\n") + 1)
        else:
            append_to(descriptor, self._first.encode())


class _Progress:
    """A line every few seconds."""

    def __init__(self, total: int, report: Callable[[str], None]) -> None:
        self._total, self._report = total, report
        self._began = self._reported = time.monotonic()
        self._played = 0

    def add(self, done: int) -> None:
        self._played += 1
        now = time.monotonic()
        if now - self._reported >= _SECONDS_A_LINE:
            self._reported = now
            rate = self._played / (now - self._began)
            left = (self._total - done) / rate / 3600
            speed = f"{2 * rate:.1f}/s games, {left:.1f} h left"
            self._report(f"iteration {done} of {self._total}, {speed}")


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


def log_of(
    games: Sequence[GameSource], path: Path, settings: SearchTuningSettings, spsa: Spsa
) -> Log:
    """Return the log of the run that begins with ``spsa``, with what it holds if the file exists.

    Raises UserError as :class:`Log` does.
    """
    return Log(path, _facts([game.name for game in games], settings, spsa))


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
    log = log_of(games, path, settings, spsa)
    for number in sorted(log.points):
        points = log.points[number]
        if points is not None:
            spsa.learn(number, points)
    missing = iter([n for n in range(settings.iterations) if n not in log.points])
    progress = _Progress(settings.iterations, report)
    with log.writing() as add, _playing(settings.threads) as pool:
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
                add(number, points)
                progress.add(len(log.points))
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
