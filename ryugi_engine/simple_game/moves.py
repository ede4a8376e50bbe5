"""Moves of simple games: listing them, their parts, and their texts.

A move names up to three squares, and a kind of piece where it drops or promotes one::

    add_move(found, origin, to)              e2e4
    add_promotion(found, origin, to, kind)   e7e8q
    add_legs(found, origin, to, then)        d1d7,d7g7
    add_drop(found, kind, to)                S@c3
    add_pass(found)                          pass

A kind is the number of its letter in ``Definition.letters``. A move code has 7 bits for each
square, then 5 for the kind and 2 for the number of squares. The last bit marks a promotion or a
pass.
"""

from __future__ import annotations

import re

from ryugi_engine.games.game import PASS
from ryugi_engine.games.notation import square_name
from ryugi_engine.kernel.declarations import kernel
from ryugi_engine.kernel.memory import store32

_SQUARE = 127
_KIND = 21
_SQUARES = 26
_SPECIAL = 1 << 28  # a promotion; of no squares: a pass
_NAME = "[a-z][0-9]{1,2}"


@kernel
def _add(found, move):
    store32(found.state, min(found.next, found.last), move)
    found.next += 1


@kernel
def add_move(found, origin, to):
    """Add a move from a square to another one."""
    _add(found, origin | to << 7 | 2 << _SQUARES)


@kernel
def add_promotion(found, origin, to, kind):
    """Add a move after which the piece is one of another kind."""
    _add(found, origin | to << 7 | kind << _KIND | 2 << _SQUARES | _SPECIAL)


@kernel
def add_legs(found, origin, to, then):
    """Add a move from a square to another one, with an action from there to a third one."""
    _add(found, origin | to << 7 | then << 14 | 3 << _SQUARES)


@kernel
def add_drop(found, kind, to):
    """Add the drop of a piece on a square."""
    _add(found, to | kind << _KIND | 1 << _SQUARES)


@kernel
def add_pass(found):
    """Add the pass; only where the side has no other move."""
    _add(found, _SPECIAL)


@kernel
def first(move):
    """Return a move's first square: the origin, or where a piece is dropped."""
    return move & _SQUARE


@kernel
def second(move):
    """Return a move's second square."""
    return (move >> 7) & _SQUARE


@kernel
def third(move):
    """Return a move's third square."""
    return (move >> 14) & _SQUARE


@kernel
def kind_of(move):
    """Return the kind that a move drops or promotes to."""
    return (move >> _KIND) & 31


@kernel
def is_pass(move):
    """Return whether a move is the pass."""
    return move == _SPECIAL


@kernel
def is_drop(move):
    """Return whether a move drops a piece."""
    return move >> _SQUARES == 1


def move_text(move: int, files: int, letters: str) -> str:
    """Return a move code's text; ``letters`` are the kinds' letters."""
    if move == _SPECIAL:
        return PASS
    names = []
    for leg in range(3):
        rank, file = divmod(move >> 7 * leg & _SQUARE, files)
        names.append(square_name((file, rank)))
    letter = letters[move >> _KIND & 31]
    squares = move >> _SQUARES & 3
    if squares == 1:
        return f"{letter}@{names[0]}"
    if squares == 3:
        return f"{names[0]}{names[1]},{names[1]}{names[2]}"
    return f"{names[0]}{names[1]}{letter.lower() if move & _SPECIAL else ''}"


def move_shape(letters: str) -> str:
    """Return the regular expression of all moves' texts, passes aside."""
    step = f"{_NAME}{_NAME}"
    return f"[{letters}]@{_NAME}|{step}(,{step})?|{step}[{letters.lower()}]"


def normal_move(text: str) -> str:
    """Return a move in the spelling of :func:`move_text`; d1d7g7 and d1d7/g7 are d1d7,d7g7."""
    text = text.lower()
    if text[1:2] == "@":
        return text[0].upper() + text[1:]
    legs = re.fullmatch(f"({_NAME})({_NAME})/?({_NAME})", text)
    return text if legs is None else "{0}{1},{1}{2}".format(*legs.groups())
