"""An exact solver: can the side to move finish with N captures more than the other side?

A depth-first search that answers yes or no. A position's value is the number of stones that the
side to move will capture minus those it will lose from here on. It is +-``BEYOND`` if a side runs
out of legal moves before the end. The table keeps bounds of the value, valid for the position's
images under the eight symmetries, and the move that reaches the lower bound. Positions are seen
from the side to move, without colours. The key is the position itself, not a hash, so there are no
collisions.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import ctz, popcount, recurse8
from ryugi_engine.kernel.views import Layout, i64, u8, u32
from ryugi_engine.proving.table import (
    LINE,
    TASK,
    begin_line,
    bucket_of,
    interrupt,
    is_resumed,
    must_stop,
)
from variants.gorogo import layout as L
from variants.gorogo.groups import count_moves, dead_stones, stone_points
from variants.gorogo.symmetry import SYMMETRY, canonical_key
from variants.gorogo.turns import (
    HENGE,
    ONE_HENGE,
    STONE,
    Position,
    after_henge,
    after_stone,
    empty_points,
    henges_in,
    may_place_henge,
    move_of,
    pieces_in,
    seen_by,
)

#: Value of running out of legal moves; larger than any number of captures.
BEYOND = 20
YES, NO, UNKNOWN = 1, 0, 2

_LIST = 64
SOLVER = Layout(
    "solver",
    task=TASK.element(),
    symmetry=i64,  # address of symmetry's tables
    nodes=i64,
    aborted=i64,
    line=LINE.element(),
    lists=u32[L.MAX_PLIES, _LIST],  # by ply: ranked moves
)

#: Number of entries of a bucket.
BUCKET = 4
_ENTRY = Layout(
    "entry",
    align=8,
    key=i64,
    low=u8,  # bounds, with _OFFSET added: so files of proofs have them
    high=u8,
    move=u8,
    effort=u8,
)
_BUCKET = Layout("bucket", slot=_ENTRY[BUCKET])
_ENTRY_WORDS, _BUCKET_WORDS = _ENTRY.words, _BUCKET.words
_OFFSET = 64
_TABLED = 3  # pieces in both hands from which on a position is kept


class Proof(NamedTuple):
    """Proof state of a position: bounds of its value, and the move."""

    low: int  # bounds of the value
    high: int
    move: int  # short code of a move that reaches ``low``, or 0
    effort: int  # bit length of the number of nodes spent


# ---- moves in one byte: point | kind << 5, so that 0 is none


@kernel
def _short(point, kind):
    return point | kind << 5


@kernel
def _point_of(move):
    return move & 31


@kernel
def _kind_of(move):
    return move >> 5


@kernel
def _carried(images, move):
    """Return a short move with its point mapped by a symmetry; 0 stays 0."""
    if move == 0:
        return 0
    return _short(images[_point_of(move)], _kind_of(move))


@kernel
def _ranked(rank, move):
    """Return a short move with its ordering score in the high bits."""
    return rank << 16 | move


# ---- table


@kernel
def _hand_bits(hand):
    return (hand & 15) | henges_in(hand) << 4


@kernel
def _keyed(p, position):
    """Return (key of a position, symmetry that maps the position to it)."""
    own, enemy = position.own | position.henges, position.enemy | position.henges
    key, symmetry = canonical_key(SYMMETRY(p.symmetry), own, enemy)
    hands = _hand_bits(position.hand) | _hand_bits(position.enemy_hand) << 6
    return key | hands << 50, symmetry


@kernel
def _bucket(task, key):
    return _BUCKET(task.table, bucket_of(task, key) * _BUCKET_WORDS)


@kernel
def _probe(task, key):
    """Return the proof state of a key; the widest bounds if the table has none."""
    bucket = _bucket(task, key)
    for i in range(BUCKET):
        slot = bucket.slot[i]
        if slot.key == key:
            return Proof(slot.low - _OFFSET, slot.high - _OFFSET, slot.move, slot.effort)
    return Proof(-BEYOND, BEYOND, 0, 0)


@kernel
def _store(task, key, proof):
    """Store a proof state; it replaces that of the least effort in the bucket."""
    bucket = _bucket(task, key)
    worst = 0
    least = 1 << 20
    for i in range(BUCKET):
        slot = bucket.slot[i]
        if slot.key == key:
            worst = i
            break
        if slot.effort < least:
            least = slot.effort
            worst = i
    slot = bucket.slot[worst]
    slot.key = key
    slot.low = proof.low + _OFFSET
    slot.high = proof.high + _OFFSET
    slot.move = proof.move
    slot.effort = proof.effort


# ---- search


@kernel
def reply_need(gain, need):
    """Return the value that the other side must not reach after a move that captures ``gain``.

    Clamped to the bounds: captures do not compensate for running out of moves.
    """
    asked = gain - need + 1
    if asked > BEYOND:
        return BEYOND
    return max(asked, 1 - BEYOND)


@kernel
def _effort(nodes):
    """Return the bit length of a number of nodes, at least 1."""
    size = 1
    while nodes > 1:
        nodes >>= 1
        size += 1
    return size


@kernel
def _last_stone(position, need):
    """Return YES or NO: can the last stone of the game capture ``need`` stones?"""
    enemy = position.enemy
    if need > popcount(enemy):
        return NO  # out of reach, wherever it goes
    empty = empty_points(position)
    points = stone_points(position, empty)
    if need <= 0:
        return YES if points != 0 else NO
    while points != 0:
        point = points & -points
        points ^= point
        if popcount(dead_stones(enemy, empty ^ point)) >= need:
            return YES
    return NO


@kernel
def _list_moves(position, first, out):
    """List the moves with ordering scores, unsorted; return (number, move without reply, or 0).

    Moves with few replies score high, ``first``, the table move, highest.
    """
    empty = empty_points(position)
    stones = stone_points(position, empty)
    placed = may_place_henge(position.hand)
    n = 0
    smothering = 0
    left = empty if placed else stones
    while left != 0:
        point = left & -left
        left ^= point
        dead = dead_stones(position.enemy, empty ^ point)
        for kind in range(STONE, HENGE + 1):
            if kind == STONE:
                if (stones & point) == 0:
                    continue
                after = after_stone(position, point, dead)
            else:
                if not placed:
                    continue
                after = after_henge(position, point, dead)
            replies = 64
            if after.hand != 0:
                replies = count_moves(after.own, after.enemy, after.henges, after.hand)
            move = _short(ctz(point), kind)
            if replies == 0:
                smothering = move
            rank = 128 + 4 * popcount(dead) - replies
            if kind == HENGE:
                rank -= 6
            if move == first:
                rank = 255
            out[n] = _ranked(rank, move)
            n += 1
    return n, smothering


@kernel
def _pick(out, i, n):
    """Return the best move from index ``i`` on; the move at ``i`` takes its place."""
    top = i
    for j in range(i + 1, n):
        if out[j] > out[top]:
            top = j
    move = out[top] & 255
    out[top] = out[i]
    return move


@routine
def _solve(P, own, enemy, henges, hand, enemy_hand, need, ply):
    """Return YES if the side to move can reach a value of at least ``need``, else NO.

    A recursive routine takes int64 arguments: the fields of a ``Position``.
    """
    p = SOLVER(P)
    began = p.nodes
    p.nodes = began + 1
    if hand == 0:
        return YES if enemy_hand == 0 and need <= 0 else NO
    if hand == ONE_HENGE:
        return NO
    position = Position(own, enemy, henges, hand, enemy_hand)
    if hand == 1 and enemy_hand == 0:
        return _last_stone(position, need)
    resumed = is_resumed(p.line, ply)
    if resumed:
        p.nodes = began  # it has been counted
    elif must_stop(p.task, began + 1):
        p.nodes = began
        p.aborted = 1
        p.line.plies = ply
        return NO
    tabled = pieces_in(hand) + pieces_in(enemy_hand) >= _TABLED
    key = 0
    symmetry = 0
    low = -BEYOND
    high = BEYOND
    best = 0
    done = 0
    if tabled:
        key, symmetry = _keyed(p, position)
    if resumed:
        node = p.line.nodes[ply]
        low, high, best, done = node.low, node.high, node.first, node.done
        began -= node.nodes
    elif tabled:
        known = _probe(p.task, key)
        low, high = known.low, known.high
        if low >= need:
            return YES
        if high < need:
            return NO
        # what reaches the lower bound stays
        best = _carried(SYMMETRY(p.symmetry).origin[symmetry], known.move)
    empty = empty_points(position)
    moves = p.lists[ply]
    n, smothering = _list_moves(position, best, moves)
    if smothering != 0:
        answer = YES
        low = BEYOND
        best = smothering
    else:
        answer = NO
        for i in range(n):
            move = _pick(moves, i, n)
            if i < done:
                continue
            point = 1 << _point_of(move)
            dead = dead_stones(enemy, empty ^ point)
            if _kind_of(move) == STONE:
                after = after_stone(position, point, dead)
            else:
                after = after_henge(position, point, dead)
            reply = recurse8(
                P,
                after.own,
                after.enemy,
                after.henges,
                after.hand,
                after.enemy_hand,
                reply_need(popcount(dead), need),
                ply + 1,
            )
            if p.aborted != 0:
                interrupt(p.line, ply, best, i, low, high, p.nodes - began)
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
    if tabled:
        move = _carried(SYMMETRY(p.symmetry).image[symmetry], best)
        _store(p.task, key, Proof(low, high, move, _effort(p.nodes - began)))
    return answer


# ---- entries


@kernel
def _asked(p):
    """Return the position to solve."""
    S = p.task.state
    return seen_by(L.FRAME(S, HEADER(S).frame), HEADER(S).side)


@entry(3)
def reaches(P: int, need: int, first_ply: int) -> int:
    """Return YES or NO: can the side to move reach ``need``? UNKNOWN beyond P's node limit.

    The same call after UNKNOWN resumes where the limit interrupted it.
    """
    p = SOLVER(P)
    p.nodes = 0
    p.aborted = 0
    at = _asked(p)
    key, symmetry = _keyed(p, at)
    begin_line(p.line, key, need << 3 | symmetry)
    answer = _solve(P, at.own, at.enemy, at.henges, at.hand, at.enemy_hand, need, first_ply)
    if p.aborted != 0:
        return UNKNOWN
    return answer


@entry(2)
def winning_move(P: int, need: int) -> int:
    """Return the move that reaches ``need`` in P's state, by the table; 0 if unknown."""
    p = SOLVER(P)
    key, symmetry = _keyed(p, _asked(p))
    known = _probe(p.task, key)
    if known.move == 0 or known.low < need:
        return 0
    point = SYMMETRY(p.symmetry).origin[symmetry][_point_of(known.move)]
    return move_of(point, _kind_of(known.move))


@entry(1)
def effort_spent(P: int) -> int:
    """Return the effort stored for P's state; 0 if it is not in the table."""
    p = SOLVER(P)
    key, _symmetry = _keyed(p, _asked(p))
    return _probe(p.task, key).effort
