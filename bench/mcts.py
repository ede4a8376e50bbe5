"""A plain Monte Carlo tree search without knowledge, as a measure of playing strength.

UCT (L. Kocsis and C. Szepesvari, 2006): playouts by random legal moves, the most visited root
move. It plays any game through its entries.
"""

from __future__ import annotations

import math

from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import ALL, DRAWN, HEADER, ONGOING, WON, copy_state
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import add, call1, call2, call3, load32, mul, shr
from ryugi_engine.kernel.views import Layout, i64

#: A player: addresses of a game's entries and of its tree, and what it has come to.
CONTROL = Layout(
    "control",
    generate=i64,
    make=i64,
    unmake=i64,
    status=i64,
    no_moves=i64,
    tree=i64,
    seed=i64,
    used=i64,  # nodes
)
_NODES, _PATH = (1 << 20) // 6, 1024
_NODE = Layout(
    "node",
    align=8,
    move=i64,
    visits=i64,
    points=i64,  # White's, twice
    first=i64,  # child
    children=i64,
    mover=i64,  # side that moved
)
TREE = Layout("tree", node=_NODE[_NODES], path=i64[_PATH])
_STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX = 0xBF58476D1CE4E5B9 - (1 << 64)


@kernel
def _random(control, below):
    # splitmix64 (S. Vigna, public domain)
    state = add(control.seed, _STEP)
    control.seed = state
    word = mul(state ^ shr(state, 30), _MIX)
    return shr(word ^ shr(word, 27), 33) % below


@kernel
def _white_points(S, outcome):
    """White's points * 2 of a finished game, from the side to move's point of view."""
    if outcome == DRAWN:
        return 1
    white_to_move = HEADER(S).side == 0
    return 2 if (outcome == WON) == white_to_move else 0


@routine
def _playout(control, S, out):
    """Random moves to the end; White's points * 2."""
    depth = 0
    points = 1
    while True:
        outcome = call2(control.status, S, depth)
        n = 0
        if outcome == ONGOING:
            n = call3(control.generate, S, ALL, out)
            if n == 0:
                outcome = call1(control.no_moves, S)
        if n == 0:
            points = _white_points(S, outcome)
            break
        call2(control.make, S, load32(S, out + _random(control, n)))
        depth += 1
    for _ in range(depth):
        call1(control.unmake, S)
    return points


@kernel
def _best_child(tree, node):
    """UCB1, in millionths: kernels have no '/'."""
    first = node.first
    spread = int(1.4e12 * math.log(node.visits + 1.0))
    best = first
    top = -1.0
    for at in range(first, first + node.children):
        child = tree.node[at]
        if child.visits == 0:
            return at
        mean = child.points * 500_000 // child.visits
        if child.mover == 1:
            mean = 1_000_000 - mean
        value = mean + math.sqrt(float(spread // child.visits))
        if value > top:
            top = value
            best = at
    return best


@kernel
def _expand(control, tree, node, S, out, n):
    """Give a node its children, of the ``n`` moves listed."""
    node.first = control.used
    node.children = n
    side = HEADER(S).side
    for i in range(n):
        child = tree.node[control.used + i]
        child.move = load32(S, out + i)
        child.mover = side
    control.used += n


@entry(3)
def _run(C: int, S: int, playouts: int) -> int:
    """Search; returns the most visited move."""
    control = CONTROL(C)
    tree = TREE(control.tree)
    root = tree.node[0]
    out = HEADER(S).moves
    for _ in range(playouts):
        node = root
        depth = 0
        outcome = call2(control.status, S, depth)
        while outcome == ONGOING:
            if node.children == 0:
                if node.visits == 0 and depth != 0:
                    break
                n = call3(control.generate, S, ALL, out)
                if n == 0:
                    outcome = call1(control.no_moves, S)
                    break
                if control.used + n > _NODES:
                    break
                _expand(control, tree, node, S, out, n)
            at = _best_child(tree, node)
            node = tree.node[at]
            tree.path[depth] = at
            depth += 1
            call2(control.make, S, node.move)
            outcome = call2(control.status, S, depth)
        points = 0
        if outcome == ONGOING:
            points = _playout(control, S, out)
        else:
            points = _white_points(S, outcome)
        root.visits += 1
        for i in range(depth):
            passed = tree.node[tree.path[i]]
            passed.visits += 1
            passed.points += points
            call1(control.unmake, S)
    best = root.first
    for at in range(root.first, root.first + root.children):
        if tree.node[at].visits > tree.node[best].visits:
            best = at
    return tree.node[best].move


class MonteCarlo:
    """A player of so many playouts a move."""

    def __init__(self, playouts: int, seed: int) -> None:
        self.playouts = playouts
        self._block = Block(CONTROL.words)
        self._control = CONTROL.of(self._block)
        self._control["seed"] = seed

    def choose(self, position: Position) -> int:
        """A move of the position as a code."""
        tree = Block(TREE.words)
        kernels = position.kernels
        control = self._control
        control["generate"] = kernels.generate.address
        control["make"] = kernels.make.address
        control["unmake"] = kernels.unmake.address
        control["status"] = kernels.status.address
        control["no_moves"] = kernels.no_moves.address
        control["used"] = 1
        control["tree"] = tree.address
        state = copy_state(position.state)
        return _run(self._block.address, state.address, self.playouts)
