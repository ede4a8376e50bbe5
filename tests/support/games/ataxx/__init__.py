"""Ataxx, on 7x7 squares: pieces spread or jump, and turn over their new neighbours."""

from __future__ import annotations

from ryugi_engine.simple_game import (
    DRAWN,
    LOST,
    ONGOING,
    WON,
    Board,
    Counter,
    Hand,
    Neutral,
    Pieces,
    add_drop,
    add_move,
    add_pass,
    define,
    first,
    is_drop,
    is_pass,
    kernel,
    one,
    second,
)

BOARD = Board(7, 7)
ALL = BOARD.where(lambda file, rank: True)
NORTH, SOUTH = BOARD.shift(0, 1), BOARD.shift(0, -1)
EAST, WEST = BOARD.shift(1, 0), BOARD.shift(-1, 0)


@kernel
def around(squares):
    """Return the squares at a distance of one at most."""
    row = squares | EAST(squares) | WEST(squares)
    return row | NORTH(row) | SOUTH(row)


def moves(p, found):
    """Add drops next to own pieces, jumps over two squares; a pass if there are neither."""
    own = p.pieces[p.side]
    empty = ALL() & ~(own | p.pieces[1 - p.side] | p.walls)
    near = around(own) & empty
    passes = 1
    while near:
        to, near = near.pop()
        add_drop(found, 0, to)
        passes = 0
    while own:
        origin, own = own.pop()
        beside = around(one(origin))
        far = around(beside) & ~beside & empty
        while far:
            to, far = far.pop()
            add_move(found, origin, to)
            passes = 0
    if passes:
        add_pass(found)


def play(p, move):
    """Put a piece on the target, and turn over what is around it."""
    us = p.side
    p.clock += 1
    if not is_pass(move):
        jumps = not is_drop(move)
        target = second(move) if jumps else first(move)
        own = p.pieces[us]
        if jumps:
            own ^= one(first(move))
        else:
            p.clock = 0
        turned = around(one(target)) & p.pieces[1 - us]
        p.pieces[us] = own | one(target) | turned
        p.pieces[1 - us] &= ~turned


@kernel
def by_count(p):
    """Return the result for the side with more pieces."""
    difference = p.pieces[p.side].count() - p.pieces[1 - p.side].count()
    if difference == 0:
        return DRAWN
    return WON if difference > 0 else LOST


def result(p):
    """The game ends when a side has no piece, neither can move, or after 100 plies of jumps."""
    own, enemy = p.pieces[p.side], p.pieces[1 - p.side]
    if not own:
        return LOST
    if not enemy:
        return WON
    if p.clock >= 100:
        return DRAWN
    reach = around(around(own | enemy)) & ALL() & ~(own | enemy | p.walls)
    return ONGOING if reach else by_count(p)


def worth(p, us):
    """Return a score for every piece."""
    return 100 * p.pieces[us].count()


def hint(p, move):
    """Try the moves first that turn over most; spreading before jumping."""
    if is_pass(move):
        return 0
    jumps = not is_drop(move)
    target = second(move) if jumps else first(move)
    turned = around(one(target)) & p.pieces[1 - p.side]
    return 1000 * turned.count() + (0 if jumps else 500)


games = define(
    __name__,
    title="Ataxx",
    board=BOARD,
    start="P5p/7/7/7/7/7/p5P[Pp] w 0 - 0 1",
    fields={
        "pieces": Pieces("P"),
        "walls": Neutral("W"),
        "stock": Hand("P", 1),
        "clock": Counter(100),
    },
    pieces={"P": "mNmAmD"},
    pocket=1,
    captures=True,
    inputs=["pieces", "walls", "clock"],
)
