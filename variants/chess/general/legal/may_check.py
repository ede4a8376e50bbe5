"""Moves that surely give no check: the search prunes them without making them.

A move that moves no line's shield, and whose piece could not reach the royal piece on an empty
board, gives none. What is not that simple may give check.
"""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel, routine
from variants.chess.general.legal.pins import find_pins_on
from variants.chess.general.legal.royalty import find_pseudo_royals
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.sets import has
from variants.chess.general.moves.attacks import distance
from variants.chess.general.moves.moves import (
    choice_of,
    kind_of,
    landing_of,
    moved_code,
    origin_of,
    takes,
    target_of,
)

#: Instead of the square of the enemy's royal piece: none, or several.
_NONE, _SEVERAL = -1, -2
_PINS = 2


@kernel
def _royal_square(t, T, S, f, them):
    """Return the square on which alone a side can be in check; _NONE, or _SEVERAL of them."""
    square = L.FRAME(S, f).king[them]
    if square < 0:
        square = _NONE
    if t.extinction_pseudo_royal:
        find_pseudo_royals(T, S, f)
        scratch = L.STATE(S).scratch
        for i in range(scratch.pseudos[them]):
            square = scratch.pseudo[them][i] if square == _NONE else _SEVERAL
    return square


@routine
def _note_lines(T, S, f, us):
    """Compute the lines to the enemy's royal piece, once for all moves of a position."""
    scratch = L.STATE(S).scratch
    square = _royal_square(L.TABLES(T), T, S, f, 1 - us)
    find_pins_on(T, S, f, us, square, _PINS)
    scratch.royal_square = square
    scratch.lines_of = L.FRAME(S, f).key
    return 0


@kernel
def _has_other_checks(t):
    """Return whether a game has checks, or effects of moves, that are not looked at here."""
    others = t.must_capture | t.long_turns | t.walling_rule | t.flip_enclosed_pieces
    return (others | t.duple_check) != 0


@routine
def may_check(T, S, f, us, move):
    """Return 0 if a legal move surely gives no check, else 1."""
    t = L.TABLES(T)
    frame = L.FRAME(S, f)
    if _has_other_checks(t):
        return 1
    if frame.king[1 - us] < 0 and not t.extinction_pseudo_royal:
        return 0
    scratch = L.STATE(S).scratch
    if scratch.lines_of != frame.key:
        _note_lines(T, S, f, us)
    square = scratch.royal_square
    if square < 0:
        return 0 if square == _NONE else 1
    pins = scratch.pins[_PINS]
    kind = kind_of(move)
    code = moved_code(frame, us, move)
    if pins.slow or t.chains[code] or kind not in (L.NORMAL, L.DROP):
        return 1
    if t.extinction_pseudo_royal and (t.extinction_piece_types[code] or takes(frame, move)):
        return 1
    if t.alice_boards and takes(frame, move):
        return 1  # both pieces leave the board, and with it a line
    target = landing_of(t, target_of(move))
    if has(pins.opening, target) or t.reach[code][distance(target, square)]:
        return 1
    if choice_of(move) != 0:
        return 1  # dropped as what it promotes to, or with a gated piece
    return 1 if kind == L.NORMAL and has(pins.sensitive, origin_of(move)) else 0
