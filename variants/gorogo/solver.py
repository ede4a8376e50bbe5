"""An exact solver: can the side to move end with so many more captures than the other side?

Depth-first search over that one question. A position's value is the number of stones that the
side to move will still take minus those it will still lose, or beyond ``BEYOND`` if somebody
runs out of legal moves before the end; the table keeps a lower and an upper bound of it, so
that an answer serves every question asked of the position and of its images under the eight
symmetries, and the move that reaches the lower one. Positions are seen from the side to move: the
colours fold into one. The key is the position itself, not a hash: an answer can never be another
position's.
"""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_SIDE
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import (
    const64,
    ctz,
    load32,
    load64,
    mul,
    popcount,
    recurse8,
    shared64,
    shr,
    store32,
    store64,
)
from ryugi_engine.proofs import ENTRY_WORDS
from variants.gorogo import layout as L
from variants.gorogo.groups import (
    count_moves,
    dead_stones,
    is_setup,
    may_place_henge,
    seen_by,
    stone_points,
)
from variants.gorogo.symmetry import canonical_key, original_point, turned_point

#: Values beyond what captures can make: the game ends before its time.
BEYOND = 20
YES, NO, UNKNOWN = 1, 0, 2

# ---- solver block; P_STOP is the address of a word that asks for the end
P_TABLE, P_MASK, P_SYMMETRY, P_NODES, P_LIMIT, P_ABORTED, P_STATE, P_STOP = range(8)
P_LISTS = 16  # 32-bit words: move lists, 64 a ply
SOLVER_WORDS = P_LISTS + 32 * 64

# ---- table: entries of two words, key and data: low 8, high 8, move 8, effort 8
BUCKET = 4
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)
_TABLED = 3  # pieces in both hands from which on a position is kept


@kernel
def _with_hands(key, hand, enemy_hand):
    """The table's key of a board's key and the hands."""
    key |= (hand & 15) << 50 | (hand >> 8) << 54
    return key | (enemy_hand & 15) << 56 | (enemy_hand >> 8) << 60


@kernel
def _bucket(P, key):
    return (shr(mul(key, _SPREAD), 20) & const64(P, P_MASK)) * (BUCKET * ENTRY_WORDS)


@kernel
def _probe(P, key):
    """Data of a position, or 0."""
    table = const64(P, P_TABLE)
    at = _bucket(P, key)
    for i in range(BUCKET):
        if load64(table, at + 2 * i) == key:
            return load64(table, at + 2 * i + 1)
    return 0


@kernel
def _store(P, key, low, high, move, effort):
    """Keep bounds in place of those that were cheapest to find."""
    table = const64(P, P_TABLE)
    at = _bucket(P, key)
    worst = 0
    least = 1 << 20
    for i in range(BUCKET):
        if load64(table, at + 2 * i) == key:
            worst = i
            break
        spent = load64(table, at + 2 * i + 1) >> 24
        if spent < least:
            least = spent
            worst = i
    data = (low + 64) | (high + 64) << 8 | move << 16 | effort << 24
    store64(table, at + 2 * worst, key)
    store64(table, at + 2 * worst + 1, data)


@kernel
def reply_need(gain, need):
    """What the other side must not reach after a move that takes ``gain``, to reach ``need``.

    Within the bounds: no captures make up for a game that ends before its time.
    """
    asked = gain - need + 1
    if asked > BEYOND:
        return BEYOND
    return max(asked, 1 - BEYOND)


@kernel
def _effort(nodes):
    """The logarithm of a number of nodes, from 1 on."""
    size = 1
    while nodes > 1:
        nodes >>= 1
        size += 1
    return size


@kernel
def _last_stone(own, enemy, henges, need):
    """Whether the last stone of the game can take so many."""
    if need > popcount(enemy):
        return NO  # out of reach, wherever it goes
    empty = L.BOARD & ~(own | enemy | henges)
    points = stone_points(own, enemy, henges, empty)
    if need <= 0:
        return YES if points != 0 else NO
    while points != 0:
        point = points & -points
        points ^= point
        if popcount(dead_stones(enemy, empty ^ point)) >= need:
            return YES
    return NO


@kernel
def _stopped(P):
    return shared64(const64(P, P_STOP), 0) != 0


