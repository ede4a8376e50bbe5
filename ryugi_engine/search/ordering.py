"""Move ordering: hash move, good exchanges, killers, counter move, history, bad exchanges."""

from __future__ import annotations

from ryugi_engine.abi import HISTORY_LIMIT, LOST_EXCHANGE, MAX_HINT, MAX_SLOT, TACTICAL_HINT
from ryugi_engine.jit import kernel
from ryugi_engine.memory import call3, const64, load32, load64, store32, store64
from ryugi_engine.search import layout as L

_HASH = 1 << 30
_KILLER = 1 << 19
_COUNTER = (1 << 18) + 50_000
#: Set in a slot: the game called the move tactical.
TACTICAL_BIT = MAX_SLOT + 1
#: Set in a slot: its exchange has been looked at.
_SEEN_BIT = 1 << 21


@kernel
def rank_moves(W, S, out, n, side, ply, hash_move):
    """Turn the game's ordering hints into scores."""
    first = load64(W, L.KILLERS + 2 * ply)
    second = load64(W, L.KILLERS + 2 * ply + 1)
    counter = 0
    if ply > 0:
        counter = load64(W, L.COUNTERS + load64(W, L.SLOTS + ply - 1))
    for i in range(n):
        at = 2 * (const64(W, L.LIST_SHIFT) + out + i)
        move = load32(S, out + i)
        score = load32(W, at)
        slot = load32(W, at + 1) & MAX_SLOT  # the flags are ours
        hint = 0
        if score > MAX_HINT:  # below 0, which the game must not give: no move is tactical by it
            score = 0
        if score >= TACTICAL_HINT:
            slot |= TACTICAL_BIT
        else:
            hint = score
        if move == hash_move:
            score = _HASH
            slot |= _SEEN_BIT
        elif score >= TACTICAL_HINT:
            pass
        elif move == first:
            score = _KILLER + 1
        elif move == second:
            score = _KILLER
        elif move == counter:
            score = _COUNTER
        else:
            at_slot = side * L.HISTORY_SLOTS + (slot & (L.HISTORY_SLOTS - 1))
            score = hint + load64(W, L.HISTORY + at_slot)
        # 32-bit words are read back unsigned: keep scores above zero by an offset
        store32(W, at, score + (1 << 29))
        store32(W, at + 1, slot)


@kernel
def pick_best(W, S, out, i, n):
    """Bring the best of the moves from ``i`` on to ``i``: (move, score, slot).

    A tactical move whose exchange loses material is put behind the quiet moves the first time
    it comes up.
    """
    while True:
        best = i
        best_score = load32(W, 2 * (const64(W, L.LIST_SHIFT) + out + i))
        for j in range(i + 1, n):
            score = load32(W, 2 * (const64(W, L.LIST_SHIFT) + out + j))
            if score > best_score:
                best_score = score
                best = j
        at = 2 * (const64(W, L.LIST_SHIFT) + out + best)
        move = load32(S, out + best)
        slot = load32(W, at + 1)
        if (slot & TACTICAL_BIT) != 0 and (slot & _SEEN_BIT) == 0:
            store32(W, at + 1, slot | _SEEN_BIT)
            if call3(const64(W, L.EXCHANGE), S, move, 0) == 0:
                store32(W, at, best_score - LOST_EXCHANGE)
                continue
            slot |= _SEEN_BIT
        if best != i:
            front = 2 * (const64(W, L.LIST_SHIFT) + out + i)
            store32(S, out + best, load32(S, out + i))
            store32(S, out + i, move)
            store32(W, at, load32(W, front))
            store32(W, at + 1, load32(W, front + 1))
            store32(W, front, best_score)
            store32(W, front + 1, slot)
        return move, best_score - (1 << 29), slot


@kernel
def _add_history(W, at, bonus):
    """Move a history value towards its limit by a bonus, the less the nearer it is."""
    old = load64(W, at)
    size = bonus if bonus > 0 else -bonus
    store64(W, at, old + bonus - old * size // HISTORY_LIMIT)


@kernel
def reward_quiet(W, S, out, i, side, ply, depth, move):
    """The quiet move at list index ``i`` refuted the position: remember it."""
    if load64(W, L.KILLERS + 2 * ply) != move:
        store64(W, L.KILLERS + 2 * ply + 1, load64(W, L.KILLERS + 2 * ply))
        store64(W, L.KILLERS + 2 * ply, move)
    if ply > 0:
        store64(W, L.COUNTERS + load64(W, L.SLOTS + ply - 1), move)
    bonus = depth * depth * 8 + 40 * depth
    bonus = min(bonus, 1600)
    base = L.HISTORY + side * L.HISTORY_SLOTS
    mask = L.HISTORY_SLOTS - 1
    _add_history(W, base + (load32(W, 2 * (const64(W, L.LIST_SHIFT) + out + i) + 1) & mask), bonus)
    for j in range(i):
        slot = load32(W, 2 * (const64(W, L.LIST_SHIFT) + out + j) + 1)
        if (slot & TACTICAL_BIT) == 0:
            _add_history(W, base + (slot & mask), -bonus)
