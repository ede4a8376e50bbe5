"""The search at the root: one iteration over the root moves, in the order of earlier ones."""

from __future__ import annotations

from ryugi_engine.kernel.calls import header, make, unmake
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search import transposition_table as tt
from ryugi_engine.search.alphabeta import search
from ryugi_engine.search.correction_history import corrected_eval
from ryugi_engine.search.handicap import noise_of, with_noise, without_noise
from ryugi_engine.search.move_picker import history_slot
from ryugi_engine.search.node import bound_of, child_window, count_node, extend_pv, from_child


@kernel
def _bring_to_front(w, first, number):
    """Move a root move to index ``first``; the others keep their order."""
    move = w.root_moves[number]
    for i in range(number, first, -1):
        w.root_moves[i] = w.root_moves[i - 1]
    w.root_moves[first] = move


@entry(6)
def search_root(W: int, depth: int, alpha: int, beta: int, first: int, below: int) -> int:
    """Search the root moves from index ``first`` on to a depth; return the score.

    As soon as the best move's score is known, it is moved to index ``first`` and its variation to
    row 0 of ``pv``. So both are valid when the search is stopped. Root moves before ``first`` are
    better lines of the same iteration (MultiPV). ``below`` is the ply of the root's children and
    always 1: a literal in the call would make numba compile the recursion for that literal.
    """
    w = L.WORKER(W)
    position = header(w)
    side = position.side
    beam = w.root_args.root_beam
    best = -L.INFINITE
    old_alpha = alpha
    w.pv_length[0] = 0
    w.root_depth = depth
    began = w.nodes
    w.extension_end = began + (L.EXTENSION_NODES << 2 * min(depth, L.EXTENSION_DEPTHS))
    w.static_evals[0] = L.NO_EVAL
    if position.check == 0:
        w.static_evals[0] = corrected_eval(w, 0)
    for number in range(first, w.root_count):
        before = number - first
        if beam > 0 and depth > 1 and before >= beam and best > -L.MATE_BOUND:
            break
        move = w.root_moves[number]
        w.root_index = number
        w.move_slots[0] = history_slot(w, move)
        nodes_before = w.nodes
        if count_node(w):
            return best
        make(w, move)
        turned = position.side != side
        w.overlooked = w.root_args.overlooked if turned else 0
        noise = noise_of(w, move)

        # PVS and LMR as in alphabeta.search
        zero_window = number > first
        reduction = 0
        if depth >= P.LMR_ROOT_DEPTH and before >= P.LMR_ROOT_MOVES and position.check == 0:
            reduction = 1
        while True:
            upper = alpha + 1 if zero_window else beta
            low, high = child_window(
                turned, without_noise(alpha, noise), without_noise(upper, noise)
            )
            w.cut_node = 1 if zero_window and turned else 0
            value = from_child(
                turned, search(W, low, high, depth - 1 - reduction, below, below - 1)
            )
            value = with_noise(value, noise)
            if not zero_window or value <= alpha or w.aborted != 0:
                break
            zero_window = False
            reduction = 0

        unmake(w)
        if w.aborted != 0:
            return best
        if depth == 1 and beam > 0:
            w.root_scores[number].move = move
            w.root_scores[number].value = value
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_pv(w, 0, move)
                w.root_score = value
                w.best_nodes = w.nodes - nodes_before
                if number > first:
                    w.best_changes += 1
                _bring_to_front(w, first, number)
                if value >= beta:
                    break
    w.searched_nodes = w.nodes - began
    if first == 0:
        bound = bound_of(best, old_alpha, beta)
        tt.store(w, position.key, w.root_moves[0], best, depth, bound, 0)
    return best
