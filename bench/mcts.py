"""A plain Monte Carlo tree search without knowledge, as a measure of playing strength.

UCT (L. Kocsis and C. Szepesvari, 2006): playouts by random legal moves, the most visited root
move. It plays any game through its entries.
"""

from __future__ import annotations

import math

from ryugi_engine.abi import ALL, DRAWN, H_MOVES, H_SIDE, ONGOING, WON, Block, copy_state
from ryugi_engine.jit import entry, kernel, routine
from ryugi_engine.memory import add, call1, call2, call3, load32, load64, mul, shr, store64
from ryugi_engine.position import Position

GENERATE, MAKE, UNMAKE, STATUS, NO_MOVES, SEED, NODES_USED, NODES_AT = range(8)
#: Words of a node: move, visits, White's points * 2, first child, children, side that moved.
_MOVE, _VISITS, _POINTS, _FIRST, _COUNT, _MOVER = range(6)
NODE = 6
_STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX = 0xBF58476D1CE4E5B9 - (1 << 64)


@kernel
def _random(C, below):
    # splitmix64 (S. Vigna, public domain)
    state = add(load64(C, SEED), _STEP)
    store64(C, SEED, state)
    word = mul(state ^ shr(state, 30), _MIX)
    return shr(word ^ shr(word, 27), 33) % below


@kernel
def _white_points(S, outcome):
    """White's points * 2 of a finished game, told from the side to move."""
    if outcome == DRAWN:
        return 1
    white_to_move = load64(S, H_SIDE) == 0
    return 2 if (outcome == WON) == white_to_move else 0


@routine
def _playout(C, S, out):
    """Random moves to the end; White's points * 2."""
    depth = 0
    points = 1
    while True:
        outcome = call2(load64(C, STATUS), S, depth)
        n = 0
        if outcome == ONGOING:
            n = call3(load64(C, GENERATE), S, ALL, out)
            if n == 0:
                outcome = call1(load64(C, NO_MOVES), S)
        if n == 0:
            points = _white_points(S, outcome)
            break
        call2(load64(C, MAKE), S, load32(S, out + _random(C, n)))
        depth += 1
    for _ in range(depth):
        call1(load64(C, UNMAKE), S)
    return points


@kernel
def _best_child(C, node):
    base = load64(C, NODES_AT)
    first = load64(base, node + _FIRST)
    log = math.log(load64(base, node + _VISITS) + 1.0)
    best = first
    top = -1.0
    for i in range(load64(base, node + _COUNT)):
        child = first + i * NODE
        visits = load64(base, child + _VISITS)
        if visits == 0:
            return child
        mean = load64(base, child + _POINTS) / (2.0 * visits)
        if load64(base, child + _MOVER) == 1:
            mean = 1.0 - mean
        value = mean + math.sqrt(1.4 * log / visits)
        if value > top:
            top = value
            best = child
    return best


@entry(3)
def _run(C: int, S: int, playouts: int) -> int:
    """Search; returns the most visited move."""
    base = load64(C, NODES_AT)
    out = load64(S, H_MOVES)
    path = 1 << 20  # words behind the nodes, see choose()
    for _ in range(playouts):
        node = 0
        depth = 0
        outcome = call2(load64(C, STATUS), S, depth)
        while outcome == ONGOING:
            if load64(base, node + _COUNT) == 0:
                if load64(base, node + _VISITS) == 0 and node != 0:
                    break
                used = load64(C, NODES_USED)
                n = call3(load64(C, GENERATE), S, ALL, out)
                if n == 0:
                    outcome = call1(load64(C, NO_MOVES), S)
                    break
                if (used + n) * NODE >= path:
                    break
                store64(base, node + _FIRST, used * NODE)
                store64(base, node + _COUNT, n)
                side = load64(S, H_SIDE)
                for i in range(n):
                    child = (used + i) * NODE
                    store64(base, child + _MOVE, load32(S, out + i))
                    store64(base, child + _MOVER, side)
                store64(C, NODES_USED, used + n)
            node = _best_child(C, node)
            store64(base, path + depth, node)
            depth += 1
            call2(load64(C, MAKE), S, load64(base, node + _MOVE))
            outcome = call2(load64(C, STATUS), S, depth)
        points = 0
        if outcome == ONGOING:
            points = _playout(C, S, out)
        else:
            points = _white_points(S, outcome)
        store64(base, _VISITS, load64(base, _VISITS) + 1)
        for i in range(depth):
            child = load64(base, path + i)
            store64(base, child + _VISITS, load64(base, child + _VISITS) + 1)
            store64(base, child + _POINTS, load64(base, child + _POINTS) + points)
            call1(load64(C, UNMAKE), S)
    first = load64(base, _FIRST)
    best = first
    for i in range(load64(base, _COUNT)):
        if load64(base, first + i * NODE + _VISITS) > load64(base, best + _VISITS):
            best = first + i * NODE
    return load64(base, best + _MOVE)


class MonteCarlo:
    """A player of so many playouts a move."""

    def __init__(self, playouts: int, seed: int) -> None:
        self.playouts = playouts
        self._control = Block(16)
        self._control.words[SEED] = seed

    def choose(self, position: Position) -> int:
        """A move of the position as a code."""
        nodes = Block((1 << 20) + 1024)
        kernels = position.kernels
        self._control.words[:5] = [
            entry_.address
            for entry_ in (
                kernels.generate,
                kernels.make,
                kernels.unmake,
                kernels.status,
                kernels.no_moves,
            )
        ]
        self._control.words[NODES_USED] = 1
        self._control.words[NODES_AT] = nodes.address
        state = copy_state(position.state)
        return _run(self._control.address, state.address, self.playouts)
