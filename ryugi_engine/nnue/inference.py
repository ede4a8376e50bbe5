"""The forward pass in numpy, for quantised and float nets: the reference of kernels and trainer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.nnue.architecture import QA, KingZones, king_zone_table, output_bucket_table
from ryugi_engine.nnue.inputs import UNMOVED, WALL, Inputs, feature_tables

Cells = NDArray[np.uint8]


class Layers(Protocol):
    """The shape and weights of a net, quantised (int16) or float."""

    @property
    def inputs(self) -> Inputs: ...
    @property
    def max_pieces(self) -> int: ...
    @property
    def zones(self) -> KingZones: ...
    @property
    def feature_weights(self) -> NDArray[Any]:
        """Feature weights, shape (features, hidden_size)."""

    @property
    def feature_biases(self) -> NDArray[Any]:
        """Accumulator biases, shape (hidden_size,)."""

    @property
    def output_weights(self) -> NDArray[Any]:
        """Output weights, shape (output_buckets, 2, hidden_size), the side to move's half first."""

    @property
    def output_biases(self) -> Sequence[int] | NDArray[Any]:
        """Output biases, length output_buckets."""


def accumulators(net: Layers, cells: Cells, perspectives: NDArray[Any]) -> NDArray[Any]:
    """Return the accumulator of one perspective of each position, shape (n, hidden_size)."""
    weights, inputs = net.feature_weights, net.inputs
    kind = np.int64 if weights.dtype == np.int16 else np.float64
    tables = feature_tables(inputs, int(net.zones.max()) // 2 + 1)
    # row -1 is zero
    padded = np.vstack([weights, np.zeros((1, weights.shape[1]), weights.dtype)])
    kings = _kings(inputs, cells, perspectives)
    zones = king_zone_table(net.zones, inputs)[0, perspectives, kings]
    zones[kings < 0] = 0
    sums = np.repeat(net.feature_biases.astype(kind)[None, :], len(cells), axis=0)
    values = np.minimum(cells, len(tables.number) - 1)
    for cell in range(inputs.cells):
        first = tables.first[zones, perspectives, values[:, cell], cell]
        count = tables.number[values[:, cell], cell]
        for number in range(int(count.max(initial=0))):
            sums += padded[np.where(number < count, first + number, -1)]
    return sums


def _kings(inputs: Inputs, cells: Cells, sides: NDArray[Any]) -> NDArray[np.int64]:
    """Return the squares of sides' kings, -1 where there is none, shape (n,)."""
    code = inputs.king + inputs.black * sides.astype(np.int64)
    found = (cells[:, : inputs.squares] % UNMOVED == code[:, None]) & (inputs.king > 0)
    return np.where(found.any(axis=1), np.argmax(found, axis=1), -1)


def pieces_on_board(inputs: Inputs, cells: Cells) -> NDArray[np.int64]:
    """Return the number of pieces on the board of each position, shape (n,)."""
    board = cells[:, : inputs.squares]
    pieces: NDArray[np.int64] = np.count_nonzero((board != 0) & (board != WALL), axis=1)
    return pieces


def buckets_of(net: Layers, cells: Cells) -> NDArray[np.int64]:
    """Return the output bucket of each position, shape (n,)."""
    table = output_bucket_table(len(net.output_weights), net.max_pieces)
    pieces = np.minimum(pieces_on_board(net.inputs, cells), len(table) - 1)
    buckets: NDArray[np.int64] = table[pieces]
    return buckets


def forward(net: Layers, cells: Cells, sides: NDArray[Any]) -> NDArray[Any]:
    """Return the outputs of positions for the side to move, shape (n,).

    ``cells`` have shape (n, cells), ``sides`` are 0 for White to move and 1 for Black. Integers of
    a quantised net (QA * QA * qb is 1.0), float64 of a float net. With king zones a position has a
    king of each side.
    """
    one, kind = (QA, np.int64) if net.feature_weights.dtype == np.int16 else (1.0, np.float64)
    buckets = buckets_of(net, cells)
    outputs: NDArray[Any] = np.asarray(net.output_biases).astype(kind)[buckets]
    for opponent in range(2):
        perspectives = (sides.astype(np.int64) + opponent) % 2
        clipped = np.clip(accumulators(net, cells, perspectives), 0, one)
        weights = net.output_weights[buckets, opponent].astype(kind)
        outputs += (clipped * clipped * weights).sum(axis=1)
    return outputs
