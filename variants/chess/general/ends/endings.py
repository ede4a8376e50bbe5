"""Rules that end the game at once, even if there are legal moves."""

from __future__ import annotations

from ryugi_engine.kernel.abi import DRAWN, LOST, ONGOING, WON
from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    has,
    pop,
    show,
    squares_of,
    stands,
    without,
)
from variants.chess.general.moves.attacks import faces, is_attacked, touches
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.moves import kind_of, origin_of, target_of

_JANGGI, _UNWEIGHTED, _WHITE_DRAWS = 1, 2, 3


@kernel
def turned(result):
    """Return a result from the other side's point of view."""
    if result == LOST:
        return WON
    return LOST if result == WON else result


@kernel
def _missing(t, frame, side, kind, claimed):
    """Return whether the rule about missing pieces holds for a side and kind (0: all)."""
    code, other = kind + L.BLACK * side, kind + L.BLACK * (1 - side)
    own, others = frame.count[code] + frame.hand[code], frame.count[other] + frame.hand[other]
    if kind == 0:
        own = frame.pieces[side] + frame.held[side]
        others = frame.pieces[1 - side] + frame.held[1 - side]
    few = own <= t.extinction_piece_count
    return few and others >= t.extinction_opponent_piece_count + claimed


@kernel
def _extinction(t, frame, us):
    """Return the result if a side's pieces are extinct, else ONGOING."""
    for i in range(2):
        side = 1 - us if i == 0 else us
        claimed = 1 if t.extinction_claim and side == us else 0
        out = t.extinction_total and _missing(t, frame, side, 0, claimed)
        if not t.extinction_total:
            for k in range(t.numbers_to_lose[side]):
                out = out or _missing(t, frame, side, t.kinds_to_lose[side][k] & 63, claimed)
        if out:
            return t.extinction_value if side == us else turned(t.extinction_value)
    return ONGOING


@kernel
def _number_of_royals(t, frame, side):
    """Return how many pieces a side has of the kinds of the extinction rule."""
    number = 0
    for k in range(t.numbers_to_lose[side]):
        number += frame.count[t.kinds_to_lose[side][k]]
    return number


@kernel
def _bare_king(t, frame, side):
    """Return the square of a side's royal piece if no other can ever move again, else -1."""
    square, number = -1, 0
    left = squares_of(t, frame.by_color[side])
    while any_of(left) and number < 2:
        at, left = pop(left)
        if has(t.mobile[frame.board[at]], at):
            square = at
            number += 1
    if number != 1 or _number_of_royals(t, frame, side) != 1:
        return -1
    return square if t.extinction_piece_types[frame.board[square]] else -1


@routine
def royals_attacked(T, S, f, side):
    """Return whether a piece of a side's kinds of the extinction rule is attacked."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    found = False
    left = squares_of(t, frame.by_color[side])
    while any_of(left):
        square, left = pop(left)
        if t.extinction_piece_types[frame.board[square]]:
            found = found or is_attacked(T, S, f, square, 1 - side)
    return found


@kernel
def _wins_over_bare_king(t, T, S, f, side, king):
    """Return whether a side wins since the other has only a king, on a square, left."""
    frame = L.FRAME(S, f)
    if _number_of_royals(t, frame, side) == 0 or royals_attacked(T, S, f, side):
        return False
    number, near = 0, False
    left = squares_of(t, frame.by_color[side])
    while any_of(left):
        square, left = pop(left)
        code = frame.board[square]
        if has(t.mobile[code], square) and not t.bare_king_minor_types[code]:
            number += 1
            near = near or touches(square, king)
    return number > 2 or (number == 2 and not near)


@kernel
def _bare_kings(t, T, S, f, us):
    """Return the result if a side, or both, have only a king left, else ONGOING."""
    frame = L.FRAME(S, f)
    white, black = _bare_king(t, frame, 0), _bare_king(t, frame, 1)
    if white >= 0 and _wins_over_bare_king(t, T, S, f, 1, white):
        return LOST if us == 0 else WON
    if black >= 0 and _wins_over_bare_king(t, T, S, f, 0, black):
        return LOST if us == 1 else WON
    if min(white, black) < 0 or royals_attacked(T, S, f, 0) or royals_attacked(T, S, f, 1):
        return ONGOING
    return DRAWN


@kernel
def _flag_reached(t, T, S, f, side, mover):
    """Return whether a side's pieces have reached their region."""
    frame = L.FRAME(S, f)
    region = squares_of(t, t.flag_region[side])
    own = both(region, squares_of(t, frame.by_color[side]))
    inside, attacked = 0, False
    while any_of(own):
        square, own = pop(own)
        if t.flag_piece[frame.board[square]]:
            inside += 1
            if t.flag_piece_safe and (not t.flag_move or side == 1 - mover):
                attacked = attacked or is_attacked(T, S, f, square, 1 - side)
    if inside == 0:
        return False
    free = any_of(without(region, squares_of(t, frame.occupied)))
    if inside < t.flag_piece_count and (not t.flag_piece_blocked_win or free):
        return False
    return not attacked or inside > t.flag_piece_count


