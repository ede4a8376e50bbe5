"""Static evaluation: hand-crafted terms (HCE), a net, or both.

Scores are centipawns, middle game and end game packed in one word (see ``eval_tables.pack``) until
they are tapered by the game phase. Material and piece-square scores are kept by make.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.activity import activity
from variants.chess.fast.nnue import nnue_value
from variants.chess.fast.pawns import pawn_attack_set
from variants.chess.fast.scale_factors import FULL_SCALE, scale_factor
from variants.chess.fast.structure import pairs, pawn_structure


@kernel
def _threats(t, mailbox, frame, us, own, others):
    """Return the attacker's bonus for threats: attacked by a pawn, or hanging; packed."""
    them = 1 - us
    pawns = frame.by_type[L.PAWN]
    theirs = frame.by_color[them] & ~frame.by_type[L.KING]
    score = 0
    targets = theirs & ~pawns & pawn_attack_set(us, pawns & frame.by_color[us])
    while targets:
        square, targets = targets.pop()
        score += t.pawn_threat[mailbox[square]]
    targets = theirs & own.attacked & ~(others.attacked | t.rays[frame.king[them]].king)
    while targets:
        square, targets = targets.pop()
        score += t.hanging[mailbox[square]]
    return score


@kernel
def _king_safety(t, frame, us, own, others):
    """Return the danger to the enemy's king plus the shelter of the own king, packed."""
    them = 1 - us
    pawns = frame.by_type[L.PAWN]
    king = frame.king[them]
    ring = t.ring[king]
    near = t.rays[king].king
    weak = own.attacked & ~others.attacked  # defended by the king at most
    checks = own.checks & ~frame.by_color[us]
    safe = checks & weak & (own.twice | ~near)
    units = own.units + t.danger_weak * (ring & weak).count()
    units += t.danger_check * min(safe.count(), 3) + t.danger_try * (checks & ~safe).count()
    if safe:
        units += t.danger_first
    if not own.heavy:
        units -= t.danger_light
    cover = (pawns & frame.by_color[them] & t.shield[them][king]).count()
    units = max(units + t.danger_bare * max(3 - cover, 0) - t.danger_calm, 0)
    # king danger grows with the square of its units
    squared = units * units
    danger = min(squared * t.danger >> L.DANGER_BITS, t.danger_most)
    shelter = min((pawns & frame.by_color[us] & t.shield[us][frame.king[us]]).count(), 3)
    return danger + t.shelter * shelter


@kernel
def _hce(t, mailbox, frame):
    """Return the hand-crafted evaluation for the side to move, without tempo, in centipawns."""
    occupied = frame.by_color[0] | frame.by_color[1]
    score = frame.psq
    score += pawn_structure(t, frame, 0, occupied) - pawn_structure(t, frame, 1, occupied)
    score += pairs(t, frame, 0) - pairs(t, frame, 1)
    white = activity(t, frame, 0, occupied)
    black = activity(t, frame, 1, occupied)
    score += white.score - black.score
    score += _king_safety(t, frame, 0, white, black)
    score -= _king_safety(t, frame, 1, black, white)
    score += _threats(t, mailbox, frame, 0, white, black)
    score -= _threats(t, mailbox, frame, 1, black, white)
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    full = t.max_phase
    phase = min(frame.phase, full)
    value = middle * phase + end * (full - phase)
    if frame.side == 1:
        value = -value
    return value // full  # rounded after the sign is set: the same for both sides


@kernel
def _tempo(t):
    """Return the bonus for the side to move; a net has learnt it."""
    return t.tempo if t.net == 0 else 0


@kernel
def _unscaled(S, t, frame, f):
    """Return HCE or net output for the side to move, without tempo, in centipawns."""
    if t.net != 0:
        return nnue_value(S, t, f)
    return _hce(t, L.STATE(S).mailbox, frame)


@kernel
def learnt_value(S, T, f):
    """Return the evaluation that training fits: without scale factor and fifty-move scaling."""
    t = L.TABLES(T)
    return _unscaled(S, t, L.FRAME(S, f), f) + _tempo(t)


@kernel
def evaluate(S, T, f):
    """Return the static evaluation for the side to move, in centipawns."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    value = _unscaled(S, t, frame, f)
    # fifty-move rule: the evaluation falls to 0 as the halfmove clock runs
    left = t.claim_plies
    clock = frame.clock
    if clock > 20:
        value = value * (left + 20 - clock) // left if clock < left else 0
    stronger = frame.side if value > 0 else 1 - frame.side
    scale = scale_factor(t, frame, L.STATE(S).mailbox, stronger)
    if scale < FULL_SCALE:
        value = value * scale // FULL_SCALE
    return value + _tempo(t)
