"""Float nets: the weights while they are trained, and their quantisation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.nnue.architecture import MAX_PIECES, QA, QB, SCALE, KingZones, king_zones
from ryugi_engine.nnue.inference import Cells, buckets_of, forward
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net

Floats = NDArray[np.float32]

#: Limits of the weights: a weighted activation fits 16 bits after quantisation.
OUTPUT_WEIGHT_LIMIT = 127 / QB
FEATURE_WEIGHT_LIMIT = 1.98
#: Standard deviation of the noise that makes the copies of a neuron differ.
_WIDENING_NOISE = 0.01


class Weights(NamedTuple):
    """The trained arrays of a net, or their gradients; shapes as in :class:`FloatNet`."""

    feature_weights: Floats
    feature_biases: Floats
    output_weights: Floats
    output_biases: Floats

    def map(self, change: Callable[[Floats], Floats]) -> Weights:
        """Apply ``change`` to each array; return the results."""
        return Weights(*map(change, self))

    def copy(self) -> Weights:
        """Return independent copies."""
        return self.map(np.copy)

    def zeros(self) -> Weights:
        """Return arrays of the same shapes, filled with zeros."""
        return self.map(np.zeros_like)


@dataclass(frozen=True)
class FloatNet:
    """A net in floating point, see :mod:`ryugi_engine.nnue.architecture`."""

    inputs: Inputs
    max_pieces: int
    zones: KingZones  # (squares,), not trained
    weights: Weights
    #: Centipawns of an output of 1.0.
    scale: int = SCALE

    @property
    def feature_weights(self) -> Floats:
        """Feature weights, shape (features, hidden_size)."""
        return self.weights.feature_weights

    @property
    def feature_biases(self) -> Floats:
        """Accumulator biases, shape (hidden_size,)."""
        return self.weights.feature_biases

    @property
    def output_weights(self) -> Floats:
        """Output weights, shape (output_buckets, 2, hidden_size)."""
        return self.weights.output_weights

    @property
    def output_biases(self) -> Floats:
        """Output biases, shape (output_buckets,)."""
        return self.weights.output_biases

    @classmethod
    def random(
        cls,
        inputs: Inputs,
        hidden_size: int,
        seed: int,
        *,
        output_buckets: int = 1,
        king_buckets: int = 0,
        max_pieces: int = MAX_PIECES,
        scale: int = SCALE,
    ) -> FloatNet:
        """Return a net with random weights, small enough that few activations are clipped.

        All buckets begin alike.
        """
        source = np.random.default_rng(seed)

        def uniform(limit: float, *shape: int) -> Floats:
            return source.uniform(-limit, limit, shape).astype(np.float32)

        weights = Weights(
            np.tile(uniform(0.1, inputs.features, hidden_size), (max(king_buckets, 1), 1)),
            np.full(hidden_size, 0.25, dtype=np.float32),
            np.repeat(uniform(0.1, 1, 2, hidden_size), output_buckets, axis=0),
            np.zeros(output_buckets, dtype=np.float32),
        )
        zones = king_zones(inputs.files, inputs.ranks, king_buckets)
        return cls(inputs, max_pieces, zones, weights, scale)

    @classmethod
    def of(
        cls,
        net: Net,
        inputs: Inputs,
        *,
        hidden_size: int,
        output_buckets: int,
        king_buckets: int,
        max_pieces: int = MAX_PIECES,
        scale: int = SCALE,
        seed: int = 0,
    ) -> FloatNet:
        """Return a quantised net in floating point, for fine-tuning.

        ``hidden_size`` is the net's or a multiple of it: the net is widened (see :func:`_widened`),
        with noise by ``seed``.
        A net with one bucket may get more, which begin alike. Raises UserError for a net of another
        board or with other numbers of buckets.
        """
        difference = inputs.difference(net.inputs)
        if difference:
            raise UserError(f"a net of {net.game}: {difference}")
        own, wanted = (net.output_buckets, net.king_buckets), (output_buckets, max(king_buckets, 1))
        if any(has not in (1, wants) for has, wants in zip(own, wanted, strict=True)):
            raise UserError(
                f"a net of {own[0]} output buckets and {own[1]} king buckets cannot become one of"
                f" {wanted[0]} and {wanted[1]}"
            )

        def real(array: NDArray[np.int16], one: float) -> Floats:
            return (array.astype(np.float64) / one).astype(np.float32)

        one = QA * QA * net.qb * scale / net.scale
        biases = np.array(net.output_biases, dtype=np.float64) / one
        copies = output_buckets // net.output_buckets
        weights = Weights(
            np.tile(real(net.feature_weights, QA), (wanted[1] // net.king_buckets, 1)),
            real(net.feature_biases, QA),
            np.repeat(real(net.output_weights, net.qb * scale / net.scale), copies, axis=0),
            np.repeat(biases.astype(np.float32), copies),
        )
        weights = _widened(weights, hidden_size // net.hidden_size, seed)
        zones = king_zones(inputs.files, inputs.ranks, king_buckets)
        return cls(inputs, max_pieces, zones, weights, scale)

    def forward(self, cells: Cells, sides: NDArray[Any]) -> Floats:
        """Return the outputs for the side to move, see ``inference.forward``."""
        outputs: Floats = forward(self, cells, sides).astype(np.float32)
        return outputs

    def quantised(
        self, game: str, *, metadata: Mapping[str, Any], rules: Mapping[str, str] | None = None
    ) -> Net:
        """Return the net rounded to integers. Raises UserError if a sum could overflow."""

        def rounded(array: Floats, one: int) -> NDArray[np.int16]:
            return np.rint(array.astype(np.float64) * one).astype(np.int16)

        net = Net(
            game=game,
            inputs=self.inputs,
            rules=rules or {},
            feature_weights=rounded(self.feature_weights, QA),
            feature_biases=rounded(self.feature_biases, QA),
            output_weights=rounded(self.output_weights, QB),
            output_biases=tuple(round(float(bias) * QA * QA * QB) for bias in self.output_biases),
            qb=QB,
            max_pieces=self.max_pieces,
            zones=self.zones,
            scale=self.scale,
            metadata=metadata,
        )
        net.check()
        return net


def _widened(weights: Weights, times: int, seed: int) -> Weights:
    """Return weights with so many copies of each neuron and, up to a small noise, equal outputs.

    The copies share the output weight. Without the noise they would learn the same. Source: T. Chen
    and others 2016 (Net2Net).
    """
    if times == 1:
        return weights
    source = np.random.default_rng(seed)
    features = np.tile(weights.feature_weights, (1, times))
    noise = source.normal(0.0, _WIDENING_NOISE, features.shape).astype(np.float32)
    return Weights(
        features + noise,
        np.tile(weights.feature_biases, times),
        np.tile(weights.output_weights, (1, 1, times)) / np.float32(times),
        weights.output_biases,
    )


def without_rounding_bias(float_net: FloatNet, net: Net, cells: Cells, sides: NDArray[Any]) -> Net:
    """Return the net with output biases whose mean evaluation equals the float net's.

    The mean is over the given positions, per output bucket.
    """
    wanted = float_net.forward(cells, sides).astype(np.float64) * net.scale
    errors = net.evaluate(cells, sides) - wanted
    buckets = buckets_of(net, cells)
    counts = np.bincount(buckets, minlength=net.output_buckets)
    sums = np.bincount(buckets, weights=errors, minlength=net.output_buckets)
    means = sums / np.maximum(counts, 1)
    biases = (
        bias - round(float(mean) / net.scale * QA * QA * net.qb)
        for bias, mean in zip(net.output_biases, means, strict=True)
    )
    return replace(net, output_biases=tuple(biases))
