"""Positions to training records and back, see :mod:`ryugi_engine.games.training`."""

from __future__ import annotations

from ryugi_engine.games.training import NO_SQUARE, RECORD
from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import load8, store8
from variants.chess.fast import layout as L
from variants.chess.fast.entries import rebuild
from variants.chess.fast.evaluate import learnt_value

_HEAD = 8 * RECORD.words


@entry(3, late=True)
def record(S: int, R: int, word: int) -> int:
    """Write the current position to the record at a word of block R."""
    state = L.STATE(S)
    t = L.TABLES(state.tables)
    frame = L.FRAME(S, HEADER(S).frame)
    written = RECORD(R, word)
    written.side = frame.side
    written.clock = frame.clock
    written.rights = frame.castling
    written.en_passant = NO_SQUARE if frame.en_passant < 0 else frame.en_passant
    at = 8 * word + _HEAD
    for rank in range(t.ranks):
        for file in range(t.files):
            store8(R, at, state.mailbox[16 * rank + file])
            at += 1
    return 0


@entry(3, late=True)
def recall(S: int, R: int, word: int) -> int:
    """Make the record at a word of block R the current position, without history."""
    state = L.STATE(S)
    t = L.TABLES(state.tables)
    frame = L.FRAME(S, HEADER(S).frame)
    read = RECORD(R, word)
    for square in range(L.SQUARES):
        state.mailbox[square] = 0
    at = 8 * word + _HEAD
    for rank in range(t.ranks):
        for file in range(t.files):
            state.mailbox[16 * rank + file] = load8(R, at)
            at += 1
    frame.side = read.side
    frame.clock = read.clock
    frame.castling = read.rights
    frame.en_passant = -1 if read.en_passant == NO_SQUARE else read.en_passant
    frame.null_distance = 0
    frame.fullmove = 1
    rebuild(S)
    return 0


@entry(1, late=True)
def learnt(S: int) -> int:
    """Return the evaluation that training fits, for the side to move, in centipawns."""
    return learnt_value(S, L.STATE(S).tables, HEADER(S).frame)
