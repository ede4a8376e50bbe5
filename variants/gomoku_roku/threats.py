"""Threat search: can the attacker force a win with at most n stones of its own?

An AND/OR search with every turn of the attacker, and every turn of the defender that does not lose
at once. Whose turn it is follows from the track, so two stones in a row can complete a three. Most
nodes are decided by the fives still possible in time: none, or all through one circle, which the
defender takes. Wins are proven; with ninuki some are missed, since fives that only a removal makes
possible are not considered.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import HEADER, ONGOING, PROMISING, WON
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import load32, recurse5, store32
from ryugi_engine.kernel.views import Layout, i64, u32
from ryugi_engine.proving.table import (
    LINE,
    MAX_LINE,
    TASK,
    begin_line,
    bucket_of,
    interrupt,
    is_resumed,
    must_stop,
)
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.moves import is_over, list_moves, make, unmake
from variants.gomoku_roku.ordering import turn_score
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.turns import empty_circles, position_of
from variants.gomoku_roku.windows import is_open, own_count, winning_points

#: Maximum number of the attacker's stones in a forced win.
MAX_STONES = 10

MAX_PLIES = MAX_LINE
_LIST = 256
THREATS = Layout(
    "threats",
    task=TASK.element(),
    attacker=i64,
    nodes=i64,
    aborted=i64,
    line=LINE.element(),
    scores=u32[MAX_PLIES, _LIST],  # by ply, besides the state's move list
)

#: Table entry; data is fails | wins << 8 | move << 16, see Known.
_ENTRY = Layout("entry", align=8, key=i64, data=i64)
_ENTRY_WORDS = _ENTRY.words
_NEVER = 255
_FIRST = 1 << 30  # score of the table move
_OPEN = 2


class Known(NamedTuple):
    """The table's proof of a position: a number of stones that suffices, and the winning move.

    A win without its move is not stored, so that a proven win can be played.
    """

    fails: int  # so many stones do not suffice
    wins: int  # so many stones suffice
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
    """Return (number of fives that ``stones`` can complete, circles that all of them need).

    A five that lacks only the track stone needs no circle.
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
def _score_turns(S, position, scores, out, n, first):
    """Score each turn of a list; ``first``, the table move, highest."""
    us = position.frame.side
    for i in range(n):
        move = load32(S, out + i)
        scores[i] = _FIRST if move == first else turn_score(position, us, move)


@kernel
def _pick(S, scores, out, i, n):
    """Swap the move with the best score to index ``i``, and return it."""
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
def _may_win_by_removals(position, side, stones):
    """Return whether so many stones could reach the number of removals that wins."""
    limit = position.t.removals_to_win
    return limit != 0 and position.frame.removals[side] + stones >= limit


@kernel
def _has_won(frame, attacker):
    """Return whether the attacker has won a finished game."""
    if frame.winner != 0:
        return frame.winner == 1 + attacker
    # a side without a stone in hand has lost, if there is an empty circle
    no_stone = frame.hands[frame.side] == 0 and empty_circles(frame) != 0
    return no_stone and frame.side != attacker


@kernel
def _at_a_glance(position, attacker, stones, ply):
    """Return 1 if the attacker wins, 0 if not with so many stones, _OPEN if not obvious."""
    frame = position.frame
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
    return _OPEN


@routine
def _forced(P, S, stones, ply, out):
    """Return 1 if the attacker wins with at most ``stones`` stones, whoever is to move."""
    p = THREATS(P)
    f = HEADER(S).frame
    position = position_of(S, f)
    frame = position.frame
    attacker = p.attacker
    if is_over(frame):
        return 1 if _has_won(frame, attacker) else 0
    resumed = is_resumed(p.line, ply)
    if not resumed:
        if must_stop(p.task, p.nodes + 1):
            p.aborted = 1
            p.line.plies = ply
            return 0
        p.nodes += 1
        seen = _at_a_glance(position, attacker, stones, ply)
        if seen != _OPEN:
            return seen
    key = _key(p, frame)
    done = 0
    if resumed:
        node = p.line.nodes[ply]
        known = Known(node.low, node.high, node.first)
        done = node.done
    else:
        known = _probe(p.task, key)
        if known.wins <= stones:
            return 1
        if known.fails >= stones:
            return 0
    n = list_moves(S, f, PROMISING, out)
    if n > _LIST:
        return 0  # more turns than the score buffer holds: nothing is proven
    scores = p.scores[ply]
    _score_turns(S, position, scores, out, n, known.move)
    attacking = frame.side == attacker
    answer = 0 if attacking else 1
    best = known.move  # what proves a win with more stones stays
    left = stones - 1 if attacking else stones
    for i in range(n):
        move = _pick(S, scores, out, i, n)
        if i < done:
            continue
        make(S, f, move)
        value = recurse5(P, S, left, ply + 1, out + n)
        unmake(S, f + L.FRAME_WORDS)
        if p.aborted != 0:
            interrupt(p.line, ply, best, i, known.fails, known.wins, 0)
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
    """Return WON if the attacker wins from P's state with ``stones`` stones, else ONGOING.

    ONGOING is a proof that it does not, unless ``aborted`` is set; the same call then resumes.
    ``ply`` is 0; as an argument, since a literal would make numba specialise the routine.
    """
    p = THREATS(P)
    S = p.task.state
    p.nodes = 0
    p.aborted = 0
    frame = L.FRAME(S, HEADER(S).frame)
    if frame.phase != PLAY:
        return ONGOING
    begin_line(p.line, _key(p, frame), stones)
    if _forced(P, S, stones, ply, HEADER(S).moves) == 1:
        return WON
    return ONGOING


@entry(1)
def stones_known(P: int) -> int:
    """Return the table's number of stones that suffice in P's state; 0 if it has no win."""
    p = THREATS(P)
    S = p.task.state
    known = _probe(p.task, _key(p, L.FRAME(S, HEADER(S).frame)))
    return 0 if known.wins == _NEVER else known.wins


@entry(2)
def winning_move(P: int, stones: int) -> int:
    """Return the table's winning move with at most ``stones`` stones; 0 if unknown.

    A move that wins at once is found without the table. The attacker is to move.
    """
    p = THREATS(P)
    S = p.task.state
    f = HEADER(S).frame
    position = position_of(S, f)
    frame = position.frame
    out = HEADER(S).moves
    if is_over(frame) or frame.phase != PLAY:
        return 0
    if winning_points(position, frame.side) != 0:
        list_moves(S, f, PROMISING, out)  # only such moves
        return load32(S, out)
    known = _probe(p.task, _key(p, frame))
    return known.move if known.wins <= stones else 0
