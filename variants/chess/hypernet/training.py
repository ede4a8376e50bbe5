"""Learn the hypernetwork from positions of many games."""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.game import Game
from ryugi_engine.games.training import Training
from ryugi_engine.nnue.architecture import QA
from ryugi_engine.nnue.float_net import FEATURE_WEIGHT_LIMIT, OUTPUT_WEIGHT_LIMIT
from ryugi_engine.nnue.net import Net
from ryugi_engine.train.dataset import Dataset, load
from ryugi_engine.train.gradients import Batch, Tables, adamw_step, gradients
from ryugi_engine.train.trainable_game import own_net, trainable, training_of
from variants.chess.hypernet import features as F
from variants.chess.hypernet.features import Features, features_of
from variants.chess.hypernet.hypernet import Arrays, Hypernet

#: What the base's weights are learnt with, as a share of the learning rate: they know much already.
_BASE_RATE = 0.1
_WARM_UP = 50
#: Of a known kind's batches, the share in which it is taken for unknown: so the function of its
#: features is learnt too.
_FORGOTTEN = 0.35
_LOG_SECONDS = 10.0
#: The arrays that begin as the base's, and the limits of weights that have others.
_OF_THE_BASE = ("bias", "output_weights", "output_biases")
_LIMITS = {"output_weights": OUTPUT_WEIGHT_LIMIT, "output_biases": 1e9}


class Settings(NamedTuple):
    """Hyperparameters."""

    epochs: int = 3
    learning_rate: float = 0.0003
    wdl: float = 0.2
    batch_size: int = 4096
    #: Games that a batch has positions of.
    games: int = 4
    weight_decay: float = 0.1
    threads: int = 2
    seed: int = 0


@dataclass
class _Source:
    """The positions of one game."""

    game: Game
    training: Training
    features: Features
    data: Dataset
    targets: Any
    tables: Tables | None = None


def _source(game: Game, paths: Sequence[Path], wdl: float) -> _Source:
    training, data = training_of(game), load(game, paths, most=sys.maxsize)
    rules: Any = trainable(game)
    features = features_of(rules.definition, training)
    return _Source(game, training, features, data, data.targets(wdl))


def _begun(sources: Sequence[_Source], base: Game, seed: int) -> Hypernet:
    """Return a hypernet whose classes begin as the pieces of a net, on that net's board."""
    net = own_net(base)
    assert isinstance(net, Net)
    assert (net.inputs.files, net.inputs.ranks) == (F.GRID, F.GRID)
    rules: Any = trainable(base)
    own = features_of(rules.definition, training_of(base)).classes
    seen = Counter(key for source in sources for key in set(source.features.classes))
    keys = [*own, *(key for key, n in sorted(seen.items()) if n > 1 and key not in own)]
    random, hidden = np.random.default_rng(seed), net.hidden_size

    def normal(deviation: float, *shape: int) -> Any:
        return random.normal(0, deviation, (*shape, hidden)).astype(np.float32)

    def zeros(*shape: int) -> Any:
        return np.zeros((*shape, hidden), np.float32)

    arrays = Arrays(
        normal(0.003, 2, F.KIND_FEATURES, F.SQUARE_FEATURES),
        normal(0.005, 2, F.PLACE_FEATURES),
        normal(0.003, 2, F.KIND_FEATURES, F.HAND_FEATURES),
        zeros(2, len(keys), F.CLASS_SQUARES),
        zeros(2, len(keys), F.HAND_FEATURES),
        zeros(2, len(F.COUNTERS), F.LEVELS),
        zeros(F.GAME_FEATURES),
        (net.feature_biases / QA).astype(np.float32),
        (net.output_weights / net.qb).astype(np.float32),
        (np.array(net.output_biases) / (QA * QA * net.qb)).astype(np.float32),
    )
    squares = net.inputs.squares
    board = net.feature_weights[: 2 * len(own) * squares].reshape(2, len(own), squares, hidden)
    arrays.classes[:, : len(own), :squares] = board / QA
    return Hypernet({key: number for number, key in enumerate(keys)}, arrays)


def losses(hypernet: Hypernet, source: _Source, order: NDArray[np.int64]) -> tuple[float, float]:
    """Return a game's loss to the search's scores, and to the results."""
    known = hypernet.known(source.features)
    net = hypernet.float_net(source.features, source.training.inputs, known)
    none = net.weights.map(lambda array: np.zeros((0,) * array.ndim, np.float32))
    tables, data = Tables.of(net), source.data
    plain = np.zeros(len(order), np.uint8)
    found = (
        float(gradients(Batch(order, plain, data.cells, data.sides, by), tables, net.weights, none))
        for by in (data.scores, data.results)
    )
    score, result = (loss / len(order) for loss in found)
    return score, result


