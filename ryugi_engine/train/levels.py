"""``train levels``: find the strengths of a game's levels by games between them.

Random, greedy and material mover, levels and full strength each play their neighbours. All results
together say how strong each place on a curve of strengths is. The levels move along the curve until
neighbours are equally far apart. Every game is kept at once: after any end of the process the same
call goes on.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ryugi_engine import about
from ryugi_engine.errors import UserError
from ryugi_engine.files.line_log import LineLog, OtherRun
from ryugi_engine.files.output import LEVEL_GAMES, LEVELS
from ryugi_engine.files.reading import naming
from ryugi_engine.files.writing import write_whole
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.registry import rules_of
from ryugi_engine.games.training import Trainable
from ryugi_engine.match.statistics import elo_of
from ryugi_engine.processes.worker_pool import WorkerPool
from ryugi_engine.search.levels import FULL as FULL_LEVEL
from ryugi_engine.search.levels import Strength
from ryugi_engine.text.progress import Progress
from ryugi_engine.train.level_fit import Fit
from ryugi_engine.train.level_players import (
    ANCHORS,
    FULL,
    FULL_TIMES,
    GREEDY,
    LAST,
    MATERIAL,
    RANDOM,
    Pairing,
    Player,
    Table,
    nodes_in,
    strength_at,
)
from ryugi_engine.train.settings import LevelSettings

#: Elo between neighbours: what is wanted, what the first level is chosen for, and the most that
#: levels get; full strength may be further away.
APART, _AIM, _MOST_APART = (100, 250), (150, 190), 245
#: Standard deviation of that from which on no more games are played.
_SURE = 20.0
#: Minimum distance of level 1 below the material mover. It loses to a person who hangs no piece;
#: level 3 is about that person's strength.
_BELOW_MATERIAL = 300
#: Elo from level 1 up to the greedy mover, if the distances allow it. The greedy mover's share
#: against level 1 where they do not. The minimum from the random mover to level 1.
_BELOW_GREEDY, _LOST, _ABOVE_RANDOM = 70, 0.34, 110
#: Processor time of a move at 1 on the curve. Full strength takes three times its nodes here, about
#: those of a game at 1+0.01. Its strength grows with its time, that of the levels does not.
_CURVE_SECONDS = 0.007
#: Games of a round, and of the first ones.
_ROUND = 2 * (FULL_LEVEL + 3)
_SPREAD = 3 * _ROUND
SCALE = "Elo above the game's random mover"


class Choice(NamedTuple):
    """The levels' places on the curve, by the games so far."""

    places: tuple[float, ...]
    fit: Fit

    @property
    def players(self) -> tuple[Player, ...]:
        """All levels, full strength last."""
        return (*self.places, FULL)

    @property
    def gaps(self) -> list[tuple[float, float]]:
        """Elo from each level to the next, with the standard deviation."""
        return [self.fit.difference(high, low) for low, high in pairwise(self.players)]

    @property
    def sure(self) -> bool:
        """Whether more games would not move the levels much."""
        low, high = APART
        return all(error < _SURE and low < gap < high for gap, error in self.gaps[:-1])


def choose(fit: Fit) -> Choice:
    """Return levels that are equally far apart, from a first one near the two movers."""
    greedy, full = fit.elo(GREEDY), fit.elo(FULL)
    highest = greedy + elo_of(1 - _LOST - fit.greedy_draws / 2)
    if fit.elo(MATERIAL) > greedy:  # elsewhere material decides little
        highest = min(highest, fit.elo(MATERIAL) - _BELOW_MATERIAL)
    lowest = max(min(_ABOVE_RANDOM, highest), fit.elo(0.0))  # the curve begins there
    steps = FULL_LEVEL - 1
    narrow, wide = (full - steps * apart for apart in _AIM)
    wished = min(max(greedy - _BELOW_GREEDY, wide), narrow)
    first = min(max(wished, lowest), highest)
    step = min((full - first) / steps, _MOST_APART)
    return Choice(tuple(fit.place(first + n * step) for n in range(steps)), fit)


def _next(results: Sequence[tuple[Player, Player, float]]) -> Choice:
    """Return the levels to play with next: the first games are spread over the whole curve."""
    choice = choose(Fit(results))
    if len(results) < _SPREAD:
        return Choice(tuple(n / FULL_LEVEL for n in range(1, FULL_LEVEL)), choice.fit)
    return choice


