"""GoRoGo's entries: what search, perft and Position call, see ``ryugi_engine.abi``."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_KEY, H_SIDE, LOST, ONGOING, TACTICAL, WON, Kernels
from ryugi_engine.jit import entry, kernel
from ryugi_engine.memory import ctz, load32, load64, mix, popcount, store32, store64
from variants.gorogo import layout as L
from variants.gorogo.evaluate import evaluate_position
from variants.gorogo.groups import dead_stones, is_setup, may_place_henge, seen_by, stone_points
from variants.gorogo.perft_kernel import perft


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header that every game shows."""
    side = load64(S, f + L.SIDE)
    first = load64(S, f + L.STONES) | load64(S, f + L.STONES + 1) << 25 | side << 50
    second = load64(S, f + L.HENGES) | load64(S, f + L.HANDS) << 25
    second |= load64(S, f + L.HANDS + 1) << 37
    key = mix(first) ^ mix(~second)
    store64(S, f + L.KEY, key)
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, side)
    store64(S, H_KEY, key)


@entry(1)
def refresh(S: int) -> int:
    """Publish the current frame after its position was written from outside."""
    publish(S, load64(S, H_FRAME))
    return 0


@entry(3)
def generate(S: int, kind: int, out: int) -> int:
    """Legal moves, listed from ``out`` on; TACTICAL: those that capture."""
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    own, enemy, henges, hand, _enemy_hand = seen_by(S, f, us)
    if (hand & ~256) == 0:  # nothing in hand, or a Henge alone
        return 0
    empty = L.BOARD & ~(own | enemy | henges)
    stones = 0
    if (hand & 255) != 0 and not is_setup(own, enemy, henges, hand):
        stones = stone_points(own, enemy, henges, empty)
    placed = may_place_henge(hand)
    left = empty
    if kind == TACTICAL:
        left = 0
        points = empty
        while points != 0:
            point = points & -points
            points ^= point
            if dead_stones(enemy, empty ^ point) != 0:
                left |= point
    n = 0
    points = left & stones
    while points != 0:
        store32(S, out + n, ctz(points) | L.STONE << 6)
        n += 1
        points &= points - 1
    if placed:
        while left != 0:
            store32(S, out + n, ctz(left) | L.HENGE << 6)
            n += 1
            left &= left - 1
    return n


@entry(2)
def make_move(S: int, move: int) -> int:
    """Play a legal move."""
    f = load64(S, H_FRAME)
    g = f + L.FRAME
    us = load64(S, H_SIDE)
    own, enemy, henges, hand, enemy_hand = seen_by(S, f, us)
    point = 1 << (move & 63)
    enemy &= ~dead_stones(enemy, L.BOARD & ~(own | enemy | henges | point))
    if (move >> 6) == L.HENGE:
        henges |= point
        hand -= 256
    else:
        own |= point
        hand -= 1
    store64(S, g + L.STONES + us, own)
    store64(S, g + L.STONES + 1 - us, enemy)
    store64(S, g + L.HENGES, henges)
    store64(S, g + L.HANDS + us, hand)
    store64(S, g + L.HANDS + 1 - us, enemy_hand)
    store64(S, g + L.SIDE, 1 - us)
    store64(S, g + L.NUMBER, load64(S, f + L.NUMBER) + us)
    publish(S, g)
    return 0


@entry(1)
def unmake_move(S: int) -> int:
    """Take the last move back."""
    f = load64(S, H_FRAME) - L.FRAME
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, load64(S, f + L.SIDE))
    store64(S, H_KEY, load64(S, f + L.KEY))
    return 0


@entry(1)
def make_null_move(S: int) -> int:
    """0: nobody may pass, and the stones in hand count."""
    return 0


@entry(1)
def unmake_null_move(S: int) -> int:
    """Never called."""
    return 0


@entry(1)
def evaluate(S: int) -> int:
    """Centipawns for the side to move; a stone is worth 100."""
    return evaluate_position(S, load64(S, H_FRAME), load64(S, H_SIDE))


@entry(2)
def status(S: int, plies: int) -> int:
    """Who has captured more when all is placed; before that ONGOING."""
    f = load64(S, H_FRAME)
    if (load64(S, f + L.HANDS) | load64(S, f + L.HANDS + 1)) != 0:
        return ONGOING
    # nothing in hand: who has more stones on the board has lost fewer; a tie is White's
    white = popcount(load64(S, f + L.STONES))
    black = popcount(load64(S, f + L.STONES + 1))
    winner = 1 if black > white else 0
    return WON if load64(S, H_SIDE) == winner else LOST


@entry(1)
def no_moves(S: int) -> int:
    """Who has no legal move has lost."""
    return LOST


@entry(5)
def order(S: int, moves: int, n: int, W: int, out: int) -> int:
    """For each listed move the stones it captures (0: quiet) and a history slot, as pairs."""
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    own, enemy, henges, _hand, _enemy_hand = seen_by(S, f, us)
    empty = L.BOARD & ~(own | enemy | henges)
    for i in range(n):
        move = load32(S, moves + i)
        point = 1 << (move & 63)
        taken = popcount(dead_stones(enemy, empty ^ point))
        score = 0
        if taken > 0:
            score = (1 << 20) + taken * 100 - (move >> 6)
        store32(W, 2 * (out + i), score)
        store32(W, 2 * (out + i) + 1, move)
    return 0


@entry(3)
def exchange(S: int, move: int, threshold: int) -> int:
    """1 if the stones that a move captures are worth at least ``threshold``."""
    f = load64(S, H_FRAME)
    us = load64(S, H_SIDE)
    own, enemy, henges, _hand, _enemy_hand = seen_by(S, f, us)
    empty = L.BOARD & ~(own | enemy | henges)
    dead = dead_stones(enemy, empty ^ (1 << (move & 63)))
    return 1 if 100 * popcount(dead) >= threshold else 0


KERNELS = Kernels(
    generate=generate,
    make=make_move,
    unmake=unmake_move,
    make_null=make_null_move,
    unmake_null=unmake_null_move,
    evaluate=evaluate,
    status=status,
    no_moves=no_moves,
    order=order,
    exchange=exchange,
    perft=perft,
)
