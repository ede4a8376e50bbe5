"""The net in floating point: its numbers while they are learnt, and the integers made of them.

An output of 1.0 is SCALE centipawns; the chance to win is the logistic function of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.nets import (
    FACTOR_BITS,
    KING,
    MAX_MEN,
    ONE,
    SCALE,
    Net,
    feature,
    stage,
    usual_seats,
)
from ryugi_engine.games.training import BLACK, Training

Floats = NDArray[np.float32]
Pieces = NDArray[np.uint8]

#: An output weight of 1.0 as an integer, and the largest weights: 127 fits 16 bits with a lane.
UNIT = 128
OUTPUT_LIMIT = 127 / UNIT
INPUT_LIMIT = 1.98


def features(training: Training, buckets: int) -> NDArray[np.int32]:
    """The rows of inputs: [seat][view][piece code][square]; -1 where there is no piece."""
    kinds = len(training.letters)
    table = np.full((2 * buckets, 2, 2 * BLACK, training.squares), -1, dtype=np.int32)
    for seat, view in np.ndindex(2 * buckets, 2):
        for code in (*range(1, kinds + 1), *range(BLACK + 1, BLACK + kinds + 1)):
            for square in range(training.squares):
                table[seat, view, code, square] = feature(
                    kinds, training.files, training.ranks, view, code, square, seat
                )
    return table


def seats_of(training: Training, seats: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The seat of a view's king: [0, or 1 for the board in a mirror, left for right][view][square].

    A board in a mirror is seen through its seats alone: the turned one of each.
    """
    shape = (training.ranks, training.files)
    white = seats.reshape(shape).astype(np.int64)
    plain = np.stack([white, white[::-1]])
    turned = plain[..., ::-1] ^ 1
    return np.stack([plain, turned]).reshape(2, 2, training.squares)


def stages_of(stages: int, men: int) -> NDArray[np.int64]:
    """The stage for each number of pieces on the board."""
    return np.array([stage(count, stages, men) for count in range(MAX_MEN + 1)], dtype=np.int64)


