"""Static evaluation in centipawns: a net, or material and squares."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.nnue import nnue_value
from variants.chess.fast.scale_factors import FULL_SCALE, scale_factor

#: Bonus for the side to move; a net has learnt it.
_TEMPO = 12


@kernel
def learnt_value(S, T, f):
    """Return the evaluation that training fits: without scale factor and fifty-move scaling."""
    t = L.TABLES(T)
    if t.net != 0:
        return nnue_value(S, t, f)
    frame = L.FRAME(S, f)
    return (frame.psq if frame.side == 0 else -frame.psq) + _TEMPO


@kernel
def evaluate(S, T, f):
    """Return the static evaluation for the side to move, in centipawns."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    value = learnt_value(S, T, f)
    # fifty-move rule: the evaluation falls to 0 as the halfmove clock runs
    left = t.claim_plies
    clock = frame.clock
    if clock > 20:
        value = value * (left + 20 - clock) // left if clock < left else 0
    stronger = frame.side if value > 0 else 1 - frame.side
    scale = scale_factor(t, frame, L.STATE(S).mailbox, stronger)
    if scale < FULL_SCALE:
        value = value * scale // FULL_SCALE
    return value
