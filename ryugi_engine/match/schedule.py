"""The schedule: pairings, colours and openings, all determined by the plan.

A game is known by its number: whenever it is played, and by whom, its number says everything of it.
All pairings of a round begin with the same opening, and the next round has the next one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ryugi_engine.match.openings import Opening
from ryugi_engine.match.results import POINTS

KINDS = ("roundrobin", "gauntlet", "knockout")
#: Pairs of games by which a tied match of a knockout is decided at most; then the order given does.
_EXTRA_PAIRS = 8


class _Openings(Protocol):
    """The openings, in the order of their use."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Opening: ...


@dataclass(frozen=True)
class GameTask:
    """A game to be played. Players are indexes of the plan's engines."""

    number: int
    round: int
    pair: int
    white: int
    black: int
    opening: Opening


def round_robin(players: int) -> list[tuple[int, int]]:
    """Return all pairings of a round robin, in the order of the circle method."""
    seats: list[int | None] = [*range(players), *([None] * (players % 2))]
    results: list[tuple[int, int]] = []
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        results += sorted(
            (min(a, b), max(a, b)) for a, b in pairs if a is not None and b is not None
        )
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return results


def gauntlet(players: int, heroes: int) -> list[tuple[int, int]]:
    """Return the pairings of each of the first engines with all others."""
    return [(hero, other) for hero in range(heroes) for other in range(heroes, players)]


class Schedule(ABC):
    """Gives out the games of a match one after the other."""

    def __init__(self, openings: _Openings, repeat: int) -> None:
        self._openings, self._repeat = openings, repeat
        self._results: dict[int, str] = {}
        self._held: GameTask | None = None

    #: How many games there will be, or at least.
    total: int
    #: The highest number that a game may have.
    last: int

    def record_result(self, number: int, result: str) -> None:
        """Record the result of a game, played now or before the match was resumed."""
        self._results[number] = result

    @abstractmethod
    def take(self) -> GameTask | None:
        """Return the next game to start; None if others have to end first or all are started."""

    def take_pairs(self, pairs: int) -> list[GameTask]:
        """Return the next games to start, those of so many pairs; 0: one game. Empty: as None."""
        tasks: list[GameTask] = []
        while pairs or not tasks:
            task, self._held = self._held or self.take(), None
            if task is None:
                break
            if pairs and len({one.pair for one in (*tasks, task)}) > pairs:
                self._held = task
                break
            tasks.append(task)
        return tasks

    def _task(
        self, number: int, round_: int, pair: int, swapped: bool, players: tuple[int, int], at: int
    ) -> GameTask:
        """Return a game of two players, whose opening is number ``at`` (from 0)."""
        white, black = reversed(players) if swapped else players
        opening = self._openings[at % len(self._openings)]
        return GameTask(number, round_, pair, white, black, opening)


