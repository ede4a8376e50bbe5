"""The architecture of the evaluation nets (NNUE), its constants and its indices.

A net sees the board from two perspectives, the side to move's and the opponent's: own pieces first,
own first rank first. ::

    features of a perspective -> accumulator (hidden_size), SCReLU
    2 accumulators            -> one output, chosen by the output bucket

The features are those of :mod:`ryugi_engine.nnue.inputs`, for each king bucket. The square of the
own king selects the king bucket and whether the board is mirrored horizontally; only chess-like
games' nets have that. The accumulator is the sum of the active features' weights and the biases.
SCReLU clips it to 0..QA and squares it. Output weights and bias belong to an output bucket, which
depends on the number of pieces. An output of QA * QA * QB is SCALE centipawns.

Sources: Y. Nasu 2018 (NNUE); perspectives, SCReLU and buckets as common in open engines, see the
Chess Programming Wiki.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.nnue.inputs import Inputs

#: Quantisation: an activation of 1.0, and an output weight of 1.0.
QA, QB = 255, 128
#: Centipawns of an output of 1.0, unless a net has another scale; the chance to win is the logistic
#: function of the output.
SCALE = 400
MAX_SCALE = 100_000
#: Neurons of a perspective that kernels process at once: hidden sizes are multiples of it.
CHUNK = 32
MAX_HIDDEN_SIZE = 512
#: Maximum number of output buckets, of pieces on a board and of king buckets.
MAX_OUTPUT_BUCKETS, MAX_PIECES = 8, 128
MAX_KING_BUCKETS = 8

KingZones = NDArray[np.uint8]


def king_zones(files: int, ranks: int, king_buckets: int) -> KingZones:
    """Return the default table of king zones, shape (squares,), from the king's perspective.

    A king zone is 2 * king bucket + 1 if the board is mirrored. With 0 king buckets there is
    neither bucket nor mirroring. Two and more buckets separate the first rank from the others, then
    its corners from its centre.
    """
    zones = np.zeros((ranks, files), dtype=np.uint8)
    if king_buckets:
        rank, file = np.indices((ranks, files))
        left = file < files // 2
        corner = np.minimum(file, files - 1 - file) < (files + 1) // 4
        first_rank = np.where(corner, 0, 1)
        bucket = {
            1: np.zeros_like(rank),
            2: np.where(rank == 0, 0, 1),
            3: np.where(rank == 0, first_rank, 2),
            4: np.where(rank == 0, first_rank, np.where(rank < ranks // 2 - 1, 2, 3)),
        }[king_buckets]
        zones = (2 * bucket + left).astype(np.uint8)
    return zones.reshape(-1)


def output_bucket(pieces: int, output_buckets: int, max_pieces: int) -> int:
    """Return the output bucket for a number of pieces; the start position has ``max_pieces``."""
    return min(max(pieces - 1, 0) * output_buckets // max_pieces, output_buckets - 1)


def output_bucket_table(output_buckets: int, max_pieces: int) -> NDArray[np.int64]:
    """Return the output bucket by number of pieces, shape (MAX_PIECES + 1,)."""
    return np.array(
        [output_bucket(count, output_buckets, max_pieces) for count in range(MAX_PIECES + 1)],
        dtype=np.int64,
    )


def king_zone_table(zones: KingZones, inputs: Inputs) -> NDArray[np.int64]:
    """Return the king zone as [mirrored, perspective, square of the perspective's king].

    ``mirrored`` 1 is for a board that is mirrored left to right: its zones are those of the mirror
    image with the mirror flag inverted.
    """
    white = zones.reshape(inputs.ranks, inputs.files).astype(np.int64)
    plain = np.stack([white, white[::-1] if inputs.reverses else white])
    mirrored = plain[..., ::-1] ^ 1
    return np.stack([plain, mirrored]).reshape(2, 2, inputs.squares)
