"""Goryujin's entries: what search, perft and Position call, see ``ryugi_engine.abi``."""

from __future__ import annotations

from ryugi_engine.abi import (
    H_CHECK,
    H_FRAME,
    H_SIDE,
    LOST,
    ONGOING,
    PROMISING,
    TACTICAL,
    WON,
    Kernels,
)
from ryugi_engine.jit import entry, kernel
from ryugi_engine.memory import load64, store64
from variants.goryujin import layout as L
from variants.goryujin.board import refresh_rows
from variants.goryujin.evaluate import evaluate_position, rank_turns
from variants.goryujin.makemove import place, play, publish, take_back
from variants.goryujin.moves import game_is_over, list_turns
from variants.goryujin.perft_kernel import perft
from variants.goryujin.threats import list_promising, note_threat


@entry(3)
def seed(S: int, side: int, move: int) -> int:
    """Put a piece of a position text on the current frame."""
    place(S, load64(S, L.TABLES), load64(S, H_FRAME), side, move)
    return 0


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after its position was written from outside."""
    f = load64(S, H_FRAME)
    refresh_rows(S, f)
    publish(S, f)
    note_threat(S, load64(S, L.TABLES))
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal turns, listed from ``out`` on; none of them is TACTICAL."""
    if kind == TACTICAL:
        return 0
    T, f, us = load64(S, L.TABLES), load64(S, H_FRAME), load64(S, H_SIDE)
    if kind == PROMISING and not game_is_over(S, f):
        return list_promising(S, T, f, us, out)
    return list_turns(S, T, f, us, out)


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal turn, or a pass for a side whose time has run out."""
    play(S, load64(S, L.TABLES), move)
    note_threat(S, load64(S, L.TABLES))
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last turn back."""
    take_back(S)
    note_threat(S, load64(S, L.TABLES))
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """Let the turn go by."""
    play(S, load64(S, L.TABLES), L.PASS_MOVE)
    note_threat(S, load64(S, L.TABLES))
    return 1


@entry(1)
def unmake_null_move(S: int) -> int:
    """Take a null move back."""
    take_back(S)
    store64(S, H_CHECK, 0)  # else there had been no null move
    return 0


@kernel
def result_by_touchdowns(S, f):
    """WON or LOST by the touchdowns, compared one by one; Black wins where they are equal."""
    winner = 0 if load64(S, f + L.TOUCHED) < load64(S, f + L.TOUCHED + 1) else 1
    return WON if winner == load64(S, H_SIDE) else LOST


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move; a turn ahead in the race is worth up to 150."""
    return evaluate_position(S, load64(S, L.TABLES), load64(S, H_FRAME))


@entry(2)
def status(S: int, plies: int) -> int:
    """Whether a touchdown at distance 1 or the fifth pass has ended the game, and for whom."""
    f = load64(S, H_FRAME)
    if not game_is_over(S, f):
        return ONGOING
    return result_by_touchdowns(S, f)


@entry(1)
def no_moves(S: int) -> int:
    """Neither side has a turn: the touchdowns decide."""
    return result_by_touchdowns(S, load64(S, H_FRAME))


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed turn a hint and a history slot, as pairs."""
    return rank_turns(S, load64(S, L.TABLES), load64(S, H_FRAME), moves, n, W, out)


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
