"""Piece activity of one side: mobility, attack maps, and king danger units.

Source of the terms: the mobility and king safety of Stockfish's classical evaluation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import diag_attacks, ortho_attacks, rider_attacks
from variants.chess.fast.pawns import pawn_attack_set


class Around(NamedTuple):
    """The board from one side's point of view: occupancy, pawns, kings."""

    t: object  # the game's tables
    occupied: object  # bitboards, here and below
    safe: object  # mobility area: neither ours nor attacked by their pawns
    near: object  # next to the enemy's king
    ring: object  # king ring: around it and before it


class Piece(NamedTuple):
    """Activity of one piece, summed up over its movements."""

    score: int  # mobility, packed
    near_units: int  # danger units for attacked squares next to the king
    ring_units: int  # danger units for movements that attack the king ring
    attacks: Any  # bitboard
    checking: Any  # bitboard: squares from which this piece attacks the king
    movements: int  # how many it has


class Activity(NamedTuple):
    """Activity of all pieces of a side but the king."""

    score: int  # packed
    units: int  # danger units against the enemy's king
    attacked: object  # bitboards: attacked by anything but the king,
    twice: object  # attacked by two pieces,
    checks: object  # squares to which a piece can move and give check
    heavy: bool  # whether a piece combines several movements, like a queen


@kernel
def _behind(us, pawns):
    """Return the rear span of pawns: the squares of their files towards the first rank."""
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
def _add_movement(around, piece, component, attacks, from_king):
    """Return the piece's activity with one more of its movements added."""
    t = around.t
    ring_units = piece.ring_units
    if attacks & around.ring:
        ring_units += t.danger_square[component]
    return Piece(
        piece.score + t.mobility[component][(attacks & around.safe).count()],
        piece.near_units + t.danger_near * (attacks & around.near).count(),
        ring_units,
        piece.attacks | attacks,
        piece.checking | from_king,
        piece.movements + 1,
    )


@kernel
def activity(t, frame, us, occupied):
    """Return one side's activity; packed scores are from its own point of view."""
    them = 1 - us
    own = frame.by_color[us]
    pawns = frame.by_type[L.PAWN] & own
    enemies = frame.by_type[L.PAWN] & frame.by_color[them]
    king = frame.king[them]
    safe = ~own & ~pawn_attack_set(them, enemies)
    around = Around(t, occupied, safe, t.rays[king].king, t.ring[king])

    # rooks on open and half-open files: every piece with the rook's movement counts
    rooks = frame.by_type[L.ORTHO] & own
    bishops = frame.by_type[L.DIAG] & own
    riders = frame.by_type[L.RIDER] & own
    free = rooks & ~_behind(us, pawns)
    score = t.half_open * free.count() + t.open * (free & ~_behind(us, enemies)).count()
    by_pawns = pawn_attack_set(us, pawns)
    units = 0
    ring_units = 0
    attackers = 0
    attacked = by_pawns
    twice = bits(0, 0)
    checks = bits(0, 0)
    heavy = False
    ortho = ortho_attacks(t, king, occupied)
    diag = diag_attacks(t, king, occupied)
    left = own & ~pawns & ~frame.by_type[L.KING]
    while left:
        square, left = left.pop()
        none = bits(0, 0)
        piece = Piece(0, 0, 0, none, none, 0)
        if rooks.has(square):
            attacks = ortho_attacks(t, square, occupied)
            piece = _add_movement(around, piece, L.ORTHO, attacks, ortho)
        if bishops.has(square):
            attacks = diag_attacks(t, square, occupied)
            piece = _add_movement(around, piece, L.DIAG, attacks, diag)
        if riders.has(square):
            attacks = rider_attacks(t, square, occupied)
            checking = rider_attacks(t, king, occupied)
            piece = _add_movement(around, piece, L.RIDER, attacks, checking)
        for group in range(t.leaper_sets):
            if frame.by_type[L.LEAPER + group].has(square):
                leaps = t.leaps[group]
                piece = _add_movement(around, piece, L.LEAPER + group, leaps[square], leaps[king])
        score += piece.score
        units += piece.near_units
        ring_units += piece.ring_units
        if piece.ring_units > 0:
            attackers += 1
        twice |= attacked & piece.attacks
        attacked |= piece.attacks
        checks |= piece.attacks & piece.checking
        heavy |= piece.movements > 1
    return Activity(score, units + attackers * ring_units, attacked, twice, checks, heavy)
