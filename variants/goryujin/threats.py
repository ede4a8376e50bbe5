"""Threats: landings at distance 1, which win at once, and the turns that block them."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import load32, store32
from ryugi_engine.kernel.move_list import MoveList
from variants.goryujin import layout as L
from variants.goryujin.board import (
    joint_at,
    landing_window,
    position_of,
    row_of_piece,
    shape_of,
    touchdown_distance,
)
from variants.goryujin.moves import fits_in, growths, joining, kind_of, placement_of, turns


@kernel
def _edge_rank(side, i):
    """Return the i-th rank from a side's far edge."""
    return L.RANKS - 1 - i if side == 0 else i


@routine
def winning_landings(position, side, limit):
    """List the rows of a side's landings at distance 1; return their number, at most ``limit``."""
    t = position.t
    count = 0
    for number in range(position.frame.begun[side]):
        dragon = position.frame.dragon[side][number]
        if dragon.finished != 0 or dragon.used == L.NO_END:
            continue
        for end in range(shape_of(t, dragon.tip).ends):
            if end == dragon.used and dragon.second == 0:
                continue
            joint = joint_at(t, dragon.tip, end)
            away = L.RANKS - 1 - joint.rank if side == 0 else joint.rank
            if away < 0 or away >= L.LANDING_ROWS:
                continue
            window = landing_window(position, side, dragon.root, joint)
            for i in range(L.LANDINGS):
                join = t.landing[joint.direction][i]
                placement = joining(join, joint)
                if fits_in(join, window) and touchdown_distance(t, side, placement) == 1:
                    for row in range(L.LANDING_ROWS):
                        cells = row_of_piece(t, placement, _edge_rank(side, row))
                        position.state.landings[count][row] = cells
                    count += 1
                    if count == limit:
                        return count
    return count


@kernel
def _hits_all(position, placement, side, landings):
    """Return whether a piece covers a square of every listed landing of a side."""
    for i in range(landings):
        hit = 0
        for row in range(L.LANDING_ROWS):
            cells = row_of_piece(position.t, placement, _edge_rank(side, row))
            hit |= cells & position.state.landings[i][row]
        if hit == 0:
            return False
    return True


@routine
def promising(position, us, moves):
    """Add the legal turns that do not lose at once, or a single one that wins at once."""
    S, first, listed = moves
    if winning_landings(position, us, 1) != 0:
        for i in range(first, growths(position, us, moves).next):
            move = load32(S, i)
            if kind_of(move) == L.TOUCHDOWN:
                if touchdown_distance(position.t, us, placement_of(move)) == 1:
                    store32(S, first, move)
                    return MoveList(S, first + 1, listed)
    legal = turns(position, us, moves)
    landings = winning_landings(position, 1 - us, L.MAX_LANDINGS)
    if landings == 0 or legal.next == first:
        return legal
    kept = first
    for i in range(first, legal.next):
        move = load32(S, i)
        if kind_of(move) != L.PASSED:
            if _hits_all(position, placement_of(move), 1 - us, landings):
                store32(S, kept, move)
                kept += 1
    # a lost game goes on with any turn
    return MoveList(S, max(kept, first + 1), listed)


@kernel
def note_threat(S):
    """Set the header's ``check`` if the side not to move threatens to win at once."""
    position = position_of(S)
    HEADER(S).check = winning_landings(position, 1 - position.frame.side, 1)
