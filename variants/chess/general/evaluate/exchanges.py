"""Static exchange evaluation (SEE): what a move wins if all that can takes on its square."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.primitives import copy_frame
from variants.chess.general.memory.sets import any_of, pop, show
from variants.chess.general.moves.attacks import attacks, bearing
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.effects import blasted_square, is_blasted
from variants.chess.general.moves.moves import (
    choice_of,
    kind_of,
    landing_of,
    moved_code,
    origin_of,
    takes,
    target_of,
    victim_of,
)

#: More than all pieces are worth: a royal piece takes last, and only what is not defended.
_ROYAL = 1 << 24


@kernel
def _blast(t, frame, us, target):
    """Return what a blast around a square takes from the enemy, less what it takes from ``us``."""
    value = 0
    for i in range(8):
        square = blasted_square(target, i)
        if on_board(t, square) and is_blasted(t, frame.board[square], i):
            code = frame.board[square]
            value += -t.value[code] if code >> 6 == us else t.value[code]
    return value


@kernel
def gain_of(t, frame, us, move):
    """Return the value of what a move captures, and of what it promotes to, in centipawns."""
    gain = 0
    victim = victim_of(frame, move)
    if victim >= 0:
        gain = t.value[frame.board[victim]]
    if takes(frame, move):
        gain += t.value[frame.board[target_of(move)]]
        if t.blast_on_capture:
            gain += _blast(t, frame, us, target_of(move))
    if kind_of(move) == L.PROMOTION:
        promoted = t.promotion[us][choice_of(move)]
        gain += max(t.value[promoted] - t.value[moved_code(frame, us, move)], 0)
    return gain


@kernel
def _price(t, code):
    """Return a piece's value in an exchange."""
    return _ROYAL if t.royal[code] else t.value[code]


@routine
def _cheapest_attacker(T, S, f, target, by):
    """Return the square of a side's least valuable piece that attacks a square; -1 for none."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    best, best_price = -1, _ROYAL + 1
    left = bearing(t, frame, target, by)
    while any_of(left):
        square, left = pop(left)
        code = frame.board[square]
        if code >> 6 == by and code != 0 and _price(t, code) < best_price:
            if attacks(T, S, f, code, square, target):
                best, best_price = square, _price(t, code)
    return best


@routine
def wins_exchange(T, S, f, move, threshold):
    """Return whether a move wins at least ``threshold`` centipawns by its exchange.

    Sides take in turn with their least valuable piece, and may stop. The next frame is used up.
    """
    t = L.TABLES(T)
    us, target, kind = L.FRAME(S, f).side, target_of(move), kind_of(move)
    g = f + L.FRAME_WORDS
    balance = gain_of(t, L.FRAME(S, f), us, move) - threshold
    if balance < 0:
        return False
    code = moved_code(L.FRAME(S, f), us, move)
    if t.blast_on_capture and takes(L.FRAME(S, f), move):
        return balance >= t.value[code]
    owed = _price(t, code) - balance  # what is lost if the piece is taken
    if owed <= 0:
        return True
    copy_frame(t, S, f, g)
    frame = L.FRAME(S, g)
    if kind != L.DROP:
        show(frame, origin_of(move), 0)
    if t.alice_boards:  # who takes it there goes back: nobody takes on
        show(frame, target, 0)
        show(frame, landing_of(t, target), code)
        return _cheapest_attacker(T, S, g, landing_of(t, target), 1 - us) < 0
    show(frame, target, code)
    side, wins = us, 1
    while True:
        side = 1 - side
        origin = _cheapest_attacker(T, S, g, target, side)
        if origin < 0:
            break
        code = frame.board[origin]
        show(frame, origin, 0)
        show(frame, target, code)
        if t.royal[code] and _cheapest_attacker(T, S, g, target, 1 - side) >= 0:
            break  # it may not take what is defended
        wins = 1 - wins
        owed = _price(t, code) - owed
        if owed < wins:
            break
    return wins != 0
