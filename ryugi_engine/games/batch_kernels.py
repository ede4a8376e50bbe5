"""Kernels for many positions of one game: legal moves, moves made, records, random games.

Each works on the positions ``first`` up to ``last`` - 1 of a batch, so that threads share it.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, DRAWN, HEADER, MAX_MOVES, ONGOING, WON
from ryugi_engine.kernel.hashing import GOLDEN_RATIO, mix
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import (
    add,
    call1,
    call2,
    call3,
    load32,
    load64,
    shr,
    store32,
    store64,
)
from ryugi_engine.kernel.views import Layout, i64

#: A batch: addresses of blocks with a word, or a row, for each position.
BATCH = Layout(
    "batch",
    constant=True,
    states=i64,  # words: the states' addresses
    width=i64,  # moves of a row
    codes=i64,  # rows of 32-bit words: legal moves
    counts=i64,  # words: how many there are, also where they do not fit into the row
    values=i64,  # words: ONGOING, DRAWN, LOST or WON, for the side to move
    sides=i64,  # words: who is to move
    moves=i64,  # words: what to play, 0 for nothing
    records=i64,  # rows: training records
    record_words=i64,
    seeds=i64,  # words: states of random numbers
    results=i64,  # words: White's result of a random game, 1, 0 or -1
    plies=i64,  # words: its length
    longest=i64,  # plies of a random game; a longer one is a draw
    end=i64,  # word of a state at which its frames end
    # addresses of the game's entries, besides those in the states' headers
    status=i64,
    no_moves=i64,
    record=i64,
)


@kernel
def _value(b, S, count):
    """Return ONGOING, DRAWN, LOST or WON of a position with so many legal moves."""
    value = call2(b.status, S, 0)
    if value == ONGOING and count == 0:
        value = call1(b.no_moves, S)
    return value


@entry(3, late=True)
def list_all(B: int, first: int, last: int) -> int:
    """List the legal moves of positions, and say which games are over as the search sees it."""
    b = BATCH(B)
    for i in range(first, last):
        S = load64(b.states, i)
        position = HEADER(S)
        count = call3(position.generate, S, ALL, position.moves)
        store64(b.counts, i, count)
        if count <= b.width:
            for j in range(count):
                store32(b.codes, i * b.width + j, load32(S, position.moves + j))
        store64(b.values, i, _value(b, S, count))
        store64(b.sides, i, position.side)
    return 0


@entry(3, late=True)
def make_all(B: int, first: int, last: int) -> int:
    """Play a legal move in each position that one is given for."""
    b = BATCH(B)
    for i in range(first, last):
        S = load64(b.states, i)
        move = load64(b.moves, i)
        if move != 0:
            call2(HEADER(S).make, S, move)
    return 0


@entry(3, late=True)
def record_all(B: int, first: int, last: int) -> int:
    """Write the training records of positions, see ``ryugi_engine.games.training``."""
    b = BATCH(B)
    for i in range(first, last):
        call3(b.record, load64(b.states, i), b.records, i * b.record_words)
    return 0


@entry(3, late=True)
def play_all(B: int, first: int, last: int) -> int:
    """Play a random game from each position, and take it back: each legal move is as likely."""
    b = BATCH(B)
    for i in range(first, last):
        S = load64(b.states, i)
        position = HEADER(S)
        seed = load64(b.seeds, i)
        plies = 0
        result = 0
        while True:
            count = call3(position.generate, S, ALL, position.moves)
            value = _value(b, S, count)
            if value != ONGOING:
                if value != DRAWN:
                    result = 1 if (value == WON) == (position.side == 0) else -1
                break
            if (
                count > MAX_MOVES
                or plies >= b.longest
                or position.frame + 2 * position.frame_words > b.end
            ):
                break
            seed = add(seed, GOLDEN_RATIO)  # splitmix64: G. Steele, D. Lea, C. Flood 2014
            move = load32(S, position.moves + shr(mix(seed), 33) % count)
            call2(position.make, S, move)
            plies += 1
        for _ in range(plies):
            call1(position.unmake, S)
        store64(b.seeds, i, seed)
        store64(b.results, i, result)
        store64(b.plies, i, plies)
    return 0
