"""Moves that surely give no check: the search prunes them without making them."""

from __future__ import annotations

from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import diag_attacks, ortho_attacks, rider_attacks
from variants.chess.fast.makemove import kind_of, origin_of, target_of


@kernel
def _shields(frame, component, us, rays, attacks, beyond):
    """Return the own pieces that may open a line of an own slider to the enemy's king.

    ``attacks`` are the slider's from the king, ``beyond`` those without the first own pieces.
    """
    own = frame.by_color[us]
    sliders = frame.by_type[component] & own & rays & beyond & ~attacks
    return attacks & own if sliders else bits(0, 0)


@routine
def _note_lines(S, T, f, us):
    """Compute from which squares each component gives check, and which pieces shield a line."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    checks = L.STATE(S).checks
    own, them = frame.by_color[us], frame.by_color[1 - us]
    occupied = own | them
    king = frame.king[1 - us]
    rays = t.rays[king]
    for i in range(L.COMPONENTS):
        checks.squares[i] = bits(0, 0)
    checks.squares[L.PAWN] = t.pawn_attacks[1 - us][king]
    for group in range(t.leaper_sets):
        checks.squares[L.LEAPER + group] = t.leaps[group][king]
    found = ortho_attacks(t, king, occupied)
    beyond = ortho_attacks(t, king, occupied & ~(found & own))
    checks.squares[L.ORTHO] = found
    checks.shields = _shields(frame, L.ORTHO, us, rays.ortho, found, beyond)
    found = diag_attacks(t, king, occupied)
    beyond = diag_attacks(t, king, occupied & ~(found & own))
    checks.squares[L.DIAG] = found
    checks.shields |= _shields(frame, L.DIAG, us, rays.diag, found, beyond)
    if frame.by_type[L.RIDER] & own:
        found = rider_attacks(t, king, occupied)
        beyond = rider_attacks(t, king, occupied & ~(found & own))
        checks.squares[L.RIDER] = found
        checks.shields |= _shields(frame, L.RIDER, us, rays.rider, found, beyond)
    checks.key = frame.key
    return 0


@routine
def may_check(S, T, f, us, move):
    """Return 0 if a legal move surely gives no check, else 1."""
    t = L.TABLES(T)
    checks = L.STATE(S).checks
    if kind_of(move) not in (L.NORMAL, L.DOUBLE):
        return 1
    if checks.key != L.FRAME(S, f).key:
        _note_lines(S, T, f, us)
    if checks.shields & one(origin_of(move)):
        return 1
    piece = L.STATE(S).mailbox[origin_of(move)]
    target = one(target_of(move))
    for i in range(L.COMPONENTS):
        if t.membership[piece][i] & checks.squares[i] & target:
            return 1
    return 0
