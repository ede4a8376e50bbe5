"""Nets in kernels: the block of a net's weights, accumulators, and the output.

A block is the layout NET, then the family's own tables, then the chunks. A chunk is CHUNK neurons
of both perspectives: its biases and output weights, then its rows of feature weights, the first of
them zero. A row's offset is its words from a chunk's first row on. Families list the offsets of the
rows that a position adds and removes. The sums are made in vector registers, a chunk at a time.

The computation is that of :mod:`ryugi_engine.nnue.inference`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.vectors import add, load, screlu_dot, store, subtract
from ryugi_engine.kernel.views import Layout, i16, i64
from ryugi_engine.nnue.architecture import (
    CHUNK,
    MAX_HIDDEN_SIZE,
    MAX_OUTPUT_BUCKETS,
    MAX_PIECES,
    QA,
    output_bucket_table,
)
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import EVAL_SHIFT, Net, rules_difference

#: The start of a net's block.
NET = Layout(
    "net",
    constant=True,
    chunks=i64,
    first_chunk=i64,  # word of the first chunk
    chunk_words=i64,  # words of a chunk with its rows
    multiplier=i64,  # of an output, before the shift
    tag=i64,  # of accumulators that belong to it
    bucket=i64[MAX_PIECES + 1],  # output bucket by number of pieces
    biases=i64[MAX_OUTPUT_BUCKETS],
)
#: The head of a chunk, before its rows.
CHUNK_HEAD = Layout(
    "chunk of a net",
    constant=True,
    biases=i16[CHUNK],
    weights=i16[MAX_OUTPUT_BUCKETS, 2, CHUNK],  # by output bucket; side to move's, opponent's
)
ROW = Layout("row of a net", constant=True, weights=i16[CHUNK])
#: The accumulators of a position, by chunk and perspective.
VALUES = i16[MAX_HIDDEN_SIZE // CHUNK, 2, CHUNK]
ROW_WORDS, _CHUNK_WORDS = ROW.words, CHUNK_HEAD.words


@kernel
def updated(N, first, sums, added, plus, removed, minus):
    """Return a chunk's sums with ``plus`` rows added and ``minus`` rows removed.

    ``first`` is the word of the chunk's first row, ``added`` and ``removed`` list offsets.
    """
    for i in range(plus):
        sums = add(sums, ROW(N, first + added[i]).weights)
    for i in range(minus):
        sums = subtract(sums, ROW(N, first + removed[i]).weights)
    return sums


@kernel
def output_of(N, kept, values, added, plus, removed, minus, fresh, pieces, side):
    """Update accumulators, and return the evaluation for ``side``, which is to move.

    ``added`` and ``removed`` list ``plus`` and ``minus`` offsets for each perspective. The
    accumulators ``kept``, or the biases if ``fresh``, are updated and written to ``values``.
    """
    head = NET(N)
    bucket = head.bucket[min(pieces, MAX_PIECES)]
    output = head.biases[bucket]
    for number in range(head.chunks):
        word = head.first_chunk + number * head.chunk_words
        chunk = CHUNK_HEAD(N, word)
        for perspective in range(2):
            sums = load(chunk.biases) if fresh != 0 else load(kept[number][perspective])
            sums = updated(
                N, word + _CHUNK_WORDS, sums, added[perspective], plus, removed[perspective], minus
            )
            store(values[number][perspective], sums)
            output += screlu_dot(sums, chunk.weights[bucket][perspective ^ side], QA)
    return (output * head.multiplier) >> EVAL_SHIFT


def check_fit(net: Net, name: str, inputs: Inputs, rules: Mapping[str, str] | None = None) -> None:
    """Raise UserError if a net is for other inputs or rules than a game's."""
    difference = inputs.difference(net.inputs)
    if not difference and rules is not None:
        difference = rules_difference(net.rules, rules)
    if not difference and net.zones.any():
        if inputs.king == 0 or net.inputs.king != inputs.king:
            difference = f"king {net.inputs.king}, not {inputs.king or 'any'}"
    if difference:
        raise UserError(f"a net of {net.game} does not fit {name}: it has {difference}")


def block_of(net: Net, tables: Layout | None = None) -> Block:
    """Return a block with a net's weights; ``tables`` are left for the family to fill."""
    net.check()
    per_bucket = 1 + net.inputs.features  # a king bucket begins with the zero row
    rows, chunks = net.king_buckets * per_bucket, net.hidden_size // CHUNK
    chunk_words = CHUNK_HEAD.words + rows * ROW.words
    first = NET.words + (0 if tables is None else tables.words)
    block = Block(first + chunks * chunk_words)
    head = NET.of(block)
    head["chunks"], head["first_chunk"], head["chunk_words"] = chunks, first, chunk_words
    head["multiplier"] = net.eval_multiplier
    head["tag"] = int(net.digest, 16) >> 1 | 1
    head["bucket"] = output_bucket_table(net.output_buckets, net.max_pieces)
    head["biases"][: net.output_buckets] = net.output_biases
    for number in range(chunks):
        neurons = slice(number * CHUNK, (number + 1) * CHUNK)
        word = first + number * chunk_words
        chunk = CHUNK_HEAD.of(block, word)
        chunk["biases"] = net.feature_biases[neurons]
        chunk["weights"][: net.output_buckets] = net.output_weights[:, :, neurons]
        table = block.words[word + CHUNK_HEAD.words : word + chunk_words].view(np.int16)
        table.reshape(net.king_buckets, per_bucket, CHUNK)[:, 1:] = net.feature_weights[
            :, neurons
        ].reshape(net.king_buckets, per_bucket - 1, CHUNK)
    return block


def row_of(feature: int) -> int:
    """Return the offset of a feature's row."""
    return (1 + feature) * ROW.words