@kernel
def _king_can_draw(t, T, S, f):
    """Return whether Black's king can reach its region with the next move (racing kings)."""
    frame = L.FRAME(S, f)
    king = frame.king[1]
    if king < 0 or is_attacked(T, S, f, king, 0):
        return False
    code = frame.board[king]
    found = False
    for d in range(t.first[code], t.first[code + 1]):
        m = t.descriptors[d]
        if not t.room[king][m.direction] or m.form == L.CHAIN:
            continue
        target = king + m.delta
        there = frame.board[target]
        if not has(t.flag_region[1], target) or (there != 0 and there >> 6 == 1):
            continue
        show(frame, king, 0)
        show(frame, target, code)
        safe = not is_attacked(T, S, f, target, 0)
        # no side may give check where no checks are allowed
        if not t.checking and frame.king[0] >= 0:
            safe = safe and not is_attacked(T, S, f, frame.king[0], 1)
        found = found or safe
        show(frame, target, there)
        show(frame, king, code)
    return found


@kernel
def _flags(t, T, S, f, us):
    frame = L.FRAME(S, f)
    royal = t.flag_royal and max(frame.king[0], frame.king[1]) >= 0
    if t.flag_move or t.flag_piece_safe:
        if _flag_reached(t, T, S, f, us, us):
            draws = (royal and us == 0) if t.flag_move else t.flag_piece_safe != 0
            if draws and _flag_reached(t, T, S, f, 1 - us, us):
                return DRAWN
            return WON
    if not t.flag_move or t.flag_piece_safe or royal:
        if _flag_reached(t, T, S, f, 1 - us, us):
            if t.flag_move and royal and us == 1 and _king_can_draw(t, T, S, f):
                return ONGOING
            return LOST
    return ONGOING


@kernel
def _is_part(t, frame, side, square):
    """Return whether a square has a side's piece that counts for rows."""
    if not on_board(t, square) or not stands(frame, square, side):
        return False
    return t.connect_piece_types[frame.board[square]] != 0


@kernel
def _has_row(t, frame, side, square):
    """Return whether a row, a block or a line of enough pieces begins on a square."""
    for i in range(4):
        step = t.connect_step[i]
        if step == 0:
            continue
        length, at = 1, square + step
        while t.connect_n and _is_part(t, frame, side, at):
            length += 1
            at += step
        if t.connect_n and length >= t.connect_n:
            return True
        length, at = 1, square + step
        while t.collinear_n and on_board(t, at):
            length += 1 if _is_part(t, frame, side, at) else 0
            at += step
        if t.collinear_n and length >= t.collinear_n:
            return True
    whole = t.connect_nxn != 0 and (square & 15) + t.connect_nxn <= 16
    for x in range(t.connect_nxn):
        for y in range(t.connect_nxn):
            whole = whole and _is_part(t, frame, side, square + x + 16 * y)
    return whole


