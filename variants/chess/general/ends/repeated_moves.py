"""Rules about the moves by which a position is repeated: perpetual checks and chases, moves back.

Attacks of any kind are those of Chu Shogi on Lishogi. Chases are those of the Asian Xiangqi
Federation, as far as Fairy-Stockfish applies them, see LIMITS.md. Both are looked for only where a
position is repeated, in the frames of its line.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.ends.endings import royals_attacked
from variants.chess.general.legal.legality import leaves_king_safe, rules_allow
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import (
    any_of,
    both,
    either,
    no_squares,
    one,
    pop,
    show,
    squares_of,
    without,
)
from variants.chess.general.moves.attacks import attacks, bearing, faces, is_attacked
from variants.chess.general.moves.moves import kind_of, move_code, origin_of, target_of

#: How far a piece has gone back and forth; between these it is on its way.
NOT_REPEATED, REPEATED = 0, 4


@kernel
def _before(S, f, plies):
    """Return the frame so many plies before another one."""
    return f - plies * L.FRAME_WORDS


@kernel
def is_perpetual_check(S, f, back, of_mover):
    """Return whether all moves of one side since ``back`` plies gave check."""
    for at in range(0 if of_mover else 1, back, 2):
        if not L.FRAME(S, _before(S, f, at)).checked:
            return False
    return True


# ---- attacks of any kind -------------------------------------------------------------------------


@routine
def _attacks_something(T, S, f):
    """Return whether the last move attacks a royal piece, or anything by the piece that moved."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    side = frame.side
    if royals_attacked(T, S, f, side):
        return True
    origin = target_of(frame.last)
    code = frame.board[origin]
    found = False
    left = squares_of(t, frame.by_color[side])
    while any_of(left):
        square, left = pop(left)
        if attacks(T, S, f, code, origin, square):
            move = move_code(origin, square, L.NORMAL, 0)
            found = found or not t.move_rules or rules_allow(T, S, f, 1 - side, move)
    return found


@kernel
def is_perpetual_attack(T, S, f, back, of_mover):
    """Return whether all moves of one side since ``back`` plies attack."""
    for at in range(0 if of_mover else 1, back, 2):
        if not _attacks_something(T, S, _before(S, f, at)):
            return False
    return True


# ---- chases --------------------------------------------------------------------------------------


@kernel
def _in_check(t, T, S, f, side):
    """Return whether a side's king is attacked, or faces the other one."""
    frame = L.FRAME(S, f)
    king, other = frame.king[side], frame.king[1 - side]
    if king < 0:
        return False
    if t.flying_general and other >= 0 and faces(frame, king, other):
        return True
    return is_attacked(T, S, f, king, 1 - side)


@routine
def _is_pinned(T, S, f, square):
    """Return whether the king would be attacked, or face the other, without a piece."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    code = frame.board[square]
    if _in_check(t, T, S, f, code >> 6):
        return False
    show(frame, square, 0)
    exposed = _in_check(t, T, S, f, code >> 6)
    show(frame, square, code)
    return exposed


@kernel
def _may_be_chased(t, code, square):
    """Return whether a piece is no king, and no soldier before the river."""
    if t.strength[code] != L.SOLDIER:
        return t.strength[code] != L.NEVER_CHASED
    rank = square >> 4
    own = rank if code >> 6 == 0 else t.ranks - 1 - rank
    return own + 1 >= t.soldier_promotion_rank


@kernel
def _is_defended(t, T, S, f, origin, target):
    """Return whether a piece that ``origin`` takes on ``target`` can be taken back there."""
    frame = L.FRAME(S, f)
    attacker, victim = frame.board[origin], frame.board[target]
    them = victim >> 6
    checked = is_attacked(T, S, f, frame.king[them], 1 - them) if frame.king[them] >= 0 else False
    show(frame, origin, 0)
    show(frame, target, attacker)
    left = without(bearing(t, frame, target, them), one(target))
    defended = False
    while any_of(left) and not defended:
        square, left = pop(left)
        if attacks(T, S, f, frame.board[square], square, target):
            back = move_code(square, target, L.NORMAL, 0)
            defended = checked or leaves_king_safe(T, S, f, them, back)
    show(frame, target, victim)
    show(frame, origin, attacker)
    return defended


@routine
def _threatens(T, S, f, origin, target):
    """Return whether a piece could capture another one to its gain if its side were to move."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    code, other = frame.board[origin], frame.board[target]
    if t.strength[code] <= L.SOLDIER or not attacks(T, S, f, code, origin, target):
        return False
    if _is_pinned(T, S, f, origin):
        return False
    if (code & 63) == (other & 63) and attacks(T, S, f, other, target, origin):
        if not _is_pinned(T, S, f, target):
            return False
    if t.strength[other] > t.strength[code]:
        return True
    return not _is_defended(t, T, S, f, origin, target)


