"""A small net as (a part of) the evaluation: its numbers for kernels, and the sum over the pieces.

What it computes is told in :mod:`ryugi_engine.games.nets`. For each view the rows that change its
lanes are listed first; then LANES of them are added up at a time, in vector registers.

The lanes of a position are kept in its state, tagged by its key and the net. A position a move or
two further changes them by what these moves have changed. Nothing has to be told when a move is
made or taken back: where no kept lanes are found they are added up afresh.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.games.nets import (
    FACTOR_BITS,
    LANES,
    MAX_BUCKETS,
    MAX_MEN,
    MAX_STAGES,
    ONE,
    Net,
    feature,
    stage,
)
from ryugi_engine.kernel.abi import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz
from ryugi_engine.kernel.vectors import clipped_square_dot, keep, lanes, minus, plus
from ryugi_engine.kernel.views import Layout, i16, i32, i64, u8
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition
from variants.chess_family.makemove import extra_of, kind_of, origin_of, target_of
from variants.chess_family.squares import square_index

#: What a net's block begins with. Places of rows are words from a part's first row on.
HEAD = Layout(
    "net",
    constant=True,
    correction=i64,  # 1 if the hand-written evaluation is added
    parts=i64,  # LANES of both views each
    part_words=i64,  # of a part with its rows
    factor=i64,
    tag=i64,  # of lanes that are kept for it
    stage=i64[MAX_MEN + 1],  # by number of pieces
    constants=i64[MAX_STAGES],
    seat=u8[2, L.SQUARES],  # by view and its king's square, see Net.seats
    bucket=i32[2 * MAX_BUCKETS],  # by seat: where its bucket begins, with a row of zeros
    piece=i32[2, L.PIECES],  # by view and piece code: where its rows begin in a bucket
    square=i32[2, 2, L.SQUARES],  # by view, and 1 in a mirror: where a square's row is among those
)
#: What follows, once for each part: this and its rows.
PART = Layout(
    "part of a net",
    constant=True,
    start=i16[LANES],  # biases
    weights=i16[MAX_STAGES, 2, LANES],  # own view, other view
)
ROW = Layout("row of a net", constant=True, lanes=i16[LANES])
_LAST_BIT = -1 << 63
#: No square of any board, as bit 63 is none: its rows are zero.
_NOWHERE = L.SQUARES - 1
_HEAD_WORDS, _PART_WORDS, _ROW_WORDS = HEAD.words, PART.words, ROW.words
#: Moves since a position whose lanes are kept that are cheaper to follow than to begin afresh.
_FOLLOWED = 3


@kernel
def _seat(head, frame, view):
    """The seat of a view's king."""
    return head.seat[view][frame.king[view]]


@kernel
def _place(head, view, seat, code, square):
    """Where the row of a piece lies for a view with that seat."""
    return head.bucket[seat] + head.piece[view][code] + head.square[view][seat & 1][square]


@kernel
def _list_pieces(head, mailbox, pieces, view, seat, rows):
    """List the places of the rows of all pieces; how many, a multiple of four.

    Four at a time: a jump for each piece would make the processor forget what it has learnt of the
    jumps elsewhere. Bit 63 is never a square: nothing stands there, and its row is zero.
    """
    count = 0
    for first in (0, 64):
        left = pieces.lo if first == 0 else pieces.hi
        while left != 0:
            for _ in range(4):
                square = first + ctz(left | _LAST_BIT)
                left &= left - 1
                rows[count] = _place(head, view, seat, mailbox[square], square)
                count += 1
    return count


@kernel
def _list_changes(head, frame, view, seat, rows, count):
    """List the rows that the move that led to a frame has changed, castling apart.

    One that is added and two that are taken away; how many are listed with these.
    """
    move = frame.move
    kind = kind_of(move)
    moved = frame.moved
    to = target_of(move)
    placed = moved
    victim = to
    if kind == L.PROMOTION:
        placed = (moved & 16) + extra_of(move)
    elif kind == L.EN_PASSANT_CAPTURE:
        victim = to - 16 + 2 * (moved & 16)
    if frame.captured == 0:
        victim = _NOWHERE
    rows[count] = _place(head, view, seat, placed, to)
    rows[count + 1] = _place(head, view, seat, moved, origin_of(move))
    rows[count + 2] = _place(head, view, seat, frame.captured, victim)
    return count + 3


