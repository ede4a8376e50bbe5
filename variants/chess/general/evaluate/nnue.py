"""The NNUE evaluation of this family: accumulators are updated by the cells that differ.

The accumulators of a position are kept in the state by its ply, with the cells that they belong to.
Cells and frame are compared eight cells at a time. So make and unmake do nothing for nets, whatever
the effects of a move.

The kernels' cells are the bytes at the beginning of a frame: the board's squares and the pieces in
hand by code. Then come those of :func:`_counters`, and 1 and 0 for White and Black. A net's block
says which of them it sees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz, load64, popcount, shr
from ryugi_engine.kernel.views import Layout, i32, i64, u8
from ryugi_engine.nnue.architecture import MAX_KING_BUCKETS
from ryugi_engine.nnue.kernels import NET, ROW_WORDS, block_of, output_of, row_of
from ryugi_engine.nnue.net import Net
from variants.chess.general.encoding.net_inputs import Seen
from variants.chess.general.memory import layout as L

#: What a net sees of the cells, after the head of its block.
SEEN = Layout(
    "cells that a net sees",
    constant=True,
    words=i64,  # words of cells that are compared
    word=i32[L.CELL_WORDS],
    sees=u8[L.CODES],  # 1 for piece codes that have features
    piece_at=i32[2, L.CODES],  # by perspective and piece code: its rows
    square_at=i32[2, 2, L.SQUARES],  # by perspective, mirrored and square: its row among those
    zone=u8[2, L.SQUARES],  # king zone by perspective and king's square
    zone_at=i32[2 * MAX_KING_BUCKETS],  # by king zone: its rows, of which the first is zero
    high=u8[8 * L.CELL_WORDS],  # by cell: features of a counter
    counter_at=i32[2, 8 * L.CELL_WORDS],  # by perspective and cell: a counter's first row
)
_SEEN = NET.words
_COUNTERS = L.CHECKS_LEFT // 8
#: Fewer changes are always cheaper than a refresh.
_FEW_CHANGES = 12


@kernel
def _counters(frame):
    """Return the cells that are neither squares nor pieces in hand, as a word.

    Gates count for a side that has something in hand.
    """
    gates = 0
    for side in range(2):
        if frame.held[side] != 0:
            for word in range(L.WORDS):
                gates += popcount(frame.gates[word] & frame.by_color[side][word]) << 8 * side
    rights = popcount(frame.castling & 3) | popcount(frame.castling >> 2) << 8
    left = frame.moves_left << 8 * frame.side
    return frame.checks[0] | frame.checks[1] << 8 | rights << 16 | left << 32 | gates << 48


@kernel
def _cells(S, f, word):
    """Return a word of cells of a frame."""
    if word < _COUNTERS:
        return load64(S, f + word)
    return _counters(L.FRAME(S, f)) if word == _COUNTERS else 1


@kernel
def cell_of(S, f, place):
    """Return a cell of a frame."""
    return shr(_cells(S, f, place >> 3), 8 * (place & 7)) & 255


@kernel
def _zone(seen, frame, perspective):
    """Return the king zone of a perspective."""
    square = frame.king[perspective]
    return 0 if square < 0 else seen.zone[perspective][square]


@kernel
def _kings(seen, frame):
    """Return what a net sees of the kings, in one number: it lists all rows anew for another."""
    return _zone(seen, frame, 0) | _zone(seen, frame, 1) << 9


@kernel
def _list_levels(seen, frame, place, first, last, rows, count):
    """List a counter's rows from one level up to another; return the new count."""
    for level in range(first, last):
        for perspective in range(2):
            row = seen.counter_at[perspective][place] + level * ROW_WORDS
            rows[perspective][count] = row + seen.zone_at[_zone(seen, frame, perspective)]
        count += 1
    return count


class _Changes(NamedTuple):
    """The numbers of listed rows."""

    added: int
    removed: int


