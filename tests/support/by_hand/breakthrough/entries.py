"""Breakthrough's entries, called by search, perft and Position; see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from variants.breakthrough import layout as L

from ryugi_engine.kernel.abi import HEADER, HISTORY_SLOTS, LOST, ONGOING, TACTICAL, TACTICAL_SCORE
from ryugi_engine.kernel.bits import bits, choose, one
from ryugi_engine.kernel.defaults import kernels
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import store32

_PIECE = 100
_STEP = 6  # centipawns for every rank that a piece has advanced


@kernel
def ahead(pieces, us):
    """Return the squares in front of pieces, which may lie beyond the board."""
    return choose(us == 0, pieces << 16, pieces >> 16)


@kernel
def goal(us):
    """Return the rank that a side wants to reach."""
    return choose(us == 0, bits(0, L.LAST_RANK), bits(L.RANK, 0))


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header's fields."""
    header, frame = HEADER(S), L.FRAME(S, f)
    white, black = frame.by_color[0], frame.by_color[1]
    frame.key = mix(mix(mix(mix(white.lo) ^ white.hi) ^ black.lo) ^ black.hi ^ (frame.side << 63))
    header.frame = f
    header.side = frame.side
    header.key = frame.key


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after Python has written its position."""
    publish(S, HEADER(S).frame)
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
    """List the legal moves from ``out`` on; TACTICAL: captures and winning moves."""
    state = L.STATE(S)
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    own, enemy = frame.by_color[us], frame.by_color[1 - us]
    if enemy & goal(1 - us):
        return 0  # the game is over
    at = out - HEADER(S).moves  # its index among the state's moves
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
    f = HEADER(S).frame
    old, new = L.FRAME(S, f), L.FRAME(S, f + L.FRAME_WORDS)
    us = old.side
    to = one(move >> 7)
    new.by_color[us] = (old.by_color[us] ^ one(move & 127)) | to
    new.by_color[1 - us] = old.by_color[1 - us] & ~to
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
    """Return LOST if the other side has arrived, or nothing is left to move; else ONGOING."""
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    if frame.by_color[1 - us] & goal(1 - us) or not frame.by_color[us]:
        return LOST
    return ONGOING


@kernel
def side_score(pieces, us):
    """Return the score of a side's pieces, in centipawns."""
    score = _PIECE * pieces.count()
    while pieces:
        square, pieces = pieces.pop()
        rank = square >> 4
        score += _STEP * (7 - rank if us == 1 else rank)
    return score


@entry(1)
def evaluate(S: int) -> int:
    """Return the static evaluation in centipawns for the side to move."""
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    return side_score(frame.by_color[us], us) - side_score(frame.by_color[1 - us], 1 - us)


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Score captures and arrivals as tactical, all moves by the rank that they reach."""
    state = L.STATE(S)
    frame = L.FRAME(S, HEADER(S).frame)
    us = frame.side
    at = moves - HEADER(S).moves
    for i in range(n):
        move = state.moves[at + i]
        to = move >> 7
        rank = to >> 4
        score = 100 * (7 - rank if us == 1 else rank)
        if one(to) & (frame.by_color[1 - us] | goal(us)):
            score += TACTICAL_SCORE
        store32(W, 2 * (out + i), score)
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
