"""Gomoku Roku's entries: what search, perft and Position call, see ``ryugi_engine.abi``."""

from __future__ import annotations

from ryugi_engine.abi import ALL, DRAWN, H_FRAME, H_SIDE, H_STOP, LOST, ONGOING, WON, Kernels
from ryugi_engine.jit import entry, routine
from ryugi_engine.memory import ctz, load32, load64, recurse6, shared64, store8, store32, store64
from variants.gomoku_roku import layout as L
from variants.gomoku_roku.evaluate import evaluate_position
from variants.gomoku_roku.hints import move_score
from variants.gomoku_roku.moves import list_moves, make, publish, unmake
from variants.gomoku_roku.text import PLAY
from variants.gomoku_roku.windows import count_stone

_BYTES = L.COUNTERS * 8


@entry(1)
def refresh(S: int) -> int:
    """Count the current frame's stones after they were written from outside, and publish it."""
    T = load64(S, L.TABLES)
    f = load64(S, H_FRAME)
    for window in range(L.WINDOWS):
        store8(S, _BYTES + window, 0)
    for word in range(L.SCORE, L.CHECK):
        store64(S, f + word, 0)
    for side in range(2):
        stones = load64(S, f + L.STONES + side)
        while stones != 0:
            count_stone(S, T, f, ctz(stones), side, 1)
            stones &= stones - 1
    publish(S, T, f)
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal turns of a kind, listed from ``out`` on."""
    return list_moves(S, load64(S, L.TABLES), load64(S, H_FRAME), kind, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn."""
    make(S, load64(S, L.TABLES), load64(S, H_FRAME), move)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last turn back."""
    unmake(S, load64(S, L.TABLES), load64(S, H_FRAME))
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """0: the track stone of a side that passed would stay behind, which is no loss."""
    return 0


@entry(1)
def unmake_null_move(S: int) -> int:
    """Never called."""
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move."""
    return evaluate_position(S, load64(S, L.TABLES), load64(S, H_FRAME), load64(S, H_SIDE))


@entry(2)
def status(S: int, plies: int) -> int:
    """How the game has ended, for the side to move; ONGOING if it has not."""
    f = load64(S, H_FRAME)
    if load64(S, f + L.PHASE) != PLAY:
        return ONGOING
    side = load64(S, H_SIDE)
    winner = load64(S, f + L.WINNER)
    if winner != 0:
        return WON if winner == 1 + side else LOST
    if (load64(S, f + L.STONES) | load64(S, f + L.STONES + 1)) == L.CIRCLES:
        return DRAWN
    if load64(S, f + L.HANDS + side) == 0:
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
    T = load64(S, L.TABLES)
    us = load64(S, H_SIDE)
    f = load64(S, H_FRAME)
    playing = load64(S, f + L.PHASE) == PLAY
    for i in range(n):
        move = load32(S, moves + i)
        score = 0
        if playing:
            score = move_score(S, T, us, move)
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, move & 255)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """1: nothing is given back for a stone placed."""
    return 1


@routine
def _perft(S, T, f, depth, bulk, out):
    if depth >= 3 and shared64(S, H_STOP) != 0:
        return 0
    n = list_moves(S, T, f, ALL, out)
    if depth == 1 and bulk != 0:
        return n
    total = 0
    for i in range(n):
        make(S, T, f, load32(S, out + i))
        if depth == 1:
            total += 1
        else:
            total += recurse6(S, T, f + L.FRAME, depth - 1, bulk, out + n)
        unmake(S, T, f + L.FRAME)
    return total


@entry(4, late=True)
def perft(S: int, depth: int, bulk: int, out: int) -> int:
    """Sequences of ``depth`` legal turns from the current frame; ``out`` as in ``generate``."""
    return _perft(S, load64(S, L.TABLES), load64(S, H_FRAME), depth, bulk, out)


KERNELS = Kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    make_null=make_null_move,
    unmake_null=unmake_null_move,
    evaluate=evaluate,
    status=status,
    no_moves=no_moves,
    order=order,
    exchange=exchange,
    perft=perft,
)
