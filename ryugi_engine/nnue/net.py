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
    MAX_SCALE,
    QA,
    SCALE,
    KingZones,
)
from ryugi_engine.nnue.inference import Cells, forward
from ryugi_engine.nnue.inputs import WALL, Inputs
from ryugi_engine.nnue.origin import BEGUN_AS

#: An output becomes centipawns by a multiplication and a shift right by so many bits.
EVAL_SHIFT = 32
_INT16_MAX, _INT32_MAX = (1 << 15) - 1, (1 << 31) - 1

Int16s = NDArray[np.int16]


#: First lines of a net's file: of inputs that letters describe, and of others.
MAGIC, MAGIC_OF_MANY = b"ryugi-engine net 1\n", b"ryugi-engine net 2\n"


def rules_difference(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Return the first rule in which two games differ, as a phrase; "" if they are alike."""
    for name in sorted({*theirs, *ours}):
        given, wanted = theirs.get(name, ""), ours.get(name, "")
        if given != wanted:
            return f"{name} {given[:60] or 'as usual'}, not {wanted[:60] or 'as usual'}"
    return ""


@dataclass(frozen=True)
class Net:
    """A quantised net of a game, or of any game with the same inputs and rules."""

    #: Name of the game whose positions it was trained on.
    game: str
    inputs: Inputs
    feature_weights: Int16s  # (king_buckets * features, hidden_size)
    feature_biases: Int16s  # (hidden_size,)
    output_weights: Int16s  # (output_buckets, 2, hidden_size)
    output_biases: tuple[int, ...]  # one per output bucket
    #: An output weight of 1.0.
    qb: int
    #: Pieces on the board at the start of a game: output buckets divide this range.
    max_pieces: int
    #: King zone by square of a perspective's king, see ``architecture.king_zones``.
    zones: KingZones
    #: Centipawns of an output of 1.0.
    scale: int = SCALE
    #: The rules of that game, where its family tells them: texts by name.
    rules: Mapping[str, str] = field(default_factory=dict)
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
        return round(self.scale * (1 << EVAL_SHIFT) / (QA * QA * self.qb))

    @property
    def origin(self) -> str:
        """What a net was made of that nobody has trained: another game, or HYPERNET; else ""."""
        return str(self.metadata.get(BEGUN_AS, "")).partition(" ")[0]

    @cached_property
    def digest(self) -> str:
        """A digest of everything on which evaluations depend."""
        return hashlib.sha256(self.content(metadata=False)).hexdigest()[:16]

    def content(self, *, metadata: bool = True) -> bytes:
        """Return what a net's file holds: magic line, head in JSON, little-endian int16 weights.

        The head's keys are those of version 0.2, which made the format. ``lanes`` is the hidden
        size, ``constants`` are the output biases (``bias`` if there is one), ``unit`` is QB.
        ``men`` is the number of pieces at the start, ``scale`` is left out if it is SCALE.
        ``seats`` are the king zones, ``card`` is the metadata. Inputs that letters do not describe
        are in the second version's files.
        """
        head = {
            "game": self.game,
            **self.inputs.facts(),
            "correction": False,  # version 0.2 could add a net to the hand-crafted evaluation
            "lanes": self.hidden_size,
            "constants": list(self.output_biases),
            "unit": self.qb,
            "men": self.max_pieces,
            "seats": self.zones.tolist(),
        }
        if self.scale != SCALE:
            head["scale"] = self.scale
        if self.rules:
            head["rules"] = dict(self.rules)
        if not self.inputs.is_plain and self.zones.any():
            head["king"] = self.inputs.king
        if metadata:
            head["card"] = dict(self.metadata)
        arrays = (self.feature_weights, self.feature_biases, self.output_weights)
        weights = b"".join(array.astype("<i2").tobytes() for array in arrays)
        magic = MAGIC if self.inputs.is_plain else MAGIC_OF_MANY
        return magic + json.dumps(head).encode("ascii") + b"\n" + weights

    def accumulator_range(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the lowest and highest partial sum of each neuron, shape (hidden_size,) each.

        Every cell is given the value that changes the neuron most. So no partial sum of any
        position exceeds the range, in any order of adding features.
        """
        size, inputs = self.hidden_size, self.inputs
        rows = self.feature_weights.astype(np.int64).reshape(self.king_buckets, -1, size)
        board, rest = np.split(rows, [inputs.planes * inputs.squares], axis=1)
        planes = board.reshape(self.king_buckets, inputs.planes, inputs.squares, size)
        low = np.minimum(planes.min(axis=1), 0).sum(axis=1)
        high = np.maximum(planes.max(axis=1), 0).sum(axis=1)
        highs = np.cumsum([counter.high for counter in inputs.counters] * 2)
        for counter in np.split(rest, highs[:-1], axis=1) if len(highs) else ():
            sums = np.cumsum(counter, axis=1)
            low += np.minimum(sums.min(axis=1), 0)
            high += np.maximum(sums.max(axis=1), 0)
        biases = self.feature_biases
        return low.min(axis=0) + np.minimum(biases, 0), high.max(axis=0) + np.maximum(biases, 0)

    def check(self) -> None:
        """Raise UserError for shapes that do not fit, or sums that could overflow in kernels."""
        if self.zones.shape != (self.inputs.squares,) or self.king_buckets > MAX_KING_BUCKETS:
            raise UserError(f"a net has a king zone per square and 1 to {MAX_KING_BUCKETS} buckets")
        size = self.hidden_size
        shapes = {
            "feature weights": (
                self.feature_weights,
                (self.king_buckets * self.inputs.features, size),
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
        if not 1 <= self.scale <= MAX_SCALE:
            raise UserError(f"the scale of a net is 1 to {MAX_SCALE}, not {self.scale}")
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

    def with_inputs(
        self, game: str, inputs: Inputs, rules: Mapping[str, str], sources: Mapping[str, str]
    ) -> Net:
        """Return the net for another game, to be fine-tuned there.

        A kind of piece gets the weights of the kind that ``sources`` names. On a board of another
        size a square gets those of the most similar one. Counters go by their names; weights of
        what this net does not see are 0.
        """
        own = self.inputs
        kinds = [1 + own.kinds.index(sources[kind]) for kind in inputs.kinds]
        places = own.nearest_places(inputs)
        rows = self.feature_weights.reshape(self.king_buckets, own.features, -1)
        shape = (self.king_buckets, inputs.features, self.hidden_size)
        chosen = np.zeros(shape, dtype=np.int16)
        planes = [
            (inputs.plane(0, kind + enemy * inputs.black), own.plane(0, source + enemy * own.black))
            for kind, source in enumerate(kinds, start=1)
            for enemy in range(2)
        ]
        if inputs.walls and own.walls:
            planes.append((inputs.plane(0, WALL), own.plane(0, WALL)))
        for both in planes:
            place = slice(both[0] * inputs.squares, (both[0] + 1) * inputs.squares)
            chosen[:, place] = rows[:, both[1] * own.squares + places]
        names = [counter.name for counter in own.counters]
        for number, (name, high) in enumerate(inputs.counters):
            if name in names:
                index = names.index(name)
                count = min(high, own.counters[index].high)
                for side in range(2):
                    first, other = inputs.counted(0, number, side), own.counted(0, index, side)
                    chosen[:, first : first + count] = rows[:, other : other + count]
        return replace(
            self,
            game=game,
            inputs=inputs,
            rules=rules,
            zones=self.zones[places],
            feature_weights=np.ascontiguousarray(chosen.reshape(-1, self.hidden_size)),
            metadata={BEGUN_AS: f"{self.game} {self.digest}"},
        )

    def evaluate(self, cells: Cells, sides: NDArray[Any]) -> NDArray[np.int64]:
        """Return centipawns for the side to move, shape (n,); arguments as of ``forward``."""
        values: NDArray[np.int64] = (
            forward(self, cells, sides) * self.eval_multiplier
        ) >> EVAL_SHIFT
        return values
