"""What one side's pieces do: their mobility, what they attack, and how they press on a king."""

from __future__ import annotations

from typing import Any, NamedTuple

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
    near: object  # beside their king
    ring: object  # around it and before it


class Piece(NamedTuple):
    """What one piece does, summed up over its movements."""

    score: int  # packed
    beside: int  # units of danger for what it attacks beside the king
    aims: int  # for that it attacks the ring
    reach: Any  # bitboards: where it goes,
    sights: Any  # and from where what moves like it would attack the king
    movements: int


class Activity(NamedTuple):
    """What all of them do."""

    score: int  # packed
    units: int  # danger to the other king
    attacked: object  # bitboards: by anything but the king,
    twice: object  # by two pieces,
    checks: object  # and from where one of them could give check after a move
    heavy: bool  # whether one of them joins several movements


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
def _moves(around, piece, component, reach, from_king):
    """The piece's deeds with those of one more of its movements."""
    t = around.t
    aims = piece.aims
    if reach & around.ring:
        aims += t.danger_square[component]
    return Piece(
        piece.score + t.mobility[component][(reach & around.safe).count()],
        piece.beside + t.danger_near * (reach & around.near).count(),
        aims,
        piece.reach | reach,
        piece.sights | from_king,
        piece.movements + 1,
    )


@kernel
def activity(t, frame, us, occupied):
    """That of one side; packed scores are from its own point of view."""
    them = 1 - us
    own = frame.men[us]
    pawns = frame.sets[L.PAWN] & own
    enemies = frame.sets[L.PAWN] & frame.men[them]
    king = frame.king[them]
    safe = ~own & ~pawn_attack_set(them, enemies)
    around = Around(t, occupied, safe, t.rays[king].king, t.ring[king])

    # what moves like a rook is better where no own pawn stands before it, or none at all
    rooks = frame.sets[L.ORTHO] & own
    bishops = frame.sets[L.DIAG] & own
    riders = frame.sets[L.RIDER] & own
    free = rooks & ~_behind(us, pawns)
    score = t.half_open * free.count() + t.open * (free & ~_behind(us, enemies)).count()
    by_pawns = pawn_attack_set(us, pawns)
    units = 0
    aims = 0
    aiming = 0
    attacked = by_pawns
    twice = bits(0, 0)
    checks = bits(0, 0)
    heavy = False
    ortho = ortho_attacks(t, king, occupied)
    diag = diag_attacks(t, king, occupied)
    left = own & ~pawns & ~frame.sets[L.KING]
    while left:
        square, left = left.pop()
        none = bits(0, 0)
        piece = Piece(0, 0, 0, none, none, 0)
        if rooks.has(square):
            reach = ortho_attacks(t, square, occupied)
            piece = _moves(around, piece, L.ORTHO, reach, ortho)
        if bishops.has(square):
            reach = diag_attacks(t, square, occupied)
            piece = _moves(around, piece, L.DIAG, reach, diag)
        if riders.has(square):
            reach = rider_attacks(t, square, occupied)
            piece = _moves(around, piece, L.RIDER, reach, rider_attacks(t, king, occupied))
        for group in range(t.leaper_sets):
            if frame.sets[L.LEAPER + group].has(square):
                leaps = t.leaps[group]
                piece = _moves(around, piece, L.LEAPER + group, leaps[square], leaps[king])
        score += piece.score
        units += piece.beside
        aims += piece.aims
        if piece.aims > 0:
            aiming += 1
        twice |= attacked & piece.reach
        attacked |= piece.reach
        checks |= piece.reach & piece.sights
        heavy |= piece.movements > 1
    return Activity(score, units + aiming * aims, attacked, twice, checks, heavy)
