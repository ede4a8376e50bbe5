"""Run a match: play its games, several at a time, and write each result."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ryugi_engine.games.game import counted
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.game_files import GameFiles
from ryugi_engine.match.game_record import finished
from ryugi_engine.match.interruption import Interrupted, Interruption, signals_restored, unless
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.match_output import MatchOutput
from ryugi_engine.match.output_writers import PlainOutput
from ryugi_engine.match.plan import MatchError, MatchPlan
from ryugi_engine.match.preparation import prepare
from ryugi_engine.match.runner import LocalRunner, Played, Runner
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Score, Scores

#: Exit code of a match whose test has accepted no hypothesis.
UNDECIDED = 3
#: Games after each of which the SPRT is evaluated; of more games it is only every so many.
_ALWAYS_TESTED, _TESTED = 500, 50


class _Match:
    """A match that is being played, from a complete plan."""

    def __init__(
        self,
        plan: MatchPlan,
        output: MatchOutput,
        journal: Journal | None,
        runner: Runner,
        interruption: Interruption,
    ) -> None:
        """Open the files; a journal with games is resumed. MatchError if that does not work."""
        self.plan, self._runner = plan, runner
        self._output, self._interruption = output, interruption
        self._schedule, self.scores = plan.schedule(), Scores(plan.names)
        self._concurrency = runner.concurrency
        self._running: dict[asyncio.Task[list[Played]], list[GameTask]] = {}
        self._writer = ThreadPoolExecutor(1, "match-files")
        self._start_time = time.monotonic()
        self._files = GameFiles(plan.pgn_out, journal)
        try:
            self._open_files(journal)
        except OSError as error:
            raise MatchError(f"{error.filename}: {error.strerror}") from None
        self._finishing = self._decided()

    def _open_files(self, journal: Journal | None) -> None:
        saved = None if journal is None else journal.saved
        if saved is None:
            self._files.begin(self.plan.to_json())
            return
        self._files.resume(saved)
        for game in saved.games:
            self._schedule.record_result(game.number, game.result)
            self.scores.add(game)
            self._start_time = min(self._start_time, time.monotonic() - game.seconds)

    async def play(self) -> None:
        """Play all games, or those until a signal ends the match."""
        self._output.match_started(self.plan, self.scores, self._schedule.total)
        interrupted = asyncio.ensure_future(self._interruption.requested.wait())
        try:
            while not self._interruption.requested.is_set():
                await self._fill()
                if not self._running or (self._finishing and self._runner.pairs):
                    return
                done, _ = await asyncio.wait(
                    {*self._running, interrupted},
                    timeout=self._runner.poll_interval,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                self._runner.reap()
                for games in [games for games in self._running if games in done]:
                    tasks = self._running.pop(games)
                    for task, played in zip(tasks, games.result(), strict=True):
                        await self._end(task, *played)
        finally:
            interrupted.cancel()

    async def _fill(self) -> None:
        """Start games up to the concurrency.

        The writer's thread takes them: no engine waits while an opening is read or searched.
        """
        loop = asyncio.get_running_loop()
        capacity = min(self._concurrency, self._runner.capacity)
        while len(self._running) < capacity and not self._finishing:
            take = self._schedule.take_pairs
            tasks = await loop.run_in_executor(self._writer, take, self._runner.pairs)
            if not tasks:
                return
            for task in tasks:
                self._output.game_started(task, self._schedule.total)
            games = self._runner.play(tasks, self._output.moved)
            self._running[asyncio.ensure_future(games)] = tasks

    async def _end(self, task: GameTask, played: PlayedGame, transcripts: Sequence[str]) -> None:
        """Count, write and report a game that is over.

        It is written first: what was reported is not lost, however the match ends. The writer has
        its own thread. Otherwise the other games' engines would wait for the disk, a long game's
        SAN or a report. Their answers would be read late, and lose on time.
        """
        loop = asyncio.get_running_loop()
        seconds = time.monotonic() - self._start_time
        game = await loop.run_in_executor(self._writer, finished, self.plan, task, played, seconds)
        self._schedule.record_result(task.number, game.result)
        self.scores.add(game, sum(played.lost_turns))
        count = len(self.scores.games)
        if count <= _ALWAYS_TESTED or count % _TESTED == 0:
            self._finishing = self._finishing or self._decided()
        paths = await loop.run_in_executor(self._writer, self._files.add, game, transcripts)
        report = self._output.game_ended
        await loop.run_in_executor(self._writer, report, game, played, self._remaining)
        for path in paths:
            self._output.note(f"  transcript: {path}")

    @property
    def _remaining(self) -> int:
        return self._schedule.total - len(self.scores.games)

    def _decided(self) -> bool:
        """Return whether the SPRT has accepted a hypothesis."""
        test = self.plan.test
        if test is None:
            return False
        sample = Score.of(self.scores.games, *self.scores.names).sample
        return bool(test.accepted(test.llr(sample)))

    @property
    def exit_code(self) -> int:
        """0; 1 if an engine was at fault; UNDECIDED if the SPRT has accepted no hypothesis."""
        if self.scores.faults:
            return 1
        return UNDECIDED if self.plan.test is not None and not self._decided() else 0

    async def cancel_games(self) -> None:
        """Cancel the games that are being played, and wait for the files."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        self._writer.shutdown()

    def close(self) -> int:
        """Report the results; return how many games could not be written to a file."""
        if not self.scores.games:
            return 0
        self._output.match_ended()
        if self._remaining > 0 and not self._decided() and self.plan.journal is not None:
            self._output.note(f"Go on with: ryugi-engine match --resume {self.plan.journal}")
        return self._files.close(self._output.note)