@routine
def _is_newly_chased(T, S, f, square):
    """Return whether the move that led to a frame has begun to threaten a piece."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    last = frame.last
    left = bearing(t, frame, square, 1 - frame.side)
    while any_of(left):
        origin, left = pop(left)
        if _threatens(T, S, f, origin, square):
            old = origin_of(last) if origin == target_of(last) else origin
            if not _threatens(T, S, _before(S, f, 1), old, square):
                return True
    return False


@kernel
def _chased(t, T, S, f, wanted):
    """Return which pieces of a set the move that led to a frame has begun to threaten."""
    frame = L.FRAME(S, f)
    left = both(wanted, squares_of(t, frame.by_color[frame.side]))
    found = no_squares()
    while any_of(left):
        square, left = pop(left)
        if _may_be_chased(t, frame.board[square], square) and _is_newly_chased(T, S, f, square):
            found = either(found, one(square))
    return found


@kernel
def _moved_back(found, move):
    """Return where pieces were before a move."""
    target = target_of(move)
    if kind_of(move) == L.PASS or not any_of(both(found, one(target))):
        return found
    return either(without(found, one(target)), one(origin_of(move)))


@routine
def is_perpetual_chase(T, S, f, back, of_mover):
    """Return whether all moves of one side since ``back`` plies chased one and the same piece.

    As in Fairy-Stockfish, so does the move that first led to the repeated position.
    """
    t = L.TABLES(T)
    first = 0 if of_mover else 1
    last = back if back < L.FRAME(S, f).null_distance else back - 1
    found = _chased(t, T, S, _before(S, f, first), squares_of(t, t.squares))
    for at in range(first + 2, last + 1, 2):
        if not any_of(found):
            return False
        found = _moved_back(found, L.FRAME(S, _before(S, f, at - 1)).last)
        found = _chased(t, T, S, _before(S, f, at), found)
    return any_of(found)


# ---- moves back and forth ------------------------------------------------------------------------


@kernel
def _turns_back(move, other):
    """Return whether both moves are plain and one leads back to where the other began."""
    plain = kind_of(move) == L.NORMAL and kind_of(other) == L.NORMAL
    there = origin_of(move) == target_of(other)
    return plain and there and target_of(move) == origin_of(other) and other != 0


@routine
def back_and_forth(T, S, f):
    """Return how many of a side's last moves led a piece back and forth, at most REPEATED.

    The piece came to where it does so by the move before, without a capture. Between the last two
    moves the side may have passed once. It was never in check, and the piece can reach the palace.
    """
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    last = frame.last
    reach = min(frame.null_distance, frame.clock)
    if kind_of(last) != L.NORMAL or not t.reaches_palace[frame.board[target_of(last)]]:
        return NOT_REPEATED
    count, at = 1, 2
    if reach >= 2 and kind_of(L.FRAME(S, _before(S, f, 2)).last) == L.PASS:
        if L.FRAME(S, _before(S, f, 1)).checked:
            return NOT_REPEATED
        at = 4
        if L.FRAME(S, _before(S, f, 3)).checked:
            return NOT_REPEATED
    elif reach >= 1 and L.FRAME(S, _before(S, f, 1)).checked:
        return NOT_REPEATED
    while at <= reach:
        own = L.FRAME(S, _before(S, f, at))
        if at < reach and L.FRAME(S, _before(S, f, at + 1)).checked:
            return NOT_REPEATED
        if count == REPEATED:
            came = own.last != 0 and target_of(own.last) == origin_of(last)
            return REPEATED if came and own.clock != 0 else NOT_REPEATED
        if not _turns_back(last, own.last):
            return NOT_REPEATED
        count += 1
        last = own.last
        at += 2
    return min(count, REPEATED - 1)
