"""Principal variation search and quiescence, for any game.

The search speaks to a game only through its entries (``abi.Kernels``) and the state's header.
Whose turn it is comes from the header, not from the ply: a side may move twice running, and
then the window is not turned round. Functions are long where splitting them would cost a call
at every node.

Sources: T. Marsland and M. Campbell 1982 (PVS); C. Donninger 1993 (null move); pruning and
reduction rules as the common stock of open engines, with margins tuned here.
"""

from __future__ import annotations

from ryugi_engine.abi import (
    H_CHECK,
    H_KEY,
    H_MOVES,
    H_SIDE,
    LOST,
    ONGOING,
    PROMISING,
    TACTICAL,
    WON,
)
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import (
    call1,
    call2,
    call3,
    call5,
    const64,
    load64,
    recurse6,
    recurse7,
    select,
    shared64,
    store64,
)
from ryugi_engine.search import layout as L
from ryugi_engine.search import table
from ryugi_engine.search.ordering import TACTICAL_BIT, pick_best, rank_moves, reward_quiet

_CHECK_EVERY = 15  # a slow evaluation must not delay a stop by more than a millisecond
_NO_EVAL = -L.INFINITE
#: Nodes of one quiescence search at most, while boards are so crowded that this is reached.
_CROWDED_NODES = 64


@kernel
def _score_of_end(outcome, ply):
    """Score of a game that is over, for the side to move."""
    if outcome == LOST:
        return ply - L.MATE
    if outcome == WON:
        return L.MATE - ply
    return 0


@kernel
def _count_node(W):
    """Count a node; 1 if the search has to end, which at the limit it does without counting."""
    nodes = load64(W, L.NODES) + 1
    limit = const64(W, L.NODE_LIMIT)
    if limit > 0 and nodes > limit:
        store64(W, L.ABORTED, 1)
        return True
    store64(W, L.NODES, nodes)
    if (nodes & _CHECK_EVERY) == 0 and shared64(const64(W, L.CONTROL), L.STOP) != 0:
        store64(W, L.ABORTED, 1)
        return True
    return False


@kernel
def _static_eval(W, S):
    value = call1(const64(W, L.EVALUATE), S)
    if value > L.EVAL_LIMIT:
        return L.EVAL_LIMIT
    if value < -L.EVAL_LIMIT:
        return -L.EVAL_LIMIT
    return value


@kernel
def _extend_pv(W, ply, move):
    """The line at ``ply`` is the move and the line below it."""
    row = L.PV + ply * L.MAX_PLY
    below = row + L.MAX_PLY
    length = load64(W, L.PV_LENGTH + ply + 1)
    store64(W, row, move)
    for i in range(length):
        store64(W, row + 1 + i, load64(W, below + i))
    store64(W, L.PV_LENGTH + ply, length + 1)


