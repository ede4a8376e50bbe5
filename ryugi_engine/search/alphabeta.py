"""Principal variation search (PVS), for any game.

The search uses a game only through its entries (``kernel.calls``) and the state's header. The side
to move comes from the header, not from the ply. A side may move twice running, and then the window
is not negated (``node.child_window``).

Sources: T. Marsland and M. Campbell 1982 (PVS); C. Donninger 1993 (null move). The other pruning
and reduction rules are common to open engines; their margins are tuned here (``parameters``). Elo
figures come from bench/STRENGTH.md.
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import COMPELLED, MAX_MOVES, ONGOING, PROMISING
from ryugi_engine.kernel.calls import (
    header,
    make,
    make_null,
    may_check,
    no_moves,
    status,
    unmake,
    unmake_null,
    wins_exchange,
)
from ryugi_engine.kernel.jit import kernel, routine
from ryugi_engine.kernel.memory import recurse6
from ryugi_engine.search import layout as L
from ryugi_engine.search import parameters as P
from ryugi_engine.search import transposition_table as tt
from ryugi_engine.search.correction_history import corrected_eval, update_correction
from ryugi_engine.search.handicap import is_overlooked
from ryugi_engine.search.move_picker import (
    list_moves,
    next_move,
    update_quiet_histories,
    without_quiets,
)
from ryugi_engine.search.node import (
    bound_of,
    child_window,
    count_node,
    extend_pv,
    from_child,
    score_of_end,
    uncorrected_eval,
)
from ryugi_engine.search.quiescence import qsearch

_LAST = L.REDUCTIONS - 1


class Node(NamedTuple):
    """The properties of a node on which pruning and reductions of its moves depend."""

    depth: int
    pv: bool
    in_check: bool
    cut: bool  # expected to fail high
    improving: bool
    eval: int  # static evaluation, or the table's score where that is a better estimate


@kernel
def _late_move_pruning(node, quiets):
    """Return whether enough quiet moves were searched (LMP; +116 Elo at 4000 nodes a move)."""
    limit = P.LMP_BASE + P.LMP_SQUARE * node.depth * node.depth // 100
    if not node.improving:
        limit = limit // 2 + 1
    return node.depth <= P.LMP_DEPTH and quiets >= limit


@kernel
def _futility_pruning(node, alpha):
    """Return whether the evaluation plus a margin by depth does not exceed alpha."""
    margin = P.FUTILITY_BASE + P.FUTILITY_MARGIN * node.depth
    return node.depth <= P.FUTILITY_DEPTH and node.eval + margin <= alpha


@kernel
def _history_pruning(node, pick):
    """Return whether a quiet move's history is very bad."""
    return (
        node.depth <= P.HISTORY_PRUNING_DEPTH
        and pick.score < -P.HISTORY_PRUNING_MARGIN * node.depth
    )


@kernel
def _see_pruning(w, node, pick):
    """Return whether a move loses more than a margin by static exchange evaluation (SEE)."""
    if node.depth > P.SEE_PRUNING_DEPTH:
        return False
    if pick.quiet:
        return not wins_exchange(w, pick.move, -P.SEE_QUIET_MARGIN * node.depth)
    return pick.score < 0 and not wins_exchange(w, pick.move, -P.SEE_TACTICAL_MARGIN * node.depth)


@kernel
def _prunes_all_quiets(node, quiets, alpha):
    """Return whether a pruning rule applies to all further quiet moves."""
    return _late_move_pruning(node, quiets) or _futility_pruning(node, alpha)


@kernel
def _may_prune(w, node, pick):
    """Return whether a rule applies that prunes single moves."""
    return (pick.quiet and _history_pruning(node, pick)) or _see_pruning(w, node, pick)