@kernel
def _joined(t, S, frame, side):
    """Return whether a side's pieces join its two regions."""
    scratch = L.STATE(S).scratch
    n = 0
    for square in range(L.SQUARES):
        scratch.pseudo[0][square] = 0
        if has(t.connect_region1[side], square) and _is_part(t, frame, side, square):
            scratch.pseudo[0][square] = 1
            scratch.pseudo[1][n] = square
            n += 1
    done = 0
    while done < n:
        square = scratch.pseudo[1][done]
        done += 1
        if has(t.connect_region2[side], square) and done > 1:
            return True
        for i in range(8):
            step = t.connect_step[i >> 1]
            if i & 1:
                step = -step
            at = square + step
            if step != 0 and _is_part(t, frame, side, at) and scratch.pseudo[0][at] == 0:
                if abs((at & 15) - (square & 15)) <= 1:
                    scratch.pseudo[0][at] = 1
                    scratch.pseudo[1][n] = at
                    n += 1
    return False


@kernel
def _connected(t, S, frame, side):
    if t.connect_n or t.connect_nxn or t.collinear_n:
        own = squares_of(t, frame.by_color[side])
        while any_of(own):
            square, own = pop(own)
            if t.connect_piece_types[frame.board[square]] and _has_row(t, frame, side, square):
                return True
    return t.connect_regions != 0 and _joined(t, S, frame, side)


@kernel
def counted_material(t, frame, us):
    """Return the result by material for the side to move."""
    rule = t.material_counting
    white = 0
    if rule == _UNWEIGHTED:
        white = frame.pieces[0] - frame.pieces[1]
        if white == 0:
            return DRAWN
    elif rule == _JANGGI:
        white = -1
        for kind in range(1, t.kinds + 1):
            worth = t.janggi[kind]
            white += worth * (frame.count[kind] - frame.count[kind + L.BLACK])
        white = -1 if white <= 0 else 1
    else:
        white = 1 if rule == _WHITE_DRAWS else -1
    return WON if (white > 0) == (us == 0) else LOST


@kernel
def _facing(frame):
    """Return whether the kings face each other."""
    both_there = frame.king[0] >= 0 and frame.king[1] >= 0
    return both_there and faces(frame, frame.king[0], frame.king[1])


@kernel
def _castled(t, frame, us):
    """Return the result where castling wins, and losing the rights to it loses."""
    last = frame.last
    if kind_of(last) == L.CASTLE:
        right = 1 if origin_of(last) < target_of(last) else 2
        if t.castling_wins & (right << 2 * (1 - us)):
            return LOST
    for i in range(2):
        side = 1 - us if i == 0 else us
        wanted = t.castling_wins & (3 << 2 * side)
        if wanted != 0 and not (wanted & frame.castling):
            return LOST if side == us else WON
    return ONGOING


@routine
def game_result(T, S, f):
    """Return the result for the side to move if a rule has ended the game, else ONGOING."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    us = frame.side
    if t.extinction_value and (not t.extinction_pseudo_royal or t.blast_on_capture):
        result = _extinction(t, frame, us)
        if result != ONGOING:
            return result
    if t.bare_king_rule:
        result = _bare_kings(t, T, S, f, us)
        if result != ONGOING:
            return result
    if t.flag_regions:
        result = _flags(t, T, S, f, us)
        if result != ONGOING:
            return result
    if t.castling_wins:
        result = _castled(t, frame, us)
        if result != ONGOING:
            return result
    if t.check_counting and frame.checks[1 - us] == 0:
        return LOST
    if t.connect_n | t.connect_nxn | t.collinear_n | t.connect_regions:
        if _connected(t, S, frame, 1 - us):
            return turned(t.connect_value)
    over = t.adjudicate_full_board and not any_of(
        without(squares_of(t, t.squares), squares_of(t, frame.occupied))
    )
    if frame.null_distance > 0:
        old = L.FRAME(S, f - L.FRAME_WORDS)
        over = over or (t.bikjang_rule and _facing(frame) and _facing(old))
        if frame.null_distance > 1 and not t.wall_or_move:
            over = over or (kind_of(frame.last) == L.PASS and kind_of(old.last) == L.PASS)
    if over:
        return DRAWN if not t.material_counting else counted_material(t, frame, us)
    return ONGOING
