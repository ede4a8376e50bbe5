"""Views and bitboards of kernels against plain Python: same memory, same sets of squares."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from ryugi_engine.errors import GameError
from ryugi_engine.kernel import bundle
from ryugi_engine.kernel.bits import bits, choose, one
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.cache_key import content_key_of
from ryugi_engine.kernel.copying import clear, copy
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.views import Layout, bitboard, i8, i16, i32, i64, shared, u8, u16, u32
from tests.support.helpers import ROOT, completed

_RECORD = Layout("record", align=8, mask=bitboard, shift=i64)
_SHOWN = Layout(
    "shown",
    count=i64,
    pair=i32[4, 2],
    board=bitboard[3],
    byte=u8[5],
    small=i16,
    narrow=i8,
    wide=u32,
    half=u16[3],
    flag=shared,
    record=_RECORD[2, 3],
)
_TABLE = Layout("table", constant=True, board=bitboard[2, 128], value=i64[32])


@pytest.fixture(autouse=True)
def _nobody_loads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of a test are not the engine's."""
    monkeypatch.setattr(bundle, "bundles", [])


def test_fields_lie_apart_and_aligned() -> None:
    taken: set[int] = set()
    for name, element in _SHOWN.fields.items():
        at = _SHOWN.offsets[name]
        assert at % min(element.size, 8) == 0
        assert element.bytes < 64 or at % 64 == 0
        own = set(range(at, at + element.bytes))
        assert not own & taken, name
        taken |= own
    assert max(taken) < _SHOWN.bytes
    assert _SHOWN.bytes % 64 == 0
    assert _SHOWN.dtype.itemsize == _SHOWN.bytes


def test_kernels_write_what_python_reads() -> None:
    @entry(2)
    def write(address: int, value: int) -> int:
        w = _SHOWN(address)
        w.count += value
        w.pair[3][1] = value
        w.board[2] |= one(value & 127)
        w.byte[4] = value
        w.small = value
        w.narrow = value
        w.wide = value
        w.half[1] = value
        w.flag = value
        w.record[1][2].shift = value
        w.record[0][1].mask = ~one(5)
        return 0

    block = Block(_SHOWN.words)
    seen = _SHOWN.of(block)
    write(block.address, -7)
    assert seen["count"] == -7
    assert seen["pair"].tolist() == [[0, 0], [0, 0], [0, 0], [0, -7]]
    assert seen["board"].tolist() == [[0, 0], [0, 0], [0, 1 << 57]]
    assert seen["byte"].tolist() == [0, 0, 0, 0, 249]
    assert (seen["small"], seen["narrow"], seen["wide"]) == (-7, -7, 2**32 - 7)
    assert seen["half"].tolist() == [0, 2**16 - 7, 0]
    assert seen["flag"] == -7
    assert seen["record"]["shift"].tolist() == [[0, 0, 0], [0, 0, -7]]
    assert seen["record"]["mask"][0, 1].tolist() == [-33, -1]
    write(block.address, 10)
    assert seen["count"] == 3
    used = sum(element.bytes for element in _SHOWN.fields.values())
    assert np.count_nonzero(block.words.view(np.uint8)) <= used


def test_a_constant_block_is_not_written() -> None:
    @entry(1)
    def write(address: int) -> int:
        _TABLE(address).value[3] = 4
        return 0

    with pytest.raises(GameError, match="write: test_views.py:"):
        write(Block(_TABLE.words).address)


def test_the_whole_of_a_view_or_field() -> None:
    """Nothing else is changed."""

    @entry(2)
    def copy_field(to: int, origin: int) -> int:
        copy(_SHOWN(to).half, _SHOWN(origin).half)
        copy(_SHOWN(to).record[1], _SHOWN(origin).record[0])
        return 0

    @entry(2)
    def copy_all(to: int, origin: int) -> int:
        copy(_SHOWN(to), _SHOWN(origin))
        return 0

    @entry(1)
    def clear_some(address: int) -> int:
        w = _SHOWN(address)
        clear(w.byte)
        clear(w.pair[2])
        clear(w.record[0][1])
        return 0

    source, target = Block(_SHOWN.words), Block(_SHOWN.words)
    source.words[:] = np.arange(1, _SHOWN.words + 1) * 0x0101010101010101
    target.words[:] = -1
    given, seen = _SHOWN.of(source), _SHOWN.of(target)
    expected = target.words.copy()
    wanted = expected.view(_SHOWN.dtype)[0]
    wanted["half"], wanted["record"][1] = given["half"], given["record"][0]
    copy_field(target.address, source.address)
    assert seen["record"]["shift"][1, 2] == given["record"]["shift"][0, 2]
    assert target.words.tolist() == expected.tolist()
    copy_all(target.address, source.address)
    assert target.words.tolist() == source.words.tolist()
    given["byte"], given["pair"][2], given["record"][0, 1] = 0, 0, ((0, 0), 0)
    clear_some(target.address)
    assert target.words.tolist() == source.words.tolist()


