"""The transposition table: four entries a bucket, lockless by storing key XOR data.

Source of the XOR trick: R. Hyatt and T. Mann, "A lockless transposition table implementation
for parallel search", ICGA Journal 25(1), 2002. Data packs, from the low bit: move 32, score
(+ 2**15) 16, depth 8, bound 2, generation 6.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import Block, slots_within
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import shr
from ryugi_engine.search import layout as L

_BUCKET_WORDS = L.BUCKET.words
#: Where in an entry's data its parts begin.
_SCORE_AT, _DEPTH_AT, _BOUND_AT, _GENERATION_AT = 32, 48, 56, 58
_MOVE, _SCORE, _DEPTH, _BOUND, _GENERATION = 0xFFFF_FFFF, 0xFFFF, 255, 3, 63
#: Scores and depths are kept as numbers that are not negative.
_SCORE_ZERO, _DEPTH_ZERO = 1 << 15, 64


@kernel
def _bucket(w, key):
    # the low bits choose the bucket, the whole key is compared
    return L.BUCKET(w.given.table, (key & w.given.table_mask) * _BUCKET_WORDS)


@kernel
def probe(w, key):
    """Data of the position, or 0."""
    bucket = _bucket(w, key)
    for i in range(L.BUCKET_ENTRIES):
        entry = bucket.entry[i]
        data = entry.data
        if (entry.lock ^ data) == key and data != 0:
            return data
    return 0


@kernel
def data_move(data):
    """The move of an entry."""
    return data & _MOVE


@kernel
def data_score(data, ply):
    """The score of an entry seen from ``ply`` plies below the root."""
    score = (shr(data, _SCORE_AT) & _SCORE) - _SCORE_ZERO
    if score > L.MATE_BOUND:
        return score - ply
    if score < -L.MATE_BOUND:
        return score + ply
    return score


@kernel
def data_depth(data):
    """The depth of an entry."""
    return (shr(data, _DEPTH_AT) & _DEPTH) - _DEPTH_ZERO


@kernel
def data_bound(data):
    """EXACT, LOWER or UPPER."""
    return shr(data, _BOUND_AT) & _BOUND


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
def store(w, key, move, score, depth, bound, ply):
    """Keep a result, in place of the shallowest or oldest entry of its bucket."""
    generation = w.given.generation
    bucket = _bucket(w, key)
    worst = 0
    worst_rank = 1 << 40
    for i in range(L.BUCKET_ENTRIES):
        data = bucket.entry[i].data
        if (bucket.entry[i].lock ^ data) == key:
            worst = i
            if move == 0:
                move = data_move(data)
            break
        age = (generation - shr(data, _GENERATION_AT)) & _GENERATION
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
        (move & _MOVE)
        | (score + _SCORE_ZERO) << _SCORE_AT
        | (depth + _DEPTH_ZERO) << _DEPTH_AT
        | bound << _BOUND_AT
        | generation << _GENERATION_AT
    )
    bucket.entry[worst].lock = key ^ data
    bucket.entry[worst].data = data


@entry(3)
def permille_full(table: int, buckets: int, generation: int) -> int:
    """How many of the first thousand entries are of this generation."""
    sample = 250 if buckets > 250 else buckets
    full = 0
    for number in range(sample):
        bucket = L.BUCKET(table, number * _BUCKET_WORDS)
        for i in range(L.BUCKET_ENTRIES):
            data = bucket.entry[i].data
            if data != 0 and shr(data, _GENERATION_AT) == generation:
                full += 1
    return full * 1000 // (sample * L.BUCKET_ENTRIES)


class Table:
    """The memory of a transposition table of at most ``megabytes``, a power of two of buckets."""

    def __init__(self, megabytes: int) -> None:
        self.buckets = slots_within(megabytes, L.BUCKET.bytes)
        self.block = Block(self.buckets * L.BUCKET.words)
        self.generation = 0

    def clear(self) -> None:
        """Forget everything."""
        self.block.words[:] = 0
        self.generation = 0

    def next_generation(self) -> None:
        """Call once a search: older entries give way."""
        self.generation = (self.generation + 1) & _GENERATION

    def hashfull(self) -> int:
        """Permille of the table in use by the current search."""
        return permille_full(self.block.address, self.buckets, self.generation)
