"""The hypernetwork's weights, and the nets that it makes of games."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.training import HAND, Training
from ryugi_engine.nnue.architecture import MAX_PIECES, QA, king_zones
from ryugi_engine.nnue.float_net import FEATURE_WEIGHT_LIMIT, FloatNet, Weights
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net
from ryugi_engine.nnue.origin import BEGUN_AS, HYPERNET
from variants.chess.hypernet import features as F
from variants.chess.hypernet.features import Features, Floats

#: Sums of an accumulator stay below this: 16 bits, and some room for rounding.
_HIGHEST_SUM = 32000


class Arrays(NamedTuple):
    """What is learnt, or its gradients. The first axis of most is own and enemy pieces."""

    kinds: Floats  # (2, KIND_FEATURES, SQUARE_FEATURES, hidden)
    places: Floats  # (2, PLACE_FEATURES, hidden)
    hands: Floats  # (2, KIND_FEATURES, HAND_FEATURES, hidden)
    classes: Floats  # (2, classes, CLASS_SQUARES, hidden)
    class_hands: Floats  # (2, classes, HAND_FEATURES, hidden)
    counters: Floats  # (2, len(COUNTERS), LEVELS, hidden)
    game: Floats  # (GAME_FEATURES, hidden)
    bias: Floats  # (hidden,)
    output_weights: Floats  # (output buckets, 2, hidden)
    output_biases: Floats  # (output buckets,)

    def zeros(self) -> Arrays:
        """Return arrays of the same shapes, filled with zeros."""
        return Arrays(*map(np.zeros_like, self))


class _Levels(NamedTuple):
    """The features of a counter: from where on, how many, and what they are of."""

    first: int
    high: int
    #: Number of the kind in hand, else -1; number in COUNTERS, else -1.
    kind: int
    counter: int


def _levels(inputs: Inputs, side: int) -> list[_Levels]:
    """Return the features of the counters; ``side`` 0: of the own ones."""
    found = []
    for number, (name, high) in enumerate(inputs.counters):
        sign = name.removesuffix(HAND)
        kind = inputs.kinds.index(sign) if name.endswith(HAND) else -1
        counter = F.COUNTERS.index(name) if name in F.COUNTERS else -1
        found.append(_Levels(inputs.counted(0, number, side), high, kind, counter))
    return found


def _in_hand(high: int) -> Floats:
    """Return the hand features of the first piece, of the second, ..."""
    numbers = np.arange(high, dtype=np.float32)
    return np.stack([np.ones_like(numbers), numbers / F.LEVELS], axis=1)


@dataclass(frozen=True)
class Hypernet:
    """A function from games to nets."""

    #: Numbers of the classes by their keys.
    classes: Mapping[str, int]
    arrays: Arrays

    # ---- a game's net

    def known(self, game: Features, forgotten: Collection[int] = ()) -> NDArray[np.int64]:
        """Return each kind's class, -1 for one that has none or is ``forgotten``."""
        numbers = [self.classes.get(key, -1) for key in game.classes]
        return np.array([-1 if k in forgotten else n for k, n in enumerate(numbers)])

    def float_net(self, game: Features, inputs: Inputs, known: NDArray[np.int64]) -> FloatNet:
        """Return a game's net in floating point; ``known`` are the kinds' classes."""
        a = self.arrays
        bias = np.clip(a.bias + game.game @ a.game, -FEATURE_WEIGHT_LIMIT, FEATURE_WEIGHT_LIMIT)
        weights = Weights(
            self._first_layer(game, inputs, known),
            bias.astype(np.float32),
            a.output_weights.copy(),
            a.output_biases.copy(),
        )
        zones = king_zones(inputs.files, inputs.ranks, 0)
        return FloatNet(inputs, min(game.pieces, MAX_PIECES), zones, weights)

    def _first_layer(self, game: Features, inputs: Inputs, known: NDArray[np.int64]) -> Floats:
        """Return feature weights, shape (features, hidden)."""
        a, hidden = self.arrays, len(self.arrays.bias)
        found = np.zeros((inputs.features, hidden), np.float32)
        board = found[: 2 * len(known) * inputs.squares].reshape(2, len(known), -1, hidden)
        new, old = np.flatnonzero(known < 0), np.flatnonzero(known >= 0)
        for side in range(2):
            mixed = np.tensordot(game.kinds[new], a.kinds[side], 1)
            board[side, new] = np.matmul(game.squares, mixed) + game.places[new] @ a.places[side]
            board[side, old] = np.matmul(game.class_squares, a.classes[side, known[old]])
            for first, high, kind, counter in _levels(inputs, side):
                rows = found[first : first + high]
                if kind >= 0 and known[kind] >= 0:
                    rows[:] = _in_hand(high) @ a.class_hands[side, known[kind]]
                elif kind >= 0:
                    rows[:] = _in_hand(high) @ np.tensordot(game.kinds[kind], a.hands[side], 1)
                elif counter >= 0:
                    rows[: F.LEVELS] = a.counters[side, counter, :high]
        return np.clip(found, -FEATURE_WEIGHT_LIMIT, FEATURE_WEIGHT_LIMIT)

    def add_gradients(
        self, game: Features, inputs: Inputs, known: NDArray[np.int64], net: Weights, into: Arrays
    ) -> None:
        """Add the gradients of a game's net, carried back to what it was made of."""
        hidden = len(self.arrays.bias)
        rows = net.feature_weights
        board = rows[: 2 * len(known) * inputs.squares].reshape(2, len(known), -1, hidden)
        new, old = np.flatnonzero(known < 0), np.flatnonzero(known >= 0)
        for side in range(2):
            slopes = board[side, new]
            mixed = np.matmul(game.squares.T, slopes)
            into.kinds[side] += np.tensordot(game.kinds[new].T, mixed, 1)
            into.places[side] += np.tensordot(game.places[new], slopes, ((0, 1), (0, 1)))
            of_class = np.matmul(game.class_squares.T, board[side, old])
            np.add.at(into.classes[side], known[old], of_class)
            for first, high, kind, counter in _levels(inputs, side):
                slope = rows[first : first + high]
                held = _in_hand(high).T @ slope
                if kind >= 0 and known[kind] >= 0:
                    into.class_hands[side, known[kind]] += held
                elif kind >= 0:
                    into.hands[side] += game.kinds[kind][:, None, None] * held
                elif counter >= 0:
                    into.counters[side, counter, :high] += slope[: F.LEVELS]
        into.bias[:] += net.feature_biases
        into.game[:] += np.outer(game.game, net.feature_biases)
        into.output_weights[:] += net.output_weights
        into.output_biases[:] += net.output_biases

    def net(self, game: Features, training: Training, name: str) -> Net:
        """Return a game's net."""
        known = self.known(game)
        made = _within_range(self.float_net(game, training.inputs, known))
        unknown = [kind for kind, n in zip(training.inputs.kinds, known, strict=True) if n < 0]
        card = {BEGUN_AS: HYPERNET, "unknown kinds": " ".join(unknown)}
        return made.quantised(name, metadata=card, rules=training.rules)

    # ---- files

    def write(self, path: Path) -> None:
        """Write a file; weights are rounded to 8 bits, with a scale for each feature."""
        held: dict[str, Any] = {"keys": np.array([*self.classes])}
        for name, array in self.arrays._asdict().items():
            if array.ndim < 4:
                held[name] = array.astype(np.float16)
                continue
            scale = np.maximum(np.abs(array).max(axis=(2, 3), keepdims=True), 1e-6) / 127
            held[name] = np.rint(array / scale).astype(np.int8)
            held[f"{name} scale"] = scale.astype(np.float32)
        np.savez_compressed(path, **held)

    @classmethod
    def read(cls, path: Path) -> Hypernet:
        """Read a file that :meth:`write` has written. Raises UserError for any other."""
        try:
            with np.load(path, allow_pickle=False) as held:
                arrays = {name: held[name].astype(np.float32) for name in Arrays._fields}
                for name in Arrays._fields:
                    if f"{name} scale" in held:
                        arrays[name] *= held[f"{name} scale"]
                classes = {str(key): number for number, key in enumerate(held["keys"])}
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise UserError(f"{path}: this is no hypernetwork: {error}") from None
        return cls(classes, Arrays(**arrays))


def _within_range(net: FloatNet) -> FloatNet:
    """Clip the weights of neurons whose sums could leave 16 bits."""
    inputs, weights = net.inputs, net.weights.feature_weights
    board = weights[: inputs.planes * inputs.squares].reshape(inputs.planes, inputs.squares, -1)
    counted = np.abs(weights[inputs.planes * inputs.squares :]).sum(axis=0)
    rest = np.abs(net.weights.feature_biases) + counted + (inputs.squares + 64) / QA
    limit = np.full(weights.shape[1], FEATURE_WEIGHT_LIMIT, np.float32)
    while True:
        clipped = np.clip(board, -limit, limit)
        low = np.minimum(clipped.min(axis=0), 0).sum(axis=0)
        high = np.maximum(clipped.max(axis=0), 0).sum(axis=0)
        over = (np.maximum(-low, high) + rest) * QA > _HIGHEST_SUM
        if not over.any() or limit.min() < 0.01:
            board[:] = clipped
            return net
        limit[over] *= 0.93
