"""Forced wins: can the attacker win with at most so many stones of its own, whatever is played?

An AND/OR search over that question, with every turn of the attacker and every turn of the
defender that does not lose at once. Whose turn it is follows from the track, so that two
stones in a row finish a three. Most nodes are settled by the fives that are still possible in
time: none, or all through one circle that the defender takes. A proof is a proof. With ninuki
a win may be overlooked: fives that become possible only by removing a stone are not foreseen.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import H_FRAME, H_MOVES, ONGOING, PROMISING, WON
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, load64, recurse5, store32
from ryugi_engine.kernel.views import Layout, i64, u32
from ryugi_engine.proving.table import TASK, bucket_of, must_stop
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.hints import turn_score
from variants.gomoku_roku.moves import is_over, list_moves, make, unmake
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.turns import empty_circles, position_of
from variants.gomoku_roku.windows import is_open, own_count, winning_points

#: The most own stones that a forced win may take.
MAX_STONES = 10

MAX_PLIES = 64
_LIST = 256
THREATS = Layout(
    "threats",
    task=TASK.element(),
    attacker=i64,
    nodes=i64,
    aborted=i64,
    scores=u32[MAX_PLIES, _LIST],  # by ply, beside the state's move list
)

#: The table's; data are fails | wins << 8 | move << 16, see Known.
_ENTRY = Layout("entry", align=8, key=i64, data=i64)
_ENTRY_WORDS = _ENTRY.words
_NEVER = 255
_FIRST = 1 << 30  # score of the table's move


class Known(NamedTuple):
    """What the table knows of a position.

    Where stones suffice, the attacker's move is the one that wins with them; a win without its
    move is none, so that whoever finds a win has a move to play.
    """

    fails: int  # stones that do not suffice
    wins: int  # stones that do
    move: int


@kernel
def _key(p, frame):
    # the same position may stand with either side as the attacker
    return frame.key ^ p.attacker


@kernel
def _entry(task, key):
    return _ENTRY(task.table, bucket_of(task, key) * _ENTRY_WORDS)


@kernel
def _probe(task, key):
    kept = _entry(task, key)
    if kept.key != key:
        return Known(0, _NEVER, 0)
    data = kept.data
    move = data >> 16
    return Known(data & 255, (data >> 8) & 255 if move != 0 else _NEVER, move)


@kernel
def _store(task, key, known):
    kept = _entry(task, key)
    kept.key = key
    kept.data = known.fails | known.wins << 8 | known.move << 16


@kernel
def _possible_fives(position, side, stones):
    """How many fives so many stones can complete, and the circles that all of them still need.

    A five that only waits for the track stone needs no circle.
    """
    t, counters, frame = position
    own = frame.stones[side]
    fives = 0
    common = L.CIRCLES
    for window in range(L.PURE_WINDOWS):
        counter = counters[window]
        if is_open(counter, side) and own_count(counter, side) + stones >= 5:
            fives += 1
            common &= t.masks[window] & ~own
    at = frame.track[side]
    # each turn takes the track stone at most 4 circles, and one more past the other side's
    for step in range(1, min(5 * stones, L.TRACK_CIRCLES - 1) + 1):
        windows = t.track_windows[(at + step) % L.TRACK_CIRCLES]
        for i in range(L.TRACK_WINDOWS):
            counter = counters[windows[i]]
            if is_open(counter, side) and own_count(counter, side) + stones >= 4:
                fives += 1
                common &= t.masks[windows[i]] & ~own
    return fives, common


@kernel
def _rank(S, position, scores, out, n, first):
    """Score each turn of a list, ``first`` above all others."""
    us = position.frame.side
    for i in range(n):
        move = load32(S, out + i)
        scores[i] = _FIRST if move == first else turn_score(position, us, move)


@kernel
def _pick(S, scores, out, i, n):
    """Bring the move with the best score to ``i``."""
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    move = load32(S, out + best)
    store32(S, out + best, load32(S, out + i))
    store32(S, out + i, move)
    score = scores[best]
    scores[best] = scores[i]
    scores[i] = score
    return move


@kernel
def _count_node(p):
    """Whether the search has to end with this node."""
    nodes = p.nodes + 1
    p.nodes = nodes
    if must_stop(p.task, nodes):
        p.aborted = 1
    return p.aborted != 0


@kernel
def _may_win_by_removals(position, side, stones):
    """Whether so many stones could bring the removals that win."""
    limit = position.t.removals_to_win
    return limit != 0 and position.frame.removals[side] + stones >= limit


@kernel
def _has_won(frame, attacker):
    """Whether a finished game is the attacker's."""
    if frame.winner != 0:
        return frame.winner == 1 + attacker
    # who has no stone for its turn has lost, if there is a circle for one
    no_stone = frame.hands[frame.side] == 0 and empty_circles(frame) != 0
    return no_stone and frame.side != attacker


