"""The loss of a net on a batch, its gradients, and the AdamW step.

These functions work on float arrays, unlike the engine's kernels, and are compiled in each process
that trains, which takes seconds. Sources: D. Kingma and J. Ba 2015 (Adam); I. Loshchilov and F.
Hutter 2019 (AdamW), 2017 (cosine schedule).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from ryugi_engine.nnue.architecture import king_zone_table, output_bucket_table
from ryugi_engine.nnue.float_net import Floats
from ryugi_engine.nnue.inference import Cells, Layers
from ryugi_engine.nnue.inputs import MAX_COUNTED, UNMOVED, WALL, feature_tables

#: AdamW's constants.
BETA_1, BETA_2 = 0.9, 0.999


class Tables(NamedTuple):
    """The index tables of an architecture, see ``nnue.architecture``."""

    first: NDArray[np.int32]  # first feature by [king zone, perspective, value, cell]
    number: NDArray[np.uint8]  # number of features by [value, cell]
    squares: int  # the first cells
    black: int  # piece codes from here on are Black's
    zones: NDArray[np.int64]  # [mirrored, perspective, king's square]
    buckets: NDArray[np.int64]  # [number of pieces]
    king: int  # code of White's king, 0 if there is none

    @classmethod
    def of(cls, net: Layers) -> Tables:
        """Return the tables of a net's architecture."""
        inputs, king_buckets = net.inputs, int(net.zones.max()) // 2 + 1
        return cls(
            *feature_tables(inputs, king_buckets),
            inputs.squares,
            inputs.black,
            king_zone_table(net.zones, inputs),
            output_bucket_table(len(net.output_weights), net.max_pieces),
            inputs.king,
        )


class Batch(NamedTuple):
    """Positions to train on: those that ``order`` picks from arrays of n positions."""

    order: NDArray[np.int64]  # (batch,)
    mirrored: NDArray[np.uint8]  # (batch,): 1 to mirror the board left to right
    cells: Cells  # (n, cells)
    sides: NDArray[np.uint8]  # (n,)
    targets: Floats  # (n,): chances to win, of the side to move


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = numba.njit(
        nogil=True, fastmath=True, error_model="numpy", boundscheck=False
    )(function)
    return compiled


@_compiled
def gradients(batch, tables, weights, slopes):
    """Return the loss of a batch, summed; add the gradients to ``slopes``.

    The loss of a position is (sigmoid(output + base) - target) ** 2. ``weights`` and ``slopes`` are
    ``float_net.Weights``; with slopes of size 0 only the loss is computed.
    """
    hidden_size = weights.feature_biases.shape[0]
    cells = batch.cells.shape[1]
    highest = tables.number.shape[0] - 1
    training = slopes.output_biases.shape[0] > 0
    features = np.empty((2, cells + 2 * MAX_COUNTED), dtype=np.int32)
    kings = np.empty(2, dtype=np.int64)
    zones = np.empty(2, dtype=np.int64)
    accumulators = np.empty((2, hidden_size), dtype=np.float32)
    back = np.empty((2, hidden_size), dtype=np.float32)
    loss = 0.0
    for place in range(batch.order.shape[0]):
        number = batch.order[place]
        mirrored = batch.mirrored[place]
        side = batch.sides[number]
        for i in range(hidden_size):
            accumulators[0, i] = weights.feature_biases[i]
            accumulators[1, i] = weights.feature_biases[i]

        # forward: accumulators of both perspectives
        kings[:] = -1
        zones[:] = mirrored
        for square in range(tables.squares):
            code = batch.cells[number, square] % UNMOVED
            for half in range(2):
                perspective = abs(side - half)
                if code == tables.king + tables.black * perspective and tables.king > 0:
                    if kings[half] < 0:
                        kings[half] = square
                        zones[half] = tables.zones[mirrored, perspective, square]
        count = pieces = 0
        for cell in range(cells):
            value = min(batch.cells[number, cell], highest)
            if value == 0:
                continue
            if cell < tables.squares and value != WALL:
                pieces += 1
            own = tables.first[zones[0], side, value, cell]
            other = tables.first[zones[1], 1 - side, value, cell]
            for level in range(tables.number[value, cell]):
                features[0, count] = own + level
                features[1, count] = other + level
                count += 1
        for half in range(2):
            for piece in range(count):
                row = features[half, piece]
                for i in range(hidden_size):
                    accumulators[half, i] += weights.feature_weights[row, i]

        # forward: SCReLU and output
        bucket = tables.buckets[min(pieces, tables.buckets.shape[0] - 1)]
        output = weights.output_biases[bucket]
        for half in range(2):
            for i in range(hidden_size):
                clipped = min(max(accumulators[half, i], np.float32(0.0)), np.float32(1.0))
                output += weights.output_weights[bucket, half, i] * clipped * clipped
        chance = 1.0 / (1.0 + math.exp(-output))
        error = chance - batch.targets[number]
        loss += error * error
        if not training:
            continue

        # backward
        slope = np.float32(2.0 * error * chance * (1.0 - chance))
        slopes.output_biases[bucket] += slope
        for half in range(2):
            for i in range(hidden_size):
                value = accumulators[half, i]
                clipped = min(max(value, np.float32(0.0)), np.float32(1.0))
                slopes.output_weights[bucket, half, i] += slope * clipped * clipped
                unclipped = np.float32(1.0) if 0.0 < value < 1.0 else np.float32(0.0)
                weight = weights.output_weights[bucket, half, i]
                back[half, i] = slope * weight * np.float32(2.0) * clipped * unclipped
                slopes.feature_biases[i] += back[half, i]
        for piece in range(count):
            own = features[0, piece]
            other = features[1, piece]
            for i in range(hidden_size):
                slopes.feature_weights[own, i] += back[0, i]
            for i in range(hidden_size):
                slopes.feature_weights[other, i] += back[1, i]
    return loss


@_compiled
def adamw_step(
    weights, gradient, first, second, learning_rate, number, scale, decay, limit, epsilon=1e-8
):
    """Update flat arrays of weights by AdamW; the gradient is scaled by ``scale`` and reset.

    ``first`` and ``second`` are the moments, ``number`` counts the steps from 1. Weights are
    clipped to +-``limit``. A weight whose gradients are far below ``epsilon`` hardly changes.
    """
    correction_1 = 1.0 / (1.0 - BETA_1**number)
    correction_2 = 1.0 / (1.0 - BETA_2**number)
    for i in range(weights.shape[0]):
        g = gradient[i] * scale
        gradient[i] = 0.0
        first[i] = BETA_1 * first[i] + (1.0 - BETA_1) * g
        second[i] = BETA_2 * second[i] + (1.0 - BETA_2) * g * g
        change = first[i] * correction_1 / (math.sqrt(second[i] * correction_2) + epsilon)
        value = weights[i] - learning_rate * (change + decay * weights[i])
        weights[i] = min(max(value, -limit), limit)
