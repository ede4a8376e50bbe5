"""What every node of the search does: counting, results, windows, lines."""

from __future__ import annotations

from ryugi_engine.kernel.abi import LOST, WON
from ryugi_engine.kernel.calls import evaluate
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.search import layout as L

_CHECK_EVERY = 15  # a slow evaluation must not delay a stop by more than a millisecond


@kernel
def score_of_end(outcome, ply):
    """Score of a game that is over, for the side to move."""
    if outcome == LOST:
        return ply - L.MATE
    if outcome == WON:
        return L.MATE - ply
    return 0


@kernel
def count_node(w):
    """Count a node; whether the search has to end, which at the limit it does without counting."""
    nodes = w.nodes + 1
    limit = w.given.node_limit
    if limit > 0 and nodes > limit:
        w.aborted = 1
        return True
    w.nodes = nodes
    if (nodes & _CHECK_EVERY) == 0 and L.CONTROL(w.given.control).stop != 0:
        w.aborted = 1
        return True
    return False


@kernel
def static_eval(w):
    """The game's evaluation, within what is no mate."""
    return max(min(evaluate(w), L.EVAL_LIMIT), -L.EVAL_LIMIT)


@kernel
def passed_on(turned, alpha, beta):
    """The window as the side sees it that moves next: turned round, unless it moves again."""
    if turned:
        return -beta, -alpha
    return alpha, beta


@kernel
def handed_back(turned, value):
    """The value for the side that has moved of what the side that moved next has found."""
    return -value if turned else value


@kernel
def extend_pv(w, ply, move):
    """The line at ``ply`` is the move and the line below it."""
    length = w.pv_length[ply + 1]
    w.pv[ply][0] = move
    for i in range(length):
        w.pv[ply][1 + i] = w.pv[ply + 1][i]
    w.pv_length[ply] = length + 1


@kernel
def bound_of(best, alpha, beta):
    """What the best value says, of a node that was searched with this window."""
    if best >= beta:
        return L.LOWER
    if best > alpha:
        return L.EXACT
    return L.UPPER
