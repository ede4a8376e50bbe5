"""The eight symmetries of the board, and the one key that a position shares with its images."""

from __future__ import annotations

from ryugi_engine.abi import Block
from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load32

POINTS = 25
SYMMETRIES = 8
#: A set of points is turned in three parts, whose images are tabled.
_PARTS = ((0, 9), (9, 8), (17, 8))
_PART_SIZE = 512

# ---- block: words T_IMAGE.. hold where symmetry s takes a point, T_ORIGIN.. where it came from
T_IMAGE = 0
T_ORIGIN = T_IMAGE + SYMMETRIES * 32
T_PARTS = T_ORIGIN + SYMMETRIES * 32  # 32-bit words: images of part p of a set
SYMMETRY_WORDS = T_PARTS + SYMMETRIES * len(_PARTS) * _PART_SIZE // 2


def image(symmetry: int, point: int) -> int:
    """Where one of the symmetries takes a point."""
    x, y = point % 5, point // 5
    if symmetry & 4:
        x, y = y, x
    if symmetry & 1:
        x = 4 - x
    if symmetry & 2:
        y = 4 - y
    return y * 5 + x


def symmetry_tables() -> Block:
    """The block that :func:`canonical_key` reads."""
    block = Block(SYMMETRY_WORDS)
    halves = block.words.view("uint32")
    for s in range(SYMMETRIES):
        images = [image(s, point) for point in range(POINTS)]
        for point, to in enumerate(images):
            block.words[T_IMAGE + 32 * s + point] = to
            block.words[T_ORIGIN + 32 * s + to] = point
        for part, (first, size) in enumerate(_PARTS):
            at = 2 * T_PARTS + (s * len(_PARTS) + part) * _PART_SIZE
            for points in range(1 << size):
                moved = sum(1 << images[first + i] for i in range(size) if points >> i & 1)
                halves[at + points] = moved
    return block


@kernel
def _turned(T, at, points):
    low = load32(T, at + (points & 511))
    low |= load32(T, at + _PART_SIZE + ((points >> 9) & 255))
    return low | load32(T, at + 2 * _PART_SIZE + (points >> 17))


@kernel
def canonical_key(T, first, second):
    """(smallest image of two sets as one 50-bit number, the symmetry that makes it)."""
    best = first | second << 25
    which = 0
    for s in range(1, SYMMETRIES):
        at = 2 * T_PARTS + s * 3 * _PART_SIZE
        turned = _turned(T, at, second) << 25
        if turned <= (best | 0x1FF_FFFF):
            turned |= _turned(T, at, first)
            if turned < best:
                best = turned
                which = s
    return best, which


@kernel
def turned_point(T, symmetry, point):
    """Where a symmetry takes a point."""
    return const64(T, T_IMAGE + 32 * symmetry + point)


@kernel
def original_point(T, symmetry, point):
    """The point that a symmetry takes to this one."""
    return const64(T, T_ORIGIN + 32 * symmetry + point)
