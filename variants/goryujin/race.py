"""The race: in how few turns a side's dragons reach how far, by a search over whole rows at once.

A layer is the set of ends that some dragon of the side can have after so many turns, each named
by the square that the next piece would begin on and the way there. A layer's successors are found
for all files of a row together.

It is a lower bound: that a way's own pieces can be in each other's way, and that a letter runs
out on the way, is left out. Only squares that the first P frees by being lifted can make a way
shorter than told, and they lie at home.
"""

from __future__ import annotations

from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, load64, popcount, shr, store64
from variants.goryujin import layout as L
from variants.goryujin.board import home_rank, may_join, shape_at
from variants.goryujin.moves import end_square, new_row


@kernel
def _begin(S, T, f, us, base):
    """Shifted rows, the dragons' ends as layer 0, new dragons' as layer 1."""
    home = home_rank(us)
    for row in range(L.ROWS):
        free = load64(S, f + L.FREE + us * L.ROWS + row)
        if row == home + L.PAD:
            free = 0
        at = base + L.R_SHIFTED + row
        for shift in range(4):
            store64(S, at + shift * L.ROWS, free << (4 - shift))
            store64(S, at + (8 - shift) * L.ROWS, shr(free, 4 - shift))
        store64(S, at + 4 * L.ROWS, free)
    for i in range(L.LAYER):
        store64(S, base + L.R_SEEN + i, 0)
        store64(S, base + L.R_LAYERS + i, 0)
        store64(S, base + L.R_LAYERS + L.LAYER + i, 0)
    for number in range(load64(S, f + L.COUNTS + us)):
        body = load64(S, f + L.BODIES + us * L.DRAGONS + number)
        if (body & L.FINISHED) != 0:
            continue
        tip = body & L.PLACEMENT
        for end in range(const64(T, shape_at(tip) + L.S_ENDS)):
            if end != (body >> L.USED_AT & 7):
                file, rank, direction = end_square(T, tip, end)
                if may_join(S, f, us, file, rank) and rank != home:
                    at = base + L.R_LAYERS + direction * L.ROWS + L.PAD + rank
                    store64(S, at, load64(S, at) | 1 << (file + L.PAD))
    if (shr(load64(S, f + L.HANDS + us), 4 * L.P) & 15) != 0:
        first = const64(T, L.T_FIRST_P)
        for shape in range(first, first + L.P_SHAPES):
            height = const64(T, L.T_SHAPES + shape * L.SHAPE_WORDS + L.S_HEIGHT)
            corner = 0
            if us != 0:
                corner = L.RANKS - height
            fits = new_row(S, T, f, us, shape)
            file, rank, direction = end_square(T, shape | corner << 12, 0)
            if rank >= 0 and rank < L.RANKS:
                ends = fits << file if file >= 0 else shr(fits, 1)
                ends &= load64(S, base + L.R_SHIFTED + 4 * L.ROWS + L.PAD + rank)
                at = base + L.R_LAYERS + L.LAYER + direction * L.ROWS + L.PAD + rank
                store64(S, at, load64(S, at) | ends)


@kernel
def _fitting(S, T, at, base, row, ends):
    """Those of a row's ends that a join's piece fits on."""
    shifted = base + L.R_SHIFTED + row
    ends &= load64(S, shifted + const64(T, at + L.W_SQUARES))
    ends &= load64(S, shifted + const64(T, at + L.W_SQUARES + 1))
    ends &= load64(S, shifted + const64(T, at + L.W_SQUARES + 2))
    return ends & load64(S, shifted + const64(T, at + L.W_SQUARES + 3))


@kernel
def _distance_of(T, at, row, us):
    """The distance of a P that is joined to an end in a row."""
    if us == 0:
        return L.RANKS + L.PAD - row - const64(T, at + L.W_UP)
    return row - L.PAD + const64(T, at + L.W_DOWN) + 1


@kernel
def _landing(S, T, base, direction, row, ends, us):
    """The nearest distance at which a P lands on one of a row's ends, and on how many of them.

    NO_DISTANCE and 0 if it lands nowhere.
    """
    nearest = L.NO_DISTANCE
    count = 0
    at = L.T_PATHS + (direction * L.JOINS + L.GROWTHS) * L.PATH_WORDS
    for _ in range(2):
        fitting = _fitting(S, T, at, base, row, ends)
        if fitting != 0:
            distance = _distance_of(T, at, row, us)
            if distance < nearest:
                nearest = distance
                count = 0
            if distance == nearest:
                count += popcount(fitting)
        at += L.PATH_WORDS
    return nearest, count


