"""Moves that win at once: the last check, a goal reached, the last piece of a kind captured.

Search looks at them in quiescence, too, and first of all.
"""

from __future__ import annotations

from ryugi_engine.kernel.abi import LOST
from ryugi_engine.kernel.jit import kernel
from variants.chess.general.ends.endings import game_result
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import has
from variants.chess.general.moves.attacks import attacks, is_attacked
from variants.chess.general.moves.drops import on_board
from variants.chess.general.moves.effects import blasted_square
from variants.chess.general.moves.makemove import make
from variants.chess.general.moves.moves import landing_of, moved_code, takes, target_of, victim_of


@kernel
def is_last_check(t, frame, us):
    """Return whether a side's next check wins."""
    return t.check_counting != 0 and frame.checks[us] == 1


@kernel
def gives_direct_check(T, S, f, us, move):
    """Return whether the piece that moves attacks the enemy's king from its target."""
    frame = L.FRAME(S, f)
    king = frame.king[1 - us]
    origin = landing_of(L.TABLES(T), target_of(move))
    return king >= 0 and attacks(T, S, f, moved_code(frame, us, move), origin, king)


@kernel
def _is_vital(t, frame, them, square):
    """Return whether a piece is of the kinds whose loss ends the game."""
    code = frame.board[square]
    found = False
    for k in range(t.numbers_to_lose[them]):
        found = found or t.kinds_to_lose[them][k] == code
    return found


@kernel
def _takes_vital(t, frame, us, move):
    """Return whether a capture, or its blast, removes a piece whose loss ends the game."""
    target, victim = target_of(move), victim_of(frame, move)
    found = _is_vital(t, frame, 1 - us, target)
    if victim >= 0:
        found = found or _is_vital(t, frame, 1 - us, victim)
    if t.blast_on_capture:
        for i in range(8):
            square = blasted_square(target, i)
            found = found or (on_board(t, square) and _is_vital(t, frame, 1 - us, square))
    return found


@kernel
def wins_at_once(T, S, f, move):
    """Return whether a legal move ends the game in the mover's favour, by other than mate."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    us = frame.side
    may = is_last_check(t, frame, us)
    if t.flag_regions:
        goal = has(t.flag_region[us], target_of(move))
        may = may or (goal and t.flag_piece[moved_code(frame, us, move)] != 0)
    if t.extinction_value == LOST and takes(frame, move):
        may = may or _takes_vital(t, frame, us, move)
    if may:
        g = make(T, S, f, move)
        king = L.FRAME(S, g).king[1 - us]
        may = game_result(T, S, g) == LOST
        if not may and is_last_check(t, frame, us) and king >= 0:
            may = is_attacked(T, S, g, king, us)
    return may
