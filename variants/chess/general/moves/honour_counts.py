"""Counting rules: board's honour and pieces' honour of Makruk, and their relatives.

A side that cannot be expected to win counts, and is drawn if it survives. The count begins, as in
Fairy-Stockfish, by itself. Sources: P. Tongta, "Makruk rules", and the Laws of ASEAN Chess.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.definition.game_rules import COUNTING_RULES
from variants.chess.general.memory import layout as L

_CAMBODIAN, _ASEAN = COUNTING_RULES.index("cambodian"), COUNTING_RULES.index("asean")


@kernel
def _number(t, frame, side, piece):
    """Return how many of a piece a side has, 0 if the game has no such piece."""
    return frame.count[t.counted[piece] + L.BLACK * side] if t.counted[piece] != 0 else 0


@kernel
def _has_pawns(t, frame):
    return _number(t, frame, 0, L.PAWN) + _number(t, frame, 1, L.PAWN) != 0


@kernel
def _limit_of_asean(t, frame, enemy):
    """Return the moves to mate a bare king in ASEAN chess, 0 for no limit."""
    if _number(t, frame, enemy, L.ROOK) != 0:
        return 16
    if _number(t, frame, enemy, L.KHON) != 0:
        return 44
    return 64 if _number(t, frame, enemy, L.KNIGHT) != 0 else 0


@kernel
def _limit_of_makruk(t, frame, enemy):
    """Return the moves to mate a bare king in Makruk."""
    rooks, khons = _number(t, frame, enemy, L.ROOK), _number(t, frame, enemy, L.KHON)
    if rooks != 0:
        return 16 if rooks == 1 else 8
    if khons > 1:
        return 22
    if _number(t, frame, enemy, L.KNIGHT) > 1:
        return 32
    return 44 if khons == 1 else 64


@kernel
def _limit(t, frame, side):
    """Return the limit in plies with which a side may begin to count, 0 for none."""
    rule, own = t.counting_rule, frame.pieces[side]
    if frame.pieces[1 - side] == 1:
        return 0
    if rule == _CAMBODIAN and own > 1:
        return 2 * 63 if own <= 3 else 0
    if _has_pawns(t, frame):
        return 0
    if rule == _ASEAN:
        return 2 * _limit_of_asean(t, frame, 1 - side) if own == 1 else 0
    less = 1 if rule == _CAMBODIAN else 0
    return 2 * (64 if own > 1 else _limit_of_makruk(t, frame, 1 - side) - less)


@routine
def count_move(T, S, f):
    """Count a move that has been made in frame ``f``: begin to, go on, or begin again."""
    t = L.TABLES(T)
    old, frame = L.FRAME(S, f - L.FRAME_WORDS), L.FRAME(S, f)
    us, them = old.side, 1 - old.side
    total = frame.pieces[0] + frame.pieces[1]
    counted, limit = frame.counting[0], frame.counting[1]
    counted += 1 if limit != 0 else 0
    took_pawn = _number(t, frame, them, L.PAWN) < _number(t, old, them, L.PAWN)
    if took_pawn and frame.pieces[us] == 1 and t.counting_rule != _ASEAN:
        # the bare king has taken the last pawn itself
        own = _limit(t, frame, us) if not _has_pawns(t, frame) else 0
        if own != 0:
            counted, limit = 2 * total - 1, own
    captured = frame.pieces[them] < old.pieces[them]
    promoted = _number(t, frame, us, L.PAWN) < _number(t, old, us, L.PAWN)
    if limit == 0 or (frame.pieces[them] == 1 and (captured or promoted)):
        new = _limit(t, frame, them)
        if new != 0:
            bare = frame.pieces[them] == 1 and t.counting_rule != _ASEAN
            counted, limit = (2 * total if bare else 0), new
    frame.counting[0] = counted
    frame.counting[1] = limit


@kernel
def is_count_over(frame):
    """Return whether all moves have been made in which the bare king had to be mated."""
    return 0 < frame.counting[1] < frame.counting[0]