@kernel
def _list_changes(S, f, seen, old_cells, fresh):
    """List the rows to add and to remove.

    ``fresh``: the accumulators to update are the biases, instead of those of ``old_cells``.
    """
    state = L.STATE(S)
    frame = L.FRAME(S, f)
    plus = 0
    minus = 0
    for i in range(seen.words):
        at = seen.word[i]
        new = _cells(S, f, at)
        old = 0 if fresh else old_cells[at]
        left = new ^ old
        while left != 0:
            shift = ctz(left) & 56
            left &= ~(255 << shift)
            place = 8 * at + (shift >> 3)
            before = shr(old, shift) & 255
            after = shr(new, shift) & 255
            if place < L.SQUARES:
                for perspective in range(2):
                    zone = _zone(seen, frame, perspective)
                    row = seen.zone_at[zone] + seen.square_at[perspective][zone & 1][place]
                    piece_at = seen.piece_at[perspective]
                    state.added[perspective][plus] = piece_at[after] + row
                    state.removed[perspective][minus] = piece_at[before] + row
                plus += seen.sees[after]
                minus += seen.sees[before]
            else:
                before = min(before, seen.high[place])
                after = min(after, seen.high[place])
                plus = _list_levels(seen, frame, place, before, after, state.added, plus)
                minus = _list_levels(seen, frame, place, after, before, state.removed, minus)
    return _Changes(plus, minus)


@kernel
def nnue_value(S, f):
    """Return the net's evaluation of frame ``f``: centipawns for the side to move."""
    state = L.STATE(S)
    N = state.net
    tag = NET(N).tag
    seen = SEEN(N, _SEEN)
    frame = L.FRAME(S, f)
    ply = (f - L.FIRST_FRAME) // L.FRAME_WORDS
    earlier = state.kept[(ply - 1) & (L.KEPT_PLIES - 1)]
    slot = state.kept[ply & (L.KEPT_PLIES - 1)]
    kings = _kings(seen, frame)
    fresh = earlier.tag != tag or earlier.kings != kings
    pieces = frame.pieces[0] + frame.pieces[1]
    changes = _list_changes(S, f, seen, earlier.cells, fresh)
    count = changes.added + changes.removed
    if not fresh and count > _FEW_CHANGES and count > pieces:
        fresh = True
        changes = _list_changes(S, f, seen, earlier.cells, fresh)
    for i in range(seen.words):
        at = seen.word[i]
        slot.cells[at] = _cells(S, f, at)
    slot.tag = tag
    slot.kings = kings
    return output_of(
        N, earlier.values, slot.values, state.added, changes.added, state.removed, changes.removed,
        fresh, pieces, frame.side,
    )  # fmt: skip


def net_block(net: Net, seen: Seen) -> Block:
    """Return the block of a net that sees so much of a game."""
    block, inputs = block_of(net, SEEN), net.inputs
    view = SEEN.of(block, _SEEN)
    words = set()
    for number in range(inputs.squares):
        rank, file = divmod(number, inputs.files)
        words.add((16 * rank + file) // 8)
        for perspective, mirrored in np.ndindex(2, 2):
            square = 16 * rank + file
            own = inputs.seen(perspective, number, mirrored)
            view["square_at"][perspective, mirrored, square] = own * ROW_WORDS
            view["zone"][perspective, square] = net.zones[inputs.seen(perspective, number)]
    for perspective in range(2):
        for code in inputs.codes():
            view["sees"][code] = 1
            first = inputs.plane(perspective, code) * inputs.squares
            view["piece_at"][perspective, code] = row_of(first)
        for number, places in enumerate(seen.places):
            for side, place in enumerate(places):
                view["high"][place] = inputs.counters[number].high
                first = inputs.counted(perspective, number, side)
                view["counter_at"][perspective, place] = row_of(first)
                words.add(place // 8)
    for zone in range(2 * net.king_buckets):
        view["zone_at"][zone] = zone // 2 * (1 + inputs.features) * ROW_WORDS
    view["words"] = len(words)
    view["word"][: len(words)] = sorted(words)
    return block
