"""Helpers of every search node: counting, scores, child windows, principal variations."""

from __future__ import annotations

from ryugi_engine.kernel.abi import LOST, WON
from ryugi_engine.kernel.calls import evaluate
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.search import layout as L
from ryugi_engine.search.saturation import saturated

_CHECK_EVERY = 15  # mask of nodes: a slow evaluation must not delay a stop by more than 1 ms


@kernel
def score_of_end(outcome, ply):
    """Return the score of a finished game for the side to move."""
    if outcome == LOST:
        return ply - L.MATE
    if outcome == WON:
        return L.MATE - ply
    return 0


@kernel
def count_node(w):
    """Count a node; return whether the search must end (node limit reached or stop set)."""
    nodes = w.nodes + 1
    limit = w.root_args.node_limit
    if limit > 0 and nodes > limit:
        w.aborted = 1
        return True
    w.nodes = nodes
    if (nodes & _CHECK_EVERY) == 0 and L.CONTROL(w.root_args.control).stop != 0:
        w.aborted = 1
        return True
    return False


@kernel
def uncorrected_eval(w):
    """Return the game's evaluation, clamped below the mate scores and saturated."""
    value = max(min(evaluate(w), L.EVAL_LIMIT), -L.EVAL_LIMIT)
    return saturated(value, w.root_args.saturation)


@kernel
def child_window(turned, alpha, beta):
    """Return (alpha, beta) for the child node; negated unless the same side moves again."""
    if turned:
        return -beta, -alpha
    return alpha, beta


@kernel
def from_child(turned, value):
    """Convert a child's score to the parent's point of view."""
    return -value if turned else value


@kernel
def extend_pv(w, ply, move):
    """Set the principal variation at ``ply``: the move, then the child's variation."""
    length = w.pv_length[ply + 1]
    w.pv[ply][0] = move
    for i in range(length):
        w.pv[ply][1 + i] = w.pv[ply + 1][i]
    w.pv_length[ply] = length + 1


@kernel
def bound_of(best, alpha, beta):
    """Return the bound type of a node's best value, given the window that it was searched with."""
    if best >= beta:
        return L.LOWER
    if best > alpha:
        return L.EXACT
    return L.UPPER