@kernel
def _kept(S, f):
    """Where the lanes of a frame are kept."""
    return L.STATE(S).kept[(f - L.FIRST_FRAME) // L.FRAME_WORDS % L.KEPT_PLIES]


@kernel
def _plies_since_kept(S, t, f, tag):
    """How many plies before a frame that one lies whose lanes are kept; -1: too far."""
    for plies in range(_FOLLOWED + 1):
        frame = L.FRAME(S, f)
        if _kept(S, f).tag == frame.key ^ tag:
            return plies
        f -= L.FRAME_WORDS
        if f < L.FIRST_FRAME:
            return -1
        if frame.null_distance == 0:
            # a null move, after which the same pieces stand there, or where play has begun
            if frame.key ^ L.FRAME(S, f).key != t.key_side:
                return -1
        elif kind_of(frame.move) == L.CASTLE:
            return -1
    return -1


@kernel
def _list_rows(S, head, f, plies, view, rows):
    """List the rows that make a view's lanes of those kept so many plies before; how many.

    Less than 0: they are those of all pieces, for there are none kept, or the king's seat was
    another one then.
    """
    frame = L.FRAME(S, f)
    seat = _seat(head, frame, view)
    if plies < 0 or _seat(head, L.FRAME(S, f - plies * L.FRAME_WORDS), view) != seat:
        pieces = frame.men[0] | frame.men[1]
        return -_list_pieces(head, L.STATE(S).mailbox, pieces, view, seat, rows)
    count = 0
    for back in range(plies):
        later = L.FRAME(S, f - back * L.FRAME_WORDS)
        if later.null_distance != 0:
            count = _list_changes(head, later, view, seat, rows, count)
    return count


@kernel
def _sums(N, first, start, known, rows, count):
    """The lanes that the listed rows make, of a part's biases or of known lanes."""
    if count < 0:
        sums = lanes(start)
        for i in range(0, -count, 4):
            for j in range(4):
                sums = plus(sums, ROW(N, first + rows[i + j]).lanes)
        return sums
    sums = lanes(known)
    for i in range(0, count, 3):
        sums = plus(sums, ROW(N, first + rows[i]).lanes)
        sums = minus(sums, ROW(N, first + rows[i + 1]).lanes)
        sums = minus(sums, ROW(N, first + rows[i + 2]).lanes)
    return sums


@kernel
def net_value(S, t, f):
    """Centipawns for the side to move in frame ``f`` by the game's net."""
    N = t.net
    head = HEAD(N)
    state = L.STATE(S)
    frame = L.FRAME(S, f)
    at = head.stage[(frame.men[0] | frame.men[1]).count()]
    total = head.constants[at]
    keeping = head.parts <= L.KEPT_PARTS
    plies = -1
    if keeping:
        plies = _plies_since_kept(S, t, f, head.tag)
    kept = _kept(S, f)
    known = _kept(S, f - max(plies, 0) * L.FRAME_WORDS)
    for view in range(2):
        rows = state.rows
        count = _list_rows(S, head, f, plies, view, rows)
        weighed = view ^ frame.side
        for number in range(head.parts):
            word = _HEAD_WORDS + number * head.part_words
            part = PART(N, word)
            place = min(number, L.KEPT_PARTS - 1)  # of those that are kept
            held = known.lanes[place][view]
            sums = _sums(N, word + _PART_WORDS, part.start, held, rows, count)
            if keeping and plies != 0:
                keep(kept.lanes[place][view], sums)
            total += clipped_square_dot(sums, part.weights[at][weighed], ONE)
    if keeping:
        kept.tag = frame.key ^ head.tag
    return (total * head.factor) >> FACTOR_BITS


def fits(net: Net, game: Definition) -> None:
    """UserError if a net is for another board or other pieces."""
    own = (game.files, game.ranks, game.letters)
    if (net.files, net.ranks, net.letters) != own:
        told = f"{net.files}x{net.ranks} with {net.letters}"
        here = f"{game.files}x{game.ranks} with {game.letters}"
        raise UserError(f"a net of {net.game} ({told}) does not fit {game.name} ({here})")


def block_of(net: Net, game: Definition) -> Block:
    """A net's numbers as kernels take them."""
    fits(net, game)
    net.check()
    rows = 1 + len(net.inputs) // net.buckets  # a bucket begins with a row of zeros
    parts, part_words = net.lanes // LANES, PART.words + net.buckets * rows * ROW.words
    block = Block(HEAD.words + parts * part_words)
    head = HEAD.of(block)
    head["correction"] = net.correction
    head["parts"], head["part_words"], head["factor"] = parts, part_words, net.factor
    head["tag"] = int(net.digest, 16) >> 1 | 1
    head["stage"] = [stage(count, net.stages, net.men) for count in range(MAX_MEN + 1)]
    head["constants"][: net.stages] = net.constants
    _fill_places(head, net, rows)
    for number in range(parts):
        own = slice(number * LANES, (number + 1) * LANES)
        word = HEAD.words + number * part_words
        part = PART.of(block, word)
        part["start"] = net.biases[own]
        part["weights"][: net.stages] = net.outputs[:, :, own]
        held = block.words[word + PART.words : word + part_words].view(np.int16)
        held.reshape(net.buckets, rows, LANES)[:, 1:] = net.inputs[:, own].reshape(
            net.buckets, rows - 1, LANES
        )
    return block


def _fill_places(head: Any, net: Net, rows: int) -> None:
    """Where rows lie, by what :func:`feature` says of them."""
    kinds = len(net.letters)
    board = (kinds, net.files, net.ranks)
    for seat in range(2 * net.buckets):
        head["bucket"][seat] = seat // 2 * rows * ROW.words
    for view in range(2):
        for code in (*range(1, kinds + 1), *range(17, kinds + 17)):
            first = feature(*board, 0, code ^ (16 * view), 0)
            head["piece"][view, code] = (1 + first) * ROW.words
        for number in range(net.files * net.ranks):
            rank, file = divmod(number, net.files)
            square = square_index((file, rank))
            seen = feature(*board, view, 1 + 16 * view, number)
            head["seat"][view, square] = net.seats[seen]
            for turned in range(2):
                seen = feature(*board, view, 1 + 16 * view, number, turned)
                head["square"][view, turned, square] = seen * ROW.words