async def _play(
    plan: MatchPlan,
    output: MatchOutput,
    journal: Journal | None,
    report: Path | None,
    make_runner: Callable[[MatchPlan], Runner],
) -> tuple[int, bool]:
    """Play a match; return its exit code and whether it was interrupted."""
    runner = make_runner(plan)
    interruption = Interruption(runner.kill)
    match: _Match | None = None
    unwritten = 0
    try:
        with contextlib.suppress(Interrupted):
            await unless(interruption.requested, runner.open())
            prepared = await unless(interruption.requested, prepare(plan, runner))
            match = _Match(prepared, output, journal, runner, interruption)
            gc.collect()
            gc.freeze()  # a collection of numba's heap would come on top of some engine's move
            await match.play()
    finally:
        if match is not None:
            await match.cancel_games()
        await runner.close()
        if interruption.message:
            output.note(f"\n{interruption.message}")
        if match is not None:
            unwritten = match.close()
    if match is not None and not unwritten and journal is not None and report is not None:
        from ryugi_engine.match.report import report_match  # late: it takes a fifth of a start

        output.note(report_match(report, match.plan, journal))
    if unwritten:
        games = counted(unwritten, "game")
        raise MatchError(f"{games} could not be written; the records stand above the last line")
    if interruption.exit_code is not None:
        return interruption.exit_code, True
    return (0 if match is None else match.exit_code), False


def play_match(
    plan: MatchPlan,
    output: MatchOutput | None = None,
    *,
    journal: Journal | None = None,
    report: Path | None = None,
    runner: Callable[[MatchPlan], Runner] = LocalRunner,
) -> int:
    """Play a match and report its results.

    Parameters
    ----------
    plan
        The match. Its names and openings are completed when the engines have been started.
    output
        The output format; plain lines by default.
    journal
        Keeps the games. One that holds games of this plan is resumed.
    report
        Folder for web pages that are made from the journal.
    runner
        Makes the place where the games are played.

    Returns the exit code: 0; 1 if an engine was at fault; 3 if a test is undecided; 130 after
    Ctrl-C, 143 after SIGTERM. These two end the match with its results so far, a second one at
    once. MatchError if the match cannot be started.
    """
    with signals_restored() as ignore_signals:
        code, interrupted = asyncio.run(
            _play(plan, output or PlainOutput(), journal, report, runner)
        )
        if interrupted:
            ignore_signals()
    return code
