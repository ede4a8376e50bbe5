"""Hex, on 11x11 cells without the swap: White joins the lower and upper edge, Black the others."""

from __future__ import annotations

from ryugi_engine.simple_game import (
    LOST,
    ONGOING,
    Board,
    Hand,
    Pieces,
    add_drop,
    choose,
    define,
    first,
    kernel,
    one,
)

BOARD = Board(11, 11)
ALL = BOARD.where(lambda file, rank: True)
BOTTOM = BOARD.where(lambda file, rank: rank == 0)
TOP = BOARD.where(lambda file, rank: rank == 10)
LEFT = BOARD.where(lambda file, rank: file == 0)
RIGHT = BOARD.where(lambda file, rank: file == 10)
NORTH, SOUTH, EAST, WEST = (BOARD.shift(*step) for step in ((0, 1), (0, -1), (1, 0), (-1, 0)))
NORTHWEST, SOUTHEAST = BOARD.shift(-1, 1), BOARD.shift(1, -1)
FAR = 60


@kernel
def neighbours(cells):
    """Return the cells adjacent to some cells."""
    straight = NORTH(cells) | SOUTH(cells) | EAST(cells) | WEST(cells)
    return straight | NORTHWEST(cells) | SOUTHEAST(cells)


@kernel
def grown(cells, within):
    """Return all cells of ``within`` that hang together with some cells."""
    new = cells & within
    all_ = new
    while new:
        new = neighbours(new) & within & ~all_
        all_ = all_ | new
    return all_


@kernel
def missing(p, us):
    """Return how many stones a side needs to join its edges; FAR if it cannot any more."""
    own = p.stones[us]
    free = ALL() & ~(own | p.stones[1 - us])
    goal = choose(us == 0, TOP(), RIGHT())
    edge = choose(us == 0, BOTTOM(), LEFT())
    reached = grown(edge & own, own)
    count = 0
    front = edge & free
    while not reached & goal and count < FAR:
        more = (neighbours(reached) | front) & free & ~reached
        count = count + 1 if more else FAR
        reached = reached | more
        reached = reached | grown(neighbours(reached) & own, own)
    return count


def moves(p, found):
    """Add a drop on every empty cell."""
    cells = ALL() & ~(p.stones[0] | p.stones[1])
    while cells:
        to, cells = cells.pop()
        add_drop(found, 0, to)


def play(p, move):
    """Put a stone on the cell."""
    p.stones[p.side] |= one(first(move))
    p.stock[p.side] -= 1


def result(p):
    """The side that has not moved last has lost when the other one's edges are joined."""
    them = 1 - p.side
    edge = choose(them == 0, BOTTOM(), LEFT()) & p.stones[them]
    goal = choose(them == 0, TOP(), RIGHT())
    return LOST if grown(edge, p.stones[them]) & goal else ONGOING


def worth(p, us):
    """Return a score for the stones that are missing."""
    return -100 * missing(p, us)


def hint(p, move):
    """Try cells next to stones first."""
    near = neighbours(p.stones[0] | p.stones[1]) & one(first(move))
    return 100 if near else 0


games = define(
    __name__,
    title="Hex",
    board=BOARD,
    start=f"{'/'.join(['11'] * 11)}[{'S' * 61}{'s' * 61}] w - - 0 1",
    fields={"stones": Pieces("S"), "stock": Hand("S", 61)},
    longest=121,
    draws=False,
    bench_depth=4,
)
