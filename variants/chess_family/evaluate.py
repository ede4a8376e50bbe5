"""Static evaluation: material and piece-square terms (kept by make), mobility, king safety, pawns.

Scores are centipawns, middle and end game packed in one word (see ``values.pack``).
"""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel
from variants.chess_family import layout as L
from variants.chess_family.attacks import diag_attacks, ortho_attacks, rider_attacks
from variants.chess_family.net import HEAD, net_value
from variants.chess_family.pawns import pawn_attack_set

_TEMPO = 12
#: Per pawn: packed (middle, end) penalties and bonuses.
_ISOLATED = -(9 + (11 << 32))
_DOUBLED = -(6 + (14 << 32))
_SHELTER = 11  # middle game, per pawn in front of the king
_PAIR = 28 + (40 << 32)  # two diagonal sliders that only move diagonally is the usual pair


@kernel
def _activity(t, pieces, component, occupied, safe, zone):
    """Mobility and attacks on the enemy king's zone of one component: (packed, attack units)."""
    weight = t.mobility[component]
    score = 0
    units = 0
    while pieces:
        square, pieces = pieces.pop()
        if component == L.ORTHO:
            reach = ortho_attacks(t, square, occupied)
        elif component == L.DIAG:
            reach = diag_attacks(t, square, occupied)
        elif component == L.RIDER:
            reach = rider_attacks(t, square, occupied)
        else:
            reach = t.leaps[component - L.LEAPER][square]
        score += weight * ((reach & safe).count() - 4)
        units += (reach & zone).count()
    return score, units


@kernel
def _pawns(t, us, own, enemies, occupied):
    """Isolated, doubled and passed pawns of one side, packed."""
    score = 0
    left = own
    while left:
        square, left = left.pop()
        neighbours = t.file_neighbours[square & 15]
        front = t.passed[us][square]
        if not neighbours & own:
            score += _ISOLATED
        if front & ~neighbours & own:
            score += _DOUBLED
        elif not front & enemies:
            advance = square >> 4
            if us == 1:
                advance = t.ranks - 1 - advance
            bonus = advance * advance
            free = not one(square + 16 - 32 * us) & occupied
            score += bonus * 2
            score += (bonus * (5 if free else 3)) << 32
    return score


@kernel
def _side(t, frame, us, occupied):
    """Everything but the piece-square sum for one side, packed, from its own point of view."""
    them = 1 - us
    own = frame.men[us]
    pawns = frame.sets[L.PAWN] & own
    enemies = frame.sets[L.PAWN] & frame.men[them]
    zone = t.rays[frame.king[them]].king
    safe = ~own & ~pawn_attack_set(them, enemies)

    score, attackers = _activity(t, frame.sets[L.ORTHO] & own, L.ORTHO, occupied, safe, zone)
    sliders = frame.sets[L.DIAG] & own
    more, units = _activity(t, sliders, L.DIAG, occupied, safe, zone)
    score += more
    attackers += units
    if sliders.count() >= 2:
        score += _PAIR
    more, units = _activity(t, frame.sets[L.RIDER] & own, L.RIDER, occupied, safe, zone)
    score += more
    attackers += units
    for group in range(t.leaper_sets):
        which = L.LEAPER + group
        more, units = _activity(t, frame.sets[which] & own, which, occupied, safe, zone)
        score += more
        attackers += units

    # the danger to a king grows faster than the number of attacks on the squares around it
    danger = min(attackers * attackers * 2, 400)
    shelter = min((pawns & t.shield[us][frame.king[us]]).count(), 3)
    score += danger + _SHELTER * shelter
    return score + _pawns(t, us, pawns, enemies, occupied)


@kernel
def _hand_written(t, frame):
    """Centipawns from the side to move's point of view, but for the tempo."""
    occupied = frame.men[0] | frame.men[1]
    score = frame.psq
    score += _side(t, frame, 0, occupied) - _side(t, frame, 1, occupied)
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    full = t.max_phase
    phase = min(frame.phase, full)
    value = middle * phase + end * (full - phase)
    if frame.side == 1:
        value = -value
    return value // full  # rounded after turning it round: the same for both sides


@kernel
def evaluate(S, T, f):
    """Centipawns from the side to move's point of view: hand-written, by a net, or the sum."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    value = 0
    tempo = 0
    if t.net == 0 or HEAD(t.net).correction != 0:
        value = _hand_written(t, frame)
        tempo = _TEMPO
    if t.net != 0:
        value += net_value(L.STATE(S), frame, t.net)
    # a long row of quiet moves ends in a draw: the advantage fades with it
    left = t.claim_plies
    clock = frame.clock
    if clock > 20:
        value = value * (left + 20 - clock) // left if clock < left else 0
    return value + tempo
