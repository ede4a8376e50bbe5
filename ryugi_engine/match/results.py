"""Results of a match: finished games as plain data.

The runner makes them, its journal keeps them; tables, statistics and the report read them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

#: White's points by the result; a game without one of these counts nowhere.
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over."""

    #: From 1, in the order of the schedule, in which it need not have ended.
    number: Annotated[int, 1, 1 << 40]
    round: Annotated[int, 1, 1 << 40]
    #: The games with the same number have the same opening and players, with colours changed.
    pair: Annotated[int, 1, 1 << 40]
    #: The engines' names, which are different in a match.
    white: str
    black: str
    #: ``1-0``, ``0-1`` or ``1/2-1/2``.
    result: Annotated[str, "1-0", "0-1", "1/2-1/2"]
    #: In a few words, as the referee has it: ``checkmate``, ``time forfeit``.
    reason: str
    #: The position text that it began with.
    opening: str
    plies: Annotated[int, 0, 1 << 40]
    #: When it ended, in seconds of play since the match began, pauses between resumed runs aside.
    seconds: Annotated[float, 0, 1e12]
    #: The game as PGN text, see ``records.pgn``.
    record: str
    #: Digest of its moves, from the first position on; "" where it is not known.
    line: str = ""

    def points(self, name: str) -> float:
        """Return the points of an engine that played the game: 1, 0.5 or 0."""
        white = POINTS[self.result]
        return white if name == self.white else 1 - white

    def between(self, one: str, other: str) -> bool:
        """Return whether these two engines played the game."""
        return {self.white, self.black} == {one, other}


def digest(line: str) -> str:
    """Return what tells the moves of a game from others."""
    return hashlib.blake2b(line.encode(), digest_size=8).hexdigest()


def repeats(games: Sequence[FinishedGame]) -> int:
    """Return how many games are another one again: the same moves, players and colours."""
    known = [(game.white, game.black, game.line) for game in games if game.line]
    return len(known) - len(set(known))


def meetings(games: Sequence[FinishedGame], one: str, other: str) -> list[FinishedGame]:
    """Return the games of two engines, in the schedule's order."""
    return sorted((g for g in games if g.between(one, other)), key=lambda game: game.number)