@routine
def _quiesce(W, S, alpha, beta, ply, out):
    """Search captures and promotions, and all evasions of a check, until the position is quiet."""
    store64(W, L.PV_LENGTH + ply, 0)
    if _count_node(W):
        return 0
    if ply > load64(W, L.SELDEPTH):
        store64(W, L.SELDEPTH, ply)
    outcome = call2(const64(W, L.STATUS), S, ply)
    if outcome != ONGOING:
        return _score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1 or load64(W, L.NODES) > load64(W, L.QUIET_END):
        return _static_eval(W, S)
    key = load64(S, H_KEY)
    data = table.probe(W, key)
    hash_move = 0
    if data != 0:
        hash_move = table.data_move(data)
        score = table.data_score(data, ply)
        if beta - alpha == 1 and table.settles(data, score, alpha, beta):
            return score
    check = load64(S, H_CHECK)
    best = -L.INFINITE
    standing = -L.INFINITE
    if check == 0:
        standing = _static_eval(W, S)
        best = standing
        if best >= beta:
            return best
    old_alpha = alpha
    alpha = max(alpha, best)
    n = call3(const64(W, L.GENERATE), S, PROMISING if check != 0 else TACTICAL, out)
    if n == 0:
        if check != 0:
            return _score_of_end(call1(const64(W, L.NO_MOVES), S), ply)
        return best
    side = load64(S, H_SIDE)
    call5(const64(W, L.ORDER), S, out, n, W, const64(W, L.LIST_SHIFT) + out)
    rank_moves(W, S, out, n, side, ply, hash_move)
    best_move = 0
    for i in range(n):
        move, score, _slot = pick_best(W, S, out, i, n)
        if check == 0:
            if score < 0:
                break  # only exchanges that lose material are left
        elif best > -L.MATE_BOUND and score <= 0 and i > 3:
            break  # a check that is survived needs no more quiet evasions
        call2(const64(W, L.MAKE), S, move)
        if load64(S, H_SIDE) != side:
            value = -recurse6(W, S, -beta, -alpha, ply + 1, out + n)
        else:
            value = recurse6(W, S, alpha, beta, ply + 1, out + n)
        call1(const64(W, L.UNMAKE), S)
        if load64(W, L.ABORTED) != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                _extend_pv(W, ply, move)
                if value >= beta:
                    break
    bound = L.UPPER
    if best >= beta:
        bound = L.LOWER
    elif best > old_alpha:
        bound = L.EXACT
    table.store(W, key, best_move, best, 0, bound, ply)
    return best


