"""Vectors of words do word by word what Python's integers do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ryugi_engine.kernel.bits import signed
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.vectors import (
    WORDS,
    and_not_words,
    and_words,
    any_word,
    load_words,
    no_words,
    or_words,
    shift_words,
    store_words,
)
from ryugi_engine.kernel.views import Layout, i64

_LENGTH = 2 * WORDS
_ROWS = Layout(
    "rows", a=i64[_LENGTH], b=i64[_LENGTH], both=i64[WORDS], rest=i64[WORDS], moved=i64[_LENGTH]
)
_MASK = (1 << 64) - 1


@entry(4)
def _combine(address: int, at: int, left: int, right: int) -> int:
    """Fill ``both``, ``rest`` and ``moved``; return whether the vectors have a bit in common."""
    rows = _ROWS(address)
    a = load_words(rows.a, at)
    b = load_words(rows.b, at)
    store_words(rows.both, 0, or_words(and_words(a, b), no_words()))
    store_words(rows.rest, 0, and_not_words(a, b))
    store_words(rows.moved, at, shift_words(or_words(a, b), left, right))
    if any_word(and_words(a, b)):
        return 1
    return 0


def _words(row: np.ndarray) -> list[int]:
    return [int(word) & _MASK for word in row]


@pytest.mark.slow
def test_word_by_word(source: random.Random) -> None:
    block = Block(_ROWS.words)
    rows = _ROWS.of(block)
    common = 0
    for _ in range(500):
        density = source.choice((1, 64))  # so that some have nothing in common
        for name in "ab":
            words = [source.getrandbits(64) if density == 64 else 0 for _ in range(_LENGTH)]
            words[source.randrange(_LENGTH)] |= 1 << source.randrange(64)
            rows[name] = [signed(word) for word in words]
        rows["moved"] = 0
        at, left, right = source.randint(0, WORDS), source.randrange(64), source.randrange(64)
        hit = _combine(block.address, at, left, right)
        a, b = _words(rows["a"])[at:][:WORDS], _words(rows["b"])[at:][:WORDS]
        pairs = list(zip(a, b, strict=True))
        assert _words(rows["both"]) == [x & y for x, y in pairs]
        assert _words(rows["rest"]) == [x & ~y for x, y in pairs]
        moved = [((x | y) << left & _MASK) >> right for x, y in pairs]
        assert _words(rows["moved"]) == [0] * at + moved + [0] * (_LENGTH - at - WORDS)
        assert hit == any(x & y for x, y in pairs)
        common += hit
    assert 100 < common < 400
