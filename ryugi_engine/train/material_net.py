"""Nets that count material: what training begins with where no other net plays as well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.games.game import Game
from ryugi_engine.nnue.architecture import CHUNK, MAX_PIECES, QA, king_zones
from ryugi_engine.nnue.float_net import FEATURE_WEIGHT_LIMIT, FloatNet, Weights
from ryugi_engine.nnue.inputs import Inputs, feature_tables
from ryugi_engine.nnue.net import Net
from ryugi_engine.nnue.origin import BEGUN_AS, MATERIAL
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.positions import dtype
from ryugi_engine.train.trainable_game import scale_of, training_of

#: Material up to so many times the scale is counted; neurons are clipped beyond.
_LINEAR = 5.0
#: Standard deviation of the noise that makes neurons differ, in units of the rounded weights:
#: rounding errors of neurons cancel out.
_NOISE = 1.0


def _worth(game: Game, inputs: Inputs) -> NDArray[np.float64]:
    """Return what each feature adds to the evaluation without a net, centipawns for its side.

    The kernel tells it of boards with one piece, and of no piece but counters.
    """
    tables = feature_tables(inputs)
    value, cell = np.nonzero(tables.number)
    boards = np.zeros(1 + len(value), dtype=dtype(inputs.cells))
    boards["cells"][1 + np.arange(len(value)), cell] = value
    found = evaluations(game, None, boards).astype(np.float64)
    worth = np.zeros(inputs.features)
    for code, at, score in zip(value, cell, found[1:] - found[0], strict=True):
        last = int(tables.number[code, at]) - 1
        feature = int(tables.first[0, 0, code, at]) + last
        before = worth[feature - last : feature].sum()
        worth[feature] = score - before
    return worth


def material_net(game: Game, hidden_size: int = CHUNK, seed: int = 0) -> Net:
    """Return a net that evaluates as the game does without a net, by material and squares.

    With x the own material less the enemy's, in units that are small enough, the accumulators of
    all neurons are 1/2 + x and 1/2 - x. The difference of their squares is 2x. Pieces of all
    squares count, so a rare one is worth what it should be from the first epoch on.
    """
    training = training_of(game)
    inputs, scale = training.inputs, scale_of(training)
    source = np.random.default_rng(seed)
    noise = source.normal(0.0, _NOISE / QA, (inputs.features, hidden_size))
    rows = _worth(game, inputs)[:, None] / (2 * _LINEAR * scale) + noise
    output = np.full((1, 2, hidden_size), _LINEAR / hidden_size)
    output[:, 1] *= -1
    weights = Weights(
        np.clip(rows, -FEATURE_WEIGHT_LIMIT, FEATURE_WEIGHT_LIMIT).astype(np.float32),
        np.full(hidden_size, 0.5, np.float32),
        output.astype(np.float32),
        np.zeros(1, np.float32),
    )
    zones = king_zones(inputs.files, inputs.ranks, 0)
    pieces = min(training.most_pieces or MAX_PIECES, MAX_PIECES)
    net = FloatNet(inputs, pieces, zones, weights, scale)
    return net.quantised(game.name, metadata={BEGUN_AS: MATERIAL}, rules=training.rules)
