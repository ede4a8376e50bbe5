"""The arithmetic of learning: losses, gradients, and AdamW's step.

These work on arrays of floats, unlike the engine's kernels, and are compiled anew in each process
that learns, which takes seconds of hours. Sources: D. Kingma and J. Ba 2015 (Adam); I. Loshchilov
and F. Hutter 2019 (AdamW, and the cosine schedule of 2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from ryugi_engine.games.nets import KING
from ryugi_engine.games.training import BLACK

#: AdamW's numbers.
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Callable[..., Any] = numba.njit(
        nogil=True, fastmath=True, error_model="numpy", boundscheck=False
    )(function)
    return compiled


@_compiled
def gradients(
    order,
    flips,
    pieces,
    sides,
    bases,
    targets,
    rows,
    seats,
    stages,
    inputs,
    biases,
    outputs,
    constants,
    g_in,
    g_b,
    g_out,
    g_c,
):
    """Add the gradients of the positions of ``order`` to the g's; the sum of their losses.

    The loss is the squared difference of the chance to win to its target, ``bases`` are outputs
    that the net corrects, ``rows`` is ``model.features``, ``seats`` is ``model.seats_of``,
    ``stages`` is ``model.stages_of``.
    Without g's (of length 0): only the loss. ``flips`` says for each of ``order`` whether the board
    is seen in a mirror, left for right.
    """
    lanes = biases.shape[0]
    squares = pieces.shape[1]
    learning = g_c.shape[0] > 0
    seen = np.empty((2, squares), dtype=np.int32)
    sums = np.empty((2, lanes), dtype=np.float32)
    back = np.empty((2, lanes), dtype=np.float32)
    loss = 0.0
    for place in range(order.shape[0]):
        number = order[place]
        flip = flips[place]
        side = sides[number]
        count = 0
        for lane in range(lanes):
            sums[0, lane] = biases[lane]
            sums[1, lane] = biases[lane]
        own_seat = other_seat = 0
        for square in range(squares):
            code = pieces[number, square]
            if code == KING + BLACK * side:
                own_seat = seats[flip, side, square]
            elif code == KING + BLACK * (1 - side):
                other_seat = seats[flip, 1 - side, square]
        for square in range(squares):
            code = pieces[number, square]
            if code != 0:
                own = rows[own_seat, side, code, square]
                other = rows[other_seat, 1 - side, code, square]
                seen[0, count] = own
                seen[1, count] = other
                count += 1
                for lane in range(lanes):
                    sums[0, lane] += inputs[own, lane]
                for lane in range(lanes):
                    sums[1, lane] += inputs[other, lane]
        stage = stages[count]
        out = constants[stage] + bases[number]
        for part in range(2):
            for lane in range(lanes):
                held = min(max(sums[part, lane], np.float32(0.0)), np.float32(1.0))
                out += outputs[stage, part, lane] * held * held
        chance = 1.0 / (1.0 + math.exp(-out))
        error = chance - targets[number]
        loss += error * error
        if not learning:
            continue
        slope = np.float32(2.0 * error * chance * (1.0 - chance))
        g_c[stage] += slope
        for part in range(2):
            for lane in range(lanes):
                value = sums[part, lane]
                held = min(max(value, np.float32(0.0)), np.float32(1.0))
                g_out[stage, part, lane] += slope * held * held
                inside = np.float32(1.0) if 0.0 < value < 1.0 else np.float32(0.0)
                passed = slope * outputs[stage, part, lane] * np.float32(2.0) * held * inside
                back[part, lane] = passed
                g_b[lane] += passed
        for i in range(count):
            own = seen[0, i]
            other = seen[1, i]
            for lane in range(lanes):
                g_in[own, lane] += back[0, lane]
            for lane in range(lanes):
                g_in[other, lane] += back[1, lane]
    return loss


@_compiled
def step(weights, gradient, first, second, rate, number, scale, decay, limit):
    """AdamW's step of flat arrays; gradients are scaled, used up and set to 0.

    ``number`` counts the steps from 1. Weights stay within ``limit``.
    """
    rate_1 = 1.0 / (1.0 - BETA_1**number)
    rate_2 = 1.0 / (1.0 - BETA_2**number)
    for i in range(weights.shape[0]):
        g = gradient[i] * scale
        gradient[i] = 0.0
        first[i] = BETA_1 * first[i] + (1.0 - BETA_1) * g
        second[i] = BETA_2 * second[i] + (1.0 - BETA_2) * g * g
        change = first[i] * rate_1 / (math.sqrt(second[i] * rate_2) + EPSILON)
        value = weights[i] - rate * (change + decay * weights[i])
        weights[i] = min(max(value, -limit), limit)
