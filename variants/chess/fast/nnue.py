"""The NNUE evaluation in kernels: accumulators, kept and updated along a line, and the output.

The computation is that of :mod:`ryugi_engine.nnue.inference`. For each perspective the feature
weights to add and subtract are listed first; then CHUNK neurons at a time are summed up in vector
registers.

A position's accumulators are kept in its state, tagged by its key and the net. Those of a position
some moves later are updated by what the moves changed. Make and unmake do nothing for that: where
there is no accumulator to update, it is refreshed from all pieces.
"""

from __future__ import annotations

from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz
from ryugi_engine.kernel.vectors import add, load, screlu_dot, store, subtract
from ryugi_engine.kernel.views import Layout, i32, u8
from ryugi_engine.nnue.architecture import MAX_KING_BUCKETS, QA
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.kernels import CHUNK_HEAD, NET, ROW, block_of, check_fit, row_of
from ryugi_engine.nnue.net import EVAL_SHIFT, Net
from variants.chess.definition.squares import square_index
from variants.chess.fast import layout as L
from variants.chess.fast.game import FastGame
from variants.chess.fast.makemove import extra_of, kind_of, origin_of, target_of

#: Where rows are, after the head of a net's block.
ROWS = Layout(
    "rows of a net",
    constant=True,
    zone=u8[2, L.SQUARES],  # king zone by perspective and king's square
    zone_at=i32[2 * MAX_KING_BUCKETS],  # by king zone: its rows, of which the first is zero
    piece_at=i32[2, L.PIECES],  # by perspective and piece code: its rows among those
    square_at=i32[2, 2, L.SQUARES],  # by perspective, mirrored, square: its row among those
)
_LAST_BIT = -1 << 63
#: Bit 63 is never a square of a board: its row is zero.
_NO_SQUARE = L.SQUARES - 1
_ROWS, _FIRST_CHUNK, _CHUNK_WORDS = NET.words, NET.words + ROWS.words, CHUNK_HEAD.words
#: Updates by at most this many moves are cheaper than a refresh.
_MAX_UPDATES = 3


@kernel
def _zone(table, frame, perspective):
    """Return the king zone of a perspective."""
    return table.zone[perspective][frame.king[perspective]]


@kernel
def _row(table, perspective, zone, code, square):
    """Return the offset of the row of a piece on a square."""
    in_zone = table.piece_at[perspective][code] + table.square_at[perspective][zone & 1][square]
    return table.zone_at[zone] + in_zone


@kernel
def _list_pieces(table, mailbox, pieces, perspective, zone, rows):
    """List the rows of all pieces for a refresh; return their number, a multiple of four.

    The loop is unrolled four times, so that it has one branch for four pieces. The list is filled
    up by the zero row of bit 63.
    """
    count = 0
    for first in (0, 64):
        left = pieces.lo if first == 0 else pieces.hi
        while left != 0:
            for _ in range(4):
                square = first + ctz(left | _LAST_BIT)
                left &= left - 1
                rows[count] = _row(table, perspective, zone, mailbox[square], square)
                count += 1
    return count


@kernel
def _list_changes(table, frame, perspective, zone, rows, count):
    """List the rows changed by the move that led to a frame, castling excluded.

    One row to add and two to subtract; return the number of listed rows with these.
    """
    move = frame.move
    kind = kind_of(move)
    moved = frame.moved
    target = target_of(move)
    placed = moved
    captured_on = target
    if kind == L.PROMOTION:
        placed = (moved & 16) + extra_of(move)
    elif kind == L.EN_PASSANT_CAPTURE:
        captured_on = target - 16 + 2 * (moved & 16)
    if frame.captured == 0:
        captured_on = _NO_SQUARE
    rows[count] = _row(table, perspective, zone, placed, target)
    rows[count + 1] = _row(table, perspective, zone, moved, origin_of(move))
    rows[count + 2] = _row(table, perspective, zone, frame.captured, captured_on)
    return count + 3


