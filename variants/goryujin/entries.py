"""Goryujin's entries, called by search, perft and Position; see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, LOST, ONGOING, PROMISING, TACTICAL, WON, Kernels
from ryugi_engine.kernel.defaults import any_may_check
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import load32, store32
from ryugi_engine.kernel.move_list import listing
from variants.goryujin import layout as L
from variants.goryujin.board import position_of, refresh_rows
from variants.goryujin.evaluate import evaluate_position, look_ahead, order_score
from variants.goryujin.makemove import place, play, publish, take_back
from variants.goryujin.moves import can_turn, game_is_over, turns
from variants.goryujin.perft_kernel import perft
from variants.goryujin.threats import note_threat, promising


@entry(3)
def seed(S: int, side: int, move: int) -> int:
    """Place a piece of a position text on the current frame."""
    place(position_of(S), side, move)
    return 0


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after Python has written its position."""
    refresh_rows(position_of(S).frame)
    publish(S, HEADER(S).frame)
    note_threat(S)
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal turns from ``out`` on; no turn is TACTICAL. Return their number."""
    if kind == TACTICAL:
        return 0
    position = position_of(S)
    us = position.frame.side
    moves = listing(S, out)
    if kind == PROMISING and not game_is_over(position.frame):
        return promising(position, us, moves).next - out
    return turns(position, us, moves).next - out


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn, or the pass of a side that has overstepped its time."""
    play(S, move)
    note_threat(S)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Unmake the last turn."""
    take_back(S)
    note_threat(S)
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Make a null move."""
    play(S, L.PASS_MOVE)
    note_threat(S)
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Unmake a null move."""
    take_back(S)
    HEADER(S).check = 0  # null moves are not made in check
    return 0


@kernel
def _result_by_touchdowns(frame):
    """Return WON or LOST by the touchdowns, the nearest first; Black wins ties."""
    winner = 0 if frame.touched[0] < frame.touched[1] else 1
    return WON if winner == frame.side else LOST


@entry(1)
def evaluate(S: int) -> int:
    """Return the static evaluation for the side to move; a turn in the race is up to 150 cp."""
    return evaluate_position(position_of(S))


@entry(2)
def status(S: int, plies: int) -> int:
    """Return WON or LOST where the game is over, else ONGOING.

    That neither side has a turn is asked here too: pruning may come before turns are listed.
    """
    position = position_of(S)
    if not game_is_over(position.frame) and (can_turn(position, 0) or can_turn(position, 1)):
        return ONGOING
    return _result_by_touchdowns(position.frame)


@entry(1)
def no_moves(S: int) -> int:
    """Return WON or LOST by comparing touchdowns, as neither side has a turn."""
    return _result_by_touchdowns(position_of(S).frame)


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write score and history slot of each listed turn as 32-bit pairs."""
    position = position_of(S)
    us = position.frame.side
    look_ahead(position)
    for i in range(n):
        move = load32(S, moves + i)
        store32(W, 2 * (out + i), order_score(position, us, move))
        store32(W, 2 * (out + i) + 1, (move ^ move >> 9) & 8191)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """Return 1: there are no captures."""
    return 1


KERNELS = Kernels(
    *(generate, make_move, unmake_move, make_null_move, unmake_null_move),
    *(evaluate, status, no_moves, order, exchange, any_may_check, perft),
)
