"""Static evaluation: material and piece-square terms (kept by make), and the rest of ``weights``.

Scores are centipawns, middle and end game packed in one word (see ``weighing.pack``).
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from variants.chess_family import layout as L
from variants.chess_family.activity import activity
from variants.chess_family.endings import WHOLE, winning_share
from variants.chess_family.net import HEAD, net_value
from variants.chess_family.pawns import pawn_attack_set
from variants.chess_family.structure import pairs, pawn_structure


@kernel
def _threats(t, mailbox, frame, us, found, others):
    """What enemies' pieces lose by being attacked, for the attacker, packed."""
    them = 1 - us
    pawns = frame.sets[L.PAWN]
    theirs = frame.men[them] & ~frame.sets[L.KING]
    score = 0
    targets = theirs & ~pawns & pawn_attack_set(us, pawns & frame.men[us])
    while targets:
        square, targets = targets.pop()
        score += t.pawn_threat[mailbox[square]]
    targets = theirs & found.attacked & ~(others.attacked | t.rays[frame.king[them]].king)
    while targets:
        square, targets = targets.pop()
        score += t.hanging[mailbox[square]]
    return score


@kernel
def _king(t, frame, us, found, others):
    """The danger to the enemy's king and the shelter of one's own, packed."""
    them = 1 - us
    pawns = frame.sets[L.PAWN]
    king = frame.king[them]
    ring = t.ring[king]
    near = t.rays[king].king
    loose = found.attacked & ~others.attacked  # defended by the king at most
    checks = found.checks & ~frame.men[us]
    safe = checks & loose & (found.twice | ~near)
    units = found.units + t.danger_weak * (ring & loose).count()
    units += t.danger_check * min(safe.count(), 3) + t.danger_try * (checks & ~safe).count()
    if safe:
        units += t.danger_first
    if not found.heavy:
        units -= t.danger_light
    cover = (pawns & frame.men[them] & t.shield[them][king]).count()
    units = max(units + t.danger_bare * max(3 - cover, 0) - t.danger_calm, 0)
    # the danger to a king grows faster than the number of attacks on the squares around it
    squared = units * units
    danger = min(squared * t.danger >> L.DANGER_BITS, t.danger_most)
    shelter = min((pawns & frame.men[us] & t.shield[us][frame.king[us]]).count(), 3)
    return danger + t.shelter * shelter


@kernel
def _hand_written(t, mailbox, frame):
    """Centipawns from the side to move's point of view, but for the tempo."""
    occupied = frame.men[0] | frame.men[1]
    score = frame.psq
    score += pawn_structure(t, frame, 0, occupied) - pawn_structure(t, frame, 1, occupied)
    score += pairs(t, frame, 0) - pairs(t, frame, 1)
    white = activity(t, frame, 0, occupied)
    black = activity(t, frame, 1, occupied)
    score += white.score - black.score
    score += _king(t, frame, 0, white, black) - _king(t, frame, 1, black, white)
    score += _threats(t, mailbox, frame, 0, white, black)
    score -= _threats(t, mailbox, frame, 1, black, white)
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    full = t.max_phase
    phase = min(frame.phase, full)
    value = middle * phase + end * (full - phase)
    if frame.side == 1:
        value = -value
    return value // full  # rounded after turning it round: the same for both sides


@kernel
def _tempo(t):
    """What the move is worth; a net knows that by itself."""
    return t.tempo if t.net == 0 or HEAD(t.net).correction != 0 else 0


@kernel
def _advantage(S, t, frame, f):
    """Centipawns for the side to move but for the tempo: hand-written, by a net, or the sum."""
    value = 0
    if t.net == 0 or HEAD(t.net).correction != 0:
        value = _hand_written(t, L.STATE(S).mailbox, frame)
    if t.net != 0:
        value += net_value(S, t, f)
    return value


@kernel
def learnt(S, T, f):
    """The evaluation as it is learnt, whatever the ending and the row of quiet moves."""
    t = L.TABLES(T)
    return _advantage(S, t, L.FRAME(S, f), f) + _tempo(t)


@kernel
def evaluate(S, T, f):
    """Centipawns from the side to move's point of view."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    value = _advantage(S, t, frame, f)
    # a long row of quiet moves ends in a draw: the advantage fades with it
    left = t.claim_plies
    clock = frame.clock
    if clock > 20:
        value = value * (left + 20 - clock) // left if clock < left else 0
    # so do endings of which nothing can be made
    ahead = frame.side if value > 0 else 1 - frame.side
    share = winning_share(t, frame, L.STATE(S).mailbox, ahead)
    if share < WHOLE:
        value = value * share // WHOLE
    return value + _tempo(t)
