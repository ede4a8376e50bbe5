"""Quiescence search: captures and promotions, and evasions when in check.

A side that has to capture does so at the leaf; after that it may stand pat, too. Compulsory
captures go on and on, and one leaf would take thousands of nodes.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import COMPELLED, MAX_MOVES, ONGOING, PROMISING, TACTICAL
from ryugi_engine.kernel.calls import (
    header,
    make,
    may_check,
    no_moves,
    status,
    unmake,
    wins_exchange,
)
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import recurse5
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search import transposition_table as tt
from ryugi_engine.search.correction_history import corrected_eval
from ryugi_engine.search.handicap import is_overlooked
from ryugi_engine.search.move_picker import list_moves, next_move
from ryugi_engine.search.node import (
    bound_of,
    child_window,
    count_node,
    extend_pv,
    from_child,
    score_of_end,
    uncorrected_eval,
)


@kernel
def _may_win(w, pick, wanted):
    """Return whether a capture wins so many centipawns of evaluation that it may raise alpha.

    Nets give pieces up to twice the value that an exchange counts.
    """
    return wins_exchange(w, pick.move, wanted // 2 + 1)


@routine
def _qsearch(W, alpha, beta, ply, first):
    w = L.WORKER(W)
    position = header(w)

    # 1. Abort, end of the game, maximum ply, node limit of this leaf
    w.pv_length[ply] = 0
    if count_node(w):
        return 0
    w.seldepth = max(w.seldepth, ply)
    outcome = status(w, ply)
    if outcome != ONGOING:
        return score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1 or w.nodes > w.qsearch_end:
        return uncorrected_eval(w)

    # 2. Transposition table cutoff, at any depth
    key = position.key
    data = tt.probe(w, key)
    hash_move = 0
    may_stand_pat = position.check == COMPELLED and ply > w.qsearch_ply
    in_check = position.check != 0 and not may_stand_pat
    overlooking = ply == 1 and not in_check and w.overlooked > 0
    if data != 0 and not overlooking:
        hash_move = tt.data_move(data)
        score = tt.data_score(data, ply)
        if beta - alpha == 1 and tt.is_cutoff(data, score, alpha, beta):
            return score

    # 3. Stand pat: not in check, the static evaluation is a lower bound, or the table's score
    old_alpha = alpha
    best = -L.INFINITE
    futile_from = L.INFINITE  # from this alpha on futility pruning applies
    if not in_check:
        best = corrected_eval(w, ply)
        if data != 0 and not overlooking:
            best = tt.refined_eval(data, best, ply)
        if best >= beta:
            return best
        alpha = max(alpha, best)
        futile_from = best + P.QSEARCH_FUTILITY

    # 4. Loop over the moves
    kind = PROMISING if position.check != 0 else TACTICAL
    moves = list_moves(w, kind, first, ply, hash_move)
    if moves.size == 0:
        return score_of_end(no_moves(w), ply) if in_check else best
    if moves.size > MAX_MOVES:
        return uncorrected_eval(w) if in_check else best
    side = position.side
    best_move = 0
    for number in range(moves.size):
        pick = next_move(w, moves, number, ply)
        if not in_check:
            if pick.score < 0:
                break  # SEE pruning: only losing exchanges are left
        elif best > -L.MATE_BOUND and pick.score <= 0 and number >= P.QSEARCH_EVASIONS:
            break  # the check is survived: no more quiet evasions
        if overlooking and is_overlooked(w, key, pick.move):
            continue
        futile = futile_from <= alpha < L.MATE_BOUND and not _may_win(w, pick, alpha - futile_from)
        if futile and not may_check(w, pick.move):
            best = max(best, futile_from)
            continue
        w.move_slots[ply] = pick.slot + side * L.HISTORY_SLOTS
        make(w, pick.move)
        tt.prefetch_bucket(w, position.key)
        if futile and position.check == 0:
            unmake(w)
            best = max(best, futile_from)
            continue
        turned = position.side != side
        low, high = child_window(turned, alpha, beta)
        value = from_child(turned, recurse5(W, low, high, ply + 1, first + moves.size))
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

    # 5. Update the table
    tt.store(w, key, best_move, best, 0, bound_of(best, old_alpha, beta), ply)
    return best


@kernel
def qsearch(W, alpha, beta, ply, first):
    """Return the quiescence score of a leaf; the number of its nodes is limited.

    The limit is halved when a leaf exceeds it and doubled when a leaf needs little of it. Where
    dozens of riders attack one another, the captures of one leaf would take millions of nodes. The
    shipped games' start positions never reach the limit.
    """
    w = L.WORKER(W)
    limit = w.qsearch_limit
    nodes_before = w.nodes
    w.qsearch_end = nodes_before + limit
    w.qsearch_ply = ply
    value = _qsearch(W, alpha, beta, ply, first)
    used = w.nodes - nodes_before
    if used > limit:
        limit = max(limit // 2, P.QSEARCH_MIN_NODES)
    elif limit < L.QSEARCH_NODES and 8 * used < limit:
        limit *= 2
    w.qsearch_limit = limit
    return value