@dataclass
class Model:
    """What is learnt of a net, see :mod:`ryugi_engine.games.nets`."""

    inputs: Floats  # (rows, lanes)
    biases: Floats  # (lanes,)
    outputs: Floats  # (stages, 2, lanes)
    constants: Floats  # (stages,)
    seats: NDArray[np.uint8]  # (squares,), not learnt

    @classmethod
    def fresh(
        cls, training: Training, lanes: int, seed: int, stages: int = 1, buckets: int = 0
    ) -> Model:
        """Random weights, small enough that most lanes begin within their range."""
        source = np.random.default_rng(seed)
        rows = 2 * len(training.letters) * training.squares

        def uniform(limit: float, *shape: int) -> Floats:
            return source.uniform(-limit, limit, shape).astype(np.float32)

        return cls(
            np.tile(uniform(0.1, rows, lanes), (max(buckets, 1), 1)),
            np.full(lanes, 0.25, dtype=np.float32),
            np.repeat(uniform(0.1, 1, 2, lanes), stages, axis=0),
            np.zeros(stages, dtype=np.float32),
            usual_seats(training.files, training.ranks, buckets),
        )

    @classmethod
    def of(cls, net: Net, training: Training, stages: int, buckets: int) -> Model:
        """A net's numbers to go on from; UserError if there is no way to them.

        All stages begin like a single one, all buckets like a single one.
        """
        if (net.files, net.ranks, net.letters) != (
            training.files,
            training.ranks,
            training.letters,
        ):
            raise UserError(f"a net of {net.game}: another board or other pieces")
        if net.stages not in (1, stages) or net.buckets not in (1, max(buckets, 1)):
            told = f"{net.stages} stages and {net.buckets} buckets"
            raise UserError(f"a net of {told} cannot become one of {stages} and {buckets}")

        def real(array: NDArray[np.int16], one: int) -> Floats:
            return (array.astype(np.float64) / one).astype(np.float32)

        constants = np.array(net.constants, dtype=np.float64) / (ONE * ONE * net.unit)
        return cls(
            np.tile(real(net.inputs, ONE), (max(buckets, 1) // net.buckets, 1)),
            real(net.biases, ONE),
            np.repeat(real(net.outputs, net.unit), stages // net.stages, axis=0),
            np.repeat(constants.astype(np.float32), stages // net.stages),
            usual_seats(training.files, training.ranks, buckets),
        )

    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """All that is learnt; changing it changes the model."""
        return self.inputs, self.biases, self.outputs, self.constants

    def changed(self, change: Callable[[Floats], Floats]) -> Model:
        """A model of other numbers."""
        arrays = self.inputs, self.biases, self.outputs, self.constants
        inputs, biases, outputs, constants = map(change, arrays)
        return Model(inputs, biases, outputs, constants, self.seats)

    def copies(self, fill: float | None = None) -> Model:
        """Independent weights, or as many of one value."""
        return self.changed(lambda a: a.copy() if fill is None else np.full_like(a, fill))

    def values(
        self, training: Training, pieces: Pieces, sides: NDArray[Any], men: int = MAX_MEN
    ) -> Floats:
        """Outputs for positions (n, squares); the plain way, which the learning kernel equals."""
        at = stages_of(len(self.constants), men)[np.count_nonzero(pieces, axis=1)]
        total: NDArray[np.float64] = self.constants.astype(np.float64)[at]
        for part in range(2):
            lanes = _sums(self, training, pieces, (sides + part) % 2)
            held = np.clip(lanes, 0.0, 1.0)
            total += (held * held * self.outputs[at, part].astype(np.float64)).sum(axis=1)
        values: Floats = total.astype(np.float32)
        return values

    def net(
        self,
        game: str,
        training: Training,
        correction: bool,
        card: Mapping[str, Any],
        men: int = MAX_MEN,
    ) -> Net:
        """The nearest integers; UserError if a sum of them could overflow."""

        def rounded(array: Floats, one: int) -> NDArray[np.int16]:
            return np.rint(array.astype(np.float64) * one).astype(np.int16)

        net = Net(
            game=game,
            files=training.files,
            ranks=training.ranks,
            letters=training.letters,
            correction=correction,
            inputs=rounded(self.inputs, ONE),
            biases=rounded(self.biases, ONE),
            outputs=rounded(self.outputs, UNIT),
            constants=tuple(round(float(value) * ONE * ONE * UNIT) for value in self.constants),
            unit=UNIT,
            men=men,
            seats=self.seats,
            card=card,
        )
        net.check()
        return net


def _sums(
    model: Model | Net, training: Training, pieces: Pieces, views: NDArray[Any]
) -> NDArray[Any]:
    """Lanes of one view of each position, in the type that the weights are summed in."""
    inputs = model.inputs
    rows = features(training, int(model.seats.max()) // 2 + 1)
    kind = np.int64 if inputs.dtype == np.int16 else np.float64
    padded = np.vstack([inputs, np.zeros((1, inputs.shape[1]), inputs.dtype)])  # row -1: nothing
    kings = np.argmax(pieces == (KING + BLACK * views.astype(np.uint8))[:, None], axis=1)
    seats = seats_of(training, model.seats)[0, views, kings]
    lanes = np.repeat(model.biases.astype(kind)[None, :], len(pieces), axis=0)
    for square in range(training.squares):
        lanes += padded[rows[seats, views, pieces[:, square], square]]
    return lanes


def quantised_values(
    net: Net, training: Training, pieces: Pieces, sides: NDArray[Any]
) -> NDArray[np.int64]:
    """:meth:`Net.value` of many positions (n, squares)."""
    at = stages_of(net.stages, net.men)[np.count_nonzero(pieces, axis=1)]
    total: NDArray[np.int64] = np.array(net.constants, dtype=np.int64)[at]
    for part in range(2):
        lanes = _sums(net, training, pieces, (sides + part) % 2)
        held = np.clip(lanes, 0, ONE)
        total += (held * held * net.outputs[at, part].astype(np.int64)).sum(axis=1)
    found: NDArray[np.int64] = (total * net.factor) >> FACTOR_BITS
    return found


def unbiased(
    model: Model, net: Net, training: Training, pieces: Pieces, sides: NDArray[Any]
) -> Net:
    """The net with its constants moved so that rounding shifts these positions by nothing."""
    wanted = model.values(training, pieces, sides, net.men).astype(np.float64) * SCALE
    shifts = quantised_values(net, training, pieces, sides) - wanted
    at = stages_of(net.stages, net.men)[np.count_nonzero(pieces, axis=1)]
    counts = np.bincount(at, minlength=net.stages)
    means = np.bincount(at, weights=shifts, minlength=net.stages) / np.maximum(counts, 1)
    moved = (
        constant - round(float(shift) / SCALE * ONE * ONE * net.unit)
        for constant, shift in zip(net.constants, means, strict=True)
    )
    return replace(net, constants=tuple(moved))
