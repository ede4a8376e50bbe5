"""Moves of the general family: what a code says, and how one is listed, once for each promotion."""

from __future__ import annotations

from typing import Any, NamedTuple

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import select, store32
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    Squares,
    both,
    contains,
    either,
    has,
    no_squares,
    squares_of,
)


class Here(NamedTuple):
    """A position, with the side whose moves are listed."""

    t: Any  # the view of the tables
    T: int  # their address
    S: int  # the state's address
    f: int  # the frame's word in the state
    frame: Any  # the view of the frame
    us: int


class Found(NamedTuple):
    """The moves of a piece to one square of its way."""

    number: int
    blocked: bool  # whether the piece can go no further


@kernel
def move_code(origin, target, kind, choice):
    """Return a move's code."""
    return origin | target << 8 | kind << 16 | choice << 19


@kernel
def origin_of(move):
    """Return the square that a move begins on; of a drop, the kind of piece."""
    return move & 255


@kernel
def target_of(move):
    """Return the square that a move ends on."""
    return (move >> 8) & 255


@kernel
def landing_of(t, target):
    """Return where a piece is after a move to a square: on the other board, if there are two."""
    return target ^ L.OTHER if t.alice_boards else target


@kernel
def choice_of(move):
    """Return the choice of a promotion, or of a gated piece."""
    return (move >> 19) & 15


@kernel
def square_of(move):
    """Return the square of a wall, a gated piece or a capture on the way."""
    return (move >> 23) & 255


@kernel
def kind_of(move):
    """Return a move's kind, NORMAL to LOCUST."""
    return (move >> 16) & 7


@kernel
def moved_code(frame, us, move):
    """Return the code of the piece that a move moves or drops."""
    if kind_of(move) == L.DROP:
        return origin_of(move) + L.BLACK * us
    return frame.board[origin_of(move)]


@kernel
def victim_of(frame, move):
    """Return the square, other than the target, of a piece that a move captures; -1 for none."""
    kind = kind_of(move)
    if kind == L.EN_PASSANT:
        if not has(frame.older, target_of(move)):
            return frame.victim
        square = frame.older_victim
        if square < 0:  # of many marks, each is behind its piece
            square = target_of(move) - 16 if frame.side == 0 else target_of(move) + 16
        return square
    if kind == L.LOCUST and square_of(move) != origin_of(move):
        return square_of(move)
    return -1


@kernel
def takes(frame, move):
    """Return whether a move captures."""
    kind = kind_of(move)
    if kind == L.EN_PASSANT:
        return True
    if kind in (L.CASTLE, L.PASS, L.DROP):
        return False
    if kind == L.LOCUST:
        if victim_of(frame, move) >= 0:
            return True
        if origin_of(move) == target_of(move):
            return False
    return frame.board[target_of(move)] != 0


@kernel
def quiet_squares(t, us, code, tactical):
    """Return the squares that a piece's quiet moves may go to, if they are empty.

    If ``tactical``, these are the squares where it promotes as a pawn, or wins.
    """
    squares = Squares(-1, -1, -1, -1)
    if tactical:
        squares = no_squares()
        if t.promotion_pawn_types[code]:
            squares = squares_of(t, t.promotion_region[us])
        if t.flag_regions != 0 and t.flag_piece[code] != 0:
            squares = either(squares, squares_of(t, t.flag_region[us]))
    return squares


@kernel
def may_go_quietly(t, us, code, tactical, target):
    """Return whether a square is one of ``quiet_squares``."""
    return contains(quiet_squares(t, us, code, tactical), target)


@kernel
def put_move(S, at, move):
    """Write a move at index ``at``, or over the buffer's last word if the index is beyond it."""
    store32(S, min(at, L.LISTS_END - 1), move)


@kernel
def fits(first, n):
    """Return whether ``n`` moves from ``first`` on lie within the move buffer."""
    return first + n <= L.LISTS_END


@kernel
def _code(origin, target, kind, choice, victim):
    """Return the code of a move that may capture a piece on the way; ``victim`` -1: it cannot."""
    if victim < 0:
        return move_code(origin, target, kind, choice)
    choice = select(kind == L.PROMOTION, choice + 1, choice)
    return move_code(origin, target, L.LOCUST, choice) | victim << 23


@kernel
def is_free(t, frame, code):
    """Return whether there may be one more piece of a kind by promotion."""
    limit = t.promotion_limit[code]
    return limit == 0 or limit > frame.count[t.moves_as[code]]


@kernel
def turned_piece(t, code, move):
    """Return the code that a piece has after its promotion or demotion."""
    return t.turned_back[code] if choice_of(move) == L.TURNS_BACK else t.promoted[code]


@kernel
def may_stay(t, code, target):
    """Return whether a piece may come to a square: not where it could never move on."""
    return not t.immobility_illegal or has(t.mobile[code], target)


@kernel
def staying(t, code, squares):
    """Return those squares of a set to which a piece may come."""
    return both(squares, squares_of(t, t.mobile[code])) if t.immobility_illegal else squares


@routine
def _with_promotion(T, S, f, us, code, origin, target, victim, out):
    """List a move of a piece that may promote, in all its forms."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    n = 0
    stays = True
    zone = has(t.promotion_region[us], target)
    capture = frame.board[target] != 0 or (victim >= 0 and victim != origin)
    if t.promotion_pawn_types[code] and zone and not t.sittuyin_promotion:
        for i in range(t.promotions[us]):
            if is_free(t, frame, t.promotion[us][i]):
                put_move(S, out + n, _code(origin, target, L.PROMOTION, i, victim))
                n += 1
        if t.mandatory_pawn_promotion:
            stays = False
    started = has(t.promotion_region[us], origin)
    turns = (zone or started) and (capture or not t.piece_promotion_on_capture)
    if t.piece_promotion_on_entry and started and not capture:
        turns = zone and not has(t.mobile[code], target)
    if t.turns[code] and turns:
        before = n
        becomes = t.promoted[code]
        if becomes != 0 and is_free(t, frame, becomes):
            put_move(S, out + n, _code(origin, target, L.PIECE_PROMOTION, L.BECOMES, victim))
            n += 1
        if t.turned_back[code] != 0:
            put_move(S, out + n, _code(origin, target, L.PIECE_PROMOTION, L.TURNS_BACK, victim))
            n += 1
        if t.mandatory_piece_promotion and n > before:
            stays = False
    if stays and (victim >= 0 or may_stay(t, code, target)):
        put_move(S, out + n, _code(origin, target, L.NORMAL, 0, victim))
        n += 1
    return n


@kernel
def arrivals(here, code, origin, target, victim, out):
    """List a move to a square from ``out`` on; return how many forms it has.

    ``victim`` is the square of a piece that is captured on the way, or ``origin`` for none. It is
    -1 where the move cannot capture on the way.
    """
    t = here.t
    if t.alice_boards and here.frame.board[target ^ L.OTHER] != 0:
        return 0
    if not t.promotion_pawn_types[code] and t.turns[code] == 0:
        if victim < 0 and not may_stay(t, code, target):
            return 0
        put_move(here.S, out, _code(origin, target, L.NORMAL, 0, victim))
        return 1
    return _with_promotion(here.T, here.S, here.f, here.us, code, origin, target, victim, out)
