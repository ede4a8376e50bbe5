"""Pawn structure, and the pair of colourbound pieces (bishop pair)."""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L
from variants.chess.fast.pawns import pawn_attack_set


@kernel
def _steps(a, b):
    """Return the number of king moves between two squares (Chebyshev distance)."""
    files = abs((a & 15) - (b & 15))
    ranks = abs((a >> 4) - (b >> 4))
    return max(files, ranks)


@kernel
def _passed(t, frame, us, square, occupied):
    """Return a passed pawn's bonus, packed."""
    advance = square >> 4 if us == 0 else t.ranks - 1 - (square >> 4)
    ahead = square + 16 - 32 * us
    score = t.passed_gain[advance]
    if not one(ahead) & occupied:
        score += t.passed_free[advance]
    score += t.king_near[0][advance][_steps(frame.king[us], ahead)]
    return score + t.king_near[1][advance][_steps(frame.king[1 - us], ahead)]


@kernel
def pawn_structure(t, frame, us, occupied):
    """Return the score of one side's pawns, packed."""
    own = frame.by_type[L.PAWN] & frame.by_color[us]
    enemies = frame.by_type[L.PAWN] & frame.by_color[1 - us]
    defended = pawn_attack_set(us, own)
    score = t.defended * (defended & own).count() + t.beside * (own & own << 1).count()
    left = own
    while left:
        square, left = left.pop()
        neighbours = t.file_neighbours[square & 15]
        front = t.passed[us][square]
        if not neighbours & own:
            score += t.isolated
        if front & ~neighbours & own:
            score += t.doubled
        elif not front & enemies:
            score += _passed(t, frame, us, square, occupied)
    return score


@kernel
def pairs(t, frame, us):
    """Return the bonus for colourbound pieces on both colours, packed."""
    by_type = frame.by_type
    free = by_type[L.PAWN] | by_type[L.KING] | by_type[L.ORTHO] | by_type[L.RIDER]
    for group in range(t.leaper_sets):
        free |= by_type[L.LEAPER + group] & t.changes_colour[group]
    bound = frame.by_color[us] & ~free
    if bound & t.light:
        if bound & ~t.light:
            return t.pair
    return 0