@kernel
def _slot(S, f):
    """Return the place of a frame's accumulators."""
    return L.STATE(S).kept[(f - L.FIRST_FRAME) // L.FRAME_WORDS % L.KEPT_PLIES]


@kernel
def _plies_since_kept(S, t, f, tag):
    """Return how many plies before a frame the last kept accumulators are; -1 if too many."""
    for plies in range(_MAX_UPDATES + 1):
        frame = L.FRAME(S, f)
        if _slot(S, f).tag == frame.key ^ tag:
            return plies
        f -= L.FRAME_WORDS
        if f < L.FIRST_FRAME:
            return -1
        if frame.null_distance == 0:
            # after a null move the pieces are the same; else this is the first frame
            if frame.key ^ L.FRAME(S, f).key != t.key_side:
                return -1
        elif kind_of(frame.move) == L.CASTLE:
            return -1
    return -1


@kernel
def _list_rows(S, table, f, plies, perspective, rows):
    """List the rows that update a perspective's accumulator of ``plies`` plies before.

    Return their number; negative for the rows of a refresh, if there is no accumulator to update
    or the king zone has changed since.
    """
    frame = L.FRAME(S, f)
    zone = _zone(table, frame, perspective)
    if plies < 0 or _zone(table, L.FRAME(S, f - plies * L.FRAME_WORDS), perspective) != zone:
        pieces = frame.by_color[0] | frame.by_color[1]
        return -_list_pieces(table, L.STATE(S).mailbox, pieces, perspective, zone, rows)
    count = 0
    for back in range(plies):
        later = L.FRAME(S, f - back * L.FRAME_WORDS)
        if later.null_distance != 0:
            count = _list_changes(table, later, perspective, zone, rows, count)
    return count


@kernel
def _accumulate(N, first, biases, kept, rows, count):
    """Return a chunk of an accumulator: a refresh from the biases, or an update of a kept one."""
    if count < 0:
        sums = load(biases)
        for i in range(0, -count, 4):
            for j in range(4):
                sums = add(sums, ROW(N, first + rows[i + j]).weights)
        return sums
    sums = load(kept)
    for i in range(0, count, 3):
        sums = add(sums, ROW(N, first + rows[i]).weights)
        sums = subtract(sums, ROW(N, first + rows[i + 1]).weights)
        sums = subtract(sums, ROW(N, first + rows[i + 2]).weights)
    return sums


@kernel
def nnue_value(S, t, f):
    """Return the net's evaluation of frame ``f``: centipawns for the side to move."""
    N = t.net
    head = NET(N)
    table = ROWS(N, _ROWS)
    state = L.STATE(S)
    frame = L.FRAME(S, f)
    bucket = head.bucket[(frame.by_color[0] | frame.by_color[1]).count()]
    output = head.biases[bucket]
    keeping = head.chunks <= L.KEPT_CHUNKS
    plies = -1
    if keeping:
        plies = _plies_since_kept(S, t, f, head.tag)
    slot = _slot(S, f)
    earlier = _slot(S, f - max(plies, 0) * L.FRAME_WORDS)
    for perspective in range(2):
        rows = state.rows
        count = _list_rows(S, table, f, plies, perspective, rows)
        half = perspective ^ frame.side
        for number in range(head.chunks):
            word = _FIRST_CHUNK + number * head.chunk_words
            chunk = CHUNK_HEAD(N, word)
            place = min(number, L.KEPT_CHUNKS - 1)  # without keeping: any
            kept = earlier.values[place][perspective]
            sums = _accumulate(N, word + _CHUNK_WORDS, chunk.biases, kept, rows, count)
            if keeping and plies != 0:
                store(slot.values[place][perspective], sums)
            output += screlu_dot(sums, chunk.weights[bucket][half], QA)
    if keeping:
        slot.tag = frame.key ^ head.tag
    return (output * head.multiplier) >> EVAL_SHIFT


def net_block(net: Net, game: FastGame) -> Block:
    """Return a block with a net's weights as kernels read them. Raises UserError."""
    check_fit(net, game.name, Inputs.of_letters(game.files, game.ranks, game.letters))
    block, inputs = block_of(net, ROWS), net.inputs
    table = ROWS.of(block, _ROWS)
    for zone in range(2 * net.king_buckets):
        table["zone_at"][zone] = zone // 2 * (1 + inputs.features) * ROW.words
    for perspective in range(2):
        for code in inputs.codes():
            first = inputs.plane(perspective, code) * inputs.squares
            table["piece_at"][perspective, code] = row_of(first)
        for number in range(inputs.squares):
            rank, file = divmod(number, inputs.files)
            square = square_index((file, rank))
            table["zone"][perspective, square] = net.zones[inputs.seen(perspective, number)]
            for mirrored in range(2):
                seen = inputs.seen(perspective, number, mirrored)
                table["square_at"][perspective, mirrored, square] = seen * ROW.words
    return block
