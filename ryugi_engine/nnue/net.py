"""Quantised nets: integer weights, proofs that no sum overflows, evaluation in centipawns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.nnue.architecture import (
    CHUNK,
    MAX_HIDDEN_SIZE,
    MAX_KING_BUCKETS,
    MAX_OUTPUT_BUCKETS,
    MAX_PIECES,
    QA,
    SCALE,
    Board,
    KingZones,
)
from ryugi_engine.nnue.inference import Pieces, forward

#: An output becomes centipawns by a multiplication and a shift right by so many bits.
EVAL_SHIFT = 32
_INT16_MAX, _INT32_MAX = (1 << 15) - 1, (1 << 31) - 1

Int16s = NDArray[np.int16]


#: First line of a net's file.
MAGIC = b"ryugi-engine net 1\n"


def weights_digest(weights: Mapping[str, float]) -> str:
    """Return the digest that identifies the weights of a hand-crafted evaluation."""
    return hashlib.sha256(json.dumps(dict(weights)).encode("ascii")).hexdigest()[:16]


@dataclass(frozen=True)
class Net:
    """A quantised net of a game, or of any game with the same board and pieces."""

    #: Name of the game whose positions it was trained on.
    game: str
    files: int
    ranks: int
    #: The letters of the piece types, that of type 1 first.
    letters: str
    #: Whether it is added to the hand-crafted evaluation instead of replacing it.
    correction: bool
    feature_weights: Int16s  # (king_buckets * 2 * types * squares, hidden_size)
    feature_biases: Int16s  # (hidden_size,)
    output_weights: Int16s  # (output_buckets, 2, hidden_size)
    output_biases: tuple[int, ...]  # one per output bucket
    #: An output weight of 1.0.
    qb: int
    #: Pieces on the board at the start of a game: output buckets divide this range.
    max_pieces: int
    #: King zone by square of a perspective's king, see ``architecture.king_zones``.
    zones: KingZones
    #: Where it comes from: data, training settings, losses, matches.
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hidden_size(self) -> int:
        """Neurons of the accumulator of one perspective."""
        return len(self.feature_biases)

    @property
    def king_buckets(self) -> int:
        """Number of king buckets."""
        return int(self.zones.max()) // 2 + 1

    @property
    def output_buckets(self) -> int:
        """Number of output buckets."""
        return len(self.output_weights)

    @property
    def eval_multiplier(self) -> int:
        """Factor of an output before the shift right by EVAL_SHIFT that makes it centipawns."""
        return round(SCALE * (1 << EVAL_SHIFT) / (QA * QA * self.qb))

    @cached_property
    def digest(self) -> str:
        """A digest of everything on which evaluations depend."""
        return hashlib.sha256(self.content(metadata=False)).hexdigest()[:16]

    def content(self, *, metadata: bool = True) -> bytes:
        """Return what a net's file holds: magic line, head in JSON, little-endian int16 weights.

        The head's keys are those of version 0.2, which made the format: ``lanes`` is the hidden
        size, ``constants`` are the output biases (``bias`` if there is one), ``unit`` is QB,
        ``men`` the number of pieces at the start, ``seats`` are the king zones, ``card`` is the
        metadata.
        """
        head = {
            "game": self.game,
            "files": self.files,
            "ranks": self.ranks,
            "letters": self.letters,
            "correction": self.correction,
            "lanes": self.hidden_size,
            "constants": list(self.output_biases),
            "unit": self.qb,
            "men": self.max_pieces,
            "seats": self.zones.tolist(),
        }
        if metadata:
            head["card"] = dict(self.metadata)
        arrays = (self.feature_weights, self.feature_biases, self.output_weights)
        weights = b"".join(array.astype("<i2").tobytes() for array in arrays)
        return MAGIC + json.dumps(head).encode("ascii") + b"\n" + weights

    @property
    def corrected(self) -> str | None:
        """The :func:`weights_digest` of the evaluation it corrects; None if unknown."""
        digest = self.metadata.get("weights")
        return digest if self.correction and isinstance(digest, str) else None

    def accumulator_range(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the lowest and highest partial sum of each neuron, shape (hidden_size,) each.

        Every square is empty or has the piece that changes the neuron most; no position has more,
        and no partial sum exceeds the range, in whatever order features are added.
        """
        shape = (self.king_buckets, -1, self.files * self.ranks, self.hidden_size)
        rows = self.feature_weights.astype(np.int64).reshape(shape)
        low = np.minimum(rows.min(axis=1), 0).sum(axis=1).min(axis=0)
        high = np.maximum(rows.max(axis=1), 0).sum(axis=1).max(axis=0)
        biases = self.feature_biases
        return low + np.minimum(biases, 0), high + np.maximum(biases, 0)

    def check(self) -> None:
        """Raise UserError for shapes that do not fit, or sums that could overflow in kernels."""
        types, squares = len(self.letters), self.files * self.ranks
        if self.zones.shape != (squares,) or self.king_buckets > MAX_KING_BUCKETS:
            raise UserError(f"a net has a king zone per square and 1 to {MAX_KING_BUCKETS} buckets")
        size = self.hidden_size
        shapes = {
            "feature weights": (
                self.feature_weights,
                (self.king_buckets * 2 * types * squares, size),
            ),
            "feature biases": (self.feature_biases, (size,)),
            "output weights": (self.output_weights, (self.output_buckets, 2, size)),
        }
        for name, (array, shape) in shapes.items():
            if array.shape != shape or array.dtype != np.int16:
                raise UserError(f"the net's {name} are {array.dtype}{array.shape}, not {shape}")
        if size % CHUNK or not CHUNK <= size <= MAX_HIDDEN_SIZE:
            raise UserError(
                f"the hidden size of a net is {CHUNK} to {MAX_HIDDEN_SIZE}, a multiple of {CHUNK}"
            )
        count = self.output_buckets
        if not 1 <= count <= MAX_OUTPUT_BUCKETS or len(self.output_biases) != count:
            raise UserError(
                f"a net has 1 to {MAX_OUTPUT_BUCKETS} output buckets, and a bias for each"
            )
        if not 1 <= self.max_pieces <= MAX_PIECES:
            raise UserError(f"a net is for 1 to {MAX_PIECES} pieces, not {self.max_pieces}")
        low, high = self.accumulator_range()
        if low.min() < -_INT16_MAX or high.max() > _INT16_MAX:
            raise UserError("an accumulator of the net could overflow 16 bits")
        weights = np.abs(self.output_weights.astype(np.int64))
        if int(weights.max()) * QA > _INT16_MAX:
            raise UserError("a weighted activation of the net could overflow 16 bits")
        # kernels sum up CHUNK neurons of both perspectives in 32 bits
        chunks = weights.reshape(count, 2, -1, CHUNK).sum(axis=(1, 3))
        if int(chunks.max()) * QA * QA > _INT32_MAX:
            raise UserError("an output of the net could overflow 32 bits")
        total = int(chunks.sum(axis=1).max()) * QA * QA + max(map(abs, self.output_biases))
        if self.qb <= 0 or total * self.eval_multiplier >= 1 << 62:
            raise UserError("an evaluation of the net could overflow 64 bits")

    def with_pieces(self, game: str, board: Board, same: Mapping[str, str]) -> Net:
        """Return the net for another game's pieces, to be fine-tuned there; itself if they agree.

        A piece type has the weights of this net's type of the same letter, or of the letter that
        ``same`` names for it. Raises UserError if there is none, or for another size of the board.
        """
        if (self.files, self.ranks) != (board.files, board.ranks):
            raise UserError(f"a net of {self.game}, whose board is {self.files}x{self.ranks}")
        if not same and self.letters == board.letters:
            return self
        types, size = len(self.letters), self.hidden_size
        sources = [same.get(letter, letter) for letter in board.letters]
        for letter, source in zip(board.letters, sources, strict=True):
            if source not in self.letters:
                raise UserError(
                    f"a net of {self.game}, which has no {source}, only {self.letters}:"
                    f" --same-piece {letter}=... names the piece most like {letter}"
                )
        rows = self.feature_weights.reshape(self.king_buckets, 2, types, -1, size)
        chosen = rows[:, :, [self.letters.index(source) for source in sources]]
        return replace(
            self,
            game=game,
            letters=board.letters,
            feature_weights=np.ascontiguousarray(chosen.reshape(-1, size)),
            metadata={},
        )

    def evaluate(self, pieces: Pieces, sides: NDArray[Any]) -> NDArray[np.int64]:
        """Return centipawns for the side to move, shape (n,); arguments as of ``forward``."""
        values: NDArray[np.int64] = (
            forward(self, pieces, sides) * self.eval_multiplier
        ) >> EVAL_SHIFT
        return values
