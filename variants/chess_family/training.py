"""Positions as records to learn from, see :mod:`ryugi_engine.games.training`."""

from __future__ import annotations

from ryugi_engine.games.training import NO_SQUARE, RECORD
from ryugi_engine.kernel.abi import H_FRAME
from ryugi_engine.kernel.jit import entry
from ryugi_engine.kernel.memory import load64, store8
from variants.chess_family import layout as L

_HEAD = 8 * RECORD.words


@entry(3, late=True)
def record(S: int, R: int, word: int) -> int:
    """Write the current position to the record at a word of block R."""
    state = L.STATE(S)
    t = L.TABLES(state.tables)
    frame = L.FRAME(S, load64(S, H_FRAME))
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
