"""A match's live table on a terminal; lines scroll away above it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence

from rich.console import Console
from rich.constrain import Constrain
from rich.live import Live

from ryugi_engine.errors import warn
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.output_writers import PlainOutput
from ryugi_engine.match.panel import GameOn, MatchProgress, Numbers, table
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Scores
from ryugi_engine.text.plain_text import plain

#: Seconds between two pictures at least, and how many times as long as one takes: what is drawn
#: and what is reckoned for it cost less than a hundredth of a core together.
_PAUSE, _SHARE = 0.3, 300
#: Columns that stay free on the right: an echoed ^C must not begin a line.
_MARGIN = 3


class Throttle:
    """Limits how often an action runs by its measured cost; ``with throttle:`` runs it."""

    def __init__(self) -> None:
        self._next = 0.0
        self._begun = 0.0

    def ready(self, now: float) -> bool:
        """Return whether it is time to act again, at a ``time.monotonic``."""
        return now >= self._next

    def __enter__(self) -> None:
        self._begun = time.thread_time()

    def __exit__(self, *_: object) -> None:
        pause = max(_PAUSE, _SHARE * (time.thread_time() - self._begun))
        self._next = time.monotonic() + pause


class LiveOutput(PlainOutput):
    """The lines of finished games, and below them the table."""

    def __init__(self) -> None:
        super().__init__()
        self._screen: Live | None = None

    def match_started(self, plan: MatchPlan, scores: Scores, total: int) -> None:
        super().match_started(plan, scores, total)
        self._progress = MatchProgress(plan, total, began=time.monotonic())
        self._slots: list[GameOn | None] = []
        self._pending: list[str] = []
        self._numbers = Numbers.of(scores.names, [], plan.test)
        self._counted = 0
        self._reckoning, self._drawing = Throttle(), Throttle()
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._screen = Live(
            self,
            console=self._console,
            auto_refresh=False,
            transient=True,
            vertical_overflow="crop",
            redirect_stderr=sys.stderr.isatty(),
        )
        self._screen.start()
        # a runner that is killed leaves a terminal that lacks nothing
        self._console.show_cursor(True)
        self._task = asyncio.get_running_loop().create_task(self._keep_drawing())

    # ---- the picture -----------------------------------------------------------------------

    async def _keep_drawing(self) -> None:
        """Write the lines that have come up, and the table below them, when it is time."""
        while True:
            games = self.scores.games
            if self._counted != len(games) and self._reckoning.ready(time.monotonic()):
                self._counted = len(games)
                # of many games it takes so long that an engine's answer would have to wait for it
                await asyncio.to_thread(self._reckon, games[:])
            if self._screen is not None and self._drawing.ready(time.monotonic()):
                with self._drawing:
                    self._flush()
                    self._screen.refresh()
            await asyncio.sleep(_PAUSE)

    def _reckon(self, games: Sequence[FinishedGame]) -> None:
        with self._reckoning:
            self._numbers = Numbers.of(self.scores.names, games, self.plan.test)

    def _flush(self) -> None:
        if self._pending:
            lines, self._pending = "\n".join(self._pending), []
            self._console.out(lines, highlight=False)

    def __rich__(self) -> Constrain:
        """Return the table, for rich."""
        progress, scores = self._progress, self.scores
        progress.done = len(scores.games)
        results = [f"{fault} {number}" for fault, number in scores.faults.most_common()]
        progress.faults = ", ".join(results) or "none"
        games = [game for game in self._slots if game is not None]
        height = max(self._console.size.height - 1, 1)
        shown = table(progress, self._numbers, games, height, time.monotonic())
        return Constrain(shown, max(self._console.size.width - _MARGIN, 1))

    # ---- what happens ----------------------------------------------------------------------

    def note(self, line: str) -> None:
        if self._screen is None:
            super().note(line)
            return
        self._pending.append(line)
        if self._task.done():
            self.close()  # it has failed; the match goes on without it

    def game_started(self, task: GameTask, total: int) -> None:
        """Show a game in the first free line."""
        plan = self.plan
        self._progress.total = total
        players = (task.white, task.black)
        left = [plan.control_of(p).base or None for p in players]
        begin = task.opening.position(plan.game)
        game = GameOn(
            task,
            (plan.names[task.white], plan.names[task.black]),
            side=begin.side,
            clocks=(left[0], left[1]),
        )
        if None in self._slots:
            self._slots[self._slots.index(None)] = game
        else:
            self._slots.append(game)

    def _slot(self, number: int) -> int | None:
        for at, game in enumerate(self._slots):
            if game is not None and game.task.number == number:
                return at
        return None

    def moved(
        self, task: GameTask, position: Position, answer: Answer, clocks: tuple[float, float]
    ) -> None:
        """Show a move of a game."""
        at = self._slot(task.number)
        game = None if at is None else self._slots[at]
        if game is None:
            return
        game.side, game.ply, game.move = position.side, len(position.moves), position.moves[-1]
        game.thought = plain(f"{answer.score}/{answer.depth}") if answer.score else ""
        endless = [self.plan.control_of(p).endless for p in (task.white, task.black)]
        game.clocks = (None if endless[0] else clocks[0], None if endless[1] else clocks[1])
        game.since = time.monotonic()

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        """Remove a game that is over."""
        at = self._slot(game.number)
        if at is not None:
            self._slots[at] = None
        self._progress.ended += 1
        super().game_ended(game, played, remaining)

    def close(self) -> None:
        """Take the table away; lines are printed as ever from now on."""
        screen, self._screen = self._screen, None
        if screen is None:
            return
        if not self._task.done():
            self._task.cancel()
        try:
            self._flush()
        finally:
            screen.stop()
            done = self._task.done() and not self._task.cancelled()
            if done and (error := self._task.exception()):
                warn(f"the live table has failed: {error!r}")