class _Trainer:
    def __init__(self, hypernet: Hypernet, own: int, settings: Settings) -> None:
        """``own``: the first classes are the base's."""
        self._net, self._own, self._settings = hypernet, own, settings
        self._first, self._second = hypernet.arrays.zeros(), hypernet.arrays.zeros()
        self._steps = 0

    def gradients(
        self, source: _Source, order: NDArray[np.int64], forgotten: list[int], mirrored: Any
    ) -> tuple[Arrays, float]:
        """Return the gradients of a part of a batch, and its loss."""
        net, inputs = self._net, source.training.inputs
        known = net.known(source.features, forgotten)
        made = net.float_net(source.features, inputs, known)
        source.tables = source.tables or Tables.of(made)
        slopes, data = made.weights.zeros(), source.data
        batch = Batch(order, mirrored, data.cells, data.sides, source.targets)
        loss = float(gradients(batch, source.tables, made.weights, slopes))
        found = net.arrays.zeros()
        net.add_gradients(source.features, inputs, known, slopes, found)
        return found, loss

    def step(self, slopes: Arrays, positions: int, share: float) -> None:
        """Update the weights; ``share`` of the learning rate."""
        self._steps += 1
        rate = self._settings.learning_rate * share * min(1.0, self._steps / _WARM_UP)
        decay = self._settings.weight_decay
        for name in Arrays._fields:
            limit = _LIMITS.get(name, FEATURE_WEIGHT_LIMIT)
            if name != "classes":
                share = _BASE_RATE if name in _OF_THE_BASE else 1.0
                kept = decay if name in ("kinds", "places", "hands") else 0.0
                self._update(name, ..., slopes, rate * share, kept, limit, positions)
                continue
            for side in range(2):
                own, others = (side, slice(self._own)), (side, slice(self._own, None))
                self._update(name, own, slopes, rate * _BASE_RATE, 0.0, limit, positions)
                self._update(name, others, slopes, rate, decay, limit, positions)

    def _update(
        self, name: str, part: Any, slopes: Arrays, rate: float, decay: float, limit: float, n: int
    ) -> None:
        def flat(arrays: Arrays) -> Any:
            view = getattr(arrays, name)[part].reshape(-1)
            assert np.shares_memory(view, getattr(arrays, name))
            return view

        adamw_step(
            flat(self._net.arrays), flat(slopes), flat(self._first), flat(self._second),
            rate, self._steps, 1.0 / n, decay, limit,
        )  # fmt: skip


def train(
    games: Sequence[tuple[Game, list[Path]]],
    base: Game,
    settings: Settings,
    report: Callable[[str], None],
    unseen: Sequence[str] = (),
) -> Hypernet:
    """Learn from files of positions by game; games of ``unseen`` are only measured."""
    sources = [_source(game, paths, settings.wdl) for game, paths in games]
    tests = [source for source in sources if source.game.name in unseen]
    sources = [source for source in sources if source.game.name not in unseen]
    net = _begun(sources, base, settings.seed)
    rules: Any = trainable(base)
    own = len(features_of(rules.definition, training_of(base)).classes)
    trainer, random = _Trainer(net, own, settings), np.random.default_rng(settings.seed)
    part = settings.batch_size // settings.games
    number = sum(len(source.data.training) for source in sources)
    total = max(1, settings.epochs * number // settings.batch_size)
    report(f"{len(sources)} games, {number:,} positions, {len(net.classes)} classes")

    def tell(epoch: int, loss: float) -> None:
        seen = np.mean([losses(net, s, s.data.validation) for s in sources], axis=0)
        line = f"epoch {epoch}: loss {loss:.5f}, validation {seen[0]:.5f}/{seen[1]:.5f}"
        if tests:
            each = {s.game.name: losses(net, s, np.arange(len(s.data.sides))) for s in tests}
            mean = np.mean([*each.values()], axis=0)
            line += f", unseen {mean[0]:.5f}/{mean[1]:.5f}: "
            line += " ".join(f"{name} {a:.4f}/{b:.4f}" for name, (a, b) in each.items())
        report(line)

    tell(0, 0.0)
    step, logged = 0, time.monotonic()
    with ThreadPoolExecutor(settings.threads) as pool:
        for epoch in range(settings.epochs):
            parts = []
            for source in sources:
                order = random.permutation(source.data.training)
                parts += [(source, order[at : at + part]) for at in range(0, len(order), part)]
            random.shuffle(parts)
            summed = positions_seen = 0.0
            for at in range(0, len(parts), settings.games):
                work = [
                    (
                        source,
                        order,
                        [*np.flatnonzero(random.random(len(source.features.classes)) < _FORGOTTEN)],
                        random.integers(0, 2, len(order), dtype=np.uint8)
                        * source.training.symmetric,
                    )
                    for source, order in parts[at : at + settings.games]
                ]
                slopes = net.arrays.zeros()
                for found, loss in pool.map(lambda item: trainer.gradients(*item), work):
                    for into, array in zip(slopes, found, strict=True):
                        np.add(into, array, out=into)
                    summed += loss
                positions = sum(len(item[1]) for item in work)
                positions_seen += positions
                step += 1
                cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, step / total)))
                trainer.step(slopes, positions, 0.01 + 0.99 * cosine)
                if time.monotonic() - logged > _LOG_SECONDS:
                    logged = time.monotonic()
                    report(f"  step {step} of {total}, loss {summed / positions_seen:.5f}")
            tell(epoch + 1, summed / max(1, positions_seen))
    return net
