"""A whole game of self-play in one kernel call: random opening, searches, records.

Nothing is left from one game to the next. A game depends on its start, its seed and the numbers in
:data:`PLAY` alone.
"""

from __future__ import annotations

from ryugi_engine.games.training import RECORD
from ryugi_engine.kernel.abi import ALL, DRAWN, ONGOING, WON
from ryugi_engine.kernel.calls import generate, header, make, move_buffer, no_moves, order, status
from ryugi_engine.kernel.hashing import GOLDEN_RATIO, mix
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import add, call3, call6, shr
from ryugi_engine.kernel.views import Layout, i64
from ryugi_engine.search import layout as L
from ryugi_engine.search.aspiration import first_window, holds, widened
from ryugi_engine.search.saturation import unsaturated

#: A game's settings, set by Python, and its result.
PLAY = Layout(
    "play",
    worker=i64,  # address of the search's block
    search=i64,  # address of search_root
    record=i64,  # address of the game's entry that writes a record
    random=i64,  # state of the random numbers
    soft_nodes=i64,  # no new iteration after so many
    deepest=i64,  # plies of the last iteration
    opening=i64,  # random plies to begin with
    even=i64,  # centipawns: an opening whose first score is beyond is decided, its game void
    decided=i64,  # centipawns: beyond for so many plies the game is won
    decided_plies=i64,
    bounded=i64,  # centipawns: positions beyond are not recorded
    undecided=i64,  # centipawns: a game without progress is a draw if its score is within
    longest=i64,  # plies; a longer game is a draw
    game=i64,
    out=i64,  # address of the block for records
    record_words=i64,
    capacity=i64,  # records that it holds
    # told
    records=i64,
    plies=i64,  # after the random ones
    result=i64,  # for White: 1 won, 0 drawn, -1 lost
    searches=i64,
    nodes=i64,
)
#: Largest halfmove clock of a position to learn from: beyond, games scale evaluations towards the
#: draw by the move rule, outside the net.
MAX_CLOCK = 20
#: Plies without progress after which an undecided game is a draw: nothing is learnt from them.
_NO_PROGRESS = 60
#: What :func:`play` answers; a game is void that is over, or decided, too soon.
PLAYED, VOID, STOPPED = range(3)

_MOVE_SCORES = L.WORKER.word("move_scores")


@kernel
def _draw(g, count):
    """Return a random number below ``count``: splitmix64 (G. Steele, D. Lea, C. Flood 2014)."""
    g.random = add(g.random, GOLDEN_RATIO)
    return shr(mix(g.random), 33) % count


@kernel
def _aspiration_search(g, w, depth, score):
    """Search the root moves to a depth with a window that is widened until it holds the value."""
    window = first_window(depth, score)
    while True:
        value = call6(g.search, g.worker, depth, window.alpha, window.beta, 0, 1)
        if w.aborted != 0 or holds(window, value):
            return value
        window = widened(window, value)


@routine
def _think(G):
    """Search the current position, whose root moves are listed; the first one's centipawns."""
    g = PLAY(G)
    w = L.WORKER(g.worker)
    w.nodes = 0
    w.aborted = 0
    w.seldepth = 0
    w.best_changes = 0
    w.qsearch_limit = L.QSEARCH_NODES
    for ply in range(L.MAX_PLY):
        w.killers[ply][0] = 0
        w.killers[ply][1] = 0
    for side in range(2):
        for slot in range(L.HISTORY_SLOTS):
            w.history[side][slot] = w.history[side][slot] >> 1
    score = 0
    for depth in range(1, g.deepest + 1):
        w.pv_length[0] = 0
        value = _aspiration_search(g, w, depth, score)
        if w.aborted != 0:
            if w.pv_length[0] > 0:
                score = w.root_score
            break
        score = value
        if w.nodes >= g.soft_nodes or abs(score) > L.MATE_BOUND:
            break
    g.searches += 1
    g.nodes += w.nodes
    return unsaturated(score, w.root_args.saturation)


@kernel
def _is_quiet(w, move):
    """Return whether a move is not tactical."""
    move_buffer(w).move[0] = move
    order(w, 0, 1, w.root_args.block, _MOVE_SCORES)
    return w.move_scores[0].score < L.TACTICAL_SCORE


