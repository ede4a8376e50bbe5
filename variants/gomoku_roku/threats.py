"""Forced wins: can the attacker win with at most so many stones of its own, whatever is played?

An AND/OR search over that question, with every turn of the attacker and every turn of the
defender that does not lose at once. Whose turn it is follows from the track, so that two
stones in a row finish a three. Most nodes are settled by the fives that are still possible in
time: none, or all through one circle that the defender takes. A proof is a proof. With ninuki
a win may be overlooked: fives that become possible only by removing a stone are not foreseen.
"""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_MOVES, ONGOING, PROMISING, WON
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import (
    const64,
    load8,
    load32,
    load64,
    mul,
    recurse6,
    shared64,
    shr,
    store32,
    store64,
)
from ryugi_engine.proofs import ENTRY_WORDS
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.hints import move_score
from variants.gomoku_roku.moves import is_over, list_moves, make, unmake
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.windows import winning_points

#: The most own stones that a forced win may take.
MAX_STONES = 10

# ---- block; P_STOP is the address of a word that asks for the end
P_TABLE, P_MASK, P_STATE, P_STOP, P_NODES, P_LIMIT, P_ABORTED, P_ATTACKER = range(8)
P_SCORES = 16  # 32-bit words beside the state's move list
MAX_PLIES = 64
_LIST = 256
SCORES = _LIST * MAX_PLIES
THREAT_WORDS = P_SCORES + SCORES // 2

# ---- table: entries of two words, key and data: stones that do not suffice 8, that do 8, move 32
_NEVER = 255
_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)
_BYTES = L.COUNTERS * 8


@kernel
def _slot(P, key):
    return (shr(mul(key, _SPREAD), 20) & const64(P, P_MASK)) * ENTRY_WORDS


@kernel
def _key(P, f, S):
    # the same position may stand with either side as the attacker
    return load64(S, f + L.KEY) ^ load64(P, P_ATTACKER)


@kernel
def _probe(P, key):
    """(stones that do not suffice, stones that do, move) of a position.

    Where stones suffice, the attacker's move is the one that wins with them; a win without its
    move is none, so that whoever finds a win has a move to play.
    """
    table = const64(P, P_TABLE)
    at = _slot(P, key)
    fails = 0
    wins = _NEVER
    move = 0
    if load64(table, at) == key:
        data = load64(table, at + 1)
        fails = data & 255
        move = data >> 16
        if move != 0:
            wins = (data >> 8) & 255
    return fails, wins, move


@kernel
def _store(P, key, fails, wins, move):
    table = const64(P, P_TABLE)
    at = _slot(P, key)
    store64(table, at, key)
    store64(table, at + 1, fails | wins << 8 | move << 16)


@kernel
def possible_fives(S, T, f, side, stones):
    """How many fives so many stones can complete, and the circles that all of them still need.

    A five that only waits for the track stone needs no circle.
    """
    own = load64(S, f + L.STONES + side)
    shift = 4 * side
    alone = 15 << (4 - shift)
    fives = 0
    common = L.CIRCLES
    for window in range(L.PURE_WINDOWS):
        counter = load8(S, _BYTES + window)
        if (counter & alone) == 0 and (counter >> shift) + stones >= 5:
            fives += 1
            common &= const64(T, L.T_MASKS + window) & ~own
    at = load64(S, f + L.TRACK + side)
    # each turn takes the track stone at most 4 circles, and one more past the other side's
    for step in range(1, min(5 * stones, L.TRACK_CIRCLES - 1) + 1):
        row = L.T_TRACK_WINDOWS + 4 * ((at + step) % L.TRACK_CIRCLES)
        for i in range(3):
            window = const64(T, row + 1 + i)
            counter = load8(S, _BYTES + window)
            if (counter & alone) == 0 and (counter >> shift) + stones >= 4:
                fives += 1
                common &= const64(T, L.T_MASKS + window) & ~own
    return fives, common


@kernel
def _pick(P, S, out, at, i, n):
    """Bring the move with the best score to ``i``."""
    best = i
    for j in range(i + 1, n):
        if load32(P, at + j) > load32(P, at + best):
            best = j
    move = load32(S, out + best)
    store32(S, out + best, load32(S, out + i))
    store32(S, out + i, move)
    score = load32(P, at + best)
    store32(P, at + best, load32(P, at + i))
    store32(P, at + i, score)
    return move


@kernel
def _rank(P, S, T, us, out, at, n, first):
    for i in range(n):
        move = load32(S, out + i)
        score = move_score(S, T, us, move)
        if move == first:
            score = 1 << 30
        store32(P, at + i, score)


