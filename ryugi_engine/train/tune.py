"""Fitting the weights of a hand-crafted evaluation to recorded positions of one or several games.

The evaluation itself is asked how it changes with each weight, so that what is fitted is what is
played, and a new weight needs nothing here. The loss is the squared error of the chance to win, its
minimum is looked for by Gauss' and Newton's method (K. Levenberg 1944 where that goes too far); the
idea of fitting an evaluation to results so is P. Oesterlund's ("Texel's tuning method").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.files import naming, write_whole
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.training import Tunable
from ryugi_engine.nnue.architecture import SCALE
from ryugi_engine.output import WEIGHTS
from ryugi_engine.train.dataset import check_game, is_validation, sigmoid
from ryugi_engine.train.evaluate_records import values
from ryugi_engine.train.positions import Records, read_facts, records
from ryugi_engine.train.selfplay import MAX_CLOCK
from ryugi_engine.train.settings import TuningSettings
from ryugi_engine.train.trainable_game import rules_with, tunable
from ryugi_engine.train.weights import read_weights, rounded, written

Doubles = NDArray[np.float64]
#: Evaluations are looked at in such parts of a centipawn: rounding is out of the way then.
_UNIT = 16
#: A weight's slope is measured where it changes evaluations by so many centipawns on average.
_PROBE = 1.5
#: Positions of each game that tell how far to move a weight.
_SOME = 2000
_GOOD_ENOUGH = 1e-7
_TRIES = 6


@dataclass
class _Set:
    """Positions of a game, and what is to be predicted for them."""

    path: Path
    game: Game
    rules: Tunable
    held: Records
    targets: Doubles
    learnt: NDArray[np.bool_]

    def values(self, weights: Mapping[str, float], threads: int) -> Doubles:
        """Return the evaluations by given weights, in centipawns."""
        rules = self.rules.with_weights(weights, _UNIT)
        return values(self.game, rules, self.held, threads) / _UNIT


def _set(path: Path, find: Callable[[str], Game], settings: TuningSettings, number: int) -> _Set:
    game = find(str(read_facts(path)["game"]))
    rules = tunable(game, rules_with(game, None))
    check_game(game, path)
    whole = records(path)
    held = np.array(whole[:: max(1, len(whole) // settings.positions)])
    held = held[held["clock"] <= MAX_CLOCK]
    if not len(held):
        raise UserError(f"{path}: no positions to learn from")
    score = sigmoid(held["score"]).astype(np.float64)
    result = (held["result"].astype(np.float64) + 1) / 2
    targets = (1 - settings.wdl) * score + settings.wdl * result
    return _Set(path, game, rules, held, targets, ~is_validation(held["game"], number))


def _logistic(centipawns: Doubles, slope: float) -> Doubles:
    result: Doubles = 1 / (1 + np.exp(-slope * centipawns / SCALE))
    return result


@dataclass
class Tuner:
    """The weights while they are fitted."""

    find: Callable[[str], Game]
    settings: TuningSettings
    data: list[Path]
    #: Files of games that nothing is learnt from.
    tests: list[Path]
    report: Callable[[str], None]
    #: A file of weights to begin with; None: the engine's.
    first: Path | None = None
    weights: dict[str, float] = field(init=False)
    #: Of the chance to win, against the scale of scores: the one that suits the first weights.
    slope: float = 1.0

    def __post_init__(self) -> None:
        self._sets = [_set(p, self.find, self.settings, n) for n, p in enumerate(self.data)]
        self._tests = [_set(p, self.find, self.settings, n) for n, p in enumerate(self.tests)]
        own = dict(self._sets[0].rules.weights)
        for other in (*self._sets, *self._tests):
            if list(other.rules.weights) != list(own):
                raise UserError(f"{other.path}: {other.game.name} is evaluated by other weights")
        self.weights = own if self.first is None else read_weights(self.first, own)
        fitted = [n for n in own if not self.settings.only or n.startswith(self.settings.only)]
        if not fitted:
            raise UserError(f"no weight begins with {' or '.join(self.settings.only)}")
        self._names = fitted
        self._known = dict(self.weights)
        #: How far each weight is moved to measure its slope.
        self._steps = dict.fromkeys(fitted, 1.0)

    def _values(self, of: _Set, weights: Mapping[str, float]) -> Doubles:
        return of.values(weights, self.settings.threads)

    def losses(self, of: _Set, weights: Mapping[str, float]) -> tuple[float, float]:
        """Return the losses on the fitted positions, and on the test positions."""
        error = (_logistic(self._values(of, weights), self.slope) - of.targets) ** 2
        return float(error[of.learnt].mean()), float(error[~of.learnt].mean())

    def _loss(self, weights: Mapping[str, float]) -> float:
        """Return the loss that is minimised: the mean over the files."""
        return float(np.mean([self.losses(of, weights)[0] for of in self._sets]))

    def _fit_slope(self) -> None:
        seen = [(self._values(of, self.weights), of) for of in self._sets]

        def loss(slope: float) -> float:
            each = [np.mean((_logistic(v, slope) - of.targets)[of.learnt] ** 2) for v, of in seen]
            return float(np.mean(each))

        low, high = 0.2, 3.0
        while high - low > 0.005:
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, two) if loss(one) < loss(two) else (one, high)
        self.slope = (low + high) / 2

    def _fit_steps(self) -> None:
        """Choose how far weights are moved; one that changes nothing is left as it is."""
        some = [replace(of, held=of.held[:: len(of.held) // _SOME + 1]) for of in self._sets]
        before = [self._values(of, self.weights) for of in some]
        idle = []
        for name in self._names:
            step = max(1.0, abs(self.weights[name]) / 8)
            for _ in range(4):
                moved = {**self.weights, name: self.weights[name] + step}
                changes = [
                    np.sqrt(np.mean((self._values(of, moved) - was) ** 2))
                    for of, was in zip(some, before, strict=True)
                ]
                change = max(changes)
                if change == 0:
                    break
                step *= min(max(_PROBE / change, 0.01), 20.0)
            if change == 0:
                idle.append(name)
            self._steps[name] = step
        self._names = [name for name in self._names if name not in idle]
        if idle:
            self.report(f"without effect, left alone: {', '.join(idle)}")

    def _slopes(self, of: _Set, base: Doubles) -> NDArray[np.float32]:
        """Return the change of evaluations with a step of each weight: (positions, weights)."""
        result = np.zeros((len(base), len(self._names)), dtype=np.float32)
        for number, name in enumerate(self._names):
            moved = {**self.weights, name: self.weights[name] + self._steps[name]}
            result[:, number] = self._values(of, moved) - base
        return result

    def _equations(self) -> tuple[Doubles, Doubles]:
        """Return matrix and right side of the Gauss-Newton equations, in steps of the weights."""
        count = len(self._names)
        matrix, right = np.zeros((count, count)), np.zeros(count)
        for of in self._sets:
            base = self._values(of, self.weights)
            slopes = self._slopes(of, base)[of.learnt].astype(np.float64)
            chances = _logistic(base, self.slope)[of.learnt]
            steep = chances * (1 - chances) * self.slope / SCALE
            share = 1 / (len(self._sets) * len(steep))
            weighed = slopes * steep[:, None]
            matrix += share * weighed.T @ weighed
            right += share * weighed.T @ (of.targets[of.learnt] - chances)
        # what is known before: that the weights are what they were
        steps = np.array([self._steps[name] for name in self._names])
        was = np.array([self._known[name] - self.weights[name] for name in self._names]) / steps
        hold = self.settings.hold / 1000 * (0.2 * self.slope / SCALE) ** 2 * _PROBE**2
        return matrix + hold * np.eye(count), right + hold * was

    def _improved(self, loss: float) -> float:
        """Do one round; return the loss after it, which is no greater than before."""
        matrix, right = self._equations()
        damping = 0.0
        for _ in range(_TRIES):
            moves = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), right)
            moved = dict(self.weights)
            for name, move in zip(self._names, moves, strict=True):
                moved[name] += float(move) * self._steps[name]
            after = self._loss(moved)
            if after < loss:
                self.weights = moved
                return after
            damping = max(0.1, 10 * damping)
        return loss

    def run(self) -> list[str]:
        """Fit the weights and report the progress; return the weights."""
        for of in (*self._sets, *self._tests):
            message = "" if of in self._sets else ", only to test with"
            self.report(f"{of.path}: {of.game.name}, {counted(len(of.held), 'position')}{message}")
        self._fit_slope()
        self.report(f"a score of 100 means what {100 * self.slope:.0f} means to a net's loss")
        self._fit_steps()
        every = (*self._sets, *self._tests)
        before = [self.losses(of, self.weights) for of in every]
        loss = self._loss(self.weights)
        for number in range(self.settings.rounds):
            after = self._improved(loss)
            self.report(f"round {number + 1}: loss {after:.6f}, before {loss:.6f}")
            done = loss - after < _GOOD_ENOUGH
            loss = after
            if done:
                break
        self.weights = {name: rounded(value) for name, value in self.weights.items()}
        results = []
        for of, (learnt, others) in zip(every, before, strict=True):
            now, now_others = self.losses(of, self.weights)
            line = f"{of.game.name}, {of.path.name}: loss {learnt:.5f} to {now:.5f}"
            results.append(f"{line}, of games kept apart {others:.5f} to {now_others:.5f}")
        return results


def tune(
    find: Callable[[str], Game],
    settings: TuningSettings,
    data: list[Path],
    tests: list[Path],
    out: Path,
    *,
    first: Path | None = None,
    report: Callable[[str], None],
) -> None:
    """Fit the weights to files of positions and write them; UserError for unsuitable files."""
    with naming(out):
        WEIGHTS.check(out)
    tuner = Tuner(find, settings, data, tests, report, first)
    lines = tuner.run()
    for line in lines:
        report(line)
    with naming(out):
        write_whole(out, written(tuner.weights, lines), WEIGHTS)
    report(f"{out}: {counted(len(tuner.weights), 'weight')}")