@kernel
def _written(g, w, ply, score):
    """Write the position to the block as its next record, and return that; it is not kept yet."""
    word = g.records * g.record_words
    record = RECORD(g.out, word)
    record.game = g.game
    record.ply = ply
    record.score = score
    call3(g.record, w.game.state, g.out, word)
    return record


@kernel
def _begin(g):
    g.records = 0
    g.plies = 0
    g.result = 0
    g.searches = 0
    g.nodes = 0


@kernel
def _list_roots(w):
    """List the legal moves for the search; how many there are, or more than ROOT_LIMIT."""
    count = generate(w, ALL, 0)
    w.root_count = min(count, L.ROOT_LIMIT)
    for i in range(w.root_count):
        w.root_moves[i] = move_buffer(w).move[i]
    return count


@kernel
def _outcome(w):
    """Return ONGOING, with the moves listed for the search, or how the game has ended."""
    outcome = status(w, 0)
    if outcome == ONGOING:
        count = _list_roots(w)
        if count == 0:
            outcome = no_moves(w)
        elif count > L.ROOT_LIMIT:
            outcome = DRAWN  # no side can play on
    return outcome


@kernel
def _for_white(w, outcome):
    """Return 1, 0 or -1: White's result."""
    if outcome == DRAWN:
        return 0
    return 1 if (outcome == WON) == (header(w).side == 0) else -1


@kernel
def _decided(g, run, white):
    """Return for how many plies White has been winning (negative: Black), given White's score."""
    if white > g.decided:
        return max(run, 0) + 1
    if white < -g.decided:
        return min(run, 0) - 1
    return 0


@entry(1, late=True)
def play(G: int) -> int:
    """Play a game from the state's position; PLAYED, VOID or STOPPED."""
    g = PLAY(G)
    w = L.WORKER(g.worker)
    position = header(w)
    _begin(g)
    for _ in range(g.opening):
        if _outcome(w) != ONGOING:
            return VOID
        make(w, w.root_moves[_draw(g, w.root_count)])
    run = 0
    while True:
        outcome = _outcome(w)
        if outcome != ONGOING:
            g.result = _for_white(w, outcome)
            break
        if g.plies >= g.longest:
            break
        score = _think(G)
        if L.CONTROL(w.root_args.control).stop != 0:
            return STOPPED
        if g.plies == 0 and abs(score) > g.even:
            return VOID
        run = _decided(g, run, score if position.side == 0 else -score)
        if abs(run) >= g.decided_plies:
            g.result = 1 if run > 0 else -1
            break
        move = w.root_moves[0]
        clock = _written(g, w, g.opening + g.plies, score).clock
        if clock >= _NO_PROGRESS and abs(score) < g.undecided:
            break
        if position.check == 0 and abs(score) <= g.bounded and clock <= MAX_CLOCK:
            if g.records + 1 < g.capacity and _is_quiet(w, move):
                g.records += 1
        make(w, move)
        g.plies += 1
    for number in range(g.records):
        record = RECORD(g.out, number * g.record_words)
        record.result = g.result if record.side == 0 else -g.result
    return PLAYED


@entry(3, late=True)
def duel(G: int, H: int, first: int) -> int:
    """Play a game of two players, each with a search and a state of its own; as :func:`play`.

    G plays White if ``first`` is 0, else Black. The result and the plies are in G.
    """
    g = PLAY(G)
    h = PLAY(H)
    w = L.WORKER(g.worker)
    v = L.WORKER(h.worker)
    _begin(g)
    _begin(h)
    for _ in range(g.opening):
        if _outcome(w) != ONGOING:
            return VOID
        move = w.root_moves[_draw(g, w.root_count)]
        make(w, move)
        make(v, move)
    run = 0
    while True:
        outcome = _outcome(w)
        if outcome != ONGOING:
            g.result = _for_white(w, outcome)
            break
        if g.plies >= g.longest:
            break
        side = header(w).side
        if side == first:
            score = _think(G)
            move = w.root_moves[0]
        else:
            _list_roots(v)
            score = _think(H)
            move = v.root_moves[0]
        if L.CONTROL(w.root_args.control).stop != 0 or L.CONTROL(v.root_args.control).stop != 0:
            return STOPPED
        if g.plies == 0 and abs(score) > g.even:
            return VOID
        run = _decided(g, run, score if side == 0 else -score)
        if abs(run) >= g.decided_plies:
            g.result = 1 if run > 0 else -1
            break
        make(w, move)
        make(v, move)
        g.plies += 1
    return PLAYED
