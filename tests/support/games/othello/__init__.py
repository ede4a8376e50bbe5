"""Othello, on 8x8 squares: discs that enclose others turn them over; Black moves first."""

from __future__ import annotations

from ryugi_engine.simple_game import (
    DRAWN,
    LOST,
    TACTICAL_SCORE,
    WON,
    Board,
    Hand,
    Pieces,
    add_drop,
    add_pass,
    define,
    first,
    is_pass,
    kernel,
    one,
)

BOARD = Board(8, 8)
ALL = BOARD.where(lambda file, rank: True)
CORNERS = BOARD.where(lambda file, rank: file in (0, 7) and rank in (0, 7))
BESIDE = BOARD.where(lambda file, rank: file in (1, 6) and rank in (1, 6))
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
N, NE, E, SE, S, SW, W, NW = (BOARD.shift(*step) for step in STEPS)
RN, RNE, RE, RSE, RS, RSW, RW, RNW = (BOARD.slide(*step) for step in STEPS)


@kernel
def targets(own, enemy):
    """Return the empty squares where a disc of ``own`` encloses some of ``enemy``."""
    found = N(RN(own, enemy)) | S(RS(own, enemy)) | E(RE(own, enemy)) | W(RW(own, enemy))
    found |= NE(RNE(own, enemy)) | SE(RSE(own, enemy))
    found |= NW(RNW(own, enemy)) | SW(RSW(own, enemy))
    return found & ALL() & ~(own | enemy)


def enclosed(step, slide):
    """Return a kernel: the discs of ``enemy`` that a disc on ``to`` encloses in a direction."""

    def turned(to, own, enemy):
        run = slide(to, enemy)
        return run if step(run) & own else run & ~run

    return kernel(turned)


FN, FNE, FE, FSE = enclosed(N, RN), enclosed(NE, RNE), enclosed(E, RE), enclosed(SE, RSE)
FS, FSW, FW, FNW = enclosed(S, RS), enclosed(SW, RSW), enclosed(W, RW), enclosed(NW, RNW)


def moves(p, found):
    """Add a drop for every square that encloses discs; a pass if only the other side can."""
    own, enemy = p.discs[p.side], p.discs[1 - p.side]
    squares = targets(own, enemy)
    if not squares and targets(enemy, own):
        add_pass(found)
    while squares:
        to, squares = squares.pop()
        add_drop(found, 0, to)


def play(p, move):
    """Drop a disc and turn over what it encloses."""
    us = p.side
    if not is_pass(move):
        own, enemy = p.discs[us], p.discs[1 - us]
        to = one(first(move))
        turned = FN(to, own, enemy) | FS(to, own, enemy) | FE(to, own, enemy) | FW(to, own, enemy)
        turned |= FNE(to, own, enemy) | FSE(to, own, enemy)
        turned |= FNW(to, own, enemy) | FSW(to, own, enemy)
        p.discs[us] = own | to | turned
        p.discs[1 - us] = enemy & ~turned
        giver = us if p.stock[us] else 1 - us
        p.stock[giver] -= 1


def no_moves(p):
    """When neither side can move, the side with more discs has won."""
    difference = p.discs[p.side].count() - p.discs[1 - p.side].count()
    if difference == 0:
        return DRAWN
    return WON if difference > 0 else LOST


def worth(p, us):
    """Return the score of corners, mobility and the squares next to the corners."""
    own, enemy = p.discs[us], p.discs[1 - us]
    score = 300 * (own & CORNERS()).count() + 20 * targets(own, enemy).count()
    return score - 60 * (own & BESIDE()).count()


def hint(p, move):
    """Try corners first."""
    if is_pass(move):
        return 0
    to = one(first(move))
    return TACTICAL_SCORE if to & CORNERS() else 0 if to & BESIDE() else 100


games = define(
    __name__,
    title="Othello",
    board=BOARD,
    start=f"8/8/8/3sS3/3Ss3/8/8/8[{'S' * 30}{'s' * 30}] b - - 0 1",
    fields={"discs": Pieces("S"), "stock": Hand("S", 60)},
    longest=120,
    captures=True,
)
