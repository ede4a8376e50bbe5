"""Move ordering: the moves of a node one after the other, best score first.

Hash move, winning and equal exchanges, killers, counter move, quiet moves by history, losing
exchanges. A quiet move's history is that of its slot, plus the continuation history of one and two
plies. It is indexed by history slots, which every game has, so it serves any move codes.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel import abi
from ryugi_engine.kernel.calls import generate, header, may_check, move_buffer, order, wins_exchange
from ryugi_engine.kernel.hashing import KNUTH
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import mul, shr
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P

_HASH_SCORE = 1 << 30
_KILLER_SCORE = L.TACTICAL_SCORE
_COUNTER_MOVE_SCORE = (1 << 18) + 50_000
#: Subtracted from the score of a tactical move that loses material (SEE): after the quiet moves.
_LOSING_PENALTY = abi.LOST_EXCHANGE
_SCORES = L.WORKER.word("move_scores")
_SLOT_MASK = L.HISTORY_SLOTS - 1
_CONTINUATION_MASK = L.CONTINUATIONS - 1
#: Plies back of the moves that the continuation history uses.
_CONTINUATION_PLIES = 2


class Moves(NamedTuple):
    """The moves of a node: index of the first in the move lists, and their number."""

    first: int
    size: int


class Pick(NamedTuple):
    """A picked move, its order score, its history slot, and whether it is quiet."""

    move: int
    score: int
    slot: int
    quiet: bool


@kernel
def history_slot(w, move):
    """Return the history slot of a move of the side to move, distinct by side."""
    move_buffer(w).move[0] = move
    order(w, 0, 1, w.root_args.block, _SCORES)
    return (w.move_scores[0].slot & _SLOT_MASK) + header(w).side * L.HISTORY_SLOTS


@kernel
def _continuation_row(w, ply, back):
    """Return the row in the continuation history of the move made ``back`` plies ago."""
    slot = w.move_slots[ply - back] if ply >= back else 0
    return shr(mul(_CONTINUATION_PLIES * slot + back - 1, KNUTH), 40)


@kernel
def _continuation_index(row, slot):
    """Return the index of a move's slot in a row; near slots share cache lines."""
    return (row ^ slot) & _CONTINUATION_MASK


@kernel
def list_moves(w, kind, first, ply, hash_move):
    """Generate the moves of a kind (ALL, TACTICAL, PROMISING) from ``first`` on and score them.

    A number above MAX_MOVES means too many moves, or no space left in the lists.
    """
    size = abi.OVERFULL
    if first <= abi.MOVE_CAPACITY - abi.MAX_MOVES:
        size = generate(w, kind, first)
    moves = Moves(first, size)
    if moves.size > 0 and moves.size <= abi.MAX_MOVES:
        order(w, first, moves.size, w.root_args.block, _SCORES + first)
        _score_best_moves(w, moves, ply, hash_move)
    return moves


@kernel
def _score_best_moves(w, moves, ply, hash_move):
    """Complete the game's scores by hash move and killers; flag the other quiet moves."""
    killers = w.killers[ply]
    first = killers[0]
    second = killers[1]
    for i in range(moves.first, moves.first + moves.size):
        scored = w.move_scores[i]
        move = move_buffer(w).move[i]
        score = max(scored.score, 0)  # a game must not give a negative one
        flags = 0
        if score >= L.TACTICAL_SCORE:
            flags = L.TACTICAL_FLAG
        if move == hash_move:
            score = _HASH_SCORE
            flags |= L.SEE_FLAG
        elif flags != 0:
            pass
        elif move == first:
            score = _KILLER_SCORE + 1
        elif move == second:
            score = _KILLER_SCORE
        else:
            flags = L.UNSCORED_FLAG
        scored.score = score
        scored.flags = flags


