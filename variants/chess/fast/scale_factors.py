"""Endgame scale factors: drawish material, in which an advantage hardly wins.

Pawnless advantages of a minor piece or less, rook pawns with a bishop of the wrong colour, and
opposite-coloured bishops. Sources: common endgame knowledge, the factors as in open engines;
J. Nunn, "Secrets of Pawnless Endings", 1994.
"""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel
from variants.chess.fast import layout as L

#: The factor of all other positions: nothing is scaled.
FULL_SCALE = 64
#: Pawnless, against at most a minor piece, and against more.
_BARE, _PAWNLESS = 4, 14
#: Opposite-coloured bishops.
_OPPOSITE = 28
#: Sides with more pieces than this besides the king are not scaled.
_FEW = 3


@kernel
def _material(t, mailbox, pieces):
    """Return the value of pieces, in centipawns."""
    total = 0
    while pieces:
        square, pieces = pieces.pop()
        total += t.value[mailbox[square]]
    return total


@kernel
def are_colourbound(t, mailbox, pieces):
    """Return whether all pieces are colourbound."""
    while pieces:
        square, pieces = pieces.pop()
        if t.colourbound[mailbox[square] & 15] == 0:
            return False
    return True


@kernel
def _are_knights(t, mailbox, pieces):
    """Return whether all are alike, minor and not colourbound: two of them cannot mate."""
    kind = mailbox[pieces.first()] & 15
    if t.lone_minor[kind] == 0 or t.colourbound[kind] != 0:
        return False
    while pieces:
        square, pieces = pieces.pop()
        if (mailbox[square] & 15) != kind:
            return False
    return True


@kernel
def _pawnless(t, mailbox, own, others, enemy_pawns):
    """Return the factor of a side without pawns; ``own`` and ``others`` exclude the kings."""
    if not own:
        return 0
    ours = _material(t, mailbox, own)
    theirs = _material(t, mailbox, others)
    if ours <= t.minor:
        return 0
    if ours - theirs <= t.minor:
        return _BARE if theirs <= t.minor else _PAWNLESS
    if not others and not enemy_pawns and own.count() == 2 and _are_knights(t, mailbox, own):
        return 0
    return FULL_SCALE


@kernel
def _is_rook_pawn_draw(t, frame, mailbox, us, pawns, own):
    """Return whether the king stops rook pawns whose pieces do not control the promotion square."""
    square = pawns.first()
    file = square & 15
    if file != 0 and file != t.files - 1:
        return False
    end = (t.ranks - 1) * 16 * (1 - us) + file
    king = frame.king[1 - us]
    if king != end and not t.rays[end].king & one(king):
        return False
    while pawns:
        square, pawns = pawns.pop()
        if (square & 15) != file:
            return False
    if own & t.light and t.light & one(end):
        return False
    if own & ~t.light and not t.light & one(end):
        return False
    return are_colourbound(t, mailbox, own)


@kernel
def _opposite(t, frame, mailbox, own, others):
    """Return whether each side has one colourbound piece, on opposite colours."""
    if own.count() != 1 or others.count() != 1:
        return False
    if not are_colourbound(t, mailbox, own | others):
        return False
    return (own & t.light).count() != (others & t.light).count()


@kernel
def scale_factor(t, frame, mailbox, us):
    """Return the factor by which a side's advantage is multiplied, in 1/FULL_SCALE."""
    pieces = frame.by_color[us]
    pawns = frame.by_type[L.PAWN]
    own = pieces & ~(pawns | frame.by_type[L.KING])
    if own.count() > _FEW:
        return FULL_SCALE
    others = frame.by_color[1 - us] & ~(pawns | frame.by_type[L.KING])
    if not pieces & pawns:
        return _pawnless(t, mailbox, own, others, pawns)
    if _is_rook_pawn_draw(t, frame, mailbox, us, pieces & pawns, own):
        return 0
    if _opposite(t, frame, mailbox, own, others):
        return _OPPOSITE
    return FULL_SCALE
