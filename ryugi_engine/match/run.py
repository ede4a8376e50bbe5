"""A match: its games, as many at a time as wanted, and what is done when each is over."""

from __future__ import annotations

import asyncio
import functools
import gc
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from ryugi_engine import files
from ryugi_engine.games.game import counted
from ryugi_engine.match import descendants
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.game_files import Books
from ryugi_engine.match.game_record import finished
from ryugi_engine.match.journal import Journal, JournalError, aside
from ryugi_engine.match.output_writers import MatchOutput, PlainOutput
from ryugi_engine.match.plan import MatchError, MatchPlan
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.runner import Introduced, LocalRunner, Played, Runner
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.scores import Scores
from ryugi_engine.match.statistics import Score
from ryugi_engine.output import TRANSCRIPT
from ryugi_engine.plain_text import plain

__all__ = ["JournalError", "MatchError", "MatchPlan", "play_match"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: As shells count signals; fastchess and cutechess-cli say 0 or 1.
_TOLD = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
#: Seconds between looks at the control file.
_LOOK = 0.5
#: Engines that are started at the same time, before the first game.
_STARTING = 4
#: Games after each of which a test is made; of more games it is made so often only.
_ALWAYS_TESTED, _TESTED = 500, 50


class _Stopped(Exception):
    """The match is asked to end."""


class _Match:
    """A match that is being played."""

    def __init__(
        self, plan: MatchPlan, output: MatchOutput, journal: Journal | None, runner: Runner
    ) -> None:
        self.plan, self._runner = plan, runner
        self._saved = None if journal is None else journal.saved
        self._books = Books(plan.pgn_out, journal)
        self._lost = 0
        self._writer = ThreadPoolExecutor(1, "match-files")
        self._stop = asyncio.Event()
        self._signal: signal.Signals | None = None
        self._running: dict[asyncio.Task[Played], GameTask] = {}
        self._concurrency = runner.concurrency
        self._ending = False
        self._directed = ""
        self._begun = time.monotonic()
        self._output = output
        self._scores: Scores | None = None

    # ---- signals ---------------------------------------------------------------------------

    def on_signal(self, number: signal.Signals) -> None:
        """The first ends the match, a second one its engines at once."""
        if self._signal is None:
            self._signal = number
            self._stop.set()
        else:
            self._runner.kill()

    async def _unless_stopped(self, request: Coroutine[Any, Any, None]) -> None:
        """Wait for a request; _Stopped if the match is asked to end first."""
        task = asyncio.ensure_future(request)
        stopped = asyncio.ensure_future(self._stop.wait())
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
            raise _Stopped
        task.result()

    # ---- the match -------------------------------------------------------------------------

    async def play(self) -> int:
        """Play all games and print the table; the exit code."""
        try:
            await self._play()
        finally:
            await self._leave()
        if self._lost:
            message = counted(self._lost, "game")
            raise MatchError(
                f"{message} could not be written; the records stand above the last line"
            )
        if self._signal is not None:
            return _TOLD[self._signal][0]
        return 1 if self._scores is not None and self._scores.faults else 0

    async def _play(self) -> None:
        """Play all games, or those until the match is asked to end."""
        try:
            await self._unless_stopped(self._runner.open())
            await self._unless_stopped(self._first_start())
            await self._begin_books()
            gc.collect()
            gc.freeze()  # a collection of numba's heap would come on top of some engine's move
            await self._play_games()
        except _Stopped:
            pass
        finally:
            self._output.close()

    async def _leave(self) -> None:
        """End what still goes on, and print the table."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        await self._runner.close()
        self._writer.shutdown()
        self._close()

    async def _first_start(self) -> None:
        """Start every engine once: what cannot be run at all is a fault of the command line."""
        few = asyncio.Semaphore(max(_STARTING, self._concurrency))

        async def begun(player: int) -> Introduced | NoStart:
            async with few:
                try:
                    return await self._runner.introduce(player)
                except NoStart as failure:
                    return failure

        result = await asyncio.gather(*map(begun, range(len(self.plan.engines))))
        specs = self.plan.engines
        messages = [
            f"'{spec.label}' {one}"
            for spec, one in zip(specs, result, strict=True)
            if isinstance(one, NoStart)
        ]
        if len(messages) == len(specs) or any(isinstance(o, NoStart) and o.missing for o in result):
            raise MatchError("; ".join(messages))
        for line in messages:
            aside(f"{line}; it is started again for its games")
        names = self.plan.names or _different(
            [
                plain(spec.label) if isinstance(one, NoStart) else one.name
                for spec, one in zip(specs, result, strict=True)
            ]
        )
        engines = [one for one in result if not isinstance(one, NoStart)]
        self.plan = replace(self.plan, names=names, openings=self._taken(engines))
        self._schedule = self.plan.schedule()

    def _taken(self, engines: Sequence[Introduced]) -> list[str]:
        """The openings that every engine can be given."""
        openings = list(self.plan.openings)
        for engine in engines:
            left = [text for text in openings if engine.takes(text)]
            if not left:
                raise MatchError(f"'{engine.name}' cannot be given any of the openings")
            if len(left) < len(openings):
                out = counted(len(openings) - len(left), "opening is", "openings are")
                aside(f"{out} left out: '{engine.name}' cannot be given them")
            openings = left
        return openings

    async def _begin_books(self) -> None:
        """The journal's first line, or what it says of the games before."""
        self._scores = Scores(self.plan.names)
        self._begun = time.monotonic()
        try:
            if self._saved is None:
                self._books.begin(self.plan.to_json())
            else:
                self._books.go_on(self._saved)
                for game in self._saved.games:
                    self._schedule.record_result(game.number, game.result)
                    self._count(game, 0)
                    self._begun = min(self._begun, time.monotonic() - game.seconds)
        except OSError as error:
            raise MatchError(f"{error.filename}: {error.strerror}") from None
        self._ending = self._decided()
        self._output.match_started(self.plan, self._scores, self._schedule.total)

    def _count(self, game: FinishedGame, lost_turns: int) -> None:
        assert self._scores is not None
        self._scores.add(game, lost_turns)

    async def _play_games(self) -> None:
        stopped = asyncio.ensure_future(self._stop.wait())
        try:
            while not self._stop.is_set():
                self._obey()
                self._fill()
                if not self._running:
                    return
                done, _ = await asyncio.wait(
                    {*self._running, stopped},
                    timeout=_LOOK if self.plan.control_file else self._runner.look,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                self._runner.tidy()
                over = [task for task in self._running if task in done]
                kept = [self._over(self._running.pop(one), *one.result()) for one in over]
                # a disk that takes its time must not take that of the engines
                self._fill()
                for game, task, message in kept:
                    await self._keep(game, task, message)
        finally:
            stopped.cancel()

    def _fill(self) -> None:
        """Begin games while there is room."""
        room = min(self._concurrency, self._runner.room)
        while len(self._running) < room and not self._ending:
            task = self._schedule.take()
            if task is None:
                return
            self._output.game_started(task, self._schedule.total)
            game = self._runner.play(task, functools.partial(self._output.moved, task))
            self._running[asyncio.ensure_future(game)] = task

    def _over(
        self, task: GameTask, played: PlayedGame, conversations: Sequence[str]
    ) -> tuple[FinishedGame, GameTask, Sequence[str]]:
        """A game has ended; what is to be kept of it."""
        game = finished(self.plan, task, played, time.monotonic() - self._begun)
        self._schedule.record_result(task.number, game.result)
        self._count(game, sum(played.lost_turns))
        assert self._scores is not None
        left = self._schedule.total - len(self._scores.games)
        self._output.game_ended(game, played, left)
        self._ending = self._ending or self._decided()
        return game, task, conversations

    def _decided(self) -> bool:
        """Whether the match's test has come to its end."""
        test, scores = self.plan.test, self._scores
        if test is None or scores is None:
            return False
        count = len(scores.games)
        if count > _ALWAYS_TESTED and count % _TESTED:
            return False
        sample = Score.of(scores.games, *scores.names).sample
        return bool(test.accepted(test.evidence(sample)))

    async def _keep(self, game: FinishedGame, task: GameTask, conversations: Sequence[str]) -> None:
        """Write a game, and if it ended by a fault what was said in it."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, self._books.add, game)
        if game.reason in FAULTS:
            for path in await loop.run_in_executor(self._writer, self._write, task, conversations):
                self._output.note(f"  transcript: {path}")

    def _write(self, task: GameTask, conversations: Sequence[str]) -> list[Path]:
        """Write what was said before a fault beside the games; nothing without a PGN file."""
        pgn = self.plan.pgn_out
        if pgn is None:
            return []
        paths = []
        for player, text, letter in zip((task.white, task.black), conversations, "ab", strict=True):
            path = pgn.with_suffix(f".game{task.number}{letter}.log")
            try:
                head = f"# ryugi-engine transcript: {self.plan.names[player]}\n"
                files.write_whole(path, head + text, TRANSCRIPT)
            except OSError as error:
                aside(files.fault(path, error))
            else:
                paths.append(path)
        return paths

    def _obey(self) -> None:
        """Do what the control file says, if that has changed."""
        if self.plan.control_file is None:
            return
        try:
            text = self.plan.control_file.read_text(encoding="utf-8")[:200].strip()
        except (OSError, UnicodeDecodeError):
            return  # it need not be there
        if text == self._directed:
            return
        self._directed = text
        for line in text.splitlines():
            word, _, number = line.strip().partition(" ")
            if word == "concurrency" and number.strip().isdigit() and 0 < int(number) <= 1000:
                self._concurrency = int(number)
            elif line.strip() == "finish":
                self._ending = True
            else:
                known = "neither 'concurrency N' nor 'finish'"
                aside(f"{self.plan.control_file}: '{line[:40]}' is {known}")

    def _close(self) -> None:
        """The last lines."""
        if self._signal is not None:
            self._output.note(f"\n{_TOLD[self._signal][1]}")
        if self._scores is None or not self._scores.games:
            return
        self._output.match_ended()
        left = self._schedule.total - len(self._scores.games)
        if left > 0 and not self._decided() and self.plan.journal is not None:
            self._output.note(f"Go on with: ryugi-engine match --resume {self.plan.journal}")
        self._lost = self._books.close(self._output.note)


def _different(names: Sequence[str]) -> list[str]:
    """Names, those that are given twice with a letter or a number behind them."""
    times = Counter(names)
    seen: Counter[str] = Counter()
    messages = []
    for name in names:
        if times[name] == 1:
            messages.append(name)
            continue
        mark = chr(ord("A") + seen[name]) if seen[name] < 26 else str(seen[name] + 1)
        seen[name] += 1
        messages.append(f"{name} ({mark})")
    return messages


def play_match(
    plan: MatchPlan,
    output: MatchOutput | None = None,
    *,
    journal: Journal | None = None,
    runner: Callable[[MatchPlan], Runner] = LocalRunner,
) -> int:
    """Play all games and print the table; returns 0, or 1 if an engine was at fault.

    ``journal``: what keeps the games; if there are some in it already, those of the same plan.
    ``output``: plain without it.
    Ctrl-C and SIGTERM end it early, with the table: 130 and 143; a second one at once. MatchError
    if it cannot be begun.
    """

    async def main() -> int:
        match = _Match(plan, output or PlainOutput(), journal, runner(plan))
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, match.on_signal, number)
        return await match.play()

    before = [signal.getsignal(number) for number in _SIGNALS]
    waker = signal.set_wakeup_fd(-1)  # nobody else is to act on a signal meanwhile
    code = 1
    with descendants.ended():
        try:
            code = asyncio.run(main())
        finally:
            stopped = code in (130, 143)
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, signal.SIG_IGN if stopped else handler or signal.SIG_DFL)
            signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    return code
