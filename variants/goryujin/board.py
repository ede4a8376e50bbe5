"""Reading and changing a frame's rows: windows, contacts, placing and lifting pieces."""

from __future__ import annotations

from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, load64, popcount, shr, store64
from variants.goryujin import layout as L


@kernel
def file_of(placement):
    """File of a placement's corner."""
    return (placement >> 6) & 63


@kernel
def rank_of(placement):
    """Rank of a placement's corner."""
    return (placement >> 12) & 31


@kernel
def shape_at(placement):
    """Where the table describes a placement's shape."""
    return L.T_SHAPES + (placement & 63) * L.SHAPE_WORDS


@kernel
def home_rank(side):
    """A side's own first row, from 0."""
    return side * (L.RANKS - 1)


@kernel
def cut_window(a, b, c, d, e, f, g, h, i, bit):
    """The window around ``bit`` out of nine rows, the lowest first."""
    window = shr(a, bit) & 1
    window |= (shr(b, bit - 1) & 7) << 1
    window |= (shr(c, bit - 2) & 31) << 4
    window |= (shr(d, bit - 3) & 127) << 9
    window |= (shr(e, bit - 4) & 511) << 16
    window |= (shr(f, bit - 3) & 127) << 25
    window |= (shr(g, bit - 2) & 31) << 32
    window |= (shr(h, bit - 1) & 7) << 37
    return window | (shr(i, bit) & 1) << 40


#: The window's middle.
MIDDLE = 1 << 20


@kernel
def free_window(S, rows, file, rank):
    """The window around a square of some rows of a frame."""
    r = rows + rank
    return cut_window(
        load64(S, r),
        load64(S, r + 1),
        load64(S, r + 2),
        load64(S, r + 3),
        load64(S, r + 4),
        load64(S, r + 5),
        load64(S, r + 6),
        load64(S, r + 7),
        load64(S, r + 8),
        file + L.PAD,
    )


@kernel
def touchdown_distance(T, side, placement):
    """Rows from the edge that a side runs for to a P that it lands, 1 for the last row."""
    rank = rank_of(placement)
    if side == 0:
        return L.RANKS + 1 - rank - const64(T, shape_at(placement) + L.S_HEIGHT)
    return rank + 1


@kernel
def row_of_piece(S, T, placement, row):
    """What a piece covers of a row of the board, as that row's word."""
    at = row - rank_of(placement)
    if at < 0 or at > 4:
        return 0
    return const64(T, shape_at(placement) + L.S_ROWS + at) << (file_of(placement) + L.PAD)


@kernel
def _clear_squares(own, below, above, enemy):
    """Squares of a row that are empty and beside no own piece."""
    return L.FULL_ROW & ~(own | enemy | own << 1 | shr(own, 1) | below | above)


@kernel
def clear_row(S, f, side, row):
    """FREE's row for a side, from what is covered."""
    own = load64(S, f + L.OWN + side * L.ROWS + L.PAD + row)
    enemy = load64(S, f + L.OWN + (1 - side) * L.ROWS + L.PAD + row)
    below = load64(S, f + L.OWN + side * L.ROWS + L.PAD + row - 1)
    above = load64(S, f + L.OWN + side * L.ROWS + L.PAD + row + 1)
    return _clear_squares(own, below, above, enemy)


@kernel
def put_piece(S, T, f, side, placement):
    """Cover squares of a frame."""
    at = shape_at(placement)
    shift = file_of(placement) + L.PAD
    row = f + L.PAD + rank_of(placement)
    own = row + L.OWN + side * L.ROWS
    free = row + L.FREE + side * L.ROWS
    theirs = row + L.FREE + (1 - side) * L.ROWS
    for i in range(const64(T, at + L.S_HEIGHT)):
        cells = const64(T, at + L.S_ROWS + i) << shift
        store64(S, own + i, load64(S, own + i) | cells)
        store64(S, theirs + i, load64(S, theirs + i) & ~cells)
        store64(S, free + i, load64(S, free + i) & ~(cells | cells << 1 | shr(cells, 1)))
        store64(S, free + i - 1, load64(S, free + i - 1) & ~cells)
        store64(S, free + i + 1, load64(S, free + i + 1) & ~cells)


