"""Correction history: the static evaluation's error, learnt while searching.

The error is the difference between a search's value and the static evaluation. Positions with the
same pawns, the same pieces of a side, or the same last two moves are likely to share it. A game
provides the keys of its frames for that (``abi.CORRECTION_KEYS``); a game without them has no
correction history.

Source: the static evaluation correction history of M. Witanowski's Caissa, 2023, and its use in
other open engines. Elo gained: chess +46 +- 20, Ryugi +30 +- 26, Capablanca +28 +- 26.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import CORRECTION_KEYS, NO_CORRECTION_KEYS
from ryugi_engine.kernel.calls import header
from ryugi_engine.kernel.hashing import KNUTH
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load64, mul, shr
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.node import uncorrected_eval

_MASK = L.CORRECTIONS - 1


@kernel
def _key_index(w, number):
    """Return the index of the current position's correction key of this number."""
    position = header(w)
    return load64(w.game.state, position.frame + position.correction_keys + number) & _MASK


@kernel
def _continuation_index(w, ply):
    """Return the index for the two moves that led to the node."""
    last = w.move_slots[ply - 1] if ply > 0 else 0
    before = w.move_slots[ply - 2] if ply > 1 else 0
    return shr(mul(last * 2 * L.HISTORY_SLOTS + before, KNUTH), 40) & _MASK


@kernel
def corrected_eval(w, ply):
    """Return the evaluation plus its corrections, clamped below the mate scores."""
    value = uncorrected_eval(w)
    position = header(w)
    if position.correction_keys == NO_CORRECTION_KEYS:
        return value
    side = position.side
    by_keys = 0
    for number in range(CORRECTION_KEYS):
        by_keys += w.correction_history[number][side][_key_index(w, number)]
    by_moves = w.correction_history[CORRECTION_KEYS][side][_continuation_index(w, ply)]
    total = P.CORRECTION_KEY_WEIGHT * by_keys + P.CORRECTION_CONTINUATION_WEIGHT * by_moves
    value += total // L.CORRECTION_LIMIT
    return max(min(value, L.EVAL_LIMIT), -L.EVAL_LIMIT)


@kernel
def _add_bonus(w, table, side, index, bonus):
    """Move an entry by a bonus, the less the nearer it is to its limit (history gravity)."""
    old = w.correction_history[table][side][index]
    gravity = old * abs(bonus) // L.CORRECTION_LIMIT
    w.correction_history[table][side][index] = old + bonus - gravity


@kernel
def update_correction(w, ply, depth, error):
    """Learn the error of the static evaluation (centipawns) from a search of this depth."""
    position = header(w)
    if position.correction_keys == NO_CORRECTION_KEYS:
        return
    limit = P.CORRECTION_BONUS_LIMIT
    bonus = max(min(error * depth // P.CORRECTION_DIVISOR, limit), -limit)
    side = position.side
    for number in range(CORRECTION_KEYS):
        _add_bonus(w, number, side, _key_index(w, number), bonus)
    _add_bonus(w, CORRECTION_KEYS, side, _continuation_index(w, ply), bonus)
