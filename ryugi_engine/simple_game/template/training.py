"""A simple game's positions to training records and back, see ``ryugi_engine.games.training``."""

from __future__ import annotations

from ryugi_engine.games.training import NO_SQUARE, RECORD
from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.bits import bits, one
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import load8, load64, store8, store64
from ryugi_engine.simple_game.inputs import clock_of

from . import entries
from . import layout as L

#: Byte of a record where the board begins.
_HEAD = 8 * RECORD.words
_SQUARES = L.DEFINITION.board.files * L.DEFINITION.board.ranks
#: The piece codes of a frame's bitboards, 0 for those that the net does not see.
_CODES = tuple(L.PLANES)
_PLANES = len(L.PLANES)
_CLOCK = clock_of(L.DEFINITION.inputs, L.DEFINITION.fields)
#: Word of the recorded counter in a frame; -1 if there is none.
_CLOCK_WORD = L.FRAME.word(_CLOCK) if _CLOCK else -1


@entry(3, late=True)
def record(S: int, R: int, word: int) -> int:
    """Write the current position to the record at a word of block R."""
    f = HEADER(S).frame
    written = RECORD(R, word)
    written.side = L.FRAME(S, f).side
    written.clock = 0
    if _CLOCK_WORD >= 0:
        written.clock = load64(S, f + _CLOCK_WORD)
    written.rights = 0
    written.en_passant = NO_SQUARE
    at = 8 * word + _HEAD
    for square in range(_SQUARES):
        store8(R, at + square, 0)
    for plane in range(_PLANES):
        code = _CODES[plane]
        if code != 0:
            squares = bits(load64(S, f + 2 * plane), load64(S, f + 2 * plane + 1))
            while squares:
                square, squares = squares.pop()
                store8(R, at + square, code)
    return 0


@entry(3, late=True)
def recall(S: int, R: int, word: int) -> int:
    """Make the record at a word of block R the current position; other fields stay as they are."""
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    read = RECORD(R, word)
    at = 8 * word + _HEAD
    for plane in range(_PLANES):
        code = _CODES[plane]
        if code != 0:
            squares = bits(0, 0)
            for square in range(_SQUARES):
                if load8(R, at + square) == code:
                    squares = squares | one(square)
            store64(S, f + 2 * plane, squares.lo)
            store64(S, f + 2 * plane + 1, squares.hi)
    frame.side = read.side
    frame.number = 1
    if _CLOCK_WORD >= 0:
        store64(S, f + _CLOCK_WORD, read.clock)
    entries.publish(S, f)
    return 0


@entry(1, late=True)
def learnt(S: int) -> int:
    """Return the evaluation that a net is trained to give, for the side to move, in centipawns."""
    value: int = entries.static_eval(S)
    return value
