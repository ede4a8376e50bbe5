"""The Game of the Amazons, on 6x6 squares: a queen moves, then shoots an arrow that stays."""

from __future__ import annotations

from ryugi_engine.simple_game import (
    Board,
    Neutral,
    Pieces,
    add_legs,
    define,
    first,
    kernel,
    one,
    second,
    third,
)

BOARD = Board(6, 6)
ALL = BOARD.where(lambda file, rank: True)
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
E, NE, N, NW, W, SW, S, SE = (BOARD.slide(*step) for step in STEPS)
STEP_E, STEP_W = BOARD.shift(1, 0), BOARD.shift(-1, 0)
STEP_N, STEP_S = BOARD.shift(0, 1), BOARD.shift(0, -1)


@kernel
def reach(squares, empty):
    """Return the squares that a queen's move reaches."""
    straight = E(squares, empty) | N(squares, empty) | W(squares, empty) | S(squares, empty)
    slanted = NE(squares, empty) | NW(squares, empty) | SW(squares, empty) | SE(squares, empty)
    return straight | slanted


def moves(p, found):
    """Add every move of a queen with every shot from where it stands then."""
    queens = p.queens[p.side]
    empty = ALL() & ~(queens | p.queens[1 - p.side] | p.arrows)
    while queens:
        origin, queens = queens.pop()
        targets = reach(one(origin), empty)
        while targets:
            to, targets = targets.pop()
            shots = reach(one(to), empty | one(origin))
            while shots:
                then, shots = shots.pop()
                add_legs(found, origin, to, then)


def play(p, move):
    """Move the queen, and put the arrow."""
    p.queens[p.side] ^= one(first(move)) | one(second(move))
    p.arrows |= one(third(move))


def worth(p, us):
    """Return a score for the squares that the queens reach in one and in two moves."""
    empty = ALL() & ~(p.queens[0] | p.queens[1] | p.arrows)
    near = reach(p.queens[us], empty)
    return 10 * near.count() + 6 * reach(near | p.queens[us], empty).count()


def hint(p, move):
    """Try arrows next to the other side's queens first."""
    queens = p.queens[1 - p.side]
    row = queens | STEP_E(queens) | STEP_W(queens)
    return 100 * ((row | STEP_N(row) | STEP_S(row)) & one(third(move))).count()


games = define(
    __name__,
    title="Amazons 6x6",
    board=BOARD,
    start="2q3/6/q5/5Q/6/3Q2 w - - 0 1",
    fields={"queens": Pieces("Q"), "arrows": Neutral("A")},
    pieces={"Q": "Q"},
    longest=32,
    legs=True,
    draws=False,
    bench_depth=3,
)
