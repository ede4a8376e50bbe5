"""A simple game's entries, made of its functions; see ``ryugi_engine.kernel.abi``.

A function of the game is inlined here. One that it leaves out has a default below.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.abi import (
    EVAL_LIMIT,
    HEADER,
    HISTORY_SLOTS,
    LOST,
    MAX_MOVES,
    MOVE_CAPACITY,
    ONGOING,
    OVERFULL,
    TACTICAL,
    TACTICAL_SCORE,
)
from ryugi_engine.kernel.copying import copy
from ryugi_engine.kernel.defaults import kernels
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import load32, load64, mul, select, shr, store32
from ryugi_engine.simple_game.nnue import net_value

from . import layout as L

#: Golden ratio times 2**64: a multiplication spreads a move's bits.
_SPREAD = 0x9E37_79B9_7F4A_7C15 - (1 << 64)
_SLOT_BITS = HISTORY_SLOTS.bit_length() - 1


def _function(name: str, default: Any) -> Any:
    """Return a function of the game as a kernel, or a default."""
    return kernel(L.DEFINITION.function(name) or default)


def _own_worth(p, us):
    return 0


def _own_score(p):
    us = p.side
    return worth(p, us) - worth(p, 1 - us)


def _no_hint(p, move):
    return 0


def _ongoing(p):
    return ONGOING


def _lost(p):
    return LOST


moves = _function("moves", None)
play = _function("play", None)
worth = _function("worth", _own_worth)
score = _function("score", _own_score)
hint = _function("hint", _no_hint)
result = _function("result", _ongoing)
no_moves_result = _function("no_moves", _lost)

#: What to do where only tactical moves are wanted: ask ``moves``, or choose by ``hint``, or none.
_MOVES_KNOWS = "tactical" in L.DEFINITION.names("moves")
_BY_HINT = not _MOVES_KNOWS and L.DEFINITION.function("hint") is not None
_FOUND = L.STATE.word("found")
_LAST = 2 * L.STATE.word("moves") + MOVE_CAPACITY - 1


@kernel
def position_key(S, f):
    """Return the hash key of a frame: of all the game's fields and the side to move."""
    key = mix(L.FRAME(S, f).side + 1)
    for i in range(L.SET_WORDS // L.SET_STEP):
        key ^= mix(load64(S, f + L.SET_STEP * i) ^ mul(i + 1, _SPREAD))
    for i in range(L.SET_WORDS, L.FIELD_WORDS):
        key ^= mix(load64(S, f + i) ^ mul(i + 1, _SPREAD))
    return key


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header's fields."""
    header, frame = HEADER(S), L.FRAME(S, f)
    frame.key = position_key(S, f)
    header.frame = f
    header.side = frame.side
    header.key = frame.key


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after Python has written its position."""
    publish(S, HEADER(S).frame)
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal moves from ``out`` on; none if the game is over."""
    p = L.FRAME(S, HEADER(S).frame)
    if kind == TACTICAL and not (_MOVES_KNOWS or _BY_HINT):
        return 0
    if result(p) != ONGOING:
        return 0
    found = L.FOUND(S, _FOUND)
    found.state = S
    found.next = out
    found.last = _LAST
    found.tactical = 1 if kind == TACTICAL else 0
    moves(p, found)
    n = found.next - out
    if n > MAX_MOVES or found.next - 1 > _LAST:
        return OVERFULL
    if not _BY_HINT or kind != TACTICAL:
        return n
    kept = 0
    for i in range(n):
        move = load32(S, out + i)
        if hint(p, move) >= TACTICAL_SCORE:
            store32(S, out + kept, move)
            kept += 1
    return kept


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move on a copy of the current frame."""
    f = HEADER(S).frame
    old, new = L.FRAME(S, f), L.FRAME(S, f + L.FRAME_WORDS)
    copy(new, old)
    us = old.side
    play(new, move)
    new.side = 1 - us
    new.number = old.number + us
    publish(S, f + L.FRAME_WORDS)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Unmake the last move."""
    header = HEADER(S)
    f = header.frame - L.FRAME_WORDS
    frame = L.FRAME(S, f)
    header.frame = f
    header.side = frame.side
    header.key = frame.key
    return 0


@entry(2)
def status(S: int, plies: int) -> int:
    """Return the game's ``result``."""
    return result(L.FRAME(S, HEADER(S).frame))


@entry(1)
def no_moves(S: int) -> int:
    """Return the result of a position without a legal move."""
    return no_moves_result(L.FRAME(S, HEADER(S).frame))


def _own_evaluation(S, f):
    return score(L.FRAME(S, f))


def _with_net(S, f):
    state, frame = L.STATE(S), L.FRAME(S, f)
    if state.net == 0:
        return score(frame)
    return net_value(S, state.net, f, frame.side, state.kept, _PLANES)


_evaluation = kernel(_with_net if L.PLANES else _own_evaluation)
_PLANES = len(L.PLANES)


@kernel
def static_eval(S):
    """Return the net's value, or the game's ``score``, within limits."""
    value = _evaluation(S, HEADER(S).frame)
    return select(value > EVAL_LIMIT, EVAL_LIMIT, select(value < -EVAL_LIMIT, -EVAL_LIMIT, value))


@entry(1)
def evaluate(S: int) -> int:
    """Return the evaluation of the current position, centipawns for the side to move."""
    return static_eval(S)


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Score moves by the game's ``hint``; the history slot is a hash of the move."""
    p = L.FRAME(S, HEADER(S).frame)
    for i in range(n):
        move = load32(S, moves + i)
        store32(W, 2 * (out + i), hint(p, move))
        store32(W, 2 * (out + i) + 1, shr(mul(move, _SPREAD), 64 - _SLOT_BITS))
    return 0


KERNELS = kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    evaluate=evaluate,
    status=status,
    no_moves=no_moves,
    order=order,
)
