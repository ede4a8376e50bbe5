"""The moves of a node, one after the other, those first that are likely to be the best.

Hash move, good exchanges, killers, counter move, by history, exchanges that lose material.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel import abi
from ryugi_engine.kernel.calls import generate, header, lists, order, wins_exchange
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P

_HASH = 1 << 30
_KILLER = L.TACTICAL_SCORE
_COUNTER = (1 << 18) + 50_000
#: So far behind the others are exchanges that lose material.
_DEMOTION = abi.LOST_EXCHANGE
_PAIRS = L.WORKER.word("pairs")
_SLOT_MASK = L.HISTORY_SLOTS - 1


class Moves(NamedTuple):
    """The moves of a node: where in the room for lists they begin, and how many they are."""

    first: int
    size: int


class Pick(NamedTuple):
    """A move, its score in the order, its history slot, and whether it is no tactical one."""

    move: int
    score: int
    slot: int
    quiet: bool


@kernel
def list_moves(w, kind, first, ply, hash_move):
    """List and rank the moves of a kind, from ``first`` on."""
    moves = Moves(first, generate(w, kind, first))
    if moves.size > 0:
        order(w, first, moves.size, w.given.block, _PAIRS + first)
        _rank(w, moves, ply, hash_move)
    return moves


@kernel
def _rank(w, moves, ply, hash_move):
    """Turn the game's hints into scores."""
    side = header(w).side
    killers = w.killers[ply]
    first = killers[0]
    second = killers[1]
    counter = 0
    if ply > 0:
        counter = w.counters[w.made[ply - 1]]
    for i in range(moves.first, moves.first + moves.size):
        pair = w.pairs[i]
        move = lists(w).move[i]
        hint = max(pair.score, 0)  # below 0, which a game must not give, it is none
        score = hint
        flags = L.TACTICAL_FLAG if hint >= L.TACTICAL_SCORE else 0
        if move == hash_move:
            score = _HASH
            flags |= L.SEEN_FLAG
        elif hint >= L.TACTICAL_SCORE:
            pass
        elif move == first:
            score = _KILLER + 1
        elif move == second:
            score = _KILLER
        elif move == counter:
            score = _COUNTER
        else:
            score = hint + w.history[side][pair.slot & _SLOT_MASK]
        pair.score = score
        pair.flags = flags


@kernel
def next_move(w, moves, number):
    """Bring the best of the moves from the ``number``-th on to its place.

    A tactical move whose exchange loses material is put behind the quiet moves the first time
    it comes up.
    """
    at = moves.first + number
    end = moves.first + moves.size
    listed = lists(w)
    while True:
        best = at
        best_score = w.pairs[at].score
        for i in range(at + 1, end):
            score = w.pairs[i].score
            if score > best_score:
                best_score = score
                best = i
        pair = w.pairs[best]
        move = listed.move[best]
        slot = pair.slot
        flags = pair.flags
        if flags == L.TACTICAL_FLAG:
            flags |= L.SEEN_FLAG
            pair.flags = flags
            if not wins_exchange(w, move, 0):
                pair.score = best_score - _DEMOTION
                continue
        if best != at:
            front = w.pairs[at]
            listed.move[best] = listed.move[at]
            listed.move[at] = move
            pair.score = front.score
            pair.slot = front.slot
            pair.flags = front.flags
            front.score = best_score
            front.slot = slot
            front.flags = flags
        return Pick(move, best_score, slot & _SLOT_MASK, (flags & L.TACTICAL_FLAG) == 0)


@kernel
def _add_history(w, side, slot, bonus):
    """Move a history value towards its limit by a bonus, the less the nearer it is."""
    old = w.history[side][slot]
    w.history[side][slot] = old + bonus - old * abs(bonus) // P.HISTORY_LIMIT


@kernel
def reward_quiet(w, moves, number, side, ply, depth, move):
    """The quiet move in the ``number``-th place refuted the position: remember it."""
    killers = w.killers[ply]
    if killers[0] != move:
        killers[1] = killers[0]
        killers[0] = move
    if ply > 0:
        w.counters[w.made[ply - 1]] = move
    bonus = min(depth * depth * P.BONUS_SQUARE + P.BONUS * depth, P.BONUS_LIMIT)
    at = moves.first + number
    _add_history(w, side, w.pairs[at].slot & _SLOT_MASK, bonus)
    for i in range(moves.first, at):
        pair = w.pairs[i]
        if (pair.flags & L.TACTICAL_FLAG) == 0:
            _add_history(w, side, pair.slot & _SLOT_MASK, -bonus)