class LevelGames(LineLog):
    """The file of the games so far: a line about them all, then a line a game."""

    def __init__(self, path: Path, games: Sequence[Game]) -> None:
        """Begin, or resume what the file holds; UserError if that is something else."""
        self.results: list[tuple[Player, Player, float]] = []
        #: Nodes of a move at 1 on the curve in each game; empty until the first line is read.
        self.nodes: list[int] = []
        #: Seconds of play so far, of all calls together.
        self.spent = 0.0
        self._names = [game.name for game in games]
        #: Digest of each game's net, "" without one.
        self.nets = [_net_of(game) for game in games]
        super().__init__(path, LEVEL_GAMES, "is being written by another call", self._take)
        if not self.nodes:
            self.nodes = [nodes_in(game, _CURVE_SECONDS) for game in games]
            self.write({"level games": self._names, "curve": self.nodes, "nets": self.nets})

    def _take(self, entry: Any) -> None:
        try:
            if self.nodes:
                first, second, points, self.spent = entry
                for player in (first, second):
                    if player not in (*ANCHORS, FULL) and not 0 <= player <= LAST:
                        raise ValueError(f"{player} is no player")
                self.results.append((first, second, float(points)))
                return
            held, nets = entry["level games"], entry["nets"]
            self.nodes = [int(nodes) for nodes in entry["curve"]]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise UserError(f"these are no games of levels: {error!r}") from None
        if held != self._names or len(self.nodes) != len(held):
            raise OtherRun(f"games of {', '.join(held)}, not of {', '.join(self._names)}")
        if nets != self.nets:
            raise OtherRun("games with another net")

    def add(self, pairing: Pairing, points: float, spent: float) -> None:
        """Keep a game."""
        first, second = pairing.first, pairing.second
        assert not isinstance(first, Strength)
        assert not isinstance(second, Strength)
        self.spent = spent
        self.results.append((first, second, points))
        self.write([first, second, points, round(spent, 1)])


def _net_of(game: Game) -> str:
    rules = rules_of(game)
    net = rules.net if isinstance(rules, Trainable) else None
    return "" if net is None else net.digest


def train_levels(
    games: Sequence[Game],
    journal: Path,
    out: Path,
    settings: LevelSettings,
    report: Callable[[str], None],
) -> Choice:
    """Play games until the levels are sure or the time is over, and write the table."""
    with LevelGames(journal, games) as kept:
        if kept.results:
            report(f"{journal}: going on after {counted(len(kept.results), 'game')}")
        choice = _play(games, kept, settings, report)
    with naming(out):
        write_whole(out, json.dumps(_table(games, kept, choice), indent=1) + "\n", LEVELS)
    report(f"{out}: {_summary(choice)}")
    return choice


def _play(
    games: Sequence[Game], kept: LevelGames, settings: LevelSettings, report: Callable[[str], None]
) -> Choice:
    choice = _next(kept.results)
    began = time.monotonic()
    before, seconds = kept.spent, 3600 * settings.hours
    progress = Progress(
        "games",
        report,
        have=len(kept.results),
        wanted=settings.games,
        seconds=seconds - before,
        every=20.0,
    )

    def pairings() -> Iterator[Pairing]:
        number = len(kept.results)
        number += number % 2
        while True:
            players = choice.players
            first = players[0]
            movers = [(RANDOM, GREEDY), (RANDOM, first), (GREEDY, first), (MATERIAL, players[2])]
            for one, other in [*movers, *pairwise(players)]:
                for _ in range(2):
                    yield Pairing(one, other, number)
                    number += 1

    tables = [Table(games, kept.nodes) for _ in range(settings.threads)]
    with WorkerPool(tables, Table.play) as pool:
        for result in pool.results(pairings()):
            now = time.monotonic()
            if result is not None:
                kept.add(*result, before + now - began)
                if len(kept.results) % _ROUND == 0:
                    choice = _next(kept.results)
                    if choice.sure:
                        break
            left = seconds - before - (now - began)
            if left <= 0 or len(kept.results) >= settings.games:
                break
            progress(len(kept.results), _summary(choice))
    return choose(Fit(kept.results))


def _summary(choice: Choice) -> str:
    gaps = [gap for gap, _error in choice.gaps]
    error = max(error for _gap, error in choice.gaps)
    return (
        f"neighbours are {min(gaps):.0f} to {max(gaps):.0f} Elo apart, +/- {2 * error:.0f};"
        f" level 1 is {choice.fit.elo(choice.places[0]):.0f} above the random mover,"
        f" {choice.fit.difference(GREEDY, choice.places[0])[0]:.0f} below the greedy one"
    )


def _table(games: Sequence[Game], kept: LevelGames, choice: Choice) -> dict[str, Any]:
    """Return the table, as ``search.levels.read_ladder`` reads it, with its card."""
    nodes = min(kept.nodes)
    rungs = []
    highest = -math.inf
    for player in choice.players:
        # a table's Elo rises, also after the few games of a short call
        highest = max(round(choice.fit.elo(player)), highest + 1)
        if isinstance(player, float):
            rungs.append({**strength_at(player, nodes)._asdict(), "elo": highest})
    most = max(FULL_TIMES * nodes, rungs[-1]["nodes"])
    full = {"nodes": most, "noise": 0.0, "overlooked": 0.0, "elo": highest}
    return {
        "levels": ", ".join(game.name for game in games),
        "scale": SCALE,
        "rungs": [*rungs, full],
        "card": {
            "engine": about.engine(),
            "games": len(kept.results),
            "nodes of full strength": [FULL_TIMES * nodes for nodes in kept.nodes],
            "greedy mover": round(choice.fit.elo(GREEDY)),
            "material mover": round(choice.fit.elo(MATERIAL)),
            "nets": kept.nets,
            "between neighbours": [f"{gap:.0f} +/- {2 * error:.0f}" for gap, error in choice.gaps],
        },
    }
