"""Levels of play: how much weaker than full strength each is, in every game.

A game's table has a rung for each level below full strength. Between two rungs everything is
interpolated, so any Elo in between can be chosen. ``ryugi-engine train levels`` writes tables;
games without one use that of :data:`USUAL`, measured over many games.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import naming, read_text

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game

#: The level of full strength; those of the tables are 1 up to the one below.
FULL = 12
#: The level at which somebody's first game begins.
FIRST = 3
#: What levels are called, from 1.
NAMES = (
    *("Beginner", "Novice", "Learner", "Casual", "Improver", "Club player"),
    *("Strong club player", "Tournament player", "Advanced", "Expert", "Master", "Full strength"),
)
_IN_NAME = re.compile(r"[(\s]level (\d{1,2})\)", re.ASCII)
#: The table of games without one of their own.
USUAL = Path(__file__).with_name("levels.json")
#: Centipawns at which the chance to win is the logistic function of 1, as nets have it.
_SCALE = 400
#: Minimum steepness of that function, times the scale, by which noise is measured. A player who is
#: far ahead or behind errs by more centipawns, but not by any number.
_LEAST_SLOPE = 0.05
#: Noise of the first plies of a game at least, for some variety.
_VARIETY, _OPENING_PLIES = 0.01, 12
#: Distances of the last two rungs up to which an Elo above the ladder is played by nodes.
_MOST_PARTS = 5
_MAX_FILE = 1 << 18
_MAX_NODES = 10**9


def level_in(name: str) -> int:
    """Return the level in the engine's name in a record, FULL if there is none."""
    match = _IN_NAME.search(name)
    level = int(match[1]) if match is not None else FULL
    return level if 1 <= level <= FULL else FULL


class Strength(NamedTuple):
    """How a search is weakened."""

    #: Nodes of a move, after the first iteration.
    nodes: int
    #: Standard deviation of the noise in a root move's score, as a chance to win.
    noise: float
    #: Share of the opponent's replies that are overlooked.
    overlooked: float

    def centipawns(self, score: int, plies: int) -> int:
        """Return the noise in centipawns in a position of a static score, so far into the game."""
        noise = max(self.noise, _VARIETY) if plies < _OPENING_PLIES else self.noise
        chance = 1 / (1 + math.exp(-max(-9999, min(score, 9999)) / _SCALE))
        return round(noise * _SCALE / max(chance * (1 - chance), _LEAST_SLOPE))

    def towards(self, other: Strength, part: float) -> Strength:
        """Return a strength from this one, 0, to the other, 1, or on beyond that."""
        noise = self.noise + part * (other.noise - self.noise)
        overlooked = self.overlooked + part * (other.overlooked - self.overlooked)
        nodes = self.nodes * (other.nodes / self.nodes) ** part
        return Strength(round(nodes), max(noise, 0.0), max(overlooked, 0.0))


class Rung(NamedTuple):
    """A level of a table."""

    strength: Strength
    elo: int


class Ladder(NamedTuple):
    """A game's levels; the last rung is full strength, with the nodes that it was measured with."""

    rungs: tuple[Rung, ...]
    #: What Elo is counted from.
    scale: str
    #: Whether the table is the game's own.
    own: bool

    def level(self, level: int) -> Strength | None:
        """Return the strength of a level, 1 to FULL; None is full strength."""
        return None if level == FULL else self.rungs[level - 1].strength

    def elo(self, elo: int) -> Strength | None:
        """Return the strength of an Elo; None is full strength.

        Below the ladder it is the first level. Above it nodes grow on as between the last two rungs
        for a while: the last was measured at a fast clock.
        """
        elos = [rung.elo for rung in self.rungs]
        above = min(bisect_right(elos, elo), len(elos) - 1)
        if above == 0:
            return self.rungs[0].strength
        low, high = self.rungs[above - 1], self.rungs[above]
        part = (elo - low.elo) / (high.elo - low.elo)
        if part > _MOST_PARTS:
            return None
        return low.strength.towards(high.strength, part)


def ladder_of(game: Game) -> Ladder:
    """Return a game's ladder, or the usual one. Raises UserError for a damaged table."""
    path = game.levels_file
    if path is not None and path.exists():
        return read_ladder(path, own=True)
    return usual_ladder()


def usual_ladder() -> Ladder:
    """Return the ladder of games without one of their own."""
    return read_ladder(USUAL, own=False)


def read_ladder(path: Path, *, own: bool) -> Ladder:
    """Read a table. Raises UserError that names the file and what is wrong in it."""
    with naming(path):
        return _parsed(path, path.stat().st_mtime_ns, own)


@lru_cache
def _parsed(path: Path, _modified: int, own: bool) -> Ladder:
    import json  # late, as the next: an engine answers "uci" without

    from ryugi_engine.games.game import counted

    try:
        data = json.loads(read_text(path, _MAX_FILE))
        rungs = tuple(_rung(entry, f"level {n}") for n, entry in enumerate(data["rungs"], start=1))
        scale = str(data["scale"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, UserError):
            raise UserError(f"{path}: {error}") from None
        raise UserError(f"{path}: this is no table of levels: {error!r}"[:300]) from None
    if len(rungs) != FULL:
        raise UserError(f"{path}: {counted(len(rungs), 'level')}, not {FULL}")
    if any(low.elo >= high.elo for low, high in pairwise(rungs)):
        raise UserError(f"{path}: the Elo of its levels does not rise")
    return Ladder(rungs, scale, own)


def _rung(entry: Mapping[str, Any], where: str) -> Rung:
    def number(key: str, low: int, high: int) -> float:
        value = entry[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UserError(f"{where}: {key} is not a number")
        if not low <= value <= high:
            raise UserError(f"{where}: {key}: {value} is not in {low}..{high}")
        return value

    strength = Strength(
        int(number("nodes", 1, _MAX_NODES)), number("noise", 0, 1), number("overlooked", 0, 1)
    )
    return Rung(strength, round(number("elo", -10_000, 10_000)))
