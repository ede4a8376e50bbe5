"""Compare two nets by pairs of games with the same opening, played by kernels."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ryugi_engine.games.game import Game
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.statistics import Estimate, Sample
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.numbered_games import games_of, play_here
from ryugi_engine.train.player import Player
from ryugi_engine.train.selfplay import PLAYED, duel
from ryugi_engine.train.settings import ComparisonSettings, SelfPlaySettings

if TYPE_CHECKING:
    from ryugi_engine.cluster import Cluster
    from ryugi_engine.games.sent_game import LocalGame

#: Games of a comparison: decided later than those that are learnt from, no side begins with less.
_SETTINGS = replace(SelfPlaySettings(), decided=2000, decided_plies=8, odds=0)
#: Centipawns: an opening whose first score is beyond says little of who plays better.
_EVEN = 250
#: Games that tell how fast a player is.
_TIMED_GAMES = 5
#: Share of a comparison's time for that, and seconds that the first of them may take in any case.
_TIMING, _LEAST = 0.2, 0.1
_SECONDS_A_LINE = 20.0


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison, from the first player's point of view."""

    sample: Sample
    #: ``H1``: it is better, ``H0``: it is not, "": not known.
    accepted: str
    #: Nodes of the second player for each of the first.
    ratio: float

    @property
    def elo(self) -> Estimate:
        """The difference with its 95 % interval."""
        return self.sample.elo()

    @property
    def better(self) -> bool:
        """Whether the first is better: by the test, or more likely than not."""
        return self.accepted == "H1" or (self.accepted == "" and self.elo.value > 0)

    def summary(self) -> str:
        """Return the figures in one line."""
        games, elo = 2 * self.sample.size, self.elo
        if not games:
            return "no game was over in the time"
        score = f"Elo {elo}"
        if not (math.isfinite(elo.value) and math.isfinite(elo.error)):
            score = f"{100 * self.sample.score:.0f} % of the points, too few games for an Elo"
        counts = " ".join(map(str, self.sample.counts))
        return f"{score}, games: {games}, pairs: {counts}, nodes 1 to {self.ratio:.2f}"


class _Pair:
    """Two players with the same openings."""

    def __init__(self, game: Game, nets: tuple[Net | None, Net | None], nodes: tuple[int, int]):
        seed = random.Random("openings of comparisons").getrandbits(30)
        self.players = [
            Player(game, replace(_SETTINGS, nodes=n), seed, net, even=_EVEN)
            for net, n in zip(nets, nodes, strict=True)
        ]

    def play(self, number: int) -> int | None:
        """Play both games of an opening; return the first player's points in half points, 0..4.

        None if a game was over before its first search, or was stopped.
        """
        points = 0
        one, other = self.players
        for side in (0, 1):
            for player in self.players:
                player.begin(*one.drawn(number))
            end = duel(one.block.address, other.block.address, side)
            if end != PLAYED:
                return None
            result = int(one.seen["result"])
            points += 1 + (result if side == 0 else -result)
        return points

    def stop(self) -> None:
        for player in self.players:
            player.stop()


_Nets = tuple[Net | None, Net | None]
_Nodes = tuple[int, int]


def play_pairs(
    game: LocalGame, common: tuple[_Nets, _Nodes], numbers: Sequence[int]
) -> list[int | None]:
    """A unit on a cluster: play pairs of games by their numbers."""
    return play_here(game.game, lambda own: _Pair(own, *common), _Pair.play, numbers)


def speeds(
    game: Game, nets: Sequence[Net | None], nodes: int, seconds: float = math.inf
) -> list[float]:
    """Return the nodes per second of processor time with each net (None: without a net).

    The fastest of several games each, as many as ``seconds`` allow; the players take turns, so that
    other load affects all of them.
    """
    players = [Player(game, replace(_SETTINGS, nodes=nodes), 1, net) for net in nets]
    best = [0.0] * len(players)
    end = time.monotonic() + seconds
    for number in range(_TIMED_GAMES):
        for i, player in enumerate(players):
            left = (end - time.monotonic()) / (len(players) - i)
            timer = threading.Timer(min(max(left, _LEAST), threading.TIMEOUT_MAX), player.stop)
            timer.start()
            began = time.thread_time()
            player.play(number)
            used = max(time.thread_time() - began, 1e-6)
            timer.cancel()
            best[i] = max(best[i], int(player.seen["nodes"]) / used)
        if time.monotonic() > end:
            break
    return best


def _same_cost(first: Net | None, second: Net | None) -> bool:
    """Return whether a node costs both as much: there is no net, or both nets have one shape.

    Measured speeds would differ by up to 15 percent, as the games of the timing do.
    """
    if first is None or second is None:
        return first is second
    shapes = [(n.hidden_size, n.output_buckets, n.king_buckets) for n in (first, second)]
    return shapes[0] == shapes[1]


def compare(
    game: Game,
    first: Net | None,
    second: Net | None,
    settings: ComparisonSettings,
    *,
    test: Sprt | None = None,
    seconds: float = math.inf,
    report: Callable[[str], None],
    cluster: Cluster | None = None,
) -> Comparison:
    """Play pairs of games between two nets (None: the evaluation without a net alone).

    Ends after ``settings.games`` games, after ``seconds`` in all, or when ``test`` has accepted a
    hypothesis. In equal time the second net has as many nodes as it searches in the first's time
    here, and as many as the first where both have one shape. A cluster plays in place of this
    process's threads.
    """
    ratio, began = 1.0, time.monotonic()
    if not (settings.equal_nodes or _same_cost(first, second)):
        faster, slower = speeds(game, (second, first), settings.nodes, _TIMING * seconds)
        ratio = faster / slower if faster and slower else 1.0
    both = (settings.nodes, max(1, round(settings.nodes * ratio)))
    counts = [0] * 5
    accepted = ""
    reported = time.monotonic()
    common = ((first, second), both)

    def pairs() -> list[_Pair]:
        return [_Pair(game, *common) for _ in range(settings.threads)]

    with games_of(pairs, _Pair.play, cluster, play_pairs, common) as results:
        for points in results:
            if points is not None:
                counts[points] += 1
                sample = Sample(tuple(counts))
                if test is not None:
                    accepted = test.accepted(test.llr(sample))
            now = time.monotonic()
            if 2 * sum(counts) >= settings.games or accepted or now - began > seconds:
                break
            if points is not None and now - reported > _SECONDS_A_LINE:
                reported = now
                report(Comparison(sample, accepted, ratio).summary())
    return Comparison(Sample(tuple(counts)), accepted, ratio)
