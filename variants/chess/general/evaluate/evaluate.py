"""The general family's evaluation: material and squares, a net, or their sum."""

from __future__ import annotations

from ryugi_engine.kernel.abi import EVAL_LIMIT, HEADER, WON
from ryugi_engine.kernel.jit import kernel, template
from ryugi_engine.kernel.memory import select
from variants.chess.general.evaluate.bare_king import bare_king_value, has_bare_king
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


@kernel
def _nearer_to_a_draw(t, frame, score):
    """Return an evaluation that falls to 0 as the end of the move rule or a count comes nearer."""
    if t.n_move_rule != 0 and t.material_counting == 0 and frame.clock > _QUIET_PLIES:
        left = 2 * t.n_move_rule
        score = score * max(left + _QUIET_PLIES - frame.clock, 0) // left
    if t.counting_rule and frame.counting[1] != 0 and frame.counting[0] > _QUIET_PLIES:
        left = frame.counting[1]
        score = score * max(left + _QUIET_PLIES - frame.counting[0], 0) // left
    return score


@template(1, PLAY)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    t = L.TABLES(L.STATE(S).tables)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    if t.counting_rule and frame.counting[1] != 0 and has_bare_king(frame):
        score = bare_king_value(t, frame)
    else:
        score = _nearer_to_a_draw(t, frame, learnt_value(S, f))
    return select(score > EVAL_LIMIT, EVAL_LIMIT, select(score < -EVAL_LIMIT, -EVAL_LIMIT, score))
