"""Move ordering: scores of captures, and what they win when they are taken back."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.jit import template
from ryugi_engine.kernel.memory import load32, store32
from variants.chess.tables import layout as L
from variants.chess.tables.attacks import is_attacked
from variants.chess.tables.moves import (
    choice_of,
    kind_of,
    moved_code,
    origin_of,
    takes,
    target_of,
    victim_of,
)

_CAPTURE_SCORE = 1 << 20


@template(5, L.TABLES)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write MVV-LVA score (0: quiet) and history slot of each listed move as 32-bit pairs."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    for i in range(n):
        move = load32(S, moves + i)
        target, kind = target_of(move), kind_of(move)
        code = moved_code(frame, us, move)
        gain = 0
        victim = victim_of(frame, move)
        if victim >= 0:
            gain = t.value[frame.board[victim]]
        if takes(frame, move):
            gain = max(gain + t.value[frame.board[target]], 1)
        if kind == L.PROMOTION:
            gain += max(t.value[t.promotion[us][choice_of(move)]] - t.value[code], 0)
        score = 0
        if gain > 0:
            score = _CAPTURE_SCORE + gain * 16 - t.value[code]
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, code << 8 | target)
    return 0


@template(3, L.TABLES)
def exchange(S: int, move: int, threshold: int) -> int:
    """Return 1 if a capture wins at least ``threshold`` centipawns when it is taken back."""
    T = L.STATE(S).tables
    t = L.TABLES(T)
    f = HEADER(S).frame
    frame = L.FRAME(S, f)
    target, kind = target_of(move), kind_of(move)
    if kind not in (L.NORMAL, L.PIECE_PROMOTION) or t.blast_on_capture:
        return 1
    gain = t.value[frame.board[target]]
    loss = t.value[frame.board[origin_of(move)]]
    if gain - loss >= threshold:
        return 1
    if not is_attacked(T, S, f, target, 1 - frame.side):
        return 1 if gain >= threshold else 0
    return 0
