"""The NNUE evaluation of simple games in kernels.

The computation is that of :mod:`ryugi_engine.nnue.inference`. The accumulators of the position that
was evaluated last are kept in the state, with its sets of squares: the next one's are updated by
the squares that differ. So make and unmake do nothing for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load64
from ryugi_engine.kernel.vectors import add, load, screlu_dot, store, subtract
from ryugi_engine.kernel.views import Layout, i16, i32, i64
from ryugi_engine.nnue.architecture import (
    BLACK,
    CHUNK,
    MAX_HIDDEN_SIZE,
    MAX_OUTPUT_BUCKETS,
    MAX_PIECES,
    QA,
    feature_index,
    output_bucket_table,
)
from ryugi_engine.nnue.net import EVAL_SHIFT, Net
from ryugi_engine.simple_game.fields import Field, Neutral, Pieces
from ryugi_engine.simple_game.inputs import letters_of

#: Bitboards of a frame, squares of a board, and squares of all bitboards, at most.
MAX_PLANES, _MAX_SQUARES = 32, 128
_MAX_CHANGES = MAX_PLANES * _MAX_SQUARES
#: The head of a net's block. Offsets of rows are words from a chunk's first row on.
HEAD = Layout(
    "net of a simple game",
    constant=True,
    correction=i64,  # 1 if the game's own evaluation is added
    chunks=i64,  # chunks of CHUNK neurons of both perspectives
    chunk_words=i64,  # words of a chunk with its rows
    multiplier=i64,  # of an output, before the shift
    tag=i64,  # of accumulators that belong to it
    bucket=i64[MAX_PIECES + 1],  # output bucket by number of pieces
    biases=i64[MAX_OUTPUT_BUCKETS],
    plane_at=i32[2, MAX_PLANES],  # by perspective and bitboard: its rows, -1 if it is not seen
    square_at=i32[2, _MAX_SQUARES],  # by perspective and square: its row among those
)
#: The head of a chunk, before its rows.
CHUNK_HEAD = Layout(
    "chunk of a simple game's net",
    constant=True,
    biases=i16[CHUNK],
    weights=i16[MAX_OUTPUT_BUCKETS, 2, CHUNK],  # by output bucket; side to move's, opponent's
)
ROW = Layout("row of a simple game's net", constant=True, weights=i16[CHUNK])
#: The accumulators of the position evaluated last, and its bitboards.
KEPT = Layout(
    "kept accumulators",
    align=8,
    tag=i64,
    sets=i64[2 * MAX_PLANES],
    changes=i16[2, _MAX_CHANGES],  # added, removed: 128 * bitboard + square
    values=i16[MAX_HIDDEN_SIZE // CHUNK, 2, CHUNK],
)
_HEAD_WORDS, _CHUNK_WORDS = HEAD.words, CHUNK_HEAD.words


@kernel
def _refresh(N, head, kept):
    """Make the kept accumulators those of an empty board."""
    for i in range(2 * MAX_PLANES):
        kept.sets[i] = 0
    for number in range(head.chunks):
        chunk = CHUNK_HEAD(N, _HEAD_WORDS + number * head.chunk_words)
        for perspective in range(2):
            store(kept.values[number][perspective], load(chunk.biases))
    kept.tag = head.tag


@kernel
def _list_squares(kept, kind, count, plane, squares):
    """List squares of a bitboard as added (kind 0) or removed (1); return the new count."""
    while squares:
        square, squares = squares.pop()
        kept.changes[kind][count] = 128 * plane + square
        count += 1
    return count


@kernel
def net_value(S, N, f, side, kept, planes):
    """Return a net's evaluation of frame ``f``, centipawns for ``side``, which is to move.

    The frame begins with so many bitboards, ``planes``.
    """
    head = HEAD(N)
    if kept.tag != head.tag:
        _refresh(N, head, kept)
    added = 0
    removed = 0
    pieces = 0
    for plane in range(planes):
        if head.plane_at[0][plane] >= 0:
            new = bits(load64(S, f + 2 * plane), load64(S, f + 2 * plane + 1))
            old = bits(kept.sets[2 * plane], kept.sets[2 * plane + 1])
            pieces += new.count()
            added = _list_squares(kept, 0, added, plane, new & ~old)
            removed = _list_squares(kept, 1, removed, plane, old & ~new)
            kept.sets[2 * plane] = new.lo
            kept.sets[2 * plane + 1] = new.hi
    bucket = head.bucket[min(pieces, MAX_PIECES)]
    output = head.biases[bucket]
    for number in range(head.chunks):
        word = _HEAD_WORDS + number * head.chunk_words
        chunk = CHUNK_HEAD(N, word)
        first = word + _CHUNK_WORDS
        for perspective in range(2):
            sums = load(kept.values[number][perspective])
            for i in range(added):
                change = kept.changes[0][i]
                at = head.plane_at[perspective][change >> 7]
                at += head.square_at[perspective][change & 127]
                sums = add(sums, ROW(N, first + at).weights)
            for i in range(removed):
                change = kept.changes[1][i]
                at = head.plane_at[perspective][change >> 7]
                at += head.square_at[perspective][change & 127]
                sums = subtract(sums, ROW(N, first + at).weights)
            store(kept.values[number][perspective], sums)
            output += screlu_dot(sums, chunk.weights[bucket][perspective ^ side], QA)
    return (output * head.multiplier) >> EVAL_SHIFT


def plane_codes(
    order: Sequence[str], inputs: Sequence[str], fields: Mapping[str, Field]
) -> list[int]:
    """Return the piece code of each bitboard of a frame; 0 for one that the net does not see.

    ``order`` has the fields in the order of the frame.
    """
    kinds = letters_of(inputs, fields)
    codes: list[int] = []
    for name in order:
        field = fields[name]
        code = 1 + kinds.index(field.letter) if name in inputs and field.letter else 0
        if isinstance(field, Pieces):
            codes += [code, code and code + BLACK]
        elif isinstance(field, Neutral):
            codes.append(code)
    return codes


def check_fit(net: Net, name: str, files: int, ranks: int, letters: str) -> None:
    """Raise UserError if a net is for another board or other inputs, or has king buckets."""
    if (net.files, net.ranks, net.letters) != (files, ranks, letters):
        theirs = f"{net.files}x{net.ranks} with {net.letters}"
        ours = f"{files}x{ranks} with {letters}"
        raise UserError(f"a net of {net.game} ({theirs}) does not fit {name} ({ours})")
    if net.zones.any():
        raise UserError(f"a net of {net.game} has king buckets, and {name} has no king")


def block_of(net: Net, codes: Sequence[int]) -> Block:
    """Return a block with a net's weights as kernels read them. Raises UserError.

    ``codes`` are the piece codes of a frame's bitboards, 0 for those that the net does not see.
    """
    net.check()
    rows, chunks = len(net.feature_weights), net.hidden_size // CHUNK
    chunk_words = CHUNK_HEAD.words + rows * ROW.words
    block = Block(HEAD.words + chunks * chunk_words)
    head = HEAD.of(block)
    head["correction"] = net.correction
    head["chunks"], head["chunk_words"] = chunks, chunk_words
    head["multiplier"] = net.eval_multiplier
    head["tag"] = int(net.digest, 16) >> 1 | 1
    head["bucket"] = output_bucket_table(net.output_buckets, net.max_pieces)
    head["biases"][: net.output_buckets] = net.output_biases
    board = len(net.letters), net.files, net.ranks
    head["plane_at"] = -1
    for perspective in range(2):
        for plane, code in enumerate(codes):
            if code:
                first = feature_index(*board, 0, code ^ (BLACK * perspective), 0)
                head["plane_at"][perspective, plane] = first * ROW.words
        for square in range(net.files * net.ranks):
            seen = feature_index(*board, perspective, 1 + BLACK * perspective, square)
            head["square_at"][perspective, square] = seen * ROW.words
    for number in range(chunks):
        neurons = slice(number * CHUNK, (number + 1) * CHUNK)
        word = HEAD.words + number * chunk_words
        chunk = CHUNK_HEAD.of(block, word)
        chunk["biases"] = net.feature_biases[neurons]
        chunk["weights"][: net.output_buckets] = net.output_weights[:, :, neurons]
        table = block.words[word + CHUNK_HEAD.words : word + chunk_words].view(np.int16)
        table.reshape(rows, CHUNK)[:] = net.feature_weights[:, neurons]
    return block
