"""The transposition table: four entries a bucket, lockless by storing key XOR data.

Source of the XOR trick: R. Hyatt and T. Mann, "A lockless transposition table implementation
for parallel search", ICGA Journal 25(1), 2002. Data packs, from the low bit: move 32, score
(+ 2**15) 16, depth 8, bound 2, generation 6.
"""

from __future__ import annotations

from ryugi_engine.abi import Block, slots_within
from ryugi_engine.jit import entry, kernel
from ryugi_engine.memory import const64, load64, shr, store64
from ryugi_engine.search import layout as L


@kernel
def _bucket(W, key):
    # the low bits choose the bucket, the whole key is compared
    return (key & const64(W, L.TABLE_MASK)) * (L.BUCKET * L.ENTRY_WORDS)


@kernel
def probe(W, key):
    """Data of the position, or 0."""
    table = const64(W, L.TABLE)
    at = _bucket(W, key)
    for i in range(L.BUCKET):
        data = load64(table, at + 2 * i + 1)
        if (load64(table, at + 2 * i) ^ data) == key and data != 0:
            return data
    return 0


@kernel
def data_move(data):
    """The move of an entry."""
    return data & 0xFFFF_FFFF


@kernel
def data_score(data, ply):
    """The score of an entry seen from ``ply`` plies below the root."""
    score = (shr(data, 32) & 0xFFFF) - 32768
    if score > L.MATE_BOUND:
        return score - ply
    if score < -L.MATE_BOUND:
        return score + ply
    return score


@kernel
def data_depth(data):
    """The depth of an entry."""
    return (shr(data, 48) & 255) - 64


@kernel
def data_bound(data):
    """EXACT, LOWER or UPPER."""
    return shr(data, 56) & 3


@kernel
def settles(data, score, alpha, beta):
    """Whether an entry's bound says which side of the window the score lies on, or all of it."""
    bound = data_bound(data)
    return (
        bound == L.EXACT
        or (bound == L.LOWER and score >= beta)
        or (bound == L.UPPER and score <= alpha)
    )


@kernel
def store(W, key, move, score, depth, bound, ply):
    """Keep a result, in place of the shallowest or oldest entry of its bucket."""
    table = const64(W, L.TABLE)
    generation = const64(W, L.GENERATION)
    at = _bucket(W, key)
    worst = 0
    worst_rank = 1 << 40
    for i in range(L.BUCKET):
        data = load64(table, at + 2 * i + 1)
        if (load64(table, at + 2 * i) ^ data) == key:
            worst = i
            if move == 0:
                move = data_move(data)
            break
        age = (generation - shr(data, 58)) & 63
        rank = data_depth(data) - 4 * age
        if data == 0:
            rank = -1000
        if rank < worst_rank:
            worst_rank = rank
            worst = i
    if score > L.MATE_BOUND:
        score += ply
    elif score < -L.MATE_BOUND:
        score -= ply
    data = (
        (move & 0xFFFF_FFFF)
        | (score + 32768) << 32
        | (depth + 64) << 48
        | bound << 56
        | generation << 58
    )
    store64(table, at + 2 * worst, key ^ data)
    store64(table, at + 2 * worst + 1, data)


@entry(3)
def permille_full(table: int, buckets: int, generation: int) -> int:
    """How many of the first thousand entries are of this generation."""
    sample = 250 if buckets > 250 else buckets
    full = 0
    for i in range(sample * L.BUCKET):
        data = load64(table, 2 * i + 1)
        if data != 0 and shr(data, 58) == generation:
            full += 1
    return full * 1000 // (sample * L.BUCKET)


class Table:
    """The memory of a transposition table of at most ``megabytes``, a power of two of buckets."""

    def __init__(self, megabytes: int) -> None:
        self.buckets = slots_within(megabytes, 8 * L.BUCKET * L.ENTRY_WORDS)
        self.block = Block(self.buckets * L.BUCKET * L.ENTRY_WORDS)
        self.generation = 0

    def clear(self) -> None:
        """Forget everything."""
        self.block.words[:] = 0
        self.generation = 0

    def next_generation(self) -> None:
        """Call once a search: older entries give way."""
        self.generation = (self.generation + 1) & 63

    def hashfull(self) -> int:
        """Permille of the table in use by the current search."""
        return permille_full(self.block.address, self.buckets, self.generation)
