"""GoRoGo's entries: what search, perft and Position call, see ``ryugi_engine.kernel.abi``."""

from __future__ import annotations

from ryugi_engine.kernel.abi import H_FRAME, H_KEY, H_SIDE, LOST, ONGOING, TACTICAL, WON
from ryugi_engine.kernel.jit import entry, kernel
from ryugi_engine.kernel.memory import ctz, load32, load64, mix, popcount, store32, store64
from ryugi_engine.kernel.stubs import kernels
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
    """The current position, as the side to move sees it."""
    return seen_by(L.FRAME(S, load64(S, H_FRAME)), load64(S, H_SIDE))


@kernel
def _show(S, f):
    """Make ``f`` the current frame: the header that every game shows."""
    frame = L.FRAME(S, f)
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, frame.side)
    store64(S, H_KEY, frame.key)


@kernel
def _publish(S, f):
    """Make ``f``, just written, the current frame."""
    frame = L.FRAME(S, f)
    stones = frame.stones[0] | frame.stones[1] << 25 | frame.side << 50
    others = frame.henges | frame.hands[0] << 25 | frame.hands[1] << 37
    frame.key = mix(stones) ^ mix(~others)
    _show(S, f)


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after its position was written from outside."""
    _publish(S, load64(S, H_FRAME))
    return 0


@kernel
def _capturing_points(enemy, empty):
    """The points where a placement captures."""
    found = 0
    left = empty
    while left != 0:
        point = left & -left
        left ^= point
        if dead_stones(enemy, empty ^ point) != 0:
            found |= point
    return found


@kernel
def _list_points(S, points, kind, out):
    """List a turn for each of some points; the index behind them."""
    while points != 0:
        store32(S, out, move_of(ctz(points), kind))
        out += 1
        points &= points - 1
    return out


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal moves, listed from ``out`` on; TACTICAL: those that capture."""
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
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
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
    """Take the last move back."""
    _show(S, load64(S, H_FRAME) - L.FRAME_WORDS)
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move; a stone is worth 100."""
    return evaluate_position(_current(S), load64(S, H_SIDE))


@entry(2)
def status(S: int, plies: int) -> int:
    """Who has captured more when all is placed; before that ONGOING."""
    frame = L.FRAME(S, load64(S, H_FRAME))
    if (frame.hands[0] | frame.hands[1]) != 0:
        return ONGOING
    # nothing in hand: who has more stones on the board has lost fewer; a tie is White's
    winner = 1 if popcount(frame.stones[1]) > popcount(frame.stones[0]) else 0
    return WON if load64(S, H_SIDE) == winner else LOST


@kernel
def _taken(position, move):
    """How many stones a move captures."""
    empty = empty_points(position)
    return popcount(dead_stones(position.enemy, empty ^ (1 << point_of(move))))


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed move the stones it captures (0: quiet) and a history slot, as pairs."""
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


# No null moves: nobody may pass: the stones in hand count.
KERNELS = kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    evaluate=evaluate,
    status=status,
    order=order,
    perft=perft,
)