@kernel
def _settle(W, S, alpha, beta, ply, out):
    """Quiescence from a leaf, within a number of nodes that crowded boards make smaller.

    Where dozens of riders face one another captures do not come to an end: a leaf would take
    millions of nodes. Games with a start like those that are shipped never reach the limit.
    """
    limit = load64(W, L.QUIET_LIMIT)
    began = load64(W, L.NODES)
    store64(W, L.QUIET_END, began + limit)
    value = _quiesce(W, S, alpha, beta, ply, out)
    used = load64(W, L.NODES) - began
    if used > limit:
        limit = max(limit // 2, _CROWDED_NODES)
    elif limit < L.QUIET_NODES and 8 * used < limit:
        limit *= 2
    store64(W, L.QUIET_LIMIT, limit)
    return value


@routine
def _search(W, S, alpha, beta, depth, ply, out):
    """Score of the position within (alpha, beta) for the side to move; fail-soft."""
    # a word, not an argument: one call among many sets it
    may_null = load64(W, L.NULL_PLY) != ply
    store64(W, L.NULL_PLY, -1)
    check = load64(S, H_CHECK)
    if check != 0:
        depth += 1
    if depth <= 0:
        return _settle(W, S, alpha, beta, ply, out)
    store64(W, L.PV_LENGTH + ply, 0)
    if _count_node(W):
        return 0
    outcome = call2(const64(W, L.STATUS), S, ply)
    if outcome != ONGOING:
        return _score_of_end(outcome, ply)
    if ply >= L.MAX_PLY - 1:
        return _static_eval(W, S)
    # no line from here can be better than a mate at once, or worse than being mated now
    alpha = max(alpha, ply - L.MATE)
    beta = min(beta, L.MATE - ply - 1)
    if alpha >= beta:
        return alpha
    pv = beta - alpha > 1

    key = load64(S, H_KEY)
    data = table.probe(W, key)
    hash_move = 0
    if data != 0:
        hash_move = table.data_move(data)
        if not pv and table.data_depth(data) >= depth:
            score = table.data_score(data, ply)
            if table.settles(data, score, alpha, beta):
                return score

    standing = _NO_EVAL
    improving = False
    if check == 0:
        standing = _static_eval(W, S)
        if ply >= 2:
            before = load64(W, L.EVALS + ply - 2)
            improving = before == _NO_EVAL or standing > before
    store64(W, L.EVALS + ply, standing)

    quiet_window = not pv and check == 0 and beta < L.MATE_BOUND and beta > -L.MATE_BOUND
    if quiet_window:
        # so far ahead that a shallow search would hardly fall below beta
        margin = 80 * depth
        if improving:
            margin -= 60
        if depth <= 7 and standing - margin >= beta:
            return standing
        if depth <= 2 and standing + 260 * depth < alpha:
            value = _settle(W, S, alpha, beta, ply, out)
            if value < alpha:
                return value
        if may_null and depth >= 3 and standing >= beta:
            if call1(const64(W, L.MAKE_NULL), S) != 0:
                gain = (standing - beta) // 200
                gain = min(gain, 3)
                store64(W, L.SLOTS + ply, 0)
                store64(W, L.NULL_PLY, ply + 1)
                reduced = depth - 4 - depth // 4 - gain
                value = -recurse7(W, S, -beta, -beta + 1, reduced, ply + 1, out)
                call1(const64(W, L.UNMAKE_NULL), S)
                if load64(W, L.ABORTED) != 0:
                    return 0
                if value >= beta:
                    return value if value < L.MATE_BOUND else beta
    if hash_move == 0 and depth >= 4:
        depth -= 1  # a first look without a move to begin with is better done shallower

    n = call3(const64(W, L.GENERATE), S, PROMISING, out)
    if n == 0:
        return _score_of_end(call1(const64(W, L.NO_MOVES), S), ply)
    side = load64(S, H_SIDE)
    call5(const64(W, L.ORDER), S, out, n, W, const64(W, L.LIST_SHIFT) + out)
    rank_moves(W, S, out, n, side, ply, hash_move)

    best = -L.INFINITE
    best_move = 0
    old_alpha = alpha
    quiets = 0
    searched = 0
    beam = const64(W, L.BEAM)
    for i in range(n):
        if beam > 0 and searched >= beam and best > -L.MATE_BOUND:
            break  # while all that has been seen loses, what saves the game may still come
        move, score, slot = pick_best(W, S, out, i, n)
        quiet = (slot & TACTICAL_BIT) == 0
        if best > -L.MATE_BOUND and check == 0 and not pv:
            if quiet:
                limit = 4 + depth * depth
                if not improving:
                    limit = limit // 2 + 1
                if depth <= 7 and quiets >= limit:
                    continue
                if depth <= 6 and standing + 90 + 110 * depth <= alpha:
                    quiets += 1
                    continue
                if depth <= 5 and call3(const64(W, L.EXCHANGE), S, move, -60 * depth) == 0:
                    continue
            elif depth <= 5 and score < 0:
                if call3(const64(W, L.EXCHANGE), S, move, -110 * depth) == 0:
                    continue
        store64(W, L.SLOTS + ply, (slot & (L.HISTORY_SLOTS - 1)) + side * L.HISTORY_SLOTS)
        call2(const64(W, L.MAKE), S, move)
        turned = load64(S, H_SIDE) != side
        new_depth = depth - 1
        value = 0
        if searched == 0:
            if turned:
                value = -recurse7(W, S, -beta, -alpha, new_depth, ply + 1, out + n)
            else:
                value = recurse7(W, S, alpha, beta, new_depth, ply + 1, out + n)
        else:
            reduction = 0
            if depth >= 3 and searched >= 2 and (quiet or score < 0):
                d = select(depth < 63, depth, 63)
                m = select(searched < 63, searched, 63)
                reduction = load64(W, L.REDUCTIONS + d * 64 + m)
                if pv:
                    reduction -= 1
                if not improving:
                    reduction += 1
                if load64(S, H_CHECK) != 0:
                    reduction -= 1
                if quiet:
                    reduction -= score // 6000
                if check != 0:
                    reduction -= 1
                reduction = min(reduction, new_depth - 1)
                reduction = max(reduction, 0)
            if turned:
                value = -recurse7(W, S, -alpha - 1, -alpha, new_depth - reduction, ply + 1, out + n)
                if value > alpha and reduction > 0:
                    value = -recurse7(W, S, -alpha - 1, -alpha, new_depth, ply + 1, out + n)
                if value > alpha and value < beta:
                    value = -recurse7(W, S, -beta, -alpha, new_depth, ply + 1, out + n)
            else:
                value = recurse7(W, S, alpha, alpha + 1, new_depth - reduction, ply + 1, out + n)
                if value > alpha and reduction > 0:
                    value = recurse7(W, S, alpha, alpha + 1, new_depth, ply + 1, out + n)
                if value > alpha and value < beta:
                    value = recurse7(W, S, alpha, beta, new_depth, ply + 1, out + n)
        call1(const64(W, L.UNMAKE), S)
        searched += 1
        if load64(W, L.ABORTED) != 0:
            return 0
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                best_move = move
                if pv:
                    _extend_pv(W, ply, move)
                if value >= beta:
                    if quiet:
                        reward_quiet(W, S, out, i, side, ply, depth, move)
                    break
        if quiet:
            quiets += 1
    bound = L.UPPER
    if best >= beta:
        bound = L.LOWER
    elif best > old_alpha:
        bound = L.EXACT
    table.store(W, key, best_move, best, depth, bound, ply)
    return best


@entry(6)
def search_root(W: int, depth: int, alpha: int, beta: int, first: int, below: int) -> int:
    """One iteration over the root moves from index ``first`` on; returns the score.

    The best move is brought to index ``first`` and its line to row 0 of PV as soon as its score
    is known, so that both hold when the search is stopped. Entries before ``first`` are better
    lines already found (MultiPV). ``below`` is the ply of the root's children, 1: a literal in
    the call would make numba compile the recursion for that literal.
    """
    S = const64(W, L.STATE)
    out = load64(S, H_MOVES)
    side = load64(S, H_SIDE)
    count = load64(W, L.ROOT_COUNT)
    beam = const64(W, L.ROOT_BEAM)
    best = -L.INFINITE
    old_alpha = alpha
    store64(W, L.PV_LENGTH, 0)
    store64(W, L.EVALS, _NO_EVAL)
    if load64(S, H_CHECK) == 0:
        store64(W, L.EVALS, _static_eval(W, S))
    for i in range(first, count):
        if beam > 0 and depth > 1 and i - first >= beam and best > -L.MATE_BOUND:
            break
        move = load64(W, L.ROOT_MOVES + i)
        store64(W, L.ROOT_INDEX, i)
        store64(W, L.SLOTS, 0)
        if _count_node(W):
            return best
        call2(const64(W, L.MAKE), S, move)
        turned = load64(S, H_SIDE) != side
        value = 0
        narrow = i > first
        if narrow:
            reduction = 0
            if depth >= 4 and i - first >= 4 and load64(S, H_CHECK) == 0:
                reduction = 1
            if turned:
                value = -_search(W, S, -alpha - 1, -alpha, depth - 1 - reduction, below, out)
            else:
                value = _search(W, S, alpha, alpha + 1, depth - 1 - reduction, below, out)
        if not narrow or (value > alpha and load64(W, L.ABORTED) == 0):
            if turned:
                value = -_search(W, S, -beta, -alpha, depth - 1, below, out)
            else:
                value = _search(W, S, alpha, beta, depth - 1, below, out)
        call1(const64(W, L.UNMAKE), S)
        if load64(W, L.ABORTED) != 0:
            return best
        if depth == 1 and beam > 0:
            store64(W, L.FIRST_LOOK + 2 * i, move)
            store64(W, L.FIRST_LOOK + 2 * i + 1, value)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                _extend_pv(W, 0, move)
                store64(W, L.ROOT_SCORE, value)
                if i > first:
                    store64(W, L.BEST_CHANGES, load64(W, L.BEST_CHANGES) + 1)
                # bring the move to the front, the others keep their order
                for j in range(i, first, -1):
                    store64(W, L.ROOT_MOVES + j, load64(W, L.ROOT_MOVES + j - 1))
                store64(W, L.ROOT_MOVES + first, move)
                if value >= beta:
                    break
    if first == 0:
        bound = L.EXACT
        if best >= beta:
            bound = L.LOWER
        elif best <= old_alpha:
            bound = L.UPPER
        table.store(W, load64(S, H_KEY), load64(W, L.ROOT_MOVES), best, depth, bound, 0)
    return best