@kernel
def _reduction(w, node, pick, searched, cutoffs):
    """Return the late move reduction (LMR) in plies of a move that has been made.

    ``cutoffs`` is how many of the moves before it were refuted.
    """
    if node.depth < P.LMR_DEPTH or searched < P.LMR_MOVES:
        return 0
    hundredths = w.reductions[min(node.depth, _LAST)][min(searched, _LAST)]
    if node.pv:
        hundredths -= P.LMR_PV
    if node.cut:
        hundredths += P.LMR_CUT_NODE
    if not node.improving:
        hundredths += P.LMR_NOT_IMPROVING
    if cutoffs > P.LMR_CUTOFFS:
        hundredths += 100
    if header(w).check != 0:
        hundredths -= P.LMR_GIVES_CHECK
    if node.in_check:
        hundredths -= P.LMR_IN_CHECK
    if pick.quiet:
        hundredths -= 100 * pick.score // P.LMR_HISTORY
    elif pick.score >= 0:
        hundredths -= P.LMR_TACTICAL
    return max(min(hundredths // 100, node.depth - 2), 0)


@kernel
def _may_be_singular(data, depth, ply):
    """Return whether a table entry is deep and good enough to test its move for singularity."""
    if data == 0 or tt.data_move(data) == 0 or tt.data_bound(data) == L.UPPER:
        return False
    return tt.data_depth(data) >= depth - 3 and abs(tt.data_score(data, ply)) < L.MATE_BOUND


@kernel
def _contradicts(best, bound, static_eval):
    """Return whether a search result differs from the static evaluation, bound considered."""
    if abs(best) >= L.MATE_BOUND:
        return False
    return bound == L.EXACT or (bound == L.LOWER) == (best > static_eval)


@kernel
def _is_cut_node(parent_is_cut_node, pv, zero_window, reduction, turned):
    """Return whether a child is expected to fail high, because its move is expected to fail low."""
    if pv and not zero_window:
        return False
    if pv or reduction > 0:
        return turned
    return parent_is_cut_node != turned


@routine
def search(W, alpha, beta, depth, ply, first):
    """Return the score of the position for the side to move; fail-soft.

    ``first`` is the index in the move lists from which on the node writes its moves.
    """
    w = L.WORKER(W)
    position = header(w)

    # 1. Check extension, in PV nodes. Far from the root it ends when the iteration's nodes for it
    #    are used up: both sides may be in check again and again. At the horizon quiescence search
    #    takes over. Compulsory captures are not extended here, but in step 10.
    may_null = w.null_ply != ply  # words, not arguments: one call among many sets them
    excluded = w.excluded
    cut_node = w.cut_node != 0
    w.null_ply = -1
    w.excluded = 0
    in_check = position.check != 0
    compelled = position.check == COMPELLED
    near = w.nodes < w.extension_end or ply < P.CHECK_EXTENSION_PLIES * w.root_depth
    if in_check and not compelled and near and beta - alpha > 1:
        depth += 1
    if depth <= 0:
        return qsearch(W, alpha, beta, ply, first)

    # 2. Abort, end of the game (mate, repetition, move rules), maximum ply
    w.pv_length[ply] = 0
    if count_node(w):
        return 0
    outcome = status(w, ply)
    if outcome != ONGOING:
        return score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1:
        return uncorrected_eval(w)

    # 3. Mate distance pruning
    alpha = max(alpha, ply - L.MATE)
    beta = min(beta, L.MATE - ply - 1)
    if alpha >= beta:
        return alpha
    pv = beta - alpha > 1
    w.cutoffs[ply + 1] = 0

    # 4. Transposition table: cutoff, or a hash move
    key = position.key
    data = tt.probe(w, key)
    hash_move = 0
    overlooking = ply == 1 and not in_check and w.overlooked > 0
    if data != 0:
        hash_move = tt.data_move(data)
        if overlooking:
            data = 0  # another search may have seen more
    if data != 0:
        if not pv and excluded == 0 and tt.data_depth(data) >= depth:
            score = tt.data_score(data, ply)
            if tt.is_cutoff(data, score, alpha, beta):
                return score

    # 5. Static evaluation; whether it improves on that of two plies ago
    static_eval = L.NO_EVAL
    improving = False
    if not in_check:
        static_eval = corrected_eval(w, ply)
        if ply >= 2:
            before = w.static_evals[ply - 2]
            improving = before == L.NO_EVAL or static_eval > before
    w.static_evals[ply] = static_eval
    refined_eval = static_eval
    if data != 0 and not in_check:
        refined_eval = tt.refined_eval(data, static_eval, ply)

    if not pv and not in_check and excluded == 0 and abs(beta) < L.MATE_BOUND:
        # 6. Reverse futility pruning (RFP): so far above beta that a shallow search will stay there
        margin = P.RFP_MARGIN * depth
        if improving:
            margin -= P.RFP_IMPROVING
        if depth <= P.RFP_DEPTH and refined_eval - margin >= beta:
            return refined_eval

        # 7. Razoring: so far below alpha that only captures can help. 0 Elo at 4000 nodes a move
        if depth <= P.RAZORING_DEPTH and refined_eval + P.RAZORING_MARGIN * depth < alpha:
            value = qsearch(W, alpha, beta, ply, first)
            if value < alpha:
                return value

        # 8. Null move pruning, in cut nodes: the position beats beta even if the side to move
        #    passes. Zugzwang is rare. Without it -17 +- 34 Elo at 4000 nodes a move
        if may_null and cut_node and depth >= P.NULL_DEPTH:
            if refined_eval >= beta + P.NULL_MARGIN and make_null(w):
                by_eval = min((refined_eval - beta) // P.NULL_EVAL_DIVISOR, P.NULL_EVAL_LIMIT)
                null_depth = depth - P.NULL_BASE - depth // P.NULL_DIVISOR - by_eval
                w.move_slots[ply] = 0
                w.null_ply = ply + 1
                w.cut_node = 0
                value = -recurse6(W, -beta, -beta + 1, null_depth, ply + 1, first)
                unmake_null(w)
                if w.aborted != 0:
                    return 0
                if value >= beta:
                    return value if value < L.MATE_BOUND else beta

    # 9. Internal iterative reduction (IIR): without a hash move the ordering is poor
    if hash_move == 0 and depth >= P.IIR_DEPTH:
        depth -= 1

    # 10. Generate and score the moves. Outside the PV a sole compulsory capture is not a ply
    moves = list_moves(w, PROMISING, first, ply, hash_move)
    if moves.size == 0:
        return score_of_end(no_moves(w), ply)
    if moves.size > MAX_MOVES:
        return uncorrected_eval(w)
    if compelled and moves.size == 1 and near and not pv:
        depth += 1

    # 11. Singular extension: the hash move is a ply deeper if all others fail low below its score,
    #     two plies if far below. Multicut: if one of them beats beta too, prune. Else negative
    #     extension, if the hash move is above beta. +28 +- 19 Elo in three games
    extension = 0
    if excluded == 0 and depth >= P.SINGULAR_DEPTH and _may_be_singular(data, depth, ply):
        hash_score = tt.data_score(data, ply)
        singular_beta = hash_score - P.SINGULAR_MARGIN * depth
        w.excluded = hash_move
        w.cut_node = 1 if cut_node else 0
        value = recurse6(
            W, singular_beta - 1, singular_beta, (depth - 1) // 2, ply, first + moves.size
        )
        if w.aborted != 0:
            return 0
        if value < singular_beta:
            extension = 1
            if not pv and value < singular_beta - P.SINGULAR_DOUBLE and ply < 2 * w.root_depth:
                extension = 2
        elif singular_beta >= beta and not pv:
            return singular_beta
        elif hash_score >= beta:
            extension = -1

    # 12. Loop over the moves
    node = Node(depth, pv, in_check, cut_node, improving, refined_eval)
    side = position.side
    beam = w.root_args.beam
    old_alpha = alpha
    best = -L.INFINITE
    best_move = 0
    best_is_quiet = True
    quiets = 0
    searched = 0
    number = -1
    while number + 1 < moves.size:
        number += 1
        # 13. Beam, for games with hundreds of moves: only the first ones, unless all of those lose
        if beam > 0 and searched >= beam and best > -L.MATE_BOUND:
            break
        pick = next_move(w, moves, number, ply)
        if pick.move == excluded or (overlooking and is_overlooked(w, key, pick.move)):
            continue

        # 14. Move pruning (LMP, futility, history, SEE) once there is a move that does not lose
        prunable = False
        if best > -L.MATE_BOUND and not in_check and not pv:
            skips = pick.quiet and _prunes_all_quiets(node, quiets, alpha)
            prunable = skips or _may_prune(w, node, pick)
            if prunable and not pick.quiet:
                continue
            if prunable and not may_check(w, pick.move):
                quiets += 1
                if skips:
                    moves = without_quiets(w, moves, number + 1)
                continue

        # 15. Make the move. Only now is it known whether a quiet move gives check; checks are not
        #     pruned (part of +75 +- 26 Elo in chess)
        w.move_slots[ply] = pick.slot + side * L.HISTORY_SLOTS
        make(w, pick.move)
        tt.prefetch_bucket(w, position.key)
        if prunable and position.check == 0:
            unmake(w)
            quiets += 1
            continue
        turned = position.side != side

        # 16. Late move reduction (LMR)
        reduction = 0
        if searched > 0:
            reduction = _reduction(w, node, pick, searched, w.cutoffs[ply + 1])

        # 17. PVS: full window for the first move, zero window for the others. When that fails high,
        #     re-search at full depth or a ply deeper, then with the full window
        zero_window = searched > 0
        new_depth = depth - 1
        if pick.move == hash_move:
            new_depth += extension
        while True:
            low, high = child_window(turned, alpha, alpha + 1 if zero_window else beta)
            w.cut_node = 1 if _is_cut_node(cut_node, pv, zero_window, reduction, turned) else 0
            value = from_child(
                turned, recurse6(W, low, high, new_depth - reduction, ply + 1, first + moves.size)
            )
            if not zero_window or value <= alpha:
                break
            if reduction > 0:
                # the bound ends a line of such moves: they are many in the Amazons
                if value > best + P.LMR_DEEPER * reduction and ply < 2 * w.root_depth:
                    new_depth += 1
                reduction = 0
            elif value < beta:
                zero_window = False
            else:
                break

        # 18. Unmake the move and update the best value
        unmake(w)
        searched += 1
        if w.aborted != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = pick.move
                best_is_quiet = pick.quiet
                if pv:
                    extend_pv(w, ply, best_move)
                if value >= beta:
                    # 19. Beta cutoff: update killers, counter move and history
                    w.cutoffs[ply] += 1
                    if pick.quiet:
                        update_quiet_histories(w, moves, number, side, ply, depth, best_move)
                    break
        if pick.quiet:
            quiets += 1

    if overlooking and searched + quiets == 0:
        return static_eval

    # 20. Update correction history (+46 +- 20 Elo in chess) and the table, unless a move was
    #     excluded. Captures and promotions do not tell how wrong the static evaluation was
    if excluded != 0:
        return best if searched > 0 else old_alpha  # the excluded move may be the only one
    bound = bound_of(best, old_alpha, beta)
    if not in_check and best_is_quiet and _contradicts(best, bound, static_eval):
        update_correction(w, ply, depth, best - static_eval)
    tt.store(w, key, best_move, best, depth, bound, ply)
    return best