@kernel
def lift_piece(S, T, f, side, placement):
    """Uncover a piece's squares of a frame."""
    at = shape_at(placement)
    shift = file_of(placement) + L.PAD
    rank = rank_of(placement)
    height = const64(T, at + L.S_HEIGHT)
    own = f + L.OWN + side * L.ROWS + L.PAD + rank
    for i in range(height):
        cells = const64(T, at + L.S_ROWS + i) << shift
        store64(S, own + i, load64(S, own + i) & ~cells)
    for row in range(max(rank - 1, 0), min(rank + height + 1, L.RANKS)):
        for other in range(2):
            store64(S, f + L.FREE + other * L.ROWS + L.PAD + row, clear_row(S, f, other, row))


@kernel
def refresh_rows(S, f):
    """FREE from OWN."""
    for side in range(2):
        for row in range(L.RANKS):
            store64(S, f + L.FREE + side * L.ROWS + L.PAD + row, clear_row(S, f, side, row))


@kernel
def may_join(S, f, us, file, rank):
    """Whether a square is empty and has one own neighbour alone: the tip that it is asked for."""
    if file < 0 or file >= L.FILES or rank < 0 or rank >= L.RANKS:
        return False
    rows = f + L.OWN + us * L.ROWS + L.PAD + rank
    bit = file + L.PAD
    beside = popcount(shr(load64(S, rows), bit - 1) & 5)
    beside += (shr(load64(S, rows - 1), bit) & 1) + (shr(load64(S, rows + 1), bit) & 1)
    covered = load64(S, rows) | load64(S, f + L.OWN + (1 - us) * L.ROWS + L.PAD + rank)
    return beside == 1 and (shr(covered, bit) & 1) == 0


@kernel
def growth_window(S, T, f, us, file, rank):
    """Squares around a joint's that a growing piece may cover, the joint's own included."""
    window = free_window(S, f + L.FREE + us * L.ROWS, file, rank) | MIDDLE
    off = home_rank(us) - rank
    if off >= -L.WINDOW_HALF and off <= L.WINDOW_HALF:
        window &= ~const64(T, L.T_ROW_OF_WINDOW + L.WINDOW_HALF + off)
    return window


@kernel
def _lifted_row(S, T, f, us, placement, row):
    """FREE's row once a piece of ours is lifted, for any row beside the board too."""
    if row < 0 or row >= L.RANKS:
        return 0
    at = f + L.OWN + us * L.ROWS + L.PAD + row
    own = load64(S, at) & ~row_of_piece(S, T, placement, row)
    below = load64(S, at - 1) & ~row_of_piece(S, T, placement, row - 1)
    above = load64(S, at + 1) & ~row_of_piece(S, T, placement, row + 1)
    enemy = load64(S, f + L.OWN + (1 - us) * L.ROWS + L.PAD + row)
    return _clear_squares(own, below, above, enemy)


@routine
def landing_window(S, T, f, us, root, file, rank):
    """Squares around a joint's that a P may cover once it is lifted; 0 if it is no joint."""
    if file < 0 or file >= L.FILES or rank < 0 or rank >= L.RANKS:
        return 0
    bit = file + L.PAD
    # the joint's own square: empty, with the tip's square as its only own neighbour
    at = f + L.OWN + us * L.ROWS + L.PAD + rank
    own = load64(S, at) & ~row_of_piece(S, T, root, rank)
    below = load64(S, at - 1) & ~row_of_piece(S, T, root, rank - 1)
    above = load64(S, at + 1) & ~row_of_piece(S, T, root, rank + 1)
    enemy = load64(S, f + L.OWN + (1 - us) * L.ROWS + L.PAD + rank)
    if (shr(own | enemy, bit) & 1) != 0:
        return 0
    if popcount(shr(own, bit - 1) & 5) + (shr(below, bit) & 1) + (shr(above, bit) & 1) != 1:
        return 0
    window = cut_window(
        _lifted_row(S, T, f, us, root, rank - 4),
        _lifted_row(S, T, f, us, root, rank - 3),
        _lifted_row(S, T, f, us, root, rank - 2),
        _lifted_row(S, T, f, us, root, rank - 1),
        _lifted_row(S, T, f, us, root, rank),
        _lifted_row(S, T, f, us, root, rank + 1),
        _lifted_row(S, T, f, us, root, rank + 2),
        _lifted_row(S, T, f, us, root, rank + 3),
        _lifted_row(S, T, f, us, root, rank + 4),
        bit,
    )
    return window | MIDDLE
