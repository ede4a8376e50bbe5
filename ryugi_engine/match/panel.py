"""The lines of the live table: standings, the games that are going on, when the match will end.

rich lays them out; ``live`` puts them on the terminal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from ryugi_engine.games.game import counted
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.ratings import standings
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.statistics import Estimate, Score, percent, rounded
from ryugi_engine.match.summary import duration
from ryugi_engine.text.plain_text import plain

#: Letters of a name at most.
_NAME = 34
#: The tables' columns, and those of words.
_PLACES = ("Engine", "Points", "Games", "Elo", "+/-")
_GAMES = ("Game", "White - Black", "Ply", "Move", "Score", "White", "Black")
_LEFT = ("Engine", "White - Black", "Move")
#: Columns of a test's bar.
_BAR = 30


@dataclass
class GameOn:
    """A game that is going on."""

    task: GameTask
    #: White's and Black's name.
    names: tuple[str, str]
    #: Whose turn it is, 0 or 1.
    side: int = 0
    ply: int = 0
    move: str = ""
    #: Score and depth as the engine of the last move reported them.
    thought: str = ""
    #: White's and Black's seconds when the last move was made; None where no clock runs.
    clocks: tuple[float | None, float | None] = (None, None)
    #: When that was, by ``time.monotonic``; None before the first move: engines may be starting.
    since: float | None = None

    def clock(self, side: int, now: float) -> str:
        """Return a side's time: ``1:07``, below a minute ``7.1``."""
        left = self.clocks[side]
        if left is None:
            return "-"
        if side == self.side and self.since is not None:
            left -= now - self.since
        left = max(left, 0.0)
        return duration(left) if left >= 60 else f"{left:.1f}"


@dataclass(frozen=True)
class Numbers:
    """What the results are worth, as texts: it takes longer to find than to show."""

    rows: Sequence[Sequence[str]]
    #: Of two engines: LOS, pairs, the test.
    lines: Sequence[str]

    @classmethod
    def of(cls, names: Sequence[str], games: Sequence[FinishedGame], test: Sprt | None) -> Numbers:
        """Return the statistics of a match's games so far."""
        if len(names) != 2:
            places = standings(names, games).places
            return cls([_row(p.name, p.points, p.games, p.rating) for p in places], [])
        score = Score.of(games, *names)
        sample = score.sample
        elo = sample.elo()
        rows = [
            _row(names[0], score.points, score.games, elo),
            _row(
                names[1], score.games - score.points, score.games, Estimate(-elo.value, elo.error)
            ),
        ]
        lines = [f"LOS: {percent(sample.superiority())}  Ptnml(0-2): {list(score.pairs)}"]
        if test is None:
            return cls(rows, lines)
        llr = test.llr(sample)
        lines.append(f"LLR: {rounded(llr)}  {bar(llr, *test.bounds)}")
        return cls(rows, lines)


def _row(name: str, points: float, games: int, elo: Estimate) -> tuple[str, ...]:
    return name[:_NAME], f"{points:.1f}", str(games), rounded(elo.value), rounded(elo.error)


def bar(value: float, low: float, high: float) -> str:
    """Return ``-2.94 [#####.....] 2.94``: where a number stands between its bounds."""
    part = min(max((value - low) / (high - low), 0.0), 1.0)
    full = round(part * _BAR)
    return f"{rounded(low)} [{'#' * full}{'.' * (_BAR - full)}] {rounded(high)}"


@dataclass
class MatchProgress:
    """Progress of a match: number of games, games done, start time, faults."""

    plan: MatchPlan
    total: int
    done: int = 0
    #: Games that ended since ``began``, by ``time.monotonic``: not those of earlier runs.
    ended: int = 0
    began: float = 0.0
    faults: str = "none"

    def line(self, now: float) -> str:
        """Return ``12 of 100 games, expected end 14:05:10 (in 3:20)``."""
        endless = self.plan.until_decided
        games = counted(self.done if endless else self.total, "game")
        first = f"{self.plan.game.name}: {games if endless else f'{self.done} of {games}'}"
        left = 0 if endless else self.total - self.done
        if left <= 0 or not self.ended:
            return first
        seconds = (now - self.began) / self.ended * left
        at = time.strftime("%H:%M:%S", time.localtime(time.time() + seconds))
        return f"{first}, expected end {at} (in {duration(seconds)})"


def table(
    progress: MatchProgress, numbers: Numbers, games: Sequence[GameOn], height: int, now: float
) -> Group:
    """Return at most ``height`` lines, for rich."""
    lines: list[RenderableType] = [
        Text(progress.line(now), "bold", no_wrap=True, overflow="ellipsis"),
        _line(f"Faults: {progress.faults}"),
    ]
    free = height - len(lines) - len(numbers.lines)
    of_places = min(len(numbers.rows) + 1, max(free // 2, free - len(games) - 1))
    going = [
        (
            str(game.task.number),
            " - ".join(plain(name)[:_NAME] for name in game.names),
            str(game.ply or ""),
            game.move,
            game.thought,
            game.clock(0, now),
            game.clock(1, now),
        )
        for game in games
    ]
    lines += _rows(_PLACES, numbers.rows, of_places, "engine")
    lines += map(_line, numbers.lines)
    lines += _rows(_GAMES, going, free - of_places, "game")
    return Group(*lines[: max(height, 1)])


def _line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")


def _rows(
    names: Sequence[str], rows: Sequence[Sequence[str]], height: int, what: str
) -> list[RenderableType]:
    """Return a table of at most so many lines; the last one counts the rows that are left out."""
    if height < 2:
        return []
    result = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="none")
    for name in names:
        # a column that may not wrap keeps its width: numbers stay whole where names are cut
        justify: JustifyMethod = "left" if name in _LEFT else "right"
        result.add_column(_line(name), justify=justify, no_wrap=name not in _LEFT[:2])
    shown = rows if len(rows) < height else rows[: height - 2]
    for row in shown:
        result.add_row(*(_line(plain(cell)) for cell in row))
    left = len(rows) - len(shown)
    return [result, _line(f"... and {counted(left, f'more {what}')}")] if left else [result]
