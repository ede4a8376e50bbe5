"""Legal turns: new dragons by whole rows at once, the others by windows of 41 squares."""

from __future__ import annotations

from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, ctz, load64, popcount, shr, store32
from variants.goryujin import layout as L
from variants.goryujin.board import (
    file_of,
    growth_window,
    home_rank,
    landing_window,
    may_join,
    rank_of,
    shape_at,
)


@kernel
def new_row(S, T, f, us, shape):
    """Files, as bits 4 + file, where a P in this orientation begins a dragon."""
    at = L.T_SHAPES + shape * L.SHAPE_WORDS
    height = const64(T, at + L.S_HEIGHT)
    rank = 0
    if us != 0:
        rank = L.RANKS - height
    fits = L.FULL_ROW
    for i in range(height):
        free = load64(S, f + L.FREE + us * L.ROWS + L.PAD + rank + i)
        cells = const64(T, at + L.S_ROWS + i)
        while cells != 0:
            fits &= shr(free, ctz(cells))
            cells &= cells - 1
    return fits


@kernel
def end_square(T, placement, end):
    """(file, rank, direction): the square that an end of a placement joins, and the way there."""
    packed = const64(T, shape_at(placement) + L.S_END + end)
    direction = packed >> 8
    file = file_of(placement) + (packed & 15)
    rank = rank_of(placement) + ((packed >> 4) & 15)
    if direction == 0:
        rank += 1
    elif direction == 1:
        file += 1
    elif direction == 2:
        rank -= 1
    else:
        file -= 1
    return file, rank, direction


@kernel
def _list_joins(S, T, at, n, window, hand, square, dragon_bits, out, listed):
    """List, or only count, what joins: ``n`` table entries from ``at`` on."""
    found = 0
    for _ in range(n):
        need = const64(T, at + L.J_WINDOW)
        if (window & need) == need and (shr(hand, const64(T, at + L.J_HAND)) & 15) != 0:
            if listed:
                corner = square + (const64(T, at + L.J_FILES) << 6)
                corner += const64(T, at + L.J_RANKS) << 12
                store32(S, out + found, const64(T, at + L.J_CODE) | corner | dragon_bits)
            found += 1
        at += L.JOIN_WORDS
    return found


@routine
def dragon_turns(S, T, f, us, number, out, listed):
    """Growths and touchdowns of a dragon: listed from ``out`` on, or only counted."""
    body = load64(S, f + L.BODIES + us * L.DRAGONS + number)
    if (body & L.FINISHED) != 0 or (body & L.EXISTS) == 0:
        return 0
    hand = load64(S, f + L.HANDS + us)
    tip = body & L.PLACEMENT
    used = (body >> L.USED_AT) & 7
    root = (body >> L.ROOT_AT) & L.PLACEMENT
    found = 0
    growth = number << L.DRAGON_AT | L.GROWTH << L.KIND_AT
    touchdown = number << L.DRAGON_AT | L.TOUCHDOWN << L.KIND_AT
    for end in range(const64(T, shape_at(tip) + L.S_ENDS)):
        if end == used and (body & L.SECOND) == 0:
            continue
        file, rank, direction = end_square(T, tip, end)
        square = file << 6 | rank << 12
        at = L.T_JOINS + direction * L.JOINS * L.JOIN_WORDS
        if end != used and may_join(S, f, us, file, rank):
            window = growth_window(S, T, f, us, file, rank)
            found += _list_joins(
                S, T, at, L.GROWTHS, window, hand, square, growth, out + found, listed
            )
        if used != L.NO_END:
            window = landing_window(S, T, f, us, root, file, rank)
            at += L.GROWTHS * L.JOIN_WORDS
            # the P comes from the board: nothing need be in hand
            found += _list_joins(S, T, at, 2, window, -1, square, touchdown, out + found, listed)
    return found


@kernel
def game_is_over(S, f):
    """Whether a touchdown at distance 1 or the fifth pass has ended the game."""
    nearest = min(load64(S, f + L.TOUCHED) >> 20, load64(S, f + L.TOUCHED + 1) >> 20)
    return nearest == 1 or load64(S, f + L.PASSES) >= 5


@routine
def count_turns(S, T, f, us):
    """How many turns but a pass a side has."""
    found = 0
    if (shr(load64(S, f + L.HANDS + us), 4 * L.P) & 15) != 0:
        first = const64(T, L.T_FIRST_P)
        for shape in range(first, first + L.P_SHAPES):
            found += popcount(new_row(S, T, f, us, shape))
    for number in range(load64(S, f + L.COUNTS + us)):
        found += dragon_turns(S, T, f, us, number, 0, False)
    return found


@kernel
def list_growths(S, T, f, us, out):
    """List growths and touchdowns; how many."""
    n = 0
    for number in range(load64(S, f + L.COUNTS + us)):
        n += dragon_turns(S, T, f, us, number, out + n, True)
    return n


@kernel
def list_new(S, T, f, us, out):
    """List new dragons; how many."""
    n = 0
    if (shr(load64(S, f + L.HANDS + us), 4 * L.P) & 15) == 0:
        return 0
    first = const64(T, L.T_FIRST_P)
    for shape in range(first, first + L.P_SHAPES):
        rank = home_rank(us)
        if us != 0:
            rank -= const64(T, L.T_SHAPES + shape * L.SHAPE_WORDS + L.S_HEIGHT) - 1
        fits = new_row(S, T, f, us, shape)
        while fits != 0:
            file = ctz(fits) - L.PAD
            store32(S, out + n, shape | file << 6 | rank << 12)
            n += 1
            fits &= fits - 1
    return n


@kernel
def list_turns(S, T, f, us, out):
    """List the legal turns, a pass where there is no other but the enemy has one; how many."""
    if game_is_over(S, f):
        return 0
    n = list_growths(S, T, f, us, out)
    n += list_new(S, T, f, us, out + n)
    if n == 0 and count_turns(S, T, f, 1 - us) != 0:
        store32(S, out, L.PASS_MOVE)
        n = 1
    return n


@kernel
def count_legal(S, T, f, us):
    """How many turns :func:`list_turns` would list."""
    if game_is_over(S, f):
        return 0
    n = count_turns(S, T, f, us)
    if n == 0 and count_turns(S, T, f, 1 - us) != 0:
        n = 1
    return n
