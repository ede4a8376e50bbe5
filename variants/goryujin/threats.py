"""Landings at distance 1, which win at once: who has one, and which turns get in their way."""

from __future__ import annotations

from ryugi_engine.abi import H_CHECK, H_FRAME
from ryugi_engine.jit import kernel, routine
from ryugi_engine.memory import const64, load32, load64, store32, store64
from variants.goryujin import layout as L
from variants.goryujin.board import landing_window, row_of_piece, shape_at, touchdown_distance
from variants.goryujin.moves import end_square, list_growths, list_turns

#: Ranks that a landed P can cover, from the far edge.
_DEEP = 3


@kernel
def _edge_row(side, i):
    """The i-th rank from the edge that a side runs for."""
    return L.RANKS - 1 - i if side == 0 else i


@routine
def winning_landings(S, T, f, side, limit):
    """How many landings at distance 1 a side has, ``limit`` at most; their rows are listed."""
    found = 0
    for number in range(load64(S, f + L.COUNTS + side)):
        body = load64(S, f + L.BODIES + side * L.DRAGONS + number)
        used = (body >> L.USED_AT) & 7
        if (body & L.FINISHED) != 0 or used == L.NO_END:
            continue
        tip = body & L.PLACEMENT
        root = (body >> L.ROOT_AT) & L.PLACEMENT
        for end in range(const64(T, shape_at(tip) + L.S_ENDS)):
            if end == used and (body & L.SECOND) == 0:
                continue
            file, rank, direction = end_square(T, tip, end)
            away = L.RANKS - 1 - rank if side == 0 else rank
            if away < 0 or away >= _DEEP:
                continue
            window = landing_window(S, T, f, side, root, file, rank)
            at = L.T_JOINS + (direction * L.JOINS + L.GROWTHS) * L.JOIN_WORDS
            for i in range(2):
                need = const64(T, at + i * L.JOIN_WORDS + L.J_WINDOW)
                placement = (file + const64(T, at + i * L.JOIN_WORDS + L.J_FILES)) << 6
                placement |= (rank + const64(T, at + i * L.JOIN_WORDS + L.J_RANKS)) << 12
                placement |= const64(T, at + i * L.JOIN_WORDS + L.J_CODE) & 63
                if (window & need) == need and touchdown_distance(T, side, placement) == 1:
                    for row in range(_DEEP):
                        cells = row_of_piece(S, T, placement, _edge_row(side, row))
                        store64(S, L.LANDINGS + _DEEP * found + row, cells)
                    found += 1
                    if found == limit:
                        return found
    return found


@kernel
def _hits_all(S, T, placement, side, landings):
    """Whether a piece covers a square of every listed landing of a side."""
    for i in range(landings):
        hit = 0
        for row in range(_DEEP):
            cells = row_of_piece(S, T, placement, _edge_row(side, row))
            hit |= cells & load64(S, L.LANDINGS + _DEEP * i + row)
        if hit == 0:
            return False
    return True


@routine
def list_promising(S, T, f, us, out):
    """The legal turns without those that lose at once, or one alone that wins at once."""
    if winning_landings(S, T, f, us, 1) != 0:
        n = list_growths(S, T, f, us, out)
        for i in range(n):
            move = load32(S, out + i)
            if (move >> L.KIND_AT & 3) == L.TOUCHDOWN:
                if touchdown_distance(T, us, move & L.PLACEMENT) == 1:
                    store32(S, out, move)
                    return 1
    n = list_turns(S, T, f, us, out)
    landings = winning_landings(S, T, f, 1 - us, L.MAX_LANDINGS)
    if landings == 0 or n == 0:
        return n
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        if (move >> L.KIND_AT & 3) != L.PASSED:
            if _hits_all(S, T, move & L.PLACEMENT, 1 - us, landings):
                store32(S, out + kept, move)
                kept += 1
    # a lost game goes on with any turn
    return max(kept, 1)


@kernel
def note_threat(S, T):
    """Tell the header whether the side that is not on move could win at once."""
    f = load64(S, H_FRAME)
    store64(S, H_CHECK, winning_landings(S, T, f, 1 - load64(S, f + L.SIDE), 1))
