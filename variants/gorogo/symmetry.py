"""The eight symmetries of the board, and a canonical key shared by a position's images."""

from __future__ import annotations

from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.views import Layout, i64, u32
from variants.gorogo.layout import BOARD, POINTS

SYMMETRIES = 8
#: A set of points is turned in three parts, whose images are tabled.
_PARTS = ((0, 9), (9, 8), (17, 8))

SYMMETRY = Layout(
    "symmetry",
    constant=True,
    image=i64[SYMMETRIES, 32],  # where a symmetry takes a point, or five bits that are none
    origin=i64[SYMMETRIES, 32],  # where it came from
    parts=u32[SYMMETRIES, len(_PARTS), 512],  # images of part p of a set
)


def image(symmetry: int, point: int) -> int:
    """Return a point's image under a symmetry, 0..7."""
    x, y = point % 5, point // 5
    if symmetry & 4:
        x, y = y, x
    if symmetry & 1:
        x = 4 - x
    if symmetry & 2:
        y = 4 - y
    return y * 5 + x


def symmetry_tables() -> Block:
    """Return the block of tables that :func:`canonical_key` reads."""
    block = Block(SYMMETRY.words)
    table = SYMMETRY.of(block)
    for s in range(SYMMETRIES):
        images = [image(s, point) for point in range(POINTS)]
        for point, to in enumerate(images):
            table["image"][s, point] = to
            table["origin"][s, to] = point
        for part, (first, size) in enumerate(_PARTS):
            for points in range(1 << size):
                moved = sum(1 << images[first + i] for i in range(size) if points >> i & 1)
                table["parts"][s, part, points] = moved
    return block


@kernel
def _turned(parts, points):
    return parts[0][points & 511] | parts[1][(points >> 9) & 255] | parts[2][points >> 17]


@kernel
def canonical_key(table, first, second):
    """Return (smallest image of two sets as a 50-bit number, the symmetry that makes it)."""
    best = first | second << POINTS
    which = 0
    for s in range(1, SYMMETRIES):
        parts = table.parts[s]
        turned = _turned(parts, second) << POINTS
        if turned <= (best | BOARD):
            turned |= _turned(parts, first)
            if turned < best:
                best = turned
                which = s
    return best, which
