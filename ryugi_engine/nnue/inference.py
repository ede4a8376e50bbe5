"""The forward pass in numpy, for quantised and float nets: the reference of kernels and trainer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.nnue.architecture import (
    BLACK,
    KING,
    QA,
    KingZones,
    feature_table,
    king_zone_table,
    output_bucket_table,
)

Pieces = NDArray[np.uint8]


class Layers(Protocol):
    """The shape and weights of a net, quantised (int16) or float."""

    @property
    def files(self) -> int: ...
    @property
    def ranks(self) -> int: ...
    @property
    def letters(self) -> str: ...
    @property
    def max_pieces(self) -> int: ...
    @property
    def zones(self) -> KingZones: ...
    @property
    def feature_weights(self) -> NDArray[Any]:
        """Shape (features, hidden_size)."""

    @property
    def feature_biases(self) -> NDArray[Any]:
        """Shape (hidden_size,)."""

    @property
    def output_weights(self) -> NDArray[Any]:
        """Shape (output_buckets, 2, hidden_size): the side to move's half first."""

    @property
    def output_biases(self) -> Sequence[int] | NDArray[Any]:
        """Length output_buckets."""


def accumulators(net: Layers, pieces: Pieces, perspectives: NDArray[Any]) -> NDArray[Any]:
    """Return the accumulator of one perspective of each position, shape (n, hidden_size)."""
    weights = net.feature_weights
    kind = np.int64 if weights.dtype == np.int16 else np.float64
    table = feature_table(len(net.letters), net.files, net.ranks, int(net.zones.max()) // 2 + 1)
    # row -1, for empty squares, is zero
    padded = np.vstack([weights, np.zeros((1, weights.shape[1]), weights.dtype)])
    kings = np.argmax(pieces == (KING + BLACK * perspectives.astype(np.uint8))[:, None], axis=1)
    zones = king_zone_table(net.zones, net.files, net.ranks)[0, perspectives, kings]
    sums = np.repeat(net.feature_biases.astype(kind)[None, :], len(pieces), axis=0)
    for square in range(net.files * net.ranks):
        sums += padded[table[zones, perspectives, pieces[:, square], square]]
    return sums


def buckets_of(net: Layers, pieces: Pieces) -> NDArray[np.int64]:
    """Return the output bucket of each position, shape (n,)."""
    table = output_bucket_table(len(net.output_weights), net.max_pieces)
    buckets: NDArray[np.int64] = table[np.count_nonzero(pieces, axis=1)]
    return buckets


def forward(net: Layers, pieces: Pieces, sides: NDArray[Any]) -> NDArray[Any]:
    """Return the outputs of positions for the side to move, shape (n,).

    ``pieces`` are piece codes of shape (n, squares), ``sides`` 0 for White to move and 1 for Black.
    Integers of a quantised net (QA * QA * qb is 1.0), float64 of a float net. A position has a king
    of each side.
    """
    one, kind = (QA, np.int64) if net.feature_weights.dtype == np.int16 else (1.0, np.float64)
    buckets = buckets_of(net, pieces)
    outputs: NDArray[Any] = np.asarray(net.output_biases).astype(kind)[buckets]
    for opponent in range(2):
        perspectives = (sides.astype(np.int64) + opponent) % 2
        clipped = np.clip(accumulators(net, pieces, perspectives), 0, one)
        weights = net.output_weights[buckets, opponent].astype(kind)
        outputs += (clipped * clipped * weights).sum(axis=1)
    return outputs
