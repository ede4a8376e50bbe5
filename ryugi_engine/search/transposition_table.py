"""The transposition table: buckets of four entries, lockless by storing key XOR data.

Source of the XOR technique: R. Hyatt and T. Mann, "A lockless transposition table implementation
for parallel search", ICGA Journal 25(1), 2002. An entry's data packs, from the low bit: move 32
bits, score (+ 2**15) 16, depth (+ 64) 8, bound 2, generation 6.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import slots_within
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import prefetch, shr
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P

_BUCKET_WORDS = L.BUCKET.words
#: Bit offsets of the fields of an entry's data, and their masks.
_SCORE_AT, _DEPTH_AT, _BOUND_AT, _GENERATION_AT = 32, 48, 56, 58
_MOVE, _SCORE, _DEPTH, _BOUND, _GENERATION = 0xFFFF_FFFF, 0xFFFF, 255, 3, 63
#: Offsets that make scores and depths non-negative.
_SCORE_ZERO, _DEPTH_ZERO = 1 << 15, 64


@kernel
def _bucket(w, key):
    # the low bits select the bucket, the whole key is compared
    return L.BUCKET(w.root_args.table, (key & w.root_args.table_mask) * _BUCKET_WORDS)


@kernel
def prefetch_bucket(w, key):
    """Ask for the bucket of a key: it comes from memory while the child node does other things."""
    prefetch(w.root_args.table, (key & w.root_args.table_mask) * _BUCKET_WORDS)


@kernel
def probe(w, key):
    """Return the data of the entry with this key, or 0."""
    bucket = _bucket(w, key)
    for i in range(L.BUCKET_ENTRIES):
        entry = bucket.entry[i]
        data = entry.data
        if (entry.lock ^ data) == key and data != 0:
            return data
    return 0


@kernel
def data_move(data):
    """Return the move of an entry, 0 for none."""
    return data & _MOVE


@kernel
def data_score(data, ply):
    """Return the score of an entry; mate distances count from the root, ``ply`` plies above."""
    score = (shr(data, _SCORE_AT) & _SCORE) - _SCORE_ZERO
    if score > L.MATE_BOUND:
        return score - ply
    if score < -L.MATE_BOUND:
        return score + ply
    return score


@kernel
def data_depth(data):
    """Return the depth of an entry, in plies."""
    return (shr(data, _DEPTH_AT) & _DEPTH) - _DEPTH_ZERO


@kernel
def data_bound(data):
    """Return the bound of an entry: EXACT, LOWER or UPPER."""
    return shr(data, _BOUND_AT) & _BOUND


@kernel
def is_cutoff(data, score, alpha, beta):
    """Return whether an entry's score and bound answer a search with this window."""
    bound = data_bound(data)
    return (
        bound == L.EXACT
        or (bound == L.LOWER and score >= beta)
        or (bound == L.UPPER and score <= alpha)
    )


@kernel
def refined_eval(data, static_eval, ply):
    """Return the table's score if its bound makes it a better estimate, else the static one."""
    score = data_score(data, ply)
    if abs(score) >= L.MATE_BOUND:
        return static_eval
    bound = data_bound(data)
    if bound == L.EXACT or (bound == L.LOWER) == (score > static_eval):
        return score
    return static_eval


@kernel
def store(w, key, move, score, depth, bound, ply):
    """Store a result; replaces the entry of the same key, else the shallowest or oldest one.

    Of a much deeper entry of the same key only the move changes.
    """
    generation = w.root_args.generation
    bucket = _bucket(w, key)
    worst = 0
    worst_quality = 1 << 40
    for i in range(L.BUCKET_ENTRIES):
        data = bucket.entry[i].data
        if (bucket.entry[i].lock ^ data) == key:
            worst = i
            if move == 0:
                move = data_move(data)
            fresh = shr(data, _GENERATION_AT) == generation
            if bound != L.EXACT and fresh and depth + P.TABLE_KEEP <= data_depth(data):
                data = (data & ~_MOVE) | (move & _MOVE)
                bucket.entry[i].lock = key ^ data
                bucket.entry[i].data = data
                return
            break
        age = (generation - shr(data, _GENERATION_AT)) & _GENERATION
        quality = data_depth(data) - 4 * age
        if data == 0:
            quality = -1000
        if quality < worst_quality:
            worst_quality = quality
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
def hashfull(table: int, buckets: int, generation: int) -> int:
    """Return how many of the first thousand entries are of this generation, in permille."""
    sample = 250 if buckets > 250 else buckets
    full = 0
    for number in range(sample):
        bucket = L.BUCKET(table, number * _BUCKET_WORDS)
        for i in range(L.BUCKET_ENTRIES):
            data = bucket.entry[i].data
            if data != 0 and shr(data, _GENERATION_AT) == generation:
                full += 1
    return full * 1000 // (sample * L.BUCKET_ENTRIES)


class TranspositionTable:
    """A transposition table of at most ``megabytes``; the number of buckets is a power of two."""

    def __init__(self, megabytes: float) -> None:
        self.buckets = slots_within(megabytes, L.BUCKET.bytes)
        self.block = Block(self.buckets * L.BUCKET.words)
        self.generation = 0
        #: Whether a search has been given the table; until then it is empty and takes no memory.
        self.used = False

    def clear(self) -> None:
        """Remove all entries."""
        if self.used:
            self.block.words[:] = 0
        self.generation = 0

    def next_generation(self) -> None:
        """Begin a new search: entries of older ones are replaced first."""
        self.generation = (self.generation + 1) & _GENERATION

    def hashfull(self) -> int:
        """Return the permille of the table in use by the current search."""
        return hashfull(self.block.address, self.buckets, self.generation)
