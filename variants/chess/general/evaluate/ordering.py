"""Move ordering: scores of captures, and what they win when they are taken back."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, MAX_ORDER_SCORE
from ryugi_engine.kernel.jit import template
from ryugi_engine.kernel.memory import load32, store32
from variants.chess.general.ends.deciding import wins_at_once
from variants.chess.general.evaluate.exchanges import gain_of, wins_exchange
from variants.chess.general.memory import layout as L
from variants.chess.general.memory.bundles import PLAY
from variants.chess.general.moves.moves import kind_of, moved_code, takes, target_of

_CAPTURE_SCORE = 1 << 20
#: Above all captures, below the move of the transposition table.
_WINNING_SCORE = MAX_ORDER_SCORE


@template(5, PLAY)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write MVV-LVA score (0: quiet) and history slot of each listed move as 32-bit pairs."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    us = frame.side
    for i in range(n):
        move = load32(S, moves + i)
        code = moved_code(frame, us, move)
        gain = gain_of(t, frame, us, move)
        score = 0
        if not t.only_captures and (gain > 0 or takes(frame, move)):
            score = _CAPTURE_SCORE + gain * 16 - t.value[code]
        if wins_at_once(T, S, f, move):
            score = _WINNING_SCORE
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, code << 8 | target_of(move))
    return 0


@template(3, PLAY)
def exchange(S: int, move: int, threshold: int) -> int:
    """Return 1 if a move wins at least ``threshold`` centipawns by its exchange."""
    T = L.STATE(S).tables
    f = HEADER(S).frame
    if L.TABLES(T).only_captures:
        return 1
    if kind_of(move) not in (L.NORMAL, L.PIECE_PROMOTION, L.DROP) or wins_at_once(T, S, f, move):
        return 1
    return 1 if wins_exchange(T, S, f, move, threshold) else 0
