"""List a move to a square once for each promotion choice."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import select
from variants.chess.tables import layout as L
from variants.chess.tables.moves import move_code, put_move
from variants.chess.tables.sets import has


@kernel
def _code(origin, target, kind, choice, victim):
    """Return the code of a move that may capture a piece on the way; ``victim`` -1: it cannot."""
    if victim < 0:
        return move_code(origin, target, kind, choice)
    index = select(kind == L.PROMOTION, choice + 1, L.BECOMES)
    choice = select(kind == L.NORMAL, 0, index)
    return move_code(origin, target, L.LOCUST, choice) | victim << 23


@kernel
def is_free(t, frame, code):
    """Return 1 if there may be one more piece of a kind by promotion, else 0."""
    limit = t.promotion_limit[code]
    return 1 if limit == 0 or limit > frame.count[t.moves_as[code]] else 0


@kernel
def _may_stay(t, code, target):
    """Return 1 if a piece may come to a square: not where it could never move on; else 0."""
    return has(t.mobile[code], target) if t.immobility_illegal else 1


@routine
def _with_promotion(T, S, f, us, code, origin, target, victim, out):
    """List a move of a piece that may promote, in all its forms."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    n = 0
    stays = 1
    zone = has(t.promotion_region[us], target)
    capture = 1 if frame.board[target] != 0 or (victim >= 0 and victim != origin) else 0
    if t.promotion_pawn_types[code] and zone != 0:
        for i in range(t.promotions[us]):
            if is_free(t, frame, t.promotion[us][i]):
                put_move(S, out + n, _code(origin, target, L.PROMOTION, i, victim))
                n += 1
        if t.mandatory_pawn_promotion:
            stays = 0
    becomes = t.promoted[code]
    if becomes != 0:
        started = has(t.promotion_region[us], origin)
        demotes = t.is_promoted[code]
        if demotes != 0 or is_free(t, frame, becomes):
            if (zone | started) != 0 and (not t.piece_promotion_on_capture or capture != 0):
                if t.mandatory_piece_promotion:
                    stays = 0
                put_move(S, out + n, _code(origin, target, L.PIECE_PROMOTION, demotes, victim))
                n += 1
    if stays != 0 and (victim >= 0 or _may_stay(t, code, target)):
        put_move(S, out + n, _code(origin, target, L.NORMAL, 0, victim))
        n += 1
    return n


@kernel
def arrivals(here, code, origin, target, victim, out):
    """List a move to a square from ``out`` on; return how many forms it has.

    ``victim`` is the square of a piece that is captured on the way, ``origin`` for none, or -1
    where the move cannot capture on the way.
    """
    t = here.t
    if not t.promotion_pawn_types[code] and t.promoted[code] == 0:
        if victim < 0 and not _may_stay(t, code, target):
            return 0
        put_move(here.S, out, _code(origin, target, L.NORMAL, 0, victim))
        return 1
    return _with_promotion(here.T, here.S, here.f, here.us, code, origin, target, victim, out)
