"""Pawn moves, and adding moves to whole bitboards of targets."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import TACTICAL
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz, store32
from ryugi_engine.kernel.move_list import MoveList, put
from variants.chess.fast import layout as L


class Position(NamedTuple):
    """A frame with the side to move, pins and checks, as the move generator needs it."""

    t: object  # the game's tables
    frame: object
    us: int
    king: int
    own: object  # bitboards: our pieces, theirs, all
    them: object
    occupied: object
    kind: int  # of moves, as in ryugi_engine.kernel.abi


@kernel
def _put_word(moves, origin, word, base):
    n = moves.next
    while word != 0:
        store32(moves.state, n, origin | (ctz(word) + base) << 7)
        n += 1
        word &= word - 1
    return MoveList(moves.state, n, moves.listed)


@kernel
def put_targets(moves, origin, targets):
    """Add the moves from ``origin`` to every square of a bitboard."""
    if moves.listed == 0:
        return MoveList(moves.state, moves.next + targets.count(), moves.listed)
    moves = _put_word(moves, origin, targets.lo, 0)
    return _put_word(moves, origin, targets.hi, 64)


@kernel
def _put_promotions(t, moves, move):
    for i in range(t.promotions):
        moves = put(moves, move | L.PROMOTION << 14 | t.promotion_type[i] << 17)
    return moves


@kernel
def _put_pawn_word(t, moves, word, base, step, kind, last):
    """Add pawn moves to the squares of one word; ``last`` is the last rank's part of it."""
    while word != 0:
        to = ctz(word) + base
        move = (to - step) | to << 7
        promotes = (word & -word & last) != 0
        moves = _put_promotions(t, moves, move) if promotes else put(moves, move | kind << 14)
        word &= word - 1
    return moves


@kernel
def _put_pawns(t, moves, targets, step, kind, last):
    """Add pawn moves to the targets, each from ``to - step``."""
    if moves.listed == 0:
        more = targets.count() + (targets & last).count() * (t.promotions - 1)
        return MoveList(moves.state, moves.next + more, moves.listed)
    moves = _put_pawn_word(t, moves, targets.lo, 0, step, kind, last.lo)
    return _put_pawn_word(t, moves, targets.hi, 64, step, kind, last.hi)


@kernel
def _up(us, pawns):
    """Return the bitboard shifted one rank forward."""
    return pawns << 16 if us == 0 else pawns >> 16


@kernel
def _left(us, pawns):
    """Return the bitboard shifted one rank forward, one file down; files are padded."""
    return pawns << 15 if us == 0 else pawns >> 17


@kernel
def _right(us, pawns):
    """Return the bitboard shifted one rank forward, one file up; files are padded."""
    return pawns << 17 if us == 0 else pawns >> 15


@kernel
def pawn_moves(position, pawns, mask, moves):
    """Add pawn moves to the squares of a mask, except en passant."""
    t = position.t
    us = position.us
    up = 16 - 32 * us
    last = t.last_rank[us]
    free = t.board & ~position.occupied
    one = _up(us, pawns) & free & mask
    # where the board is low, a double step reaches the last rank, too
    double = _up(us, _up(us, pawns & t.double[us]) & free) & free & mask
    if position.kind == TACTICAL:
        one &= last
        double &= last
    moves = _put_pawns(t, moves, double, 2 * up, L.DOUBLE, last)
    moves = _put_pawns(t, moves, one, up, L.NORMAL, last)
    prey = position.them & mask
    moves = _put_pawns(t, moves, _left(us, pawns) & prey, up - 1, L.NORMAL, last)
    return _put_pawns(t, moves, _right(us, pawns) & prey, up + 1, L.NORMAL, last)