def test_what_must_not_be_overwritten_is_not() -> None:
    @entry(2)
    def copy_table(to: int, origin: int) -> int:
        copy(_TABLE(to), _TABLE(origin))
        return 0

    @entry(2)
    def copy_another(to: int, origin: int) -> int:
        copy(_SHOWN(to).board[0], _SHOWN(origin).pair)
        return 0

    @entry(2)
    def clear_table(to: int, origin: int) -> int:
        clear(_TABLE(to).value)
        return 0

    address = Block(_TABLE.words + _SHOWN.words).address
    for bad in copy_table, copy_another, clear_table:
        with pytest.raises(GameError, match=r"intrinsic (copy|clear)"):
            bad(address, address)


def test_an_unknown_field_is_refused() -> None:
    @entry(1)
    def read(address: int) -> int:
        return int(_TABLE(address).valeu[3])

    with pytest.raises(GameError, match="valeu"):
        read(Block(_TABLE.words).address)


def test_a_layout_is_part_of_the_key() -> None:
    def using(layout: Layout) -> str:
        def read(address):
            return layout(address).b

        return content_key_of([read], "x86-64")

    before = using(Layout("some", a=i64, b=i64))
    assert using(Layout("some", a=i64, b=i64)) == before
    assert using(Layout("some", a=i64[2], b=i64)) != before
    assert using(Layout("some", a=i64, b=i32)) != before
    assert using(Layout("some", a=i64, b=i64, constant=True)) != before


# ---- bitboards -----------------------------------------------------------------------------------


def _squares(lo: int, hi: int) -> set[int]:
    word = (lo & (2**64 - 1)) | (hi & (2**64 - 1)) << 64
    return {square for square in range(128) if word >> square & 1}


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _random_word(source: random.Random) -> int:
    word = source.getrandbits(64)
    for _ in range(source.randrange(5)):
        word &= source.getrandbits(64)
    return _signed(source.choice((0, 1, 1 << 63, word, word, word, 2**64 - 1)))


def test_bitboards_are_sets_of_squares(source: random.Random) -> None:
    """Every operation on random sets, the results left in memory for Python to read."""
    results = Layout("results", board=bitboard[8], number=i64[8])

    @entry(6)
    def run(address: int, a_lo: int, a_hi: int, b_lo: int, b_hi: int, n: int) -> int:
        out = results(address)
        a, b = bits(a_lo, a_hi), bits(b_lo, b_hi)
        out.board[0] = a & b
        out.board[1] = a | b
        out.board[2] = a ^ b
        out.board[3] = ~a
        out.board[4] = a << n
        out.board[5] = a >> n
        out.board[6] = one(n)
        out.board[7] = choose(n > 30, a, b)
        out.number[0] = a.count()
        out.number[1] = a.first() if a else -1
        out.number[2] = a.has(n) + 2 * a.has(127 - n)
        out.number[3] = 1 if a == b else 0
        out.number[4] = 1 if a != b else 0
        out.number[5] = 1 if not a else 0
        total = 0
        steps = 0
        left = a
        while left:
            square, left = left.pop()
            steps += 1
            total += square * steps
        out.number[6] = total
        out.number[7] = a.lo ^ a.hi
        return 0

    block = Block(results.words)
    seen = results.of(block)
    for _ in range(2000):
        words = [_random_word(source) for _ in range(4)]
        if source.random() < 0.2:
            words[2:] = words[:2]
        n = source.randrange(1, 64)
        run(block.address, *words, n)
        a, b = _squares(*words[:2]), _squares(*words[2:])
        boards = [_squares(int(lo), int(hi)) for lo, hi in seen["board"]]
        every = set(range(128))
        assert boards == [
            a & b,
            a | b,
            a ^ b,
            every - a,
            {square + n for square in a} & every,
            {square - n for square in a} & every,
            {n},
            a if n > 30 else b,
        ]
        assert seen["number"].tolist() == [
            len(a),
            min(a, default=-1),
            (n in a) + 2 * (127 - n in a),
            a == b,
            a != b,
            not a,
            sum(square * step for step, square in enumerate(sorted(a), start=1)),
            words[0] ^ words[1],
        ]


_BAD = """
import sys
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.views import Layout, i64

SEEN = Layout("seen", first=i64[4], second=i64[4])

@entry(3)
def read(address, word, index):
    return SEEN(address, word).first[index]

block = Block(20)
assert read(block.address, 12, 3) == 0
print("inside", flush=True)
read(block.address, int(sys.argv[1]), int(sys.argv[2]))
"""


@pytest.mark.parametrize(("word", "index"), [(13, 0), (-1, 0), (0, 4)])
def test_bounds_are_checked_by_block_and_by_field(word: int, index: int, tmp_path: Path) -> None:
    """The fifth word of a field of four lies inside the block all the same."""
    script = tmp_path / "read.py"
    script.write_text(_BAD)
    done = completed(
        [sys.executable, str(script), str(word), str(index)],
        env={**os.environ, "RYUGI_BOUNDSCHECK": "1", "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout == "inside\n", done.stderr
    assert done.returncode < 0