@kernel
def _score_quiets(w, first, end, ply):
    """Add history to the scores of quiet moves, or that of the counter move."""
    side = header(w).side
    counter_move = 0
    if ply > 0:
        counter_move = w.counter_moves[w.move_slots[ply - 1]]
    last = _continuation_row(w, ply, 1)
    before = _continuation_row(w, ply, 2)
    for i in range(first, end):
        scored = w.move_scores[i]
        if (scored.flags & L.UNSCORED_FLAG) == 0:
            continue
        scored.flags = 0
        if move_buffer(w).move[i] == counter_move:
            scored.score = _COUNTER_MOVE_SCORE
            continue
        slot = scored.slot & _SLOT_MASK
        continued = w.continuation_history[_continuation_index(last, slot)]
        continued += w.continuation_history[_continuation_index(before, slot)]
        history = w.history[side][slot] + (continued * P.CONTINUATION_WEIGHT >> 6)
        scored.score = scored.score + history


@kernel
def next_move(w, moves, number, ply):
    """Pick the best remaining move: swap it to place ``number`` and return its Pick.

    SEE and history are evaluated lazily. A tactical move that loses material is moved after the
    quiet moves when it first comes up. Quiet moves are scored when one of them first comes up:
    after most hash moves and captures none does.
    """
    at = moves.first + number
    end = moves.first + moves.size
    listed = move_buffer(w)
    while True:
        best = at
        best_score = w.move_scores[at].score
        for i in range(at + 1, end):
            score = w.move_scores[i].score
            if score > best_score:
                best_score = score
                best = i
        scored = w.move_scores[best]
        move = listed.move[best]
        slot = scored.slot
        flags = scored.flags
        if (flags & L.UNSCORED_FLAG) != 0:
            _score_quiets(w, at, end, ply)
            continue
        if flags == L.TACTICAL_FLAG:
            flags |= L.SEE_FLAG
            scored.flags = flags
            if not wins_exchange(w, move, 0):
                scored.score = best_score - _LOSING_PENALTY
                continue
        if best != at:
            front = w.move_scores[at]
            listed.move[best] = listed.move[at]
            listed.move[at] = move
            scored.score = front.score
            scored.slot = front.slot
            scored.flags = front.flags
            front.score = best_score
            front.slot = slot
            front.flags = flags
        return Pick(move, best_score, slot & _SLOT_MASK, (flags & L.TACTICAL_FLAG) == 0)


@kernel
def without_quiets(w, moves, number):
    """Drop the quiet moves from place ``number`` on, except those that may give check."""
    listed = move_buffer(w)
    kept = moves.first + number
    for i in range(kept, moves.first + moves.size):
        scored = w.move_scores[i]
        move = listed.move[i]
        if (scored.flags & L.TACTICAL_FLAG) != 0 or may_check(w, move):
            into = w.move_scores[kept]
            listed.move[kept] = move
            into.score = scored.score
            into.slot = scored.slot
            into.flags = scored.flags
            kept += 1
    return Moves(moves.first, kept - moves.first)


@kernel
def _with_bonus(old, bonus):
    """Return a history value moved by a bonus, the less the nearer it is to its limit (gravity)."""
    return old + bonus - old * abs(bonus) // P.HISTORY_LIMIT


@kernel
def _add_bonus(w, side, ply, slot, bonus):
    """Add a bonus to a quiet move's history and continuation histories."""
    w.history[side][slot] = _with_bonus(w.history[side][slot], bonus)
    for back in range(1, _CONTINUATION_PLIES + 1):
        index = _continuation_index(_continuation_row(w, ply, back), slot)
        w.continuation_history[index] = _with_bonus(w.continuation_history[index], bonus)


@kernel
def update_quiet_histories(w, moves, number, side, ply, depth, move):
    """Update killers, counter move and histories after a beta cutoff by a quiet move.

    ``number`` is the move's place in the order: the quiet moves before it get a malus.
    """
    killers = w.killers[ply]
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    if ply > 0:
        w.counter_moves[w.move_slots[ply - 1]] = move
    bonus = min(
        depth * depth * P.HISTORY_BONUS_SQUARE + P.HISTORY_BONUS * depth, P.HISTORY_BONUS_LIMIT
    )
    at = moves.first + number
    _add_bonus(w, side, ply, w.move_scores[at].slot & _SLOT_MASK, bonus)
    for i in range(moves.first, at):
        scored = w.move_scores[i]
        if (scored.flags & L.TACTICAL_FLAG) == 0:
            _add_bonus(w, side, ply, scored.slot & _SLOT_MASK, -bonus)