@routine
def _solve(P, own, enemy, henges, hand, enemy_hand, need, ply):
    """YES if the side to move can reach a value of at least ``need``."""
    nodes = load64(P, P_NODES) + 1
    store64(P, P_NODES, nodes)
    if hand == 0:
        return YES if enemy_hand == 0 and need <= 0 else NO
    if hand == 256:
        return NO
    if hand == 1 and enemy_hand == 0:
        return _last_stone(own, enemy, henges, need)
    if nodes > const64(P, P_LIMIT) or ((nodes & 1023) == 0 and _stopped(P)):
        store64(P, P_ABORTED, 1)
        return NO
    pieces = (hand & 255) + (hand >> 8) + (enemy_hand & 255) + (enemy_hand >> 8)
    T = const64(P, P_SYMMETRY)
    key = 0
    symmetry = 0
    low = -BEYOND
    high = BEYOND
    first = 0
    if pieces >= _TABLED:
        key, symmetry = canonical_key(T, own | henges, enemy | henges)
        key = _with_hands(key, hand, enemy_hand)
        data = _probe(P, key)
        if data != 0:
            low = (data & 255) - 64
            high = ((data >> 8) & 255) - 64
            if low >= need:
                return YES
            if high < need:
                return NO
            first = (data >> 16) & 255
            if first != 0:
                first = original_point(T, symmetry, first & 31) | (first & ~31)
    empty = L.BOARD & ~(own | enemy | henges)
    stones = 0
    if (hand & 255) != 0 and not is_setup(own, enemy, henges, hand):
        stones = stone_points(own, enemy, henges, empty)
    placed = may_place_henge(hand)
    out = 2 * P_LISTS + 64 * ply
    n = 0
    answer = NO
    best = first  # what reaches the lower bound stays
    left = empty if placed else stones
    # the fewer replies the earlier; none at all, and the question is answered
    while left != 0:
        point = left & -left
        left ^= point
        dead = dead_stones(enemy, empty ^ point)
        gain = popcount(dead)
        alive = enemy ^ dead
        at = ctz(point)
        for kind in range(L.STONE, L.HENGE + 1):
            replies = 64
            if kind == L.STONE:
                if (stones & point) == 0:
                    continue
                if enemy_hand != 0:
                    replies = count_moves(alive, own | point, henges, enemy_hand)
            else:
                if not placed:
                    continue
                if enemy_hand != 0:
                    replies = count_moves(alive, own, henges | point, enemy_hand)
            if replies == 0:
                answer = YES
                best = at | kind << 5
            rank = 128 + 4 * gain - replies
            if kind == L.HENGE:
                rank -= 6
            if (at | kind << 5) == first:
                rank = 255
            store32(P, out + n, rank << 16 | at | kind << 5)
            n += 1
    if answer == YES:
        low = BEYOND
    else:
        for i in range(n):
            top = i
            for j in range(i + 1, n):
                if load32(P, out + j) > load32(P, out + top):
                    top = j
            move = load32(P, out + top)
            store32(P, out + top, load32(P, out + i))
            move &= 255
            point = 1 << (move & 31)
            dead = dead_stones(enemy, empty ^ point)
            gain = popcount(dead)
            own_after = own
            henges_after = henges
            hand_after = hand
            if (move >> 5) == L.STONE:
                own_after |= point
                hand_after -= 1
            else:
                henges_after |= point
                hand_after -= 256
            # the other side must not reach this
            asked = reply_need(gain, need)
            reply = recurse8(
                P, enemy ^ dead, own_after, henges_after, enemy_hand, hand_after, asked, ply + 1
            )
            if load64(P, P_ABORTED) != 0:
                return NO
            if reply == NO:
                answer = YES
                best = move
                break
        if answer == YES:
            low = max(low, need)
        else:
            high = min(high, need - 1)
            if n == 0:
                high = -BEYOND
    if pieces >= _TABLED:
        if best != 0:
            best = turned_point(T, symmetry, best & 31) | (best & ~31)
        _store(P, key, low, high, best, _effort(load64(P, P_NODES) - nodes + 1))
    return answer


@entry(3)
def reaches(P: int, need: int, first_ply: int) -> int:
    """YES or NO: can the side to move of P's state reach ``need``? UNKNOWN within P's limit."""
    S = const64(P, P_STATE)
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    store64(P, P_NODES, 0)
    store64(P, P_ABORTED, 0)
    own, enemy, henges, hand, enemy_hand = seen_by(S, f, us)
    answer = _solve(P, own, enemy, henges, hand, enemy_hand, need, first_ply)
    if load64(P, P_ABORTED) != 0:
        return UNKNOWN
    return answer


@entry(2)
def winning_move(P: int, need: int) -> int:
    """The move that reaches ``need`` in P's state, where the table has it; 0 if it has not."""
    S = const64(P, P_STATE)
    T = const64(P, P_SYMMETRY)
    own, enemy, henges, hand, enemy_hand = seen_by(S, load64(S, H_FRAME), load64(S, H_SIDE))
    key, symmetry = canonical_key(T, own | henges, enemy | henges)
    data = _probe(P, _with_hands(key, hand, enemy_hand))
    move = (data >> 16) & 255
    if data == 0 or move == 0 or (data & 255) - 64 < need:
        return 0
    return original_point(T, symmetry, move & 31) | (move >> 5) << 6


@entry(1)
def effort_spent(P: int) -> int:
    """The logarithm of the nodes that the position of P's state has cost; 0: not in the table."""
    S = const64(P, P_STATE)
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    own, enemy, henges, hand, enemy_hand = seen_by(S, f, us)
    key, _symmetry = canonical_key(const64(P, P_SYMMETRY), own | henges, enemy | henges)
    data = _probe(P, _with_hands(key, hand, enemy_hand))
    return data >> 24


@entry(3)
def insert_all(P: int, entries: int, count: int) -> int:
    """Put kept entries back into the table."""
    for i in range(count):
        data = load64(entries, 2 * i + 1)
        low = (data & 255) - 64
        high = ((data >> 8) & 255) - 64
        _store(P, load64(entries, 2 * i), low, high, (data >> 16) & 255, data >> 24)
    return count
