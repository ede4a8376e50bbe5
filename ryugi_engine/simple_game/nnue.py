"""The NNUE evaluation of simple games in kernels.

The computation is that of :mod:`ryugi_engine.nnue.inference`. The state keeps the accumulators of
the position that was evaluated last, with its sets of squares. Those of the next one are updated by
the squares that differ. So make and unmake do nothing for nets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ryugi_engine.errors import UserError
from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load64
from ryugi_engine.kernel.views import Layout, i32, i64
from ryugi_engine.nnue.inputs import BLACK, Inputs
from ryugi_engine.nnue.kernels import NET, ROW_WORDS, VALUES, block_of, check_fit, output_of, row_of
from ryugi_engine.nnue.net import Net
from ryugi_engine.simple_game.fields import Field, Neutral, Pieces
from ryugi_engine.simple_game.inputs import letters_of

#: Bitboards of a frame, squares of a board, and squares of all bitboards, at most.
MAX_PLANES, _MAX_SQUARES = 32, 128
_MAX_CHANGES = MAX_PLANES * _MAX_SQUARES
_ROWS = NET.words
#: Where rows are, after the head of a net's block.
ROWS = Layout(
    "rows of a simple game's net",
    constant=True,
    plane_at=i32[2, MAX_PLANES],  # by perspective and bitboard: its rows, -1 if it is not seen
    square_at=i32[2, _MAX_SQUARES],  # by perspective and square: its row among those
)
#: The accumulators of the position evaluated last, its bitboards, and what differs from them.
KEPT = Layout(
    "kept accumulators",
    align=8,
    tag=i64,
    sets=i64[2 * MAX_PLANES],
    added=i32[2, _MAX_CHANGES],  # rows by perspective
    removed=i32[2, _MAX_CHANGES],
    values=VALUES,
)


@kernel
def _list_rows(rows, count, table, plane, squares):
    """List the rows of a bitboard's squares for both perspectives; return the new count."""
    while squares:
        square, squares = squares.pop()
        for perspective in range(2):
            at = table.plane_at[perspective][plane] + table.square_at[perspective][square]
            rows[perspective][count] = at
        count += 1
    return count


@kernel
def net_value(S, N, f, side, kept, planes):
    """Return a net's evaluation of frame ``f``, centipawns for ``side``, which is to move.

    The frame begins with so many bitboards, ``planes``.
    """
    tag = NET(N).tag
    table = ROWS(N, _ROWS)
    fresh = 1 if kept.tag != tag else 0
    if fresh != 0:
        for i in range(2 * MAX_PLANES):
            kept.sets[i] = 0
        kept.tag = tag
    added = 0
    removed = 0
    pieces = 0
    for plane in range(planes):
        if table.plane_at[0][plane] >= 0:
            new = bits(load64(S, f + 2 * plane), load64(S, f + 2 * plane + 1))
            old = bits(kept.sets[2 * plane], kept.sets[2 * plane + 1])
            pieces += new.count()
            added = _list_rows(kept.added, added, table, plane, new & ~old)
            removed = _list_rows(kept.removed, removed, table, plane, old & ~new)
            kept.sets[2 * plane] = new.lo
            kept.sets[2 * plane + 1] = new.hi
    return output_of(
        N, kept.values, kept.values, kept.added, added, kept.removed, removed, fresh, pieces, side
    )


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


def net_block(net: Net, name: str, inputs: Inputs, codes: Sequence[int]) -> Block:
    """Return a block with a net's weights as a game's kernels read them. Raises UserError.

    ``codes`` are the piece codes of a frame's bitboards, 0 for those that the net does not see.
    """
    check_fit(net, name, inputs)
    if net.zones.any():
        raise UserError(f"a net of {net.game} has king buckets, and {name} has no king")
    block = block_of(net, ROWS)
    table = ROWS.of(block, _ROWS)
    table["plane_at"] = -1
    for perspective in range(2):
        for plane, code in enumerate(codes):
            if code:
                first = inputs.plane(perspective, code) * inputs.squares
                table["plane_at"][perspective, plane] = row_of(first)
        for square in range(inputs.squares):
            seen = inputs.seen(perspective, square)
            table["square_at"][perspective, square] = seen * ROW_WORDS
    return block
