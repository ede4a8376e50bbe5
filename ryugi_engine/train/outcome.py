"""Measure how well evaluations predict the results of quiet positions played out many times."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.game import Game
from ryugi_engine.nnue.architecture import SCALE
from ryugi_engine.nnue.net import Net
from ryugi_engine.progress import Progress
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.player import Player
from ryugi_engine.train.positions import Records, dtype
from ryugi_engine.train.settings import PlayoutSettings, SelfPlaySettings
from ryugi_engine.train.trainable_game import training_of
from ryugi_engine.worker_pool import WorkerPool

#: Evaluations are compared at the slope that suits each best: a factor of SCALE from these.
_SLOPES = np.geomspace(0.25, 4.0, 81)


@dataclass(frozen=True)
class PlayedOut:
    """Positions with their mean results."""

    held: Records
    #: Mean result for the side to move, 0 lost to 1 won.
    results: NDArray[np.float64]
    #: Games of each.
    games: int


@dataclass(frozen=True)
class Nearness:
    """Errors of an evaluation's winning chances against results."""

    mean_error: float
    #: Squared.
    mean_square: float
    #: Centipawns at which the chance to win is the logistic function of 1.
    scale: float

    @classmethod
    def of(cls, centipawns: NDArray[np.int16], results: NDArray[np.float64]) -> Nearness:
        """Return the errors of evaluations for the side to move against results."""
        matches = []
        for slope in _SLOPES:
            chances = 1 / (1 + np.exp(-centipawns / (SCALE * slope)))
            errors = np.abs(chances - results)
            matches.append(
                cls(float(errors.mean()), float((errors**2).mean()), SCALE * float(slope))
            )
        return min(matches, key=lambda nearness: nearness.mean_square)


class _Out:
    """A thread's player: makes a position of a game's number, and plays it out."""

    def __init__(
        self, game: Game, settings: SelfPlaySettings, seed: int, net: Net | None, games: int
    ):
        self.player = Player(game, settings, seed, net)
        self._kind = dtype(training_of(game).inputs.cells)
        self._settings, self._seed, self._games = settings, seed, games

    def one(self, number: int) -> tuple[Records, float] | None:
        """Return a random position of a game and its mean result; None if there is none.

        A stopped game has none.
        """
        source = random.Random(f"played out {self._seed} {number}")
        self.player.soft_nodes(self._settings.nodes)
        played = self.player.play(number)
        if not played:
            return None
        held = np.frombuffer(played, dtype=self._kind)
        record = held[source.randrange(len(held)) :][:1]
        total = 0.0
        for _ in range(self._games):
            # as many nodes for each would make each game the same
            self.player.soft_nodes(round(self._settings.nodes * 2 ** source.uniform(-1, 1)))
            result = self.player.play_out(record)
            if result is None:
                return None
            total += (1 + result) / 2
        return record, total / self._games

    def stop(self) -> None:
        """Stop the current game."""
        self.player.stop()


def play_out(
    game: Game, net: Net | None, settings: PlayoutSettings, report: Callable[[str], None]
) -> PlayedOut:
    """Play games of self-play, take a position of each, and play each out several times."""
    self_play = SelfPlaySettings(nodes=settings.nodes)
    players = [
        _Out(game, self_play, settings.seed, net, settings.games) for _ in range(settings.threads)
    ]
    pool = WorkerPool(players, _Out.one)
    results: list[tuple[Records, float]] = []
    progress = Progress("positions played out", report, wanted=settings.positions, every=20.0)
    with pool:
        for one in pool.results(count()):
            if one is not None:
                results.append(one)
            if len(results) >= settings.positions:
                break
            progress(len(results))
    held = np.zeros(
        len(results), dtype=results[0][0].dtype
    )  # numpy's concatenate changes the layout
    for number, (record, _) in enumerate(results):
        held[number] = record[0]
    return PlayedOut(held, np.array([result for _, result in results]), settings.games)


def nearness(game: Game, nets: Mapping[str, Net | None], played: PlayedOut) -> dict[str, Nearness]:
    """Return each evaluation's errors by its name; a net of None is the hand-crafted one."""
    return {
        name: Nearness.of(evaluations(game, net, played.held), played.results)
        for name, net in nets.items()
    }
