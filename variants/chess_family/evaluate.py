"""Static evaluation: material and piece-square terms (kept by make), mobility, king safety, pawns.

Scores are centipawns, middle and end game packed in one word (see ``values.pack``).
"""

from __future__ import annotations

from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load64
from variants.chess_family import layout as L
from variants.chess_family.attacks import (
    component,
    count_bits,
    diag_attacks,
    leaps,
    ortho_attacks,
    pop_square,
    rider_attacks,
    square_bits,
)
from variants.chess_family.pawns import pawn_attack_sets

_TEMPO = 12
#: Per pawn: packed (middle, end) penalties and bonuses.
_ISOLATED = -(9 + (11 << 32))
_DOUBLED = -(6 + (14 << 32))
_SHELTER = 11  # middle game, per pawn in front of the king
_PAIR = 28 + (40 << 32)  # two diagonal sliders that only move diagonally is the usual pair


@kernel
def _activity(S, T, f, from_lo, from_hi, which, lo, hi, safe_lo, safe_hi, zone_lo, zone_hi):
    """Mobility and attacks on the enemy king's zone of one component: (packed, attack units)."""
    weight = const64(T, L.T_MOBILITY + which)
    score = 0
    units = 0
    while (from_lo | from_hi) != 0:
        square, from_lo, from_hi = pop_square(from_lo, from_hi)
        if which == L.ORTHO:
            a, b = ortho_attacks(T, square, lo, hi)
        elif which == L.DIAG:
            a, b = diag_attacks(T, square, lo, hi)
        elif which == L.RIDER:
            a, b = rider_attacks(T, square, lo, hi)
        else:
            a, b = leaps(T, which - L.LEAPER, square)
        score += weight * (count_bits(a & safe_lo, b & safe_hi) - 4)
        units += count_bits(a & zone_lo, b & zone_hi)
    return score, units


@kernel
def _side(S, T, f, us, lo, hi):
    """Everything but the piece-square sum for one side, packed, from its own point of view."""
    them = 1 - us
    own_lo = load64(S, f + L.OCCUPIED + us)
    own_hi = load64(S, f + L.HALF + L.OCCUPIED + us)
    them_lo = load64(S, f + L.OCCUPIED + them)
    them_hi = load64(S, f + L.HALF + L.OCCUPIED + them)
    enemy_king = load64(S, f + L.KING_SQUARE + them)
    own_king = load64(S, f + L.KING_SQUARE + us)
    zone_lo = const64(T, L.T_KING_RAYS + 8 * enemy_king + 6)
    zone_hi = const64(T, L.T_KING_RAYS + 8 * enemy_king + 7)
    p_lo, p_hi = component(S, f, L.PAWN, own_lo, own_hi)
    e_lo, e_hi = component(S, f, L.PAWN, them_lo, them_hi)
    guarded_lo, guarded_hi = pawn_attack_sets(them, e_lo, e_hi)
    safe_lo = ~own_lo & ~guarded_lo
    safe_hi = ~own_hi & ~guarded_hi

    a, b = component(S, f, L.ORTHO, own_lo, own_hi)
    score, units = _activity(S, T, f, a, b, L.ORTHO, lo, hi, safe_lo, safe_hi, zone_lo, zone_hi)
    attackers = units
    a, b = component(S, f, L.DIAG, own_lo, own_hi)
    more, units = _activity(S, T, f, a, b, L.DIAG, lo, hi, safe_lo, safe_hi, zone_lo, zone_hi)
    score += more
    attackers += units
    if count_bits(a, b) >= 2:
        score += _PAIR
    a, b = component(S, f, L.RIDER, own_lo, own_hi)
    more, units = _activity(S, T, f, a, b, L.RIDER, lo, hi, safe_lo, safe_hi, zone_lo, zone_hi)
    score += more
    attackers += units
    for g in range(const64(T, L.T_LEAPER_SETS)):
        a, b = component(S, f, L.LEAPER + g, own_lo, own_hi)
        w = L.LEAPER + g
        more, units = _activity(S, T, f, a, b, w, lo, hi, safe_lo, safe_hi, zone_lo, zone_hi)
        score += more
        attackers += units

    # the danger to a king grows faster than the number of attacks on the squares around it
    danger = attackers * attackers * 2
    danger = min(danger, 400)
    at = L.T_SHIELD + 256 * us + 2 * own_king
    shelter = count_bits(p_lo & const64(T, at), p_hi & const64(T, at + 1))
    shelter = min(shelter, 3)
    score += danger + _SHELTER * shelter

    ranks = const64(T, L.T_RANKS)
    left_lo = p_lo
    left_hi = p_hi
    while (left_lo | left_hi) != 0:
        square, left_lo, left_hi = pop_square(left_lo, left_hi)
        file = square & 15
        at = L.T_PASSED + 256 * us + 2 * square
        front_lo = const64(T, at)
        front_hi = const64(T, at + 1)
        n_lo = const64(T, L.T_FILE_NEIGHBOURS + 2 * file)
        n_hi = const64(T, L.T_FILE_NEIGHBOURS + 2 * file + 1)
        if ((n_lo & p_lo) | (n_hi & p_hi)) == 0:
            score += _ISOLATED
        if ((front_lo & ~n_lo & p_lo) | (front_hi & ~n_hi & p_hi)) != 0:
            score += _DOUBLED
        elif ((front_lo & e_lo) | (front_hi & e_hi)) == 0:
            advance = square >> 4
            if us == 1:
                advance = ranks - 1 - advance
            bonus = advance * advance
            s_lo, s_hi = square_bits(square + 16 - 32 * us)
            free = ((s_lo & lo) | (s_hi & hi)) == 0
            score += bonus * 2
            score += (bonus * (5 if free else 3)) << 32
    return score


@kernel
def evaluate(S, T, f):
    """Centipawns from the side to move's point of view."""
    lo = load64(S, f + L.OCCUPIED) | load64(S, f + L.OCCUPIED + 1)
    hi = load64(S, f + L.HALF + L.OCCUPIED) | load64(S, f + L.HALF + L.OCCUPIED + 1)
    score = load64(S, f + L.PSQ)
    score += _side(S, T, f, 0, lo, hi) - _side(S, T, f, 1, lo, hi)
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    full = const64(T, L.T_MAX_PHASE)
    phase = load64(S, f + L.PHASE)
    phase = min(phase, full)
    value = middle * phase + end * (full - phase)
    if load64(S, f + L.SIDE) == 1:
        value = -value
    value //= full  # rounded after turning it round: the same for both sides
    # a long row of quiet moves ends in a draw: the advantage fades with it
    left = const64(T, L.T_CLAIM_PLIES)
    clock = load64(S, f + L.CLOCK)
    if clock > 20:
        value = value * (left + 20 - clock) // left if clock < left else 0
    return value + _TEMPO
