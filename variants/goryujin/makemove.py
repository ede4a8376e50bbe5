"""Playing a turn: a copy of the frame with one piece more, or one moved."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME, H_KEY, H_SIDE
from ryugi_engine.jit import kernel
from ryugi_engine.memory import const64, load64, mix, store64
from variants.goryujin import layout as L
from variants.goryujin.board import lift_piece, put_piece, shape_at, touchdown_distance


@kernel
def piece_key(side, placement, kind):
    """A placement's part of the hash key; a landed P's is another than a starting one's."""
    return mix(placement | side << 17 | kind << 18 | 1 << 30)


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header that every game shows."""
    side = load64(S, f + L.SIDE)
    key = load64(S, f + L.PIECES_KEY) ^ mix(side | load64(S, f + L.PASSES) << 1 | 1 << 40)
    store64(S, f + L.KEY, key)
    store64(S, H_FRAME, f)
    store64(S, H_SIDE, side)
    store64(S, H_KEY, key)


@kernel
def _touch_down(S, T, f, us, placement):
    """Keep the distance of a landed P among the side's, the nearest first."""
    distance = touchdown_distance(T, us, placement)
    packed = load64(S, f + L.TOUCHED + us)
    merged = 0
    for i in range(L.DRAGONS):
        other = (packed >> (5 * (L.DRAGONS - 1 - i))) & 31
        if distance < other:
            merged = merged << 5 | distance
            distance = other
        else:
            merged = merged << 5 | other
    store64(S, f + L.TOUCHED + us, merged)


@kernel
def place(S, T, f, us, move):
    """Put a move's piece on a frame: rows, hand, dragon, log and key.

    A touchdown of a dragon without its P, as position texts have them, takes one from the hand.
    """
    placement = move & L.PLACEMENT
    kind = (move >> L.KIND_AT) & 3
    number = (move >> L.DRAGON_AT) & 7
    key = load64(S, f + L.PIECES_KEY)
    if kind == L.NEW:
        number = load64(S, f + L.COUNTS + us)
    at = f + L.BODIES + us * L.DRAGONS + number
    body = load64(S, at)
    if (body & L.EXISTS) == 0:
        store64(S, f + L.COUNTS + us, number + 1)
    root = (body >> L.ROOT_AT) & L.PLACEMENT
    letter = const64(T, shape_at(placement) + L.S_LETTER)
    lifted = False
    if kind == L.TOUCHDOWN:
        # a P is always on the board where the root's word is not empty: shape 0 is an F
        lifted = root != 0
        if lifted:
            lift_piece(S, T, f, us, root)
            key ^= piece_key(us, root, L.NEW)
        _touch_down(S, T, f, us, placement)
    if not lifted:
        hand = load64(S, f + L.HANDS + us)
        store64(S, f + L.HANDS + us, hand - (1 << (4 * letter)))
    put_piece(S, T, f, us, placement)
    used = (move >> L.END_AT) & 3
    if kind == L.NEW:
        used = L.NO_END
        root = placement
    second = 0
    if kind == L.GROWTH and (body >> L.USED_AT & 7) == L.NO_END:
        second = L.SECOND
    body = placement | used << L.USED_AT | root << L.ROOT_AT | L.EXISTS | second
    if kind == L.TOUCHDOWN:
        body |= L.FINISHED
    store64(S, at, body)
    logged = load64(S, f + L.LOGGED)
    store64(
        S, L.LOG + logged, move & ~(7 << L.DRAGON_AT) | number << L.DRAGON_AT | us << L.LOG_SIDE
    )
    store64(S, f + L.LOGGED, logged + 1)
    store64(S, f + L.PIECES_KEY, key ^ piece_key(us, placement, kind))


@kernel
def push_frame(S):
    """A copy of the current frame behind it, the turn handed over; its offset."""
    f = load64(S, H_FRAME)
    g = f + L.FRAME
    for i in range(L.FRAME):
        store64(S, g + i, load64(S, f + i))
    us = load64(S, f + L.SIDE)
    store64(S, g + L.SIDE, 1 - us)
    store64(S, g + L.NUMBER, load64(S, f + L.NUMBER) + us)
    return g


@kernel
def play(S, T, move):
    """Make a turn."""
    g = push_frame(S)
    if (move >> L.KIND_AT & 3) == L.PASSED:
        store64(S, g + L.PASSES, load64(S, g + L.PASSES) + 1)
    else:
        store64(S, g + L.PASSES, 0)
        place(S, T, g, load64(S, H_SIDE), move)
    publish(S, g)


@kernel
def take_back(S):
    """Undo a turn."""
    f = load64(S, H_FRAME) - L.FRAME
    publish(S, f)
