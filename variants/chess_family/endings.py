"""Endings in which an advantage hardly wins: what of the evaluation is left of it there.

Who has no pawns left and no more than a minor piece more cannot make anything of it, nor can who
has only pawns of the edge before which the other king stands, nor, mostly, who has the one bishop
when the other side has that of the other colour.
Source: common endgame knowledge, the shares as in open engines; J. Nunn, "Secrets of Pawnless
Endings", 1994.
"""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel
from variants.chess_family import layout as L

#: Shares are parts of this.
WHOLE = 64
#: Pawnless: against a bare king or one with a minor piece, and else.
_BARE, _PAWNLESS = 4, 14
_OPPOSITE = 28
#: Beside the king; of more pieces on a side nothing is said.
_FEW = 3


@kernel
def _material(t, mailbox, pieces):
    """Centipawns of a set of pieces."""
    total = 0
    while pieces:
        square, pieces = pieces.pop()
        total += t.value[mailbox[square]]
    return total


@kernel
def are_bound(t, mailbox, pieces):
    """Whether none of a set of pieces ever leaves its colour."""
    while pieces:
        square, pieces = pieces.pop()
        if t.colourbound[mailbox[square] & 15] == 0:
            return False
    return True


@kernel
def _are_knights(t, mailbox, pieces):
    """Whether all are minor pieces, alike, and not bound to a colour: two of them cannot mate."""
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
    """The share of who has no pawns: ``own`` and ``others`` are pieces beside the kings."""
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
    return WHOLE


@kernel
def _is_held(t, frame, mailbox, us, pawns, own):
    """Whether pawns of an edge, with pieces that cannot reach their end, stop at the king there."""
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
    return are_bound(t, mailbox, own)


@kernel
def _opposite(t, frame, mailbox, own, others):
    """Whether each side has one piece beside its king, bound to colours that differ."""
    if own.count() != 1 or others.count() != 1:
        return False
    if not are_bound(t, mailbox, own | others):
        return False
    return (own & t.light).count() != (others & t.light).count()


@kernel
def winning_share(t, frame, mailbox, us):
    """How much of an advantage of a side counts, in parts of WHOLE."""
    men = frame.men[us]
    pawns = frame.sets[L.PAWN]
    own = men & ~(pawns | frame.sets[L.KING])
    if own.count() > _FEW:
        return WHOLE
    others = frame.men[1 - us] & ~(pawns | frame.sets[L.KING])
    if not men & pawns:
        return _pawnless(t, mailbox, own, others, pawns)
    if _is_held(t, frame, mailbox, us, men & pawns, own):
        return 0
    if _opposite(t, frame, mailbox, own, others):
        return _OPPOSITE
    return WHOLE
