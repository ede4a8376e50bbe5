"""Breakthrough's entries: what search, perft and Position call, see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from variants.breakthrough import layout as L

from ryugi_engine.kernel.abi import (
    H_FRAME,
    H_KEY,
    H_MOVES,
    H_SIDE,
    HISTORY_SLOTS,
    LOST,
    ONGOING,
    TACTICAL,
    TACTICAL_HINT,
)
from ryugi_engine.kernel.bits import bits, choose, one
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import mix, store32
from ryugi_engine.kernel.stubs import kernels

_MAN = 100
_STEP = 6  # centipawns for every rank that a man has gone


@kernel
def ahead(men, us):
    """The squares in front of men, which may lie beyond the board."""
    return choose(us == 0, men << 16, men >> 16)


@kernel
def goal(us):
    """The rank that a side wants to reach."""
    return choose(us == 0, bits(0, L.LAST_RANK), bits(L.RANK, 0))


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header that every game shows."""
    header, frame = L.STATE(S).header, L.FRAME(S, f)
    white, black = frame.men[0], frame.men[1]
    frame.key = mix(mix(mix(mix(white.lo) ^ white.hi) ^ black.lo) ^ black.hi ^ (frame.side << 63))
    header[H_FRAME] = f
    header[H_SIDE] = frame.side
    header[H_KEY] = frame.key


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after its position was written from outside."""
    publish(S, L.STATE(S).header[H_FRAME])
    return 0


@kernel
def list_steps(state, targets, step, out):
    """List the moves by ``step`` squares to ``targets``; returns how many there are."""
    n = 0
    while targets:
        to, targets = targets.pop()
        state.moves[out + n] = (to - step) | to << 7
        n += 1
    return n


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal moves, listed from ``out`` on; TACTICAL: those that take a man or win."""
    state = L.STATE(S)
    frame = L.FRAME(S, state.header[H_FRAME])
    us = frame.side
    own, enemy = frame.men[us], frame.men[1 - us]
    if enemy & goal(1 - us):
        return 0  # the game is over
    at = out - state.header[H_MOVES]  # its index among the state's moves
    front = ahead(own, us)
    board = bits(L.HALF, L.HALF)
    straight = front & board & ~(own | enemy)
    aside = board & ~own
    if kind == TACTICAL:
        straight &= goal(us)
        aside &= enemy | goal(us)
    up = 16 - 32 * us
    n = list_steps(state, straight, up, at)
    n += list_steps(state, (front >> 1) & aside, up - 1, at + n)
    n += list_steps(state, (front << 1) & aside, up + 1, at + n)
    return n


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    f = L.STATE(S).header[H_FRAME]
    old, new = L.FRAME(S, f), L.FRAME(S, f + L.FRAME_WORDS)
    us = old.side
    to = one(move >> 7)
    new.men[us] = (old.men[us] ^ one(move & 127)) | to
    new.men[1 - us] = old.men[1 - us] & ~to
    new.side = 1 - us
    new.number = old.number + us
    publish(S, f + L.FRAME_WORDS)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last move back."""
    header = L.STATE(S).header
    f = header[H_FRAME] - L.FRAME_WORDS
    frame = L.FRAME(S, f)
    header[H_FRAME] = f
    header[H_SIDE] = frame.side
    header[H_KEY] = frame.key
    return 0


@entry(2)
def status(S: int, plies: int) -> int:
    """LOST when the other side has arrived, or when nothing is left to move."""
    frame = L.FRAME(S, L.STATE(S).header[H_FRAME])
    us = frame.side
    if frame.men[1 - us] & goal(1 - us) or not frame.men[us]:
        return LOST
    return ONGOING


@kernel
def worth(men, us):
    """Centipawns of a side's men."""
    score = _MAN * men.count()
    while men:
        square, men = men.pop()
        rank = square >> 4
        score += _STEP * (7 - rank if us == 1 else rank)
    return score


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move."""
    frame = L.FRAME(S, L.STATE(S).header[H_FRAME])
    us = frame.side
    return worth(frame.men[us], us) - worth(frame.men[1 - us], 1 - us)


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Captures and arrivals are tactical, the farther ahead the sooner; others get hints so."""
    state = L.STATE(S)
    frame = L.FRAME(S, state.header[H_FRAME])
    us = frame.side
    at = moves - state.header[H_MOVES]
    for i in range(n):
        move = state.moves[at + i]
        to = move >> 7
        rank = to >> 4
        hint = 100 * (7 - rank if us == 1 else rank)
        if one(to) & (frame.men[1 - us] | goal(us)):
            hint += TACTICAL_HINT
        store32(W, 2 * (out + i), hint)
        store32(W, 2 * (out + i) + 1, move & (HISTORY_SLOTS - 1))
    return 0


KERNELS = kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    evaluate=evaluate,
    status=status,
    order=order,
)
