"""Gomoku Roku's entries, called by search, perft and Position; see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, DRAWN, HEADER, LOST, ONGOING, WON
from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.defaults import kernels
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import ctz, load32, recurse5, store32
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.evaluate import evaluate_position
from variants.gomoku_roku.moves import list_moves, make, publish, unmake
from variants.gomoku_roku.ordering import turn_score
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.turns import circle_of, empty_circles, position_of
from variants.gomoku_roku.windows import count_stone


@kernel
def _current(S):
    return position_of(S, HEADER(S).frame)


@entry(1)
def refresh(S: int) -> int:
    """Recompute the current frame from its stones, and publish it; for Python."""
    position = _current(S)
    frame = position.frame
    for window in range(L.WINDOWS):
        position.counters[window] = 0
    frame.score = 0
    for side in range(2):
        frame.fours[side] = bits(0, 0)
    for side in range(2):
        stones = frame.stones[side]
        while stones != 0:
            count_stone(position, ctz(stones), side, 1)
            stones &= stones - 1
    publish(S, HEADER(S).frame)
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal turns from ``out`` on; return their number. ``kind``: ALL or TACTICAL."""
    return list_moves(S, HEADER(S).frame, kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn."""
    make(S, HEADER(S).frame, move)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Unmake the last turn."""
    unmake(S, HEADER(S).frame)
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    return evaluate_position(_current(S), HEADER(S).side)


@entry(2)
def status(S: int, plies: int) -> int:
    """Return WON, LOST or DRAWN for the side to move, ONGOING if the game goes on."""
    frame = L.FRAME(S, HEADER(S).frame)
    if frame.phase != PLAY:
        return ONGOING
    side = HEADER(S).side
    if frame.winner != 0:
        return WON if frame.winner == 1 + side else LOST
    if empty_circles(frame) == 0:
        return DRAWN
    if frame.hands[side] == 0:
        return LOST
    return ONGOING


@entry(1)
def no_moves(S: int) -> int:
    """Return LOST; never called, since status() recognises every end of the game."""
    return LOST


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write score and history slot of each listed turn as 32-bit pairs.

    Stones that make or stop a four, and removals, are tactical.
    """
    position = _current(S)
    us = HEADER(S).side
    playing = position.frame.phase == PLAY
    for i in range(n):
        move = load32(S, moves + i)
        score = 0
        if playing:
            score = turn_score(position, us, move)
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, circle_of(move))
    return 0


@routine
def _perft(S, f, depth, bulk, out):
    if depth >= 3 and HEADER(S).stop != 0:
        return 0
    n = list_moves(S, f, ALL, out)
    if depth == 1 and bulk != 0:
        return n
    total = 0
    for i in range(n):
        make(S, f, load32(S, out + i))
        if depth == 1:
            total += 1
        else:
            total += recurse5(S, f + L.FRAME_WORDS, depth - 1, bulk, out + n)
        unmake(S, f + L.FRAME_WORDS)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Return the number of sequences of ``depth`` legal turns; ``out`` as in ``generate``."""
    return _perft(S, HEADER(S).frame, depth, bulk, out)


# no null moves: the side that passes keeps its track stone back, which is no disadvantage
KERNELS = kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    evaluate=evaluate,
    status=status,
    no_moves=no_moves,
    order=order,
    perft=perft,
)
