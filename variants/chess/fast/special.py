"""Castling and en passant."""

from __future__ import annotations

from ryugi_engine.kernel.bits import one
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.move_list import put
from variants.chess.fast import layout as L
from variants.chess.fast.attacks import attacked


@routine
def _path_is_safe(t, frame, us, path, them, occupied):
    while path:
        square, path = path.pop()
        if attacked(t, frame, us, square, them, occupied):
            return False
    return True


@kernel
def castles(position, moves):
    """Add castling moves; the king is not in check."""
    t = position.t
    us = position.us
    for i in range(t.ways[us]):
        way = t.way[us][i]
        if (position.frame.castling & way.right) != 0 and not position.occupied & way.empty:
            # the rook leaves its square too: a rider beyond it must not reach the path
            occupied = position.occupied & ~way.lifted
            if _path_is_safe(t, position.frame, us, way.path, position.them, occupied):
                moves = put(moves, way.king | way.king_to << 7 | L.CASTLE << 14 | i << 17)
    return moves


@routine
def en_passant_is_safe(t, frame, us, origin, target, them, occupied):
    """Return whether capturing en passant from ``origin`` leaves the king unattacked."""
    victim = one(target - 16 + 32 * us)
    occupied = (occupied & ~victim & ~one(origin)) | one(target)
    return not attacked(t, frame, us, frame.king[us], them & ~victim, occupied)


@kernel
def en_passant(position, target, moves):
    """Add captures en passant on ``target``."""
    t = position.t
    us = position.us
    pawns = position.frame.by_type[L.PAWN] & position.own & t.pawn_attacks[1 - us][target]
    while pawns:
        origin, pawns = pawns.pop()
        if en_passant_is_safe(
            t, position.frame, us, origin, target, position.them, position.occupied
        ):
            moves = put(moves, origin | target << 7 | L.EN_PASSANT_CAPTURE << 14)
    return moves
