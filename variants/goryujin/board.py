"""Reading and changing a frame's rows: windows, contacts, placing and lifting pieces."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import H_FRAME
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load64, popcount, shr
from variants.goryujin import layout as L


class Position(NamedTuple):
    """What kernels look at."""

    t: object  # the game's tables
    state: object  # log and scratch
    frame: object


class Joint(NamedTuple):
    """A square that a piece may begin on to join an end, and the way there from the end."""

    file: int
    rank: int
    direction: int


class Row(NamedTuple):
    """A row of the board as a side sees it: what it covers there, below, above; what the enemy."""

    own: int
    below: int
    above: int
    enemy: int


@kernel
def position_of(S):
    """The current position of a state."""
    state = L.STATE(S)
    return Position(L.TABLES(state.tables), state, L.FRAME(S, load64(S, H_FRAME)))


# ---- placements ----------------------------------------------------------------------------------


@kernel
def placement_at(shape, file, rank):
    return shape | file << 6 | rank << 12


@kernel
def file_of(placement):
    """File of a placement's corner."""
    return (placement >> 6) & 63


@kernel
def rank_of(placement):
    """Rank of a placement's corner."""
    return (placement >> 12) & 31


@kernel
def shape_of(t, placement):
    """The tables' description of a placement's shape."""
    return t.shape[placement & 63]


@kernel
def row_of_piece(t, placement, rank):
    """What a piece covers of a rank of the board, as that row's word."""
    at = rank - rank_of(placement)
    if at < 0 or at >= L.MAX_HEIGHT:
        return 0
    return shape_of(t, placement).rows[at] << (file_of(placement) + L.PAD)


@kernel
def joint_at(t, placement, end):
    """The joint at an end of a piece on the board."""
    way = shape_of(t, placement).end[end]
    return Joint(file_of(placement) + way.files, rank_of(placement) + way.ranks, way.direction)


@kernel
def touchdown_distance(t, side, placement):
    """Rows from the edge that a side runs for to a P that it lands, 1 for the last row."""
    rank = rank_of(placement)
    if side == 0:
        return L.RANKS + 1 - rank - shape_of(t, placement).height
    return rank + 1


@kernel
def home_rank(side):
    """A side's own first row, from 0."""
    return side * (L.RANKS - 1)


@kernel
def first_rank(side, shape):
    """The rank of a shape's corner when it lies on a side's first row."""
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
    """The same once a piece of the side's is lifted."""
    row = _row_at(position.frame, side, rank)
    return Row(
        row.own & ~row_of_piece(position.t, lifted, rank),
        row.below & ~row_of_piece(position.t, lifted, rank - 1),
        row.above & ~row_of_piece(position.t, lifted, rank + 1),
        row.enemy,
    )


@kernel
def _clear_squares(row):
    """Squares of a row that are empty and beside no own piece."""
    beside = row.own << 1 | shr(row.own, 1) | row.below | row.above
    return L.FULL_ROW & ~(row.own | row.enemy | beside)


@kernel
def _is_joint(row, file):
    """Whether a square is empty and has one own neighbour alone: the tip that it is asked for."""
    bit = L.PAD + file
    beside = popcount(shr(row.own, bit - 1) & 5)
    beside += (shr(row.below, bit) & 1) + (shr(row.above, bit) & 1)
    return beside == 1 and (shr(row.own | row.enemy, bit) & 1) == 0


@kernel
def put_piece(t, frame, side, placement):
    """Cover squares of a frame."""
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
    """The free squares of some ranks, from what is covered."""
    for side in range(2):
        for rank in range(first, last):
            frame.free[side][L.PAD + rank] = _clear_squares(_row_at(frame, side, rank))


@kernel
def lift_piece(t, frame, side, placement):
    """Uncover a piece's squares of a frame."""
    rank = rank_of(placement)
    height = shape_of(t, placement).height
    for i in range(height):
        frame.covered[side][L.PAD + rank + i] &= ~row_of_piece(t, placement, rank + i)
    _refresh_free(frame, max(rank - 1, 0), min(rank + height + 1, L.RANKS))


@kernel
def refresh_rows(frame):
    """All free squares, from what is covered."""
    _refresh_free(frame, 0, L.RANKS)


# ---- windows -------------------------------------------------------------------------------------


@kernel
def _cut(row, file, ranks):
    """The part that a row has in the window around a file, from so many ranks above its middle.

    The rows below the middle are 1, 3, 5, 7 squares wide, those above it 7, 5, 3, 1.
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
    """Whether a growing piece may begin on a joint, for all that lies around it."""
    return is_on_board(joint) and _is_joint(_row_at(frame, us, joint.rank), joint.file)


@kernel
def growth_window(position, us, joint):
    """Squares around a joint's that a growing piece may cover, the joint's own included."""
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
    """Squares around a joint's that a P may cover once it is lifted; 0 if it is no joint."""
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
