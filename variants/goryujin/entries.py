"""Goryujin's entries: what search, perft and Position call, see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import (
    H_CHECK,
    H_FRAME,
    LOST,
    ONGOING,
    PROMISING,
    TACTICAL,
    WON,
    Kernels,
)
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.lists import Moves
from ryugi_engine.kernel.memory import load32, load64, store32, store64
from variants.goryujin import layout as L
from variants.goryujin.board import position_of, refresh_rows
from variants.goryujin.evaluate import evaluate_position, hint, look_ahead
from variants.goryujin.makemove import place, play, publish, take_back
from variants.goryujin.moves import game_is_over, turns
from variants.goryujin.perft_kernel import perft
from variants.goryujin.threats import note_threat, promising


@entry(3)
def seed(S: int, side: int, move: int) -> int:
    """Put a piece of a position text on the current frame."""
    place(position_of(S), side, move)
    return 0


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after its position was written from outside."""
    refresh_rows(position_of(S).frame)
    publish(S, load64(S, H_FRAME))
    note_threat(S)
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal turns, listed from ``out`` on; none of them is TACTICAL."""
    if kind == TACTICAL:
        return 0
    position = position_of(S)
    us = position.frame.side
    moves = Moves(S, out, 1)
    if kind == PROMISING and not game_is_over(position.frame):
        return promising(position, us, moves).next - out
    return turns(position, us, moves).next - out


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn, or a pass for a side whose time has run out."""
    play(S, move)
    note_threat(S)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last turn back."""
    take_back(S)
    note_threat(S)
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Let the turn go by."""
    play(S, L.PASS_MOVE)
    note_threat(S)
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Take a null move back."""
    take_back(S)
    store64(S, H_CHECK, 0)  # else there had been no null move
    return 0


@kernel
def _result_by_touchdowns(frame):
    """WON or LOST by the touchdowns, compared one by one; Black wins where they are equal."""
    winner = 0 if frame.touched[0] < frame.touched[1] else 1
    return WON if winner == frame.side else LOST


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move; a turn ahead in the race is worth up to 150."""
    return evaluate_position(position_of(S))


@entry(2)
def status(S: int, plies: int) -> int:
    """Whether a touchdown at distance 1 or the fifth pass has ended the game, and for whom."""
    frame = position_of(S).frame
    if not game_is_over(frame):
        return ONGOING
    return _result_by_touchdowns(frame)


@entry(1)
def no_moves(S: int) -> int:
    """Neither side has a turn: the touchdowns decide."""
    return _result_by_touchdowns(position_of(S).frame)


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed turn a hint and a history slot, as pairs."""
    position = position_of(S)
    us = position.frame.side
    look_ahead(position)
    for i in range(n):
        move = load32(S, moves + i)
        store32(W, 2 * (out + i), hint(position, us, move))
        store32(W, 2 * (out + i) + 1, (move ^ move >> 9) & 8191)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """1: there are no captures."""
    return 1


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
