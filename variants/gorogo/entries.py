"""GoRoGo's entries, called by search, perft and Position; see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER, LOST, ONGOING, TACTICAL, WON
from ryugi_engine.kernel.defaults import kernels
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import ctz, load32, popcount, store32
from variants.gorogo import layout as L
from variants.gorogo.evaluate import evaluate_position
from variants.gorogo.groups import dead_stones, stone_points
from variants.gorogo.perft_kernel import perft
from variants.gorogo.turns import (
    HENGE,
    ONE_HENGE,
    STONE,
    empty_points,
    is_exhausted,
    kind_of,
    may_place_henge,
    move_of,
    point_of,
    seen_by,
)

_CAPTURE = 1 << 20  # what makes a move tactical for the search
_STONE_VALUE = 100


@kernel
def _current(S):
    """Return the current position, as the side to move sees it."""
    return seen_by(L.FRAME(S, HEADER(S).frame), HEADER(S).side)


@kernel
def _show(S, f):
    """Make ``f`` the current frame, and write the header's fields."""
    frame = L.FRAME(S, f)
    HEADER(S).frame = f
    HEADER(S).side = frame.side
    HEADER(S).key = frame.key


@kernel
def _publish(S, f):
    """Make ``f``, just written, the current frame: its key, and the header's fields."""
    frame = L.FRAME(S, f)
    stones = frame.stones[0] | frame.stones[1] << 25 | frame.side << 50
    others = frame.henges | frame.hands[0] << 25 | frame.hands[1] << 37
    frame.key = mix(stones) ^ mix(~others)
    _show(S, f)


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after Python has written its position."""
    _publish(S, HEADER(S).frame)
    return 0


@kernel
def _capturing_points(enemy, empty):
    """Return the points where a placement captures."""
    points = 0
    left = empty
    while left != 0:
        point = left & -left
        left ^= point
        if dead_stones(enemy, empty ^ point) != 0:
            points |= point
    return points


@kernel
def _list_points(S, points, kind, out):
    """List a turn for each point; return the index after the last one."""
    while points != 0:
        store32(S, out, move_of(ctz(points), kind))
        out += 1
        points &= points - 1
    return out


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """List the legal moves from ``out`` on; TACTICAL: captures. Return their number."""
    position = _current(S)
    if is_exhausted(position.hand):
        return 0
    empty = empty_points(position)
    wanted = empty
    if kind == TACTICAL:
        wanted = _capturing_points(position.enemy, empty)
    end = _list_points(S, wanted & stone_points(position, empty), STONE, out)
    if may_place_henge(position.hand):
        end = _list_points(S, wanted, HENGE, end)
    return end - out


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    f = HEADER(S).frame
    us = HEADER(S).side
    old = L.FRAME(S, f)
    new = L.FRAME(S, f + L.FRAME_WORDS)
    position = seen_by(old, us)
    own, henges, hand = position.own, position.henges, position.hand
    point = 1 << point_of(move)
    if kind_of(move) == HENGE:
        henges |= point
        hand -= ONE_HENGE
    else:
        own |= point
        hand -= 1
    dead = dead_stones(position.enemy, empty_points(position) ^ point)
    new.stones[us] = own
    new.stones[1 - us] = position.enemy ^ dead
    new.henges = henges
    new.hands[us] = hand
    new.hands[1 - us] = position.enemy_hand
    new.side = 1 - us
    new.number = old.number + us
    _publish(S, f + L.FRAME_WORDS)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Unmake the last move."""
    _show(S, HEADER(S).frame - L.FRAME_WORDS)
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Return the static evaluation for the side to move; a stone is 100 centipawns."""
    return evaluate_position(_current(S), HEADER(S).side)


@entry(2)
def status(S: int, plies: int) -> int:
    """Return WON or LOST by captures when all pieces are placed; before that ONGOING."""
    frame = L.FRAME(S, HEADER(S).frame)
    if (frame.hands[0] | frame.hands[1]) != 0:
        return ONGOING
    # nothing in hand: who has more stones on the board has lost fewer; a tie is White's
    winner = 1 if popcount(frame.stones[1]) > popcount(frame.stones[0]) else 0
    return WON if HEADER(S).side == winner else LOST


@kernel
def _taken(position, move):
    """Return how many stones a move captures."""
    empty = empty_points(position)
    return popcount(dead_stones(position.enemy, empty ^ (1 << point_of(move))))


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """Write score (by captured stones, 0: quiet) and history slot of each move as 32-bit pairs."""
    position = _current(S)
    for i in range(n):
        move = load32(S, moves + i)
        taken = _taken(position, move)
        score = 0
        if taken > 0:
            score = _CAPTURE + taken * _STONE_VALUE - kind_of(move)
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, move)
    return 0


# no null moves: whoever passed would keep a piece in hand, which decides the game
KERNELS = kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    evaluate=evaluate,
    status=status,
    order=order,
    perft=perft,
)
