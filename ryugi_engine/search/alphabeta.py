"""Principal variation search, for any game.

The search speaks to a game only through its entries (``kernel.calls``) and the state's header.
Whose turn it is comes from the header, not from the ply: a side may move twice running, and
then the window is not turned round (``node.passed_on``).

Sources: T. Marsland and M. Campbell 1982 (PVS); C. Donninger 1993 (null move); pruning and
reduction rules as the common stock of open engines, with margins tuned here (``parameters``).
"""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.kernel.abi import ONGOING, PROMISING
from ryugi_engine.kernel.calls import (
    header,
    make,
    make_null,
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
from ryugi_engine.search import table
from ryugi_engine.search.correction import correct, corrected_eval
from ryugi_engine.search.node import (
    bound_of,
    count_node,
    extend_pv,
    handed_back,
    passed_on,
    score_of_end,
    static_eval,
)
from ryugi_engine.search.picker import list_moves, next_move, reward_quiet
from ryugi_engine.search.quiescence import settle

_LAST = L.REDUCTIONS - 1


class Node(NamedTuple):
    """What a node is like to those that leave out or reduce its moves."""

    depth: int
    pv: bool
    check: bool
    improving: bool
    standing: int


@kernel
def _late(node, quiets):
    """Whether so many quiet moves have been looked at that another one will hardly be the best."""
    limit = P.LATE_BASE + P.LATE_SQUARE * node.depth * node.depth // 100
    if not node.improving:
        limit = limit // 2 + 1
    return node.depth <= P.LATE_DEPTH and quiets >= limit


@kernel
def _hopeless(node, alpha):
    """Whether a quiet move would have to gain more than quiet moves do."""
    margin = P.HOPELESS_BASE + P.HOPELESS * node.depth
    return node.depth <= P.HOPELESS_DEPTH and node.standing + margin <= alpha


@kernel
def _disproved(node, pick):
    """Whether a quiet move has hardly ever been the best where it was looked at before."""
    return node.depth <= P.DISPROVED_DEPTH and pick.score < -P.DISPROVED * node.depth


@kernel
def _loses_much(w, node, pick):
    """Whether a move begins an exchange that loses more than the depth can make good."""
    if node.depth > P.LOSING_DEPTH:
        return False
    if pick.quiet:
        return not wins_exchange(w, pick.move, -P.LOSING_QUIET * node.depth)
    return pick.score < 0 and not wins_exchange(w, pick.move, -P.LOSING_TACTICAL * node.depth)


@kernel
def _is_dubious(w, node, pick, quiets, alpha):
    """Whether a move is not worth to be looked at."""
    if pick.quiet and (_late(node, quiets) or _hopeless(node, alpha) or _disproved(node, pick)):
        return True
    return _loses_much(w, node, pick)


@kernel
def _reduction(w, node, pick, searched):
    """Plies by which a move, which has been made, is searched less deep at first."""
    if node.depth < P.REDUCED_DEPTH or searched < P.REDUCED_AFTER:
        return 0
    hundredths = w.reductions[min(node.depth, _LAST)][min(searched, _LAST)]
    if node.pv:
        hundredths -= P.REDUCTION_PV
    if not node.improving:
        hundredths += P.REDUCTION_WORSE
    if header(w).check != 0:
        hundredths -= P.REDUCTION_CHECK
    if node.check:
        hundredths -= P.REDUCTION_EVASION
    if pick.quiet:
        hundredths -= 100 * pick.score // P.REDUCTION_HISTORY
    elif pick.score >= 0:
        hundredths -= P.REDUCTION_TACTICAL
    return max(min(hundredths // 100, node.depth - 2), 0)


@kernel
def _may_be_singular(data, depth, ply):
    """Whether an entry's move is known to be good by a search that was not much shallower."""
    if data == 0 or table.data_move(data) == 0 or table.data_bound(data) == L.UPPER:
        return False
    return table.data_depth(data) >= depth - 3 and abs(table.data_score(data, ply)) < L.MATE_BOUND


@kernel
def _known_better(data, standing, ply):
    """The static evaluation, or the table's score where its bound says that this is nearer."""
    score = table.data_score(data, ply)
    if abs(score) >= L.MATE_BOUND:
        return standing
    bound = table.data_bound(data)
    if bound == L.EXACT or (bound == L.LOWER) == (score > standing):
        return score
    return standing


@kernel
def _is_an_error(best, bound, evaluated):
    """Whether a value is another than the evaluation: a mere bound has to lie on its far side."""
    if abs(best) >= L.MATE_BOUND:
        return False
    return bound == L.EXACT or (bound == L.LOWER) == (best > evaluated)


@routine
def search(W, alpha, beta, depth, ply, first):
    """Score of the position within (alpha, beta) for the side to move; fail-soft.

    ``first`` is where in the room for lists the node's moves will stand.
    """
    w = L.WORKER(W)
    position = header(w)

    # 1. A check is looked at a ply deeper; at the horizon quiescence takes over
    may_null = w.null_ply != ply  # words, not arguments: one call among many sets them
    excluded = w.excluded
    w.null_ply = -1
    w.excluded = 0
    check = position.check != 0
    if check:
        depth += 1
    if depth <= 0:
        return settle(W, alpha, beta, ply, first)

    # 2. Ends: of the search, of the game, of the plies there is room for
    w.pv_length[ply] = 0
    if count_node(w):
        return 0
    outcome = status(w, ply)
    if outcome != ONGOING:
        return score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1:
        return static_eval(w)

    # 3. No line from here can be better than a mate at once, or worse than being mated now
    alpha = max(alpha, ply - L.MATE)
    beta = min(beta, L.MATE - ply - 1)
    if alpha >= beta:
        return alpha
    pv = beta - alpha > 1

    # 4. The table may know the answer, or at least a move to begin with
    key = position.key
    data = table.probe(w, key)
    hash_move = 0
    if data != 0:
        hash_move = table.data_move(data)
        if not pv and excluded == 0 and table.data_depth(data) >= depth:
            score = table.data_score(data, ply)
            if table.settles(data, score, alpha, beta):
                return score

    # 5. How the position stands, and whether it is better than before one's last move
    evaluated = L.NO_EVAL
    improving = False
    if not check:
        evaluated = corrected_eval(w, ply)
        if ply >= 2:
            before = w.evals[ply - 2]
            improving = before == L.NO_EVAL or evaluated > before
    w.evals[ply] = evaluated
    standing = evaluated
    if data != 0 and not check:
        standing = _known_better(data, standing, ply)

    if not pv and not check and excluded == 0 and abs(beta) < L.MATE_BOUND:
        # 6. So far ahead that a shallow search would hardly fall below beta
        margin = P.FUTILITY * depth
        if improving:
            margin -= P.FUTILITY_IMPROVING
        if depth <= P.FUTILITY_DEPTH and standing - margin >= beta:
            return standing

        # 7. So far behind that only captures could help: see whether they do
        if depth <= P.RAZOR_DEPTH and standing + P.RAZOR * depth < alpha:
            value = settle(W, alpha, beta, ply, first)
            if value < alpha:
                return value

        # 8. Null move: who stays above beta without moving will do so with a move, zugzwang apart
        if may_null and depth >= P.NULL_DEPTH and standing >= beta + P.NULL_MARGIN:
            if make_null(w):
                gain = min((standing - beta) // P.NULL_GAIN, P.NULL_GAIN_LIMIT)
                reduced = depth - P.NULL_BASE - depth // P.NULL_DIVISOR - gain
                w.made[ply] = 0
                w.null_ply = ply + 1
                value = -recurse6(W, -beta, -beta + 1, reduced, ply + 1, first)
                unmake_null(w)
                if w.aborted != 0:
                    return 0
                if value >= beta:
                    return value if value < L.MATE_BOUND else beta

    # 9. A first look without a move to begin with is better done shallower
    if hash_move == 0 and depth >= P.UNKNOWN_DEPTH:
        depth -= 1

    # 10. The moves
    moves = list_moves(w, PROMISING, first, ply, hash_move)
    if moves.size == 0:
        return score_of_end(no_moves(w), ply)

    # 11. A move that the table knows to be good, while all others are clearly worse, is looked at
    #     a ply deeper. If even without it the position is beyond beta, there is nothing to see;
    #     if with it, but others are as good, it is not worth that much
    extension = 0
    if excluded == 0 and depth >= P.SINGULAR_DEPTH and _may_be_singular(data, depth, ply):
        known = table.data_score(data, ply)
        goal = known - P.SINGULAR * depth
        w.excluded = hash_move
        value = recurse6(W, goal - 1, goal, (depth - 1) // 2, ply, first + moves.size)
        if w.aborted != 0:
            return 0
        if value < goal:
            extension = 1
        elif goal >= beta and not pv:
            return goal
        elif known >= beta:
            extension = -1

    # 12. One after the other
    node = Node(depth, pv, check, improving, standing)
    side = position.side
    beam = w.given.beam
    old_alpha = alpha
    best = -L.INFINITE
    best_move = 0
    best_is_quiet = True
    quiets = 0
    searched = 0
    for number in range(moves.size):
        # 13. Games with hundreds of moves: only the best of them, unless all of those lose
        if beam > 0 and searched >= beam and best > -L.MATE_BOUND:
            break
        pick = next_move(w, moves, number)
        if pick.move == excluded:
            continue

        # 14. Leave out what will hardly be the best move, once there is one that does not lose
        dubious = False
        if best > -L.MATE_BOUND and not check and not pv:
            dubious = _is_dubious(w, node, pick, quiets, alpha)
            if dubious and not pick.quiet:
                continue

        # 15. Make the move. Whether a quiet one gives check is known only now: then it stays
        w.made[ply] = pick.slot + side * L.HISTORY_SLOTS
        make(w, pick.move)
        if dubious and position.check == 0:
            unmake(w)
            quiets += 1
            continue
        turned = position.side != side

        # 16. Moves that come late in the order are searched less deep at first
        reduction = 0
        if searched > 0:
            reduction = _reduction(w, node, pick, searched)

        # 17. The first move with the whole window. The others are to be shown no better than
        #     alpha: with a window of no width, then at full depth, and if that fails in earnest
        narrow = searched > 0
        while True:
            low, high = passed_on(turned, alpha, alpha + 1 if narrow else beta)
            left = depth - 1 - reduction
            if pick.move == hash_move:
                left += extension
            value = handed_back(turned, recurse6(W, low, high, left, ply + 1, first + moves.size))
            if not narrow or value <= alpha:
                break
            if reduction > 0:
                reduction = 0
            elif value < beta:
                narrow = False
            else:
                break

        # 18. Take it back and see what it was worth
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
                    # 19. A refutation: the opponent will not let it come to this
                    if pick.quiet:
                        reward_quiet(w, moves, number, side, ply, depth, best_move)
                    break
        if pick.quiet:
            quiets += 1

    # 20. Keep what was found, unless it is not all of the position. What a quiet move brings, or
    #     none, the evaluation should have known
    if excluded != 0:
        return max(best, old_alpha)  # nothing if there was but one move
    bound = bound_of(best, old_alpha, beta)
    if not check and best_is_quiet and _is_an_error(best, bound, evaluated):
        correct(w, ply, depth, best - evaluated)
    table.store(w, key, best_move, best, depth, bound, ply)
    return best
