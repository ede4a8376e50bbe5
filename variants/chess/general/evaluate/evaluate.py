"""The general family's evaluation: material and squares, a net, or their sum."""

from __future__ import annotations

from ryugi_engine.kernel.abi import EVAL_LIMIT, HEADER, WON
from ryugi_engine.kernel.jit import kernel, template
from ryugi_engine.kernel.memory import select
from variants.chess.general.evaluate.nnue import nnue_value
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import PLAY

_TEMPO = 12
#: Plies without progress up to which the move rule changes no evaluation.
_QUIET_PLIES = 20


@kernel
def learnt_value(S, f):
    """Return the evaluation without a net or the net's, for the side to move."""
    if L.STATE(S).net != 0:
        return nnue_value(S, f)
    t = L.TABLES(L.STATE(S).tables)
    frame = L.FRAME(S, f)
    us = frame.side
    score = frame.psq[us] - frame.psq[1 - us] + _TEMPO
    # who loses all pieces may win
    return -score if t.extinction_value == WON else score


@template(1, PLAY)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    t = L.TABLES(L.STATE(S).tables)
    f = HEADER(S).frame
    score = learnt_value(S, f)
    frame = L.FRAME(S, f)
    clock = frame.clock
    if t.n_move_rule != 0 and t.material_counting == 0 and clock > _QUIET_PLIES:
        # the evaluation falls to 0 as the move rule comes nearer
        left = 2 * t.n_move_rule
        score = score * max(left + _QUIET_PLIES - clock, 0) // left
    if t.counting_rule and frame.counting[0] > _QUIET_PLIES:
        limit = frame.counting[1]
        score = score * max(limit + _QUIET_PLIES - frame.counting[0], 0) // limit
    return select(score > EVAL_LIMIT, EVAL_LIMIT, select(score < -EVAL_LIMIT, -EVAL_LIMIT, score))
