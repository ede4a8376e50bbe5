"""Gomoku Roku's entries: what search, perft and Position call, see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import ALL, DRAWN, H_FRAME, H_SIDE, H_STOP, LOST, ONGOING, WON
from ryugi_engine.kernel.bits import bits
from ryugi_engine.kernel.jit import entry, kernel, routine
from ryugi_engine.kernel.memory import ctz, load32, load64, recurse5, shared64, store32
from ryugi_engine.kernel.stubs import kernels
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.evaluate import evaluate_position
from variants.gomoku_roku.hints import turn_score
from variants.gomoku_roku.moves import list_moves, make, publish, unmake
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.turns import circle_of, empty_circles, position_of
from variants.gomoku_roku.windows import count_stone


@kernel
def _current(S):
    return position_of(S, load64(S, H_FRAME))


@entry(1)
def refresh(S: int) -> int:
    """Count the current frame's stones after they were written from outside, and publish it."""
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
    publish(S, load64(S, H_FRAME))
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal turns of a kind, listed from ``out`` on."""
    return list_moves(S, load64(S, H_FRAME), kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn."""
    make(S, load64(S, H_FRAME), move)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last turn back."""
    unmake(S, load64(S, H_FRAME))
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move."""
    return evaluate_position(_current(S), load64(S, H_SIDE))


@entry(2)
def status(S: int, plies: int) -> int:
    """How the game has ended, for the side to move; ONGOING if it has not."""
    frame = L.FRAME(S, load64(S, H_FRAME))
    if frame.phase != PLAY:
        return ONGOING
    side = load64(S, H_SIDE)
    if frame.winner != 0:
        return WON if frame.winner == 1 + side else LOST
    if empty_circles(frame) == 0:
        return DRAWN
    if frame.hands[side] == 0:
        return LOST
    return ONGOING


@entry(1)
def no_moves(S: int) -> int:
    """Never asked: status() knows every end of the game."""
    return LOST


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed turn a score and a history slot, as 32-bit pairs.

    A stone that makes or stops a four, and every removal, is tactical; the others get hints.
    """
    position = _current(S)
    us = load64(S, H_SIDE)
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
    if depth >= 3 and shared64(S, H_STOP) != 0:
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
    """Sequences of ``depth`` legal turns from the current frame; ``out`` as in ``generate``."""
    return _perft(S, load64(S, H_FRAME), depth, bulk, out)


# No null moves: the track stone of a side that passed would stay behind, which is no loss.
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