class Listed(Schedule):
    """A round robin or a gauntlet: round after round, until there are enough games."""

    def __init__(
        self,
        meetings: Sequence[tuple[int, int]],
        total: int,
        each: int,
        openings: _Openings,
        repeat: int,
    ) -> None:
        """``each``: the games of a meeting in a round."""
        super().__init__(openings, min(repeat, each))
        self.total = self.last = total
        self._meetings, self._each = meetings, each
        self._next = 0

    def _game(self, number: int) -> GameTask:
        """Return a game by its number from 0; the players change colours after each."""
        meeting, game = divmod(number, self._each)
        round_, place = divmod(meeting, len(self._meetings))
        openings, opening = -(-self._each // self._repeat), game // self._repeat
        return self._task(
            number + 1,
            round_ + 1,
            meeting * openings + opening + 1,
            (round_ * self._each + game) % 2 == 1,
            self._meetings[place],
            round_ * openings + opening,
        )

    def take(self) -> GameTask | None:
        """Return the next game that has not been played; None at the end."""
        while self._next < self.total:
            self._next += 1
            if self._next not in self._results:
                return self._game(self._next - 1)
        return None


class _Meeting:
    """A match of a knockout."""

    def __init__(self, first: int, pair: int, round_: int, players: tuple[int, int]) -> None:
        #: Number of its first game, and of its first pair.
        self.first, self.pair = first, pair
        self.round, self.players = round_, players
        self.begun = 0


class Knockout(Schedule):
    """A knockout tournament; the engines are in the order of their seeds."""

    def __init__(self, players: int, games: int, openings: _Openings) -> None:
        super().__init__(openings, 2)
        self._games = games + games % 2
        self._block = self._games + 2 * _EXTRA_PAIRS
        self.total = (players - 1) * self._games
        self.last = (players - 1) * self._block
        self._meetings: list[_Meeting] = []
        self._round = 0
        self._left = list(range(players))
        self._byes: list[int] = []
        self._pair_up()

    @property
    def winner(self) -> int | None:
        """The winner of the tournament; None before its end."""
        return self._left[0] if len(self._left) == 1 else None

    def _pair_up(self) -> None:
        """Draw the matches of the next round: first against last, byes for the best seeds."""
        self._round += 1
        size = 1
        while size < len(self._left):
            size *= 2
        resting = size - len(self._left)
        self._byes, playing = self._left[:resting], self._left[resting:]
        half = len(playing) // 2
        done = len(self._meetings)
        for n, players in enumerate(zip(playing[:half], reversed(playing[half:]), strict=True)):
            place = done + n
            first, pair = place * self._block + 1, place * self._block // 2 + 1
            self._meetings.append(_Meeting(first, pair, self._round, players))

    def take(self) -> GameTask | None:
        """Return the next game of an undecided match; None if there is none now."""
        self._go_on()
        for meeting in self._meetings:
            if meeting.round != self._round or self._winner(meeting) is not None:
                continue
            while meeting.begun < self._due(meeting):
                game = meeting.begun
                meeting.begun += 1
                if meeting.first + game not in self._results:
                    pair = game // 2
                    return self._task(
                        meeting.first + game,
                        self._round,
                        meeting.pair + pair,
                        game % 2 == 1,
                        meeting.players,
                        (self._round - 1) * self._games // 2 + pair,
                    )
        return None

    def _points(self, meeting: _Meeting) -> tuple[int, float]:
        """Games of a match that have ended without a gap, and the first player's points."""
        points, games = 0.0, 0
        while meeting.first + games in self._results and games < self._block:
            white = POINTS[self._results[meeting.first + games]]
            points += 1 - white if games % 2 else white
            games += 1
        return games, points

    def _due(self, meeting: _Meeting) -> int:
        """Return how many games of a match may start; a tie is followed by another pair."""
        games, _points = self._points(meeting)
        return max(self._games, games - games % 2 + 2 if games >= self._games else 0)

    def _winner(self, meeting: _Meeting) -> int | None:
        games, points = self._points(meeting)
        if games < self._games or games % 2:
            return None
        if points * 2 == games:
            return min(meeting.players) if games >= self._block else None
        return meeting.players[points * 2 < games]

    def _go_on(self) -> None:
        """Begin the next round where this one is decided."""
        while len(self._left) > 1:
            now = [meeting for meeting in self._meetings if meeting.round == self._round]
            winners = [self._winner(meeting) for meeting in now]
            if any(winner is None for winner in winners):
                return
            self._left = sorted([*self._byes, *(w for w in winners if w is not None)])
            if len(self._left) > 1:
                self._pair_up()


def make_schedule(
    kind: str,
    players: int,
    *,
    games: int | None,
    rounds: int | None,
    repeat: int,
    heroes: int,
    openings: _Openings,
) -> Schedule:
    """Return the schedule of a tournament.

    ``games``: in all, or with ``rounds`` those of each meeting in a round; a knockout's of each
    match.
    """
    if kind == "knockout":
        return Knockout(players, games or 2, openings)
    meetings = gauntlet(players, heroes) if kind == "gauntlet" else round_robin(players)
    if rounds is not None:
        each = games or repeat
        return Listed(meetings, rounds * len(meetings) * each, each, openings, repeat)
    return Listed(meetings, games or 2, repeat, openings, repeat)
