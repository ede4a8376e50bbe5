"""Positions to training records and back, see :mod:`ryugi_engine.games.training`."""

from __future__ import annotations

from ryugi_engine.games.training import NO_SQUARE, RECORD
from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.copying import clear
from ryugi_engine.kernel.jit import kernel, template
from ryugi_engine.kernel.memory import load8, store8
from ryugi_engine.nnue.inputs import UNMOVED
from variants.chess.general.entries import rebuild
from variants.chess.general.evaluate.evaluate import learnt_value
from variants.chess.general.evaluate.nnue import cell_of
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import TRAINING
from variants.chess.general.memory.sets import any_of, has, pop, size, squares_of

_HEAD = 8 * RECORD.words


@kernel
def _en_passant_square(t, frame):
    """Return the square where a pawn can be taken en passant as in chess, else NO_SQUARE."""
    squares = squares_of(t, frame.en_passant)
    if size(squares) != 1 or any_of(squares_of(t, frame.older)):
        return NO_SQUARE
    square, _ = pop(squares)
    return square if frame.victim == _victim_of(frame, square) else NO_SQUARE


@kernel
def _victim_of(frame, square):
    """Return the square of the piece that a capture en passant takes in chess."""
    return square + 16 if frame.side == 1 else square - 16


@template(3, TRAINING)
def record(S: int, R: int, word: int) -> int:
    """Write the current position to the record at a word of block R."""
    t = L.TABLES(L.STATE(S).tables)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    written = RECORD(R, word)
    written.side = frame.side
    written.clock = frame.clock
    written.rights = frame.castling
    written.en_passant = _en_passant_square(t, frame)
    at = 8 * word + _HEAD
    for rank in range(t.ranks):
        for file in range(t.files):
            square = 16 * rank + file
            unmoved = UNMOVED if has(frame.gates, square) else 0
            store8(R, at, frame.board[square] | unmoved)
            at += 1
    for i in range(t.counters):
        store8(R, at, cell_of(S, f, t.counter[i]))
        at += 1
    return 0


@template(3, TRAINING)
def recall(S: int, R: int, word: int) -> int:
    """Make the record at a word of block R the current position, without history."""
    t = L.TABLES(L.STATE(S).tables)
    frame = L.FRAME(S, HEADER(S).frame)
    read = RECORD(R, word)
    clear(frame)
    at = 8 * word + _HEAD
    for rank in range(t.ranks):
        for file in range(t.files):
            square = 16 * rank + file
            code = load8(R, at)
            frame.board[square] = code & (UNMOVED - 1)
            if code >= UNMOVED:
                frame.gates[square >> 6] |= 1 << (square & 63)
            at += 1
    frame.side = read.side
    for i in range(t.counters):
        place = t.counter[i]
        value = load8(R, at)
        at += 1
        if place < L.CHECKS_LEFT:
            frame.hand[place - L.SQUARES] = value
        elif place < L.RIGHTS:
            frame.checks[place - L.CHECKS_LEFT] = value
        elif place == L.MOVES_LEFT + read.side:
            frame.moves_left = value
    frame.castling = read.rights
    frame.victim = -1
    frame.older_victim = -1
    square = read.en_passant
    if square != NO_SQUARE:
        frame.en_passant[square >> 6] = 1 << (square & 63)
        frame.victim = _victim_of(frame, square)
    frame.clock = read.clock
    frame.number = 1
    if t.progressive:  # the turn is taken to begin
        frame.number = (frame.moves_left + 2 - frame.side) // 2
    rebuild(S)
    return 0


@template(1, TRAINING)
def learnt(S: int) -> int:
    """Return the evaluation that training fits, for the side to move, in centipawns."""
    return learnt_value(S, HEADER(S).frame)
