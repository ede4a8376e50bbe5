"""A small net as (a part of) the evaluation: its numbers for kernels, and the sum over the pieces.

What it computes is told in :mod:`ryugi_engine.games.nets`. A row holds what a piece on a square
adds to White's view and, behind it, to Black's: one address serves both. LANES of both views are
added up at a time, in vector registers.

The lanes of a position are kept in its state, tagged by its key and the net. A position a move or
two further changes them by what these moves have changed. Nothing has to be told when a move is
made or taken back: where no kept lanes are found they are added up afresh.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.nets import (
    FACTOR_BITS,
    LANES,
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
from ryugi_engine.kernel.views import Layout, i16, i64
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition
from variants.chess_family.makemove import extra_of, kind_of, origin_of, target_of
from variants.chess_family.squares import square_index

_BOTH = 2 * LANES
#: What a net's block begins with.
HEAD = Layout(
    "net",
    constant=True,
    correction=i64,  # 1 if the hand-written evaluation is added
    parts=i64,  # LANES of both views each
    factor=i64,
    tag=i64,  # of lanes that are kept for it
    stage=i64[MAX_MEN + 1],  # by number of pieces
    constants=i64[MAX_STAGES],
)
#: What follows, once for each part.
PART = Layout(
    "part of a net",
    constant=True,
    start=i16[_BOTH],  # biases, for both views
    weights=i16[MAX_STAGES, 2, _BOTH],  # by side to move
    rows=i16[L.PIECES * L.SQUARES, _BOTH],  # by piece code and square
)
_LAST_BIT = -1 << 63
_HEAD_WORDS, _PART_WORDS = HEAD.words, PART.words
#: Moves since a position whose lanes are kept that are cheaper to follow than to begin afresh.
_FOLLOWED = 3


@kernel
def _with_pieces(part, mailbox, sums, left, first):
    """The lanes with the rows of the pieces on a word's squares.

    Four at a time: a jump for each piece would make the processor forget what it has learnt of the
    jumps elsewhere. Bit 63 is never a square: nothing stands there, and its row is zero.
    """
    while left != 0:
        for _ in range(4):
            square = first + ctz(left | _LAST_BIT)
            left &= left - 1
            sums = plus(sums, part.rows[mailbox[square] * L.SQUARES + square])
    return sums


@kernel
def _afresh(part, mailbox, frame):
    """The lanes of a frame, from all its pieces."""
    pieces = frame.men[0] | frame.men[1]
    sums = lanes(part.start)
    sums = _with_pieces(part, mailbox, sums, pieces.lo, 0)
    return _with_pieces(part, mailbox, sums, pieces.hi, 64)


@kernel
def _after(part, sums, frame):
    """The lanes with what the move that led to a frame has changed, castling apart."""
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
    sums = minus(sums, part.rows[moved * L.SQUARES + origin_of(move)])
    sums = plus(sums, part.rows[placed * L.SQUARES + to])
    # where nothing was captured this is the row of an empty square, which is zero
    return minus(sums, part.rows[frame.captured * L.SQUARES + victim])


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
def net_value(S, t, f):
    """Centipawns for the side to move in frame ``f`` by the game's net."""
    N = t.net
    head = HEAD(N)
    mailbox = L.STATE(S).mailbox
    frame = L.FRAME(S, f)
    at = head.stage[(frame.men[0] | frame.men[1]).count()]
    total = head.constants[at]
    keeping = head.parts <= L.KEPT_PARTS
    plies = -1
    if keeping:
        plies = _plies_since_kept(S, t, f, head.tag)
    kept = _kept(S, f)
    known = _kept(S, f - max(plies, 0) * L.FRAME_WORDS)
    for number in range(head.parts):
        part = PART(N, _HEAD_WORDS + number * _PART_WORDS)
        if plies < 0:
            sums = _afresh(part, mailbox, frame)
        else:
            sums = lanes(known.lanes[number])
            for back in range(plies):
                later = L.FRAME(S, f - back * L.FRAME_WORDS)
                if later.null_distance != 0:
                    sums = _after(part, sums, later)
        if keeping and plies != 0:
            keep(kept.lanes[number], sums)
        total += clipped_square_dot(sums, part.weights[at][frame.side], ONE)
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
    parts = net.lanes // LANES
    block = Block(HEAD.words + parts * PART.words)
    head = HEAD.of(block)
    head["correction"] = net.correction
    head["parts"], head["factor"] = parts, net.factor
    head["tag"] = int(net.digest, 16) >> 1 | 1
    head["stage"] = [stage(count, net.stages, net.men) for count in range(MAX_MEN + 1)]
    head["constants"][: net.stages] = net.constants
    kinds = len(game.letters)
    squares = [(f, r) for r in range(game.ranks) for f in range(game.files)]
    for number in range(parts):
        part: Any = PART.of(block, HEAD.words + number * PART.words)
        own = slice(number * LANES, (number + 1) * LANES)
        white, black = slice(0, LANES), slice(LANES, _BOTH)
        for side, (first, second) in enumerate(((white, black), (black, white))):
            part["start"][first] = net.biases[own]
            part["weights"][: net.stages, side, first] = net.outputs[:, 0, own]
            part["weights"][: net.stages, side, second] = net.outputs[:, 1, own]
        for code in (*range(1, kinds + 1), *range(17, kinds + 17)):
            for at in squares:
                square = at[1] * game.files + at[0]
                row = part["rows"][code * L.SQUARES + square_index(at)]
                for view, half in enumerate((white, black)):
                    seen = feature(kinds, game.files, game.ranks, view, code, square)
                    row[half] = net.inputs[seen, own]
    return block
