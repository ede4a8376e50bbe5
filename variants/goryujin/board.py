"""A frame's rows: windows, joints, placing and lifting pieces."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import popcount, shr
from variants.goryujin import layout as L


class Position(NamedTuple):
    """The current position, with tables and the state's scratch."""

    t: object  # the game's tables
    state: object  # log and scratch
    frame: object


class Joint(NamedTuple):
    """The square next to a contact end, where a joining piece begins; the direction to it."""

    file: int
    rank: int
    direction: int


class Row(NamedTuple):
    """Squares around a row: covered by the side in it, below it, above it; by the enemy."""

    own: int
    below: int
    above: int
    enemy: int


@kernel
def position_of(S):
    """Return the current position of a state."""
    state = L.STATE(S)
    return Position(L.TABLES(state.tables), state, L.FRAME(S, HEADER(S).frame))


# ---- placements ----------------------------------------------------------------------------------


@kernel
def placement_at(shape, file, rank):
    return shape | file << 6 | rank << 12


@kernel
def file_of(placement):
    """Return the file of a placement's corner."""
    return (placement >> 6) & 63


@kernel
def rank_of(placement):
    """Return the rank of a placement's corner."""
    return (placement >> 12) & 31


@kernel
def shape_of(t, placement):
    """Return the view of a placement's shape."""
    return t.shape[placement & 63]


@kernel
def row_of_piece(t, placement, rank):
    """Return the squares of one rank that a piece covers, as a row's bits."""
    at = rank - rank_of(placement)
    if at < 0 or at >= L.MAX_HEIGHT:
        return 0
    return shape_of(t, placement).rows[at] << (file_of(placement) + L.PAD)


@kernel
def joint_at(t, placement, end):
    """Return the joint at an end of a placed piece."""
    way = shape_of(t, placement).end[end]
    return Joint(file_of(placement) + way.files, rank_of(placement) + way.ranks, way.direction)


@kernel
def touchdown_distance(t, side, placement):
    """Return the distance of a landed P from the far edge, 1 for the last row."""
    rank = rank_of(placement)
    if side == 0:
        return L.RANKS + 1 - rank - shape_of(t, placement).height
    return rank + 1


@kernel
def home_rank(side):
    """Return the rank of a side's first row."""
    return side * (L.RANKS - 1)


@kernel
def first_rank(side, shape):
    """Return the rank of a shape's corner when it lies on a side's first row."""
    if side == 0:
        return 0
    return L.RANKS - shape.height


# ---- rows ----------------------------------------------------------------------------------------


@kernel
def _row_at(frame, side, rank):
    own = frame.covered[side]
    row = L.PAD + rank
    return Row(own[row], own[row - 1], own[row + 1], frame.covered[1 - side][row])


@kernel
def _row_without(position, side, lifted, rank):
    """Return a row with one of the side's pieces lifted."""
    row = _row_at(position.frame, side, rank)
    return Row(
        row.own & ~row_of_piece(position.t, lifted, rank),
        row.below & ~row_of_piece(position.t, lifted, rank - 1),
        row.above & ~row_of_piece(position.t, lifted, rank + 1),
        row.enemy,
    )


@kernel
def _clear_squares(row):
    """Return the squares of a row that are empty and not next to an own piece."""
    beside = row.own << 1 | shr(row.own, 1) | row.below | row.above
    return L.FULL_ROW & ~(row.own | row.enemy | beside)


@kernel
def _is_joint(row, file):
    """Return whether a square is empty and has exactly one own neighbour, the tip."""
    bit = L.PAD + file
    beside = popcount(shr(row.own, bit - 1) & 5)
    beside += (shr(row.below, bit) & 1) + (shr(row.above, bit) & 1)
    return beside == 1 and (shr(row.own | row.enemy, bit) & 1) == 0


@kernel
def put_piece(t, frame, side, placement):
    """Add a piece's squares to a frame."""
    shape = shape_of(t, placement)
    covered = frame.covered[side]
    free = frame.free[side]
    their_free = frame.free[1 - side]
    for i in range(shape.height):
        row = L.PAD + rank_of(placement) + i
        cells = shape.rows[i] << (L.PAD + file_of(placement))
        covered[row] |= cells
        their_free[row] &= ~cells
        free[row] &= ~(cells | cells << 1 | shr(cells, 1))
        free[row - 1] &= ~cells
        free[row + 1] &= ~cells


@kernel
def _refresh_free(frame, first, last):
    """Recompute the free squares of ranks ``first..last - 1`` from the covered ones."""
    for side in range(2):
        for rank in range(first, last):
            frame.free[side][L.PAD + rank] = _clear_squares(_row_at(frame, side, rank))


@kernel
def lift_piece(t, frame, side, placement):
    """Remove a piece's squares from a frame."""
    rank = rank_of(placement)
    height = shape_of(t, placement).height
    for i in range(height):
        frame.covered[side][L.PAD + rank + i] &= ~row_of_piece(t, placement, rank + i)
    _refresh_free(frame, max(rank - 1, 0), min(rank + height + 1, L.RANKS))


@kernel
def refresh_rows(frame):
    """Recompute all free squares from the covered ones."""
    _refresh_free(frame, 0, L.RANKS)


# ---- windows -------------------------------------------------------------------------------------


@kernel
def _cut(row, file, ranks):
    """Return a row's bits of the window around a file; ``ranks`` is its offset from the middle.

    The window is a diamond: its rows are 1, 3, 5, 7, 9, 7, 5, 3, 1 squares wide.
    """
    reach = L.WINDOW_HALF - abs(ranks)
    squares = shr(row, L.PAD + file - reach) & ((1 << (2 * reach + 1)) - 1)
    first = reach * reach if ranks <= 0 else L.WINDOW - (reach + 1) * (reach + 1)
    return squares << first


@kernel
def is_on_board(joint):
    return 0 <= joint.file < L.FILES and 0 <= joint.rank < L.RANKS


@kernel
def may_join(frame, us, joint):
    """Return whether a piece of a growing dragon may begin on a joint."""
    return is_on_board(joint) and _is_joint(_row_at(frame, us, joint.rank), joint.file)


@kernel
def growth_window(position, us, joint):
    """Return the window of squares around a joint that a growing piece may cover."""
    rows = position.frame.free[us]
    window = 0
    for ranks in range(-L.WINDOW_HALF, L.WINDOW_HALF + 1):
        window |= _cut(rows[L.PAD + joint.rank + ranks], joint.file, ranks)
    window |= L.WINDOW_MIDDLE
    home = home_rank(us) - joint.rank
    if home >= -L.WINDOW_HALF and home <= L.WINDOW_HALF:
        window &= ~position.t.window_row[L.WINDOW_HALF + home]
    return window


@routine
def landing_window(position, us, root, joint):
    """Return the window of squares that the lifted P may cover; 0 if nothing may join there."""
    if not is_on_board(joint):
        return 0
    if not _is_joint(_row_without(position, us, root, joint.rank), joint.file):
        return 0
    window = 0
    for ranks in range(-L.WINDOW_HALF, L.WINDOW_HALF + 1):
        rank = joint.rank + ranks
        row = 0
        if 0 <= rank < L.RANKS:
            row = _clear_squares(_row_without(position, us, root, rank))
        window |= _cut(row, joint.file, ranks)
    return window | L.WINDOW_MIDDLE
