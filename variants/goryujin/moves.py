"""Legal turns: new dragons by whole rows, growths and landings by windows of 41 squares."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import ctz, popcount, shr
from ryugi_engine.kernel.move_list import MoveList, counting, put
from variants.goryujin import layout as L
from variants.goryujin.board import (
    first_rank,
    growth_window,
    joint_at,
    landing_window,
    may_join,
    placement_at,
    shape_of,
)


@kernel
def move_of(placement, number, kind, end):
    return placement | number << L.DRAGON_AT | kind << L.KIND_AT | end << L.END_AT


@kernel
def placement_of(move):
    return move & L.PLACEMENT


@kernel
def dragon_of(move):
    """Return the number of the dragon that a piece joins."""
    return (move >> L.DRAGON_AT) & 7


@kernel
def kind_of(move):
    return (move >> L.KIND_AT) & 3


@kernel
def end_of(move):
    """Return the number of the new piece's end that joins the dragon."""
    return (move >> L.END_AT) & 3


@kernel
def new_row(position, us, number):
    """Return the files, as bits PAD + file, where a P in orientation ``number`` begins a dragon."""
    shape = position.t.shape[number]
    rank = first_rank(us, shape)
    fits = L.FULL_ROW
    for i in range(shape.height):
        free = position.frame.free[us][L.PAD + rank + i]
        cells = shape.rows[i]
        while cells != 0:
            fits &= shr(free, ctz(cells))
            cells &= cells - 1
    return fits


@kernel
def _new_dragons(position, us, moves):
    t = position.t
    if position.frame.hand[us][L.P] == 0:
        return moves
    for number in range(t.first_p, t.first_p + L.P_SHAPES):
        fits = new_row(position, us, number)
        if moves.listed == 0:
            moves = MoveList(moves.state, moves.next + popcount(fits), moves.listed)
            continue
        rank = first_rank(us, t.shape[number])
        while fits != 0:
            moves = put(moves, placement_at(number, ctz(fits) - L.PAD, rank))
            fits &= fits - 1
    return moves


@kernel
def joining(join, joint):
    """Return the placement of a piece that joins at a joint."""
    return placement_at(join.shape, joint.file + join.files, joint.rank + join.ranks)


@kernel
def fits_in(join, window):
    """Return whether the squares of a joining piece are free."""
    return (window & join.window) == join.window


@routine
def dragon_turns(position, us, number, moves):
    """Add the growths and touchdowns of a dragon."""
    t = position.t
    hand = position.frame.hand[us]
    dragon = position.frame.dragon[us][number]
    if dragon.finished != 0:
        return moves
    for end in range(shape_of(t, dragon.tip).ends):
        if end == dragon.used and dragon.second == 0:
            continue
        joint = joint_at(t, dragon.tip, end)
        if end != dragon.used and may_join(position.frame, us, joint):
            window = growth_window(position, us, joint)
            for i in range(L.GROWTHS):
                join = t.growth[joint.direction][i]
                if fits_in(join, window) and hand[join.letter] != 0:
                    placement = joining(join, joint)
                    moves = put(moves, move_of(placement, number, L.GROWTH, join.end))
        if dragon.used != L.NO_END:
            # the P comes from the board: nothing need be in hand
            window = landing_window(position, us, dragon.root, joint)
            for i in range(L.LANDINGS):
                join = t.landing[joint.direction][i]
                if fits_in(join, window):
                    placement = joining(join, joint)
                    moves = put(moves, move_of(placement, number, L.TOUCHDOWN, join.end))
    return moves


@kernel
def growths(position, us, moves):
    """Add the growths and touchdowns of all dragons."""
    for number in range(position.frame.begun[us]):
        moves = dragon_turns(position, us, number, moves)
    return moves


@kernel
def nearest_touchdown(frame, side):
    """Return the smallest distance at which a side has touched down."""
    return frame.touched[side] >> 20


@kernel
def game_is_over(frame):
    """Return whether a touchdown at distance 1 or the fifth pass has ended the game."""
    nearest = min(nearest_touchdown(frame, 0), nearest_touchdown(frame, 1))
    return nearest == 1 or frame.passes >= 5


@routine
def can_turn(position, us):
    """Return whether a side has a legal turn other than the pass."""
    if position.frame.hand[us][L.P] != 0:
        for number in range(position.t.first_p, position.t.first_p + L.P_SHAPES):
            if new_row(position, us, number) != 0:
                return True
    for number in range(position.frame.begun[us]):
        if dragon_turns(position, us, number, counting()).next != 0:
            return True
    return False


@kernel
def turns(position, us, moves):
    """Add the legal turns; a pass if there is no other, but the enemy has one."""
    if game_is_over(position.frame):
        return moves
    first = moves.next
    moves = _new_dragons(position, us, growths(position, us, moves))
    if moves.next == first and can_turn(position, 1 - us):
        moves = put(moves, L.PASS_MOVE)
    return moves
