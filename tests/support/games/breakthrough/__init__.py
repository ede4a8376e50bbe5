"""Breakthrough, on 8x8 squares: who reaches the other side first, by D. Troyka."""

from __future__ import annotations

from ryugi_engine.simple_game import (
    LOST,
    ONGOING,
    TACTICAL_SCORE,
    Board,
    Pieces,
    add_move,
    choose,
    define,
    first,
    kernel,
    one,
    second,
)

BOARD = Board(8, 8)
SQUARES = BOARD.where(lambda file, rank: True)
FIRST = BOARD.where(lambda file, rank: rank == 0)
LAST = BOARD.where(lambda file, rank: rank == 7)
NORTH, SOUTH = BOARD.shift(0, 1), BOARD.shift(0, -1)
EAST, WEST = BOARD.shift(1, 0), BOARD.shift(-1, 0)


@kernel
def goal(us):
    """Return the rank that a side wants to reach."""
    return choose(us == 0, LAST(), FIRST())


@kernel
def list_steps(found, targets, step):
    """Add the moves by ``step`` squares to ``targets``."""
    while targets:
        to, targets = targets.pop()
        add_move(found, to - step, to)


def moves(p, found):
    """Add the legal moves: straight ahead to empty squares, aside also with capture."""
    us = p.side
    own, enemy = p.pawns[us], p.pawns[1 - us]
    front = choose(us == 0, NORTH(own), SOUTH(own))
    straight = front & ~(own | enemy)
    aside = SQUARES() & ~own
    if found.tactical:
        straight &= goal(us)
        aside &= enemy | goal(us)
    up = 8 - 16 * us
    list_steps(found, straight, up)
    list_steps(found, WEST(front) & aside, up - 1)
    list_steps(found, EAST(front) & aside, up + 1)


def play(p, move):
    """Move the piece, and capture what is there."""
    us = p.side
    to = one(second(move))
    p.pawns[us] = (p.pawns[us] ^ one(first(move))) | to
    p.pawns[1 - us] &= ~to


def result(p):
    """Return LOST if the other side has arrived or this one has no piece left."""
    us = p.side
    if p.pawns[1 - us] & goal(1 - us) or not p.pawns[us]:
        return LOST
    return ONGOING


PIECE = 100
STEP = 6  # centipawns for every rank that a piece has advanced


@kernel
def choose_rank(us, rank):
    """Return how many ranks a piece has advanced."""
    return 7 - rank if us == 1 else rank


def worth(p, us):
    """Return the score of a side's pieces, in centipawns."""
    pawns = p.pawns[us]
    score = PIECE * pawns.count()
    while pawns:
        square, pawns = pawns.pop()
        rank = square >> 3
        score += STEP * choose_rank(us, rank)
    return score


def hint(p, move):
    """Score a move by the rank that it reaches; captures and arrivals are tactical."""
    us, to = p.side, second(move)
    score = 100 * choose_rank(us, to >> 3)
    if one(to) & (p.pawns[1 - us] | goal(us)):
        score += TACTICAL_SCORE
    return score


games = define(
    __name__,
    title="Breakthrough",
    board=BOARD,
    start="pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
    fields={"pawns": Pieces("P")},
    pieces={"P": "fmWfF"},
    longest=224,
    inputs=["pawns"],
    draws=False,
)
