"""How a search is weakened: noise in the scores of root moves, and replies that are overlooked.

Both are functions of a seed, the position and the move: the same search always errs in the same
way. At full strength neither is looked at.

A reply that is overlooked is not searched at ply 1, at any depth: the search misses threats of two
plies as people do. Noise is added to a root move's score, so that a worse move may be the best one.
"""

from __future__ import annotations

from ryugi_engine.kernel.hashing import KNUTH, mix
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, shr
from ryugi_engine.search import layout as L

#: What ``overlooked`` is a share of.
ALL_REPLIES = 1024
#: Mean and standard deviation of the sum of four random numbers of 16 bits.
_MEAN, _DEVIATION = 131_070, 37_837


@kernel
def _drawn(w, key, move):
    """Return the random word of a move in a position."""
    return mix(key ^ mul(move + 1, KNUTH) ^ w.root_args.seed)


@kernel
def noise_of(w, move):
    """Return the centipawns that are added to a root move's score: about normally distributed."""
    noise = w.root_args.noise
    if noise == 0:
        return 0
    word = _drawn(w, 0, move)
    total = (word & 65535) + (shr(word, 16) & 65535) + (shr(word, 32) & 65535) + shr(word, 48)
    return noise * (total - _MEAN) // _DEVIATION


@kernel
def with_noise(value, noise):
    """Return a score with noise: a forced end of the game is seen as it is."""
    if noise == 0 or abs(value) >= L.MATE_BOUND:
        return value
    return max(min(value + noise, L.EVAL_LIMIT), -L.EVAL_LIMIT)


@kernel
def without_noise(bound, noise):
    """Return a bound of the search below a root move whose score has noise."""
    return max(min(bound - noise, L.INFINITE), -L.INFINITE)


@kernel
def is_overlooked(w, key, move):
    """Return whether a reply is overlooked, in the position of a key."""
    return shr(_drawn(w, key, move), 54) < w.overlooked