@kernel
def _count_node(P):
    nodes = load64(P, P_NODES) + 1
    store64(P, P_NODES, nodes)
    if nodes > const64(P, P_LIMIT) or (
        (nodes & 1023) == 0 and shared64(const64(P, P_STOP), 0) != 0
    ):
        store64(P, P_ABORTED, 1)
    return load64(P, P_ABORTED) != 0


@kernel
def _may_win_by_removals(S, T, f, side, stones):
    """Whether so many stones could bring the removals that win."""
    limit = const64(T, L.T_REMOVALS_TO_WIN)
    return limit != 0 and load64(S, f + L.REMOVALS + side) + stones >= limit


@routine
def _forced(P, S, T, stones, ply, out):
    """1 if the attacker wins with at most so many stones, whoever is to move."""
    f = load64(S, H_FRAME)
    attacker = load64(P, P_ATTACKER)
    if is_over(S, f):
        winner = load64(S, f + L.WINNER)
        if winner == 0 and load64(S, f + L.HANDS + load64(S, f + L.SIDE)) == 0:
            full = (load64(S, f + L.STONES) | load64(S, f + L.STONES + 1)) == L.CIRCLES
            return 1 if not full and load64(S, f + L.SIDE) != attacker else 0
        return 1 if winner == 1 + attacker else 0
    if _count_node(P):
        return 0
    us = load64(S, f + L.SIDE)
    attacking = us == attacker
    if stones == 0 or ply >= MAX_PLIES - 1:
        return 0
    wins_now = winning_points(S, T, f, us)
    if wins_now != 0:
        return 1 if attacking else 0
    by_removal = _may_win_by_removals(S, T, f, attacker, stones)
    if attacking and stones == 1 and not by_removal:
        return 0
    fives, common = possible_fives(S, T, f, attacker, stones)
    if not by_removal and (fives == 0 or (not attacking and common != 0)):
        return 0
    key = _key(P, f, S)
    fails, wins, first = _probe(P, key)
    if wins <= stones:
        return 1
    if fails >= stones:
        return 0
    n = list_moves(S, T, f, PROMISING, out)
    if n > _LIST:
        return 0  # no room to look at all of them, so nothing is proven
    at = 2 * P_SCORES + _LIST * ply
    _rank(P, S, T, us, out, at, n, first)
    answer = 0 if attacking else 1
    best = first  # what proves a win with more stones stays
    left = stones - 1 if attacking else stones
    for i in range(n):
        move = _pick(P, S, out, at, i, n)
        make(S, T, f, move)
        value = recurse6(P, S, T, left, ply + 1, out + n)
        unmake(S, T, f + L.FRAME)
        if load64(P, P_ABORTED) != 0:
            return 0
        if value != answer:
            answer = value
            best = move
            break
    if answer == 1:
        wins = stones
        if not attacking:
            best = load32(S, out)
    else:
        fails = stones
    _store(P, key, fails, wins, best)
    return answer


@entry(3)
def forced_win(P: int, stones: int, ply: int) -> int:
    """WON if the attacker wins from P's state with so many stones, ONGOING if not (yet).

    P_ABORTED tells whether the answer is complete.
    """
    S = const64(P, P_STATE)
    f = load64(S, H_FRAME)
    store64(P, P_NODES, 0)
    store64(P, P_ABORTED, 0)
    if load64(S, f + L.PHASE) != PLAY:
        return ONGOING
    if _forced(P, S, load64(S, L.TABLES), stones, ply, load64(S, H_MOVES)) == 1:
        return WON
    return ONGOING


@entry(3)
def insert_all(P: int, entries: int, count: int) -> int:
    """Put kept entries back into the table."""
    table = const64(P, P_TABLE)
    for i in range(count):
        key = load64(entries, 2 * i)
        at = _slot(P, key)
        store64(table, at, key)
        store64(table, at + 1, load64(entries, 2 * i + 1))
    return count


@entry(1)
def stones_known(P: int) -> int:
    """How many stones the table knows to suffice in P's state; 0 if it knows of none."""
    S = const64(P, P_STATE)
    _fails, wins, _move = _probe(P, _key(P, load64(S, H_FRAME), S))
    return 0 if wins == _NEVER else wins


@entry(2)
def winning_move(P: int, stones: int) -> int:
    """The attacker's move that wins with at most so many stones, where the table has one, or one
    that wins at once; 0 if neither is known. The attacker is to move.
    """
    S = const64(P, P_STATE)
    f = load64(S, H_FRAME)
    T = load64(S, L.TABLES)
    out = load64(S, H_MOVES)
    if is_over(S, f) or load64(S, f + L.PHASE) != PLAY:
        return 0
    if winning_points(S, T, f, load64(S, f + L.SIDE)) != 0:
        list_moves(S, T, f, PROMISING, out)  # only such moves
        return load32(S, out)
    _fails, wins, move = _probe(P, _key(P, f, S))
    return move if wins <= stones else 0
