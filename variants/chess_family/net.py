"""A small net as (a part of) the evaluation: its numbers for kernels, and the sum over the pieces.

What it computes is told in :mod:`ryugi_engine.games.nets`. A row holds what a piece on a square
adds to White's view and, behind it, to Black's: one address serves both. The lanes are added up
afresh for each evaluation, LANES of both views at a time in vector registers: up to that many this
is faster than to keep them from move to move.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.nets import FACTOR_BITS, LANES, ONE, Net, feature
from ryugi_engine.kernel.abi import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import ctz
from ryugi_engine.kernel.vectors import clipped_square_dot, lanes, plus
from ryugi_engine.kernel.views import Layout, i16, i64
from variants.chess_family import layout as L
from variants.chess_family.definition import Definition
from variants.chess_family.squares import square_index

_BOTH = 2 * LANES
#: What a net's block begins with.
HEAD = Layout(
    "net",
    constant=True,
    correction=i64,  # 1 if the hand-written evaluation is added
    parts=i64,  # LANES of both views each
    bias=i64,
    factor=i64,
)
#: What follows, once for each part.
PART = Layout(
    "part of a net",
    constant=True,
    start=i16[_BOTH],  # biases, for both views
    weights=i16[2, _BOTH],  # by side to move
    rows=i16[L.PIECES * L.SQUARES, _BOTH],  # by piece code and square
)
_LAST_BIT = -1 << 63
_HEAD_WORDS, _PART_WORDS = HEAD.words, PART.words


@kernel
def _with_pieces(part, state, sums, left, first):
    """The lanes with the rows of the pieces on a word's squares.

    Four at a time: a jump for each piece would make the processor forget what it has learnt of the
    jumps elsewhere. Bit 63 is never a square: nothing stands there, and its row is zero.
    """
    while left != 0:
        for _ in range(4):
            square = first + ctz(left | _LAST_BIT)
            left &= left - 1
            sums = plus(sums, part.rows[state.mailbox[square] * L.SQUARES + square])
    return sums


@kernel
def net_value(state, frame, N):
    """Centipawns for the side to move by the net whose block is at N."""
    head = HEAD(N)
    total = head.bias
    for number in range(head.parts):
        part = PART(N, _HEAD_WORDS + number * _PART_WORDS)
        sums = lanes(part.start)
        pieces = frame.men[0] | frame.men[1]
        sums = _with_pieces(part, state, sums, pieces.lo, 0)
        sums = _with_pieces(part, state, sums, pieces.hi, 64)
        total += clipped_square_dot(sums, part.weights[frame.side], ONE)
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
    head["parts"], head["bias"], head["factor"] = parts, net.bias, net.factor
    kinds = len(game.letters)
    squares = [(f, r) for r in range(game.ranks) for f in range(game.files)]
    for number in range(parts):
        part: Any = PART.of(block, HEAD.words + number * PART.words)
        own = slice(number * LANES, (number + 1) * LANES)
        white, black = slice(0, LANES), slice(LANES, _BOTH)
        for side, (first, second) in enumerate(((white, black), (black, white))):
            part["start"][first] = net.biases[own]
            part["weights"][side, first] = net.outputs[0, own]
            part["weights"][side, second] = net.outputs[1, own]
        for code in (*range(1, kinds + 1), *range(17, kinds + 17)):
            for at in squares:
                square = at[1] * game.files + at[0]
                row = part["rows"][code * L.SQUARES + square_index(at)]
                for view, half in enumerate((white, black)):
                    seen = feature(kinds, game.files, game.ranks, view, code, square)
                    row[half] = net.inputs[seen, own]
    return block
