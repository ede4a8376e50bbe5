"""Saturation: beyond a game's limit, evaluations count less in the search than in its reports.

Where a side is winning, evaluations grow by hundreds of centipawns with each capture. Margins of
pruning are meant for a fraction of a pawn. So the search would follow lines that win ever more
material, and prune those that mate. Saturation is monotone, so the best move by saturated scores is
the best one. The kernels are Python functions too: ``unsaturated.function``.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.search import layout as L

#: Beyond the limit a centipawn counts an eighth.
_DIVISOR = 8


@kernel
def saturated(value, limit):
    """Return an evaluation as the search counts it; ``limit`` in centipawns, 0 for none."""
    if limit > 0 and value > limit:
        return limit + (value - limit) // _DIVISOR
    if limit > 0 and value < -limit:
        return -limit - (-value - limit) // _DIVISOR
    return value


@kernel
def unsaturated(score, limit):
    """Return a score of the search in centipawns as the game evaluates; mate scores stay."""
    if limit == 0 or abs(score) <= limit or abs(score) > L.MATE_BOUND:
        return score
    if score > 0:
        return min(limit + (score - limit) * _DIVISOR, L.EVAL_LIMIT)
    return max(-limit + (score + limit) * _DIVISOR, -L.EVAL_LIMIT)
