"""Quiescence: captures and promotions, and all evasions of a check, until a position is quiet."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ONGOING, PROMISING, TACTICAL
from ryugi_engine.kernel.calls import header, make, no_moves, status, unmake
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import recurse5
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search import table
from ryugi_engine.search.correction import corrected_eval
from ryugi_engine.search.node import (
    bound_of,
    count_node,
    extend_pv,
    handed_back,
    passed_on,
    score_of_end,
    static_eval,
)
from ryugi_engine.search.picker import list_moves, next_move


@routine
def _quiesce(W, alpha, beta, ply, first):
    w = L.WORKER(W)
    position = header(w)

    # 1. Ends: of the search, of the game, of the plies there is room for, of a crowded leaf's nodes
    w.pv_length[ply] = 0
    if count_node(w):
        return 0
    w.seldepth = max(w.seldepth, ply)
    outcome = status(w, ply)
    if outcome != ONGOING:
        return score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1 or w.nodes > w.quiet_end:
        return static_eval(w)

    # 2. The table may know the answer, whatever depth it comes from
    key = position.key
    data = table.probe(w, key)
    hash_move = 0
    if data != 0:
        hash_move = table.data_move(data)
        score = table.data_score(data, ply)
        if beta - alpha == 1 and table.settles(data, score, alpha, beta):
            return score

    # 3. Who is not in check need not capture: the position as it stands is a lower bound
    check = position.check != 0
    old_alpha = alpha
    best = -L.INFINITE
    if not check:
        best = corrected_eval(w, ply)
        if best >= beta:
            return best
        alpha = max(alpha, best)

    # 4. The moves
    moves = list_moves(w, PROMISING if check else TACTICAL, first, ply, hash_move)
    if moves.size == 0:
        return score_of_end(no_moves(w), ply) if check else best
    side = position.side
    best_move = 0
    for number in range(moves.size):
        pick = next_move(w, moves, number)
        if not check:
            if pick.score < 0:
                break  # only exchanges that lose material are left
        elif best > -L.MATE_BOUND and pick.score <= 0 and number >= P.EVASIONS:
            break  # a check that is survived needs no more quiet evasions
        w.made[ply] = pick.slot + side * L.HISTORY_SLOTS
        make(w, pick.move)
        turned = position.side != side
        low, high = passed_on(turned, alpha, beta)
        value = handed_back(turned, recurse5(W, low, high, ply + 1, first + moves.size))
        unmake(w)
        if w.aborted != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = pick.move
                extend_pv(w, ply, best_move)
                if value >= beta:
                    break

    # 5. Keep what was found
    table.store(w, key, best_move, best, 0, bound_of(best, old_alpha, beta), ply)
    return best


@kernel
def settle(W, alpha, beta, ply, first):
    """Quiescence from a leaf, within a number of nodes that crowded boards make smaller.

    Where dozens of riders face one another captures do not come to an end: a leaf would take
    millions of nodes. Games with a start like those that are shipped never reach the limit.
    """
    w = L.WORKER(W)
    limit = w.quiet_limit
    began = w.nodes
    w.quiet_end = began + limit
    value = _quiesce(W, alpha, beta, ply, first)
    used = w.nodes - began
    if used > limit:
        limit = max(limit // 2, P.CROWDED_NODES)
    elif limit < L.QUIET_NODES and 8 * used < limit:
        limit *= 2
    w.quiet_limit = limit
    return value
