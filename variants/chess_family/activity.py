"""What one side's pieces do: their mobility, what they attack, and how they press on a king."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.jit import kernel
from variants.chess_family import layout as L
from variants.chess_family.attacks import diag_attacks, ortho_attacks, rider_attacks
from variants.chess_family.pawns import pawn_attack_set


class Around(NamedTuple):
    """What a side's pieces meet."""

    t: object  # the game's tables
    occupied: object  # bitboards, here and below
    safe: object  # neither ours nor attacked by their pawns
    zone: object  # around their king


class Activity(NamedTuple):
    """What they do."""

    score: int  # packed
    units: int  # danger to the other king, in tenths
    attacked: object  # bitboard: by anything but the king


@kernel
def _reach(t, component, square, occupied):
    if component == L.ORTHO:
        return ortho_attacks(t, square, occupied)
    if component == L.DIAG:
        return diag_attacks(t, square, occupied)
    if component == L.RIDER:
        return rider_attacks(t, square, occupied)
    return t.leaps[component - L.LEAPER][square]


@kernel
def _behind(us, pawns):
    """The squares that a pawn of the set stands before, as a side of ``us`` looks."""
    if us == 0:
        pawns = pawns >> 16
        pawns |= pawns >> 16
        pawns |= pawns >> 32
        return bits(pawns.lo | pawns.hi, pawns.hi)
    pawns = pawns << 16
    pawns |= pawns << 16
    pawns |= pawns << 32
    return bits(pawns.lo, pawns.hi | pawns.lo)


@kernel
def _of_component(around, pieces, component, found):
    """The activity with that of the pieces of one component."""
    t = around.t
    score = found.score
    units = found.units
    attacked = found.attacked
    while pieces:
        square, pieces = pieces.pop()
        reach = _reach(t, component, square, around.occupied)
        score += t.mobility[component][(reach & around.safe).count()]
        units += t.danger_square[component] * (reach & around.zone).count()
        attacked |= reach
    return Activity(score, units, attacked)


@kernel
def activity(t, frame, us, occupied):
    """That of one side; packed scores are from its own point of view."""
    them = 1 - us
    own = frame.men[us]
    pawns = frame.sets[L.PAWN] & own
    enemies = frame.sets[L.PAWN] & frame.men[them]
    safe = ~own & ~pawn_attack_set(them, enemies)
    zone = t.rays[frame.king[them]].king
    around = Around(t, occupied, safe, zone)

    # what moves like a rook is better where no own pawn stands before it, or none at all
    rooks = frame.sets[L.ORTHO] & own
    free = rooks & ~_behind(us, pawns)
    score = t.half_open * free.count() + t.open * (free & ~_behind(us, enemies)).count()
    found = Activity(score, 0, pawn_attack_set(us, pawns))
    found = _of_component(around, rooks, L.ORTHO, found)
    found = _of_component(around, frame.sets[L.DIAG] & own, L.DIAG, found)
    found = _of_component(around, frame.sets[L.RIDER] & own, L.RIDER, found)
    for group in range(t.leaper_sets):
        which = L.LEAPER + group
        found = _of_component(around, frame.sets[which] & own, which, found)
    return found
