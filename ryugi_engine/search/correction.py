"""What the evaluation is wrong by, learnt while searching, in positions that are alike in a part.

Where a search ends with another value than the evaluation said, positions with the same pawns, the
same pieces of one side, or reached by the same two moves, are likely to be misjudged the same way.
A game says what its parts are by keys in its frames (``abi.PARTS``); for one that does not, nothing
is learnt.

Source: the static evaluation correction history of M. Witanowski's Caissa, 2023, and what open
engines have made of it.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import NO_PARTS, PARTS
from ryugi_engine.kernel.calls import header
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import load64, shr
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search.node import static_eval

_MASK = L.CORRECTIONS - 1
#: Odd, its bits well mixed: Knuth's multiplier for 64 bits.
_MULTIPLIER = 6364136223846793005


@kernel
def _of_part(w, part):
    """Where the corrections for the current position's part lie."""
    position = header(w)
    return load64(w.game.state, position.frame + position.parts + part) & _MASK


@kernel
def _of_line(w, ply):
    """Where those for the two moves lie that have led to the node."""
    last = w.made[ply - 1] if ply > 0 else 0
    before = w.made[ply - 2] if ply > 1 else 0
    return shr((last * 2 * L.HISTORY_SLOTS + before) * _MULTIPLIER, 40) & _MASK


@kernel
def corrected_eval(w, ply):
    """The game's evaluation and what has been learnt of its like, within what is no mate."""
    value = static_eval(w)
    position = header(w)
    if position.parts == NO_PARTS:
        return value
    side = position.side
    of_parts = 0
    for part in range(PARTS):
        of_parts += w.corrections[part][side][_of_part(w, part)]
    of_line = w.corrections[PARTS][side][_of_line(w, ply)]
    total = P.CORRECTION_PART * of_parts + P.CORRECTION_LINE * of_line
    value += total // L.CORRECTION_LIMIT
    return max(min(value, L.EVAL_LIMIT), -L.EVAL_LIMIT)


@kernel
def _learn(w, kind, side, at, bonus):
    old = w.corrections[kind][side][at]
    w.corrections[kind][side][at] = old + bonus - old * abs(bonus) // L.CORRECTION_LIMIT


@kernel
def correct(w, ply, depth, error):
    """Learn that a search of this depth found so many centipawns more than the evaluation."""
    position = header(w)
    if position.parts == NO_PARTS:
        return
    limit = P.CORRECTION_STEP
    bonus = max(min(error * depth // P.CORRECTION_DIVISOR, limit), -limit)
    side = position.side
    for part in range(PARTS):
        _learn(w, part, side, _of_part(w, part), bonus)
    _learn(w, PARTS, side, _of_line(w, ply), bonus)