@routine
def reach(S, T, f, us, base):
    """The nearest distance at which a side can land, in how few turns, and on how many ends.

    Packed as distance | turns << 8 | ends << 16, the ends at most 31; NO_DISTANCE and 31 turns
    for a side that cannot land at all.
    """
    _begin(S, T, f, us, base)
    hand = load64(S, f + L.HANDS + us)
    store64(S, base + L.R_HAND, hand)
    seen = base + L.R_SEEN
    free = base + L.R_SHIFTED + 4 * L.ROWS
    best = L.NO_DISTANCE
    turns = 31
    ways = 0
    for k in range(L.MAX_LAYERS):
        layer = base + L.R_LAYERS + k * L.LAYER
        following = layer + L.LAYER
        if k > 0:
            for i in range(L.LAYER):
                store64(S, following + i, 0)
        # a P first: nothing beyond the turn that lands on the last row matters
        for i in range(4 * L.ROWS):
            ends = load64(S, layer + i) & ~load64(S, seen + i)
            store64(S, layer + i, ends)
            if ends != 0:
                store64(S, seen + i, load64(S, seen + i) | ends)
                distance, count = _landing(S, T, base, i // L.ROWS, i % L.ROWS, ends, us)
                if distance < best:
                    best = distance
                    turns = k + 1
                    ways = 0
                if distance == best and turns == k + 1:
                    ways += count
        if best <= 1:
            break
        grown = 0
        for i in range(4 * L.ROWS):
            ends = load64(S, layer + i)
            if ends == 0:
                continue
            row = i % L.ROWS
            at = L.T_PATHS + (i // L.ROWS) * L.JOINS * L.PATH_WORDS
            for _ in range(L.GROWTHS):
                fitting = _fitting(S, T, at, base, row, ends)
                if fitting != 0 and (shr(hand, const64(T, at + L.W_HAND)) & 15) != 0:
                    for out in range(const64(T, at + L.W_OUTS)):
                        w = at + L.W_OUT + 3 * out
                        to = row + const64(T, w + 2)
                        there = shr(fitting << const64(T, w), const64(T, w + 1))
                        there &= load64(S, free + to % L.ROWS)
                        there &= ~load64(S, seen + to)
                        grown |= there
                        store64(S, following + to, load64(S, following + to) | there)
                at += L.PATH_WORDS
        if grown == 0 and k > 0:
            break
    return best | turns << 8 | min(ways, 31) << 16


@kernel
def _mark(S, base, row, at, T, ends):
    """Add the squares of a join's pieces, and of the joints, to the squares of fastest ways."""
    cells = base + L.R_CELLS + row
    store64(S, cells, load64(S, cells) | ends)
    for i in range(4):
        # (files + 4) * ROWS + ranks, the ranks within four of 0
        offset = const64(T, at + L.W_SQUARES + i)
        files = (offset + L.ROWS // 2) // L.ROWS
        to = cells + offset - files * L.ROWS
        files -= L.WINDOW_HALF
        covered = ends << files if files >= 0 else shr(ends, -files)
        store64(S, to, load64(S, to) | covered)


@routine
def trace(S, T, us, base, reached):
    """After :func:`reach`: ends that begin a fastest way, and the squares of its next two turns."""
    for i in range(L.ROWS):
        store64(S, base + L.R_CELLS + i, 0)
    for i in range(L.LAYER):
        store64(S, base + L.R_FIRST + i, 0)
    distance = reached & 255
    turns = (reached >> 8) & 255
    if distance == L.NO_DISTANCE:
        return 0
    now = base + L.R_CRITICAL
    last = base + L.R_LAYERS + (turns - 1) * L.LAYER
    for i in range(L.LAYER):
        ends = load64(S, last + i)
        store64(S, now + i, 0)
        if ends != 0:
            at = L.T_PATHS + ((i // L.ROWS) * L.JOINS + L.GROWTHS) * L.PATH_WORDS
            for _ in range(2):
                fitting = _fitting(S, T, at, base, i % L.ROWS, ends)
                if fitting != 0 and _distance_of(T, at, i % L.ROWS, us) == distance:
                    store64(S, now + i, load64(S, now + i) | fitting)
                    if turns <= 2:
                        _mark(S, base, i % L.ROWS, at, T, fitting)
                at += L.PATH_WORDS
    hand = load64(S, base + L.R_HAND)
    for k in range(turns - 2, -1, -1):
        if k == 0:
            for i in range(L.LAYER):
                store64(S, base + L.R_FIRST + i, load64(S, now + i))
        layer = base + L.R_LAYERS + k * L.LAYER
        before = 2 * (base + L.R_CRITICAL) + L.LAYER - now  # the other one of the two
        for i in range(L.LAYER):
            store64(S, before + i, 0)
        for i in range(L.LAYER):
            ends = load64(S, layer + i)
            if ends == 0:
                continue
            row = i % L.ROWS
            at = L.T_PATHS + (i // L.ROWS) * L.JOINS * L.PATH_WORDS
            for _ in range(L.GROWTHS):
                fitting = _fitting(S, T, at, base, row, ends)
                if fitting != 0 and (shr(hand, const64(T, at + L.W_HAND)) & 15) != 0:
                    leading = 0
                    for out in range(const64(T, at + L.W_OUTS)):
                        w = at + L.W_OUT + 3 * out
                        there = load64(S, now + row + const64(T, w + 2))
                        leading |= shr(there, const64(T, w)) << const64(T, w + 1)
                    leading &= fitting
                    if leading != 0:
                        store64(S, before + i, load64(S, before + i) | leading)
                        if k <= 1:
                            _mark(S, base, row, at, T, leading)
                at += L.PATH_WORDS
        now = before
    return 0