@routine
def _forced(P, S, stones, ply, out):
    """1 if the attacker wins with at most so many stones, whoever is to move."""
    p = THREATS(P)
    f = load64(S, H_FRAME)
    position = position_of(S, f)
    frame = position.frame
    attacker = p.attacker
    if is_over(frame):
        return 1 if _has_won(frame, attacker) else 0
    if _count_node(p):
        return 0
    attacking = frame.side == attacker
    if stones == 0 or ply >= MAX_PLIES - 1:
        return 0
    if winning_points(position, frame.side) != 0:
        return 1 if attacking else 0
    by_removal = _may_win_by_removals(position, attacker, stones)
    if attacking and stones == 1 and not by_removal:
        return 0
    fives, common = _possible_fives(position, attacker, stones)
    if not by_removal and (fives == 0 or (not attacking and common != 0)):
        return 0
    key = _key(p, frame)
    known = _probe(p.task, key)
    if known.wins <= stones:
        return 1
    if known.fails >= stones:
        return 0
    n = list_moves(S, f, PROMISING, out)
    if n > _LIST:
        return 0  # no room to look at all of them, so nothing is proven
    scores = p.scores[ply]
    _rank(S, position, scores, out, n, known.move)
    answer = 0 if attacking else 1
    best = known.move  # what proves a win with more stones stays
    left = stones - 1 if attacking else stones
    for i in range(n):
        move = _pick(S, scores, out, i, n)
        make(S, f, move)
        value = recurse5(P, S, left, ply + 1, out + n)
        unmake(S, f + L.FRAME_WORDS)
        if p.aborted != 0:
            return 0
        if value != answer:
            answer = value
            best = move
            break
    if answer == 1:
        if not attacking:
            best = load32(S, out)
        _store(p.task, key, Known(known.fails, stones, best))
    else:
        _store(p.task, key, Known(stones, known.wins, best))
    return answer


@entry(3)
def forced_win(P: int, stones: int, ply: int) -> int:
    """WON if the attacker wins from P's state with so many stones, ONGOING if not (yet).

    ``aborted`` tells whether the answer is complete.
    """
    p = THREATS(P)
    S = p.task.state
    p.nodes = 0
    p.aborted = 0
    if L.FRAME(S, load64(S, H_FRAME)).phase != PLAY:
        return ONGOING
    if _forced(P, S, stones, ply, load64(S, H_MOVES)) == 1:
        return WON
    return ONGOING


@entry(3)
def insert_all(P: int, entries: int, count: int) -> int:
    """Put kept entries back into the table."""
    task = THREATS(P).task
    for i in range(count):
        kept = _ENTRY(entries, i * _ENTRY_WORDS)
        place = _entry(task, kept.key)
        place.key = kept.key
        place.data = kept.data
    return count


@entry(1)
def stones_known(P: int) -> int:
    """How many stones the table knows to suffice in P's state; 0 if it knows of none."""
    p = THREATS(P)
    S = p.task.state
    known = _probe(p.task, _key(p, L.FRAME(S, load64(S, H_FRAME))))
    return 0 if known.wins == _NEVER else known.wins


@entry(2)
def winning_move(P: int, stones: int) -> int:
    """The attacker's move that wins with at most so many stones, where the table has one, or one
    that wins at once; 0 if neither is known. The attacker is to move.
    """
    p = THREATS(P)
    S = p.task.state
    f = load64(S, H_FRAME)
    position = position_of(S, f)
    frame = position.frame
    out = load64(S, H_MOVES)
    if is_over(frame) or frame.phase != PLAY:
        return 0
    if winning_points(position, frame.side) != 0:
        list_moves(S, f, PROMISING, out)  # only such moves
        return load32(S, out)
    known = _probe(p.task, _key(p, frame))
    return known.move if known.wins <= stones else 0
