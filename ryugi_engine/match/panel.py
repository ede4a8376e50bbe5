"""The lines of the live table: standings, the games that are going on, when the match will end.

Plain texts for a room of so many columns and lines; ``live`` puts them on the terminal.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ryugi_engine.games.game import counted
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.ratings import standings
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.sprt import Sprt, time_to_go
from ryugi_engine.match.statistics import Estimate, Score, percent, rounded
from ryugi_engine.match.summary import duration
from ryugi_engine.plain_text import plain

#: Columns of a name at most; of both names of a game at least and at most.
_NAME, _LEAST_NAMES, _NAMES = 34, 15, 60
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
    #: Seconds until the match's test is expected to end; nan without one.
    test_left: float = math.nan

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
        llr = test.evidence(sample).llr
        lines.append(f"LLR: {rounded(llr)}  {bar(llr, *test.bounds)}")
        seconds = max((game.seconds for game in games), default=0.0)
        return cls(rows, lines, time_to_go(test, sample, seconds)[1])


def _row(name: str, points: float, games: int, elo: Estimate) -> tuple[str, ...]:
    return name, f"{points:.1f}", str(games), rounded(elo.value), rounded(elo.error)


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

    def line(self, now: float, test_left: float) -> str:
        """Return ``12 of 100 games, expected end 14:05:10 (in 3:20)``."""
        endless = self.plan.until_decided
        games = counted(self.done if endless else self.total, "game")
        first = f"{self.plan.game.name}: {games if endless else f'{self.done} of {games}'}"
        left = math.inf if endless else self.total - self.done
        seconds = (now - self.began) / self.ended * left if self.ended else math.nan
        if math.isfinite(test_left):
            seconds = min(seconds, test_left) if self.ended else test_left
        if not math.isfinite(seconds) or left <= 0:
            return first
        at = time.strftime("%H:%M:%S", time.localtime(time.time() + seconds))
        return f"{first}, expected end {at} (in {duration(seconds)})"


def table_lines(
    progress: MatchProgress,
    numbers: Numbers,
    games: Sequence[GameOn],
    columns: int,
    height: int,
    now: float,
    width: Callable[[str], int] = len,
) -> list[str]:
    """Return at most ``height`` lines of at most ``columns`` columns.

    ``width`` is the width of a text.
    """
    head = [progress.line(now, numbers.test_left), f"Faults: {progress.faults}"]
    names = ["Engine", "Points", "Games", "Elo", "+/-"]
    places = _aligned([names, *numbers.rows], (_NAME,), width)
    going = _game_lines(games, columns, now, width)
    free = height - len(head) - len(numbers.lines)
    half = free // 2
    of_places = min(len(places), max(half, free - len(going)))
    lines = [
        *head,
        *_cut(places, of_places, "engine"),
        *numbers.lines,
        *_cut(going, free - of_places, "game"),
    ]
    return [_clipped(line, columns, width) for line in lines[: max(height, 1)]]


def _game_lines(
    games: Sequence[GameOn], columns: int, now: float, width: Callable[[str], int]
) -> list[str]:
    """Return a heading and a line a game; names get the remaining columns."""
    rows = [["Ply", "Move", "Score", "White", "Black"]]
    for game in games:
        ply = str(game.ply) if game.ply else ""
        rows.append([ply, game.move, game.thought, game.clock(0, now), game.clock(1, now)])
    ends = _aligned(rows, (6, 10, 12), width)
    numbers = ["Game", *(str(game.task.number) for game in games)]
    first = max(map(len, numbers))
    most = columns - first - max(map(width, ends)) - 4
    most = min(max(most, _LEAST_NAMES), _NAMES)
    both = ["White - Black", *(_both(*game.names, most, width) for game in games)]
    wide = max(map(width, both))
    return [
        f"{number.rjust(first)}  {names}{' ' * (wide - width(names))}  {end}".rstrip()
        for number, names, end in zip(numbers, both, ends, strict=True)
    ]


def _both(one: str, other: str, most: int, width: Callable[[str], int]) -> str:
    """Two names in so many columns: what one leaves free is the other's."""
    most -= 3
    one = _clipped(one, max(most // 2, most - width(other)), width)
    return f"{one} - {_clipped(other, most - width(one), width)}"


def _cut(lines: Sequence[str], height: int, what: str) -> list[str]:
    """Return at most ``height`` lines; the last one counts those that are left out."""
    if len(lines) <= height:
        return list(lines)
    if height < 2:
        return []
    left = len(lines) - (height - 1)
    return [*lines[: height - 1], f"... and {counted(left, f'more {what}')}"]


def _clipped(text: str, columns: int, width: Callable[[str], int]) -> str:
    """Return a text shortened to so many columns."""
    text = plain(text) if not text.isprintable() else text
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[: -1 - max(0, (width(text) - columns) // 2)]
    return text + "~" if columns > 0 else ""


def _aligned(
    rows: Sequence[Sequence[str]], most: Sequence[int], width: Callable[[str], int]
) -> list[str]:
    """Rows as lines: texts to the left where they are names or moves, numbers to the right."""
    cut = [
        [_clipped(cell, most[at], width) if at < len(most) else cell for at, cell in enumerate(row)]
        for row in rows
    ]
    widths = [max(map(width, column)) for column in zip(*cut, strict=True)]
    left = {rows[0].index(name) for name in ("Engine", "Move") if name in rows[0]}
    lines = []
    for row in cut:
        cells = []
        for at, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            pad = " " * (wide - width(cell))
            cells.append(cell + pad if at in left else pad + cell)
        lines.append("  ".join(cells).rstrip())
    return lines
