"""Retrograde analysis of a bare king: all distances to mate, by sets of its squares.

Source: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9 (3), 1986.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import ctz, load8, load64, select, shr, store8, store64
from variants.chess.tablebase import layout as L

#: A distance that is none: distances are bytes.
_NEVER = 255
#: Of a position without a forced mate, and of one in which the side to move attacks a king.
NO_MATE, ILLEGAL = -1, -2


class Placed(NamedTuple):
    """The squares of the strong side: king, first and second piece, -1 for none."""

    king: int
    a: int
    b: int


@kernel
def _bit(square):
    return select(square >= 0, 1 << (square & 63), 0)


@kernel
def _mirrored_square(t, square):
    return select(square >= 0, (square | 7) - (8 - t.files) - (square & 7), -1)


@kernel
def _mirrored_set(t, squares):
    """Return a set with the files in reverse order."""
    squares = shr(squares, 1) & t.odd[0] | (squares & t.odd[0]) << 1
    squares = shr(squares, 2) & t.odd[1] | (squares & t.odd[1]) << 2
    squares = shr(squares, 4) & t.odd[2] | (squares & t.odd[2]) << 4
    return shr(squares, 8 - t.files)


@kernel
def _index(t, p):
    """Return the number of a placement whose king stands on one of its files."""
    a = select(t.alike != 0, min(p.a, p.b), p.a)
    b = select(t.alike != 0, max(p.a, p.b), p.b)
    return ((t.number_of_king[p.king] << 6) + a << t.second) + select(b >= 0, b, 0)


@kernel
def _is_mirrored(t, king):
    return (king & 7) >= t.king_files


@kernel
def _mirrored(t, p):
    return Placed(_mirrored_square(t, p.king), _mirrored_square(t, p.a), _mirrored_square(t, p.b))


@kernel
def _own_squares(p):
    return _bit(p.king) | _bit(p.a) | _bit(p.b)


@kernel
def _attacks(piece, square, occupied):
    """Return what a piece attacks or protects."""
    found = 0
    for direction in range(piece.directions):
        to = square
        for _ in range(piece.ahead[direction][square]):
            to += piece.step[direction]
            found |= _bit(to)
            if shr(occupied, to) & 1:
                break
    return found


@kernel
def _all_attacks(t, p):
    occupied = _own_squares(p)
    found = _attacks(t.piece[0], p.king, occupied) | _attacks(t.piece[1], p.a, occupied)
    if p.b >= 0:
        found |= _attacks(t.piece[2], p.b, occupied)
    return found


@kernel
def _steps_into(t, squares):
    """Return from where the bare king steps into a set."""
    if t.all_round != 0:
        beside = shr(squares & t.step_to[1], 1) | (squares & t.step_to[0]) << 1
        row = squares | beside
        return beside | (row << 8 | shr(row, 8)) & t.squares
    found = 0
    for number in range(t.steps):
        step, into = t.step[number], squares & t.step_to[number]
        found |= shr(into, step & 63) if step > 0 else into << (-step & 63)
    return found


@kernel
def _distance(t, p, king):
    """Return the moves to mate, the strong side to move; 0 for no mate, as far as is known."""
    if _is_mirrored(t, p.king):
        p, king = _mirrored(t, p), _mirrored_square(t, king)
    distance = load8(t.distances, _index(t, p) * L.SQUARES + king)
    return distance if distance <= t.known else 0  # another thread may be writing longer ones


@kernel
def _distance_after_capture(t, p, number):
    """Return the moves to mate after the bare king has captured a piece; 0 for no mate."""
    if t.without[number] == 0:
        return 0
    left = p.b if number == 0 else p.a
    bare = p.a if number == 0 else p.b
    return _distance(L.TABLE(t.without[number]), Placed(p.king, left, -1), bare)


@kernel
def _add(t, at, squares):
    store64(t.pending, at, load64(t.pending, at) | squares)


@kernel
def _add_king_moves_to(t, p, squares):
    others = _bit(p.a) | _bit(p.b)
    king = t.piece[0]
    for direction in range(king.directions):
        origin = p.king - king.step[direction]
        if king.back[direction][p.king] == 0 or shr(others, origin) & 1:
            continue
        before = Placed(origin, p.a, p.b)
        if _is_mirrored(t, origin):
            _add(t, _index(t, _mirrored(t, before)), _mirrored_set(t, squares))
        else:
            _add(t, _index(t, before), squares)


@kernel
def _add_piece_moves_to(t, piece, square, own, rest, shift, squares):
    """Add the moves of a piece; ``rest + (square << shift)`` is the number of the placement."""
    for direction in range(piece.directions):
        origin = square
        for _ in range(piece.back[direction][square]):
            origin -= piece.step[direction]
            if shr(own, origin) & 1:
                break
            _add(t, rest + (origin << shift), squares)


@kernel
def _add_moves_to(t, p, squares):
    """Add a set to what is pending of each placement from which a move leads to this one."""
    _add_king_moves_to(t, p, squares)
    at, own = _index(t, p), _own_squares(p)
    _add_piece_moves_to(t, t.piece[1], p.a, own, at - (p.a << t.second), t.second, squares)
    if p.b >= 0:
        _add_piece_moves_to(t, t.piece[2], p.b, own, at - p.b, 0, squares)


@kernel
def _is_placement(t, p):
    """Return whether the pieces stand on different squares of the board, in their order."""
    if not shr(t.squares, p.a) & 1 or p.a == p.king:
        return False
    if p.b < 0:
        return True
    apart = p.b != p.king and p.b != p.a
    return shr(t.squares, p.b) & 1 != 0 and apart and (t.alike == 0 or p.a < p.b)


@kernel
def _placement(t, at):
    """Return the placement of a number."""
    b = at & 63 if t.second else -1
    rest = at >> t.second
    return Placed(t.king_of_number[rest >> 6], rest & 63, b)


@kernel
def _sets(t, at):
    return L.SETS(t.sets, at * L.SETS_WORDS)


@kernel
def _prepare(t, at):
    """Write where the bare king may be with a placement; return whether it is one."""
    p = _placement(t, at)
    if not _is_placement(t, p):
        return False
    sets, own, attacked = _sets(t, at), _own_squares(p), _all_attacks(t, p)
    prey = (_bit(p.a) | _bit(p.b)) & ~attacked
    sets.free = t.squares & ~own & ~attacked
    sets.losable = t.squares & ~own & ~_steps_into(t, _bit(p.king))
    if t.stalemate_loses == 0:
        sets.losable &= attacked | _steps_into(t, sets.free | prey)
    store8(t.prey, at, (1 if prey & _bit(p.a) else 0) | (2 if prey & _bit(p.b) else 0))
    return True


@kernel
def _escapes(t, at, p, distance):
    """Return the captures after which the bare king is not mated in ``distance`` moves.

    The second result is the next distance with which one of them loses.
    """
    found, due, prey = 0, _NEVER, load8(t.prey, at)
    for number in range(2):
        if shr(prey, number) & 1:
            after = _distance_after_capture(t, p, number)
            if after == 0 or after > distance:
                found |= _bit(p.a if number == 0 else p.b)
                due = min(due, after if after != 0 else _NEVER)
    return found, due


@kernel
def _look_at(t, at, distance):
    """Find where the bare king is mated in ``distance`` moves, and the moves that lead there."""
    p, sets = _placement(t, at), _sets(t, at)
    escapes, due = _escapes(t, at, p, distance)
    store8(t.due, at, due)
    new = sets.losable & ~sets.lost & ~_steps_into(t, escapes | sets.free & ~sets.won)
    if new != 0:
        sets.lost |= new
        _add_moves_to(t, p, new)


@kernel
def _take_pending(t, at):
    """Return what is pending of a placement, of two alike pieces in either order."""
    found = load64(t.pending, at)
    if t.alike != 0:
        swapped = at & -L.SQUARES * L.SQUARES | (at & 63) << 6 | shr(at, 6) & 63
        if swapped < at:
            return 0
        found |= load64(t.pending, swapped)
        store64(t.pending, swapped, 0)
    store64(t.pending, at, 0)
    return found


@kernel
def _settle(t, at, distance):
    """Move what is pending of a placement to what is won; return whether that is anything."""
    pending = _take_pending(t, at)
    if pending == 0:
        return False
    sets = _sets(t, at)
    new = pending & sets.free & ~sets.won
    sets.won |= new
    left = new
    while left != 0:
        square = ctz(left)
        left &= ~_bit(square)
        store8(t.distances, at * L.SQUARES + square, distance)
    return new != 0


@entry(1)
def begin(TABLE: int) -> int:
    """Write the sets of a table whose other fields are set, before the first distance."""
    t = L.TABLE(TABLE)
    for at in range(t.kings << 6 << t.second):
        if not _prepare(t, at):
            store8(t.due, at, _NEVER)
    for number in range(2):
        if t.without[number] != 0:
            t.after_capture = max(t.after_capture, L.TABLE(t.without[number]).longest)
    return 0


@entry(1)
def advance(TABLE: int) -> int:
    """Write the next distance; return 0 if there are no more, and all are known."""
    t = L.TABLE(TABLE)
    placements, distance = t.kings << 6 << t.second, t.known
    for at in range(placements):
        if load8(t.due, at) <= distance:
            _look_at(t, at, distance)
    distance += 1
    grows = distance <= t.after_capture
    for at in range(placements):
        if _settle(t, at, distance):
            store8(t.due, at, distance)
            t.longest = distance
            grows = True
    if distance >= _NEVER - 1:
        grows = False
    t.known = distance if grows else _NEVER
    return 1 if grows else 0


@kernel
def _captured(p, square):
    """Return the number of the piece on a square, -1 if none stands there."""
    return 0 if square == p.a else 1 if square == p.b else -1


@kernel
def _distance_after_step(t, p, to):
    """Return the moves to mate after a step of the bare king; 0 for no mate."""
    number = _captured(p, to)
    if number < 0:
        return _distance(t, p, to)
    return _distance_after_capture(t, p, number)


@kernel
def _plies_of_bare_king(t, p, bare):
    """Return the plies to mate with the bare king to move, or NO_MATE."""
    attacked = _all_attacks(t, p)
    longest, moves = 0, 0
    for number in range(t.steps):
        to = bare + t.step[number]
        if not 0 <= to < L.SQUARES or not shr(t.step_to[number] & ~attacked, to) & 1:
            continue
        distance = _distance_after_step(t, p, to)
        if distance == 0:
            return NO_MATE
        longest = max(longest, distance)
        moves += 1
    if moves == 0 and not shr(attacked, bare) & 1 and t.stalemate_loses == 0:
        return NO_MATE
    return 2 * longest


@entry(6)
def plies(TABLE: int, king: int, a: int, b: int, bare: int, is_bare_to_move: int) -> int:
    """Return the plies to mate, NO_MATE, or ILLEGAL; ``b`` is -1 for one piece."""
    t, p = L.TABLE(TABLE), Placed(king, a, b)
    attacked = _steps_into(t, _bit(king)) if is_bare_to_move else _all_attacks(t, p)
    if (attacked | _own_squares(p)) & _bit(bare):
        return ILLEGAL
    if is_bare_to_move:
        return _plies_of_bare_king(t, p, bare)
    return 2 * _distance(t, p, bare) - 1
