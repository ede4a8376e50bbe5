"""Making and unmaking turns: a frame is copied, then changed."""

from __future__ import annotations

from ryugi_engine.kernel.abi import HEADER
from ryugi_engine.kernel.copying import clear, copy
from ryugi_engine.kernel.hashing import mix
from ryugi_engine.kernel.jit import kernel
from variants.goryujin import layout as L
from variants.goryujin.board import (
    Position,
    lift_piece,
    position_of,
    put_piece,
    shape_of,
    touchdown_distance,
)
from variants.goryujin.moves import dragon_of, end_of, kind_of, placement_of


@kernel
def _piece_key(side, placement, kind):
    """Return a placement's part of the hash key; landed and starting Ps have different ones."""
    return mix(placement | side << 17 | kind << 18 | 1 << 30)


@kernel
def publish(S, f):
    """Make ``f`` the current frame: its key, and the header's fields."""
    frame = L.FRAME(S, f)
    frame.key = frame.pieces_key ^ mix(frame.side | frame.passes << 1 | 1 << 40)
    HEADER(S).frame = f
    HEADER(S).side = frame.side
    HEADER(S).key = frame.key


@kernel
def _touch_down(frame, us, distance):
    """Insert a landed P's distance into the side's, the nearest first."""
    packed = frame.touched[us]
    merged = 0
    for i in range(L.DRAGONS):
        other = (packed >> (5 * (L.DRAGONS - 1 - i))) & 31
        merged = merged << 5 | min(distance, other)
        distance = max(distance, other)
    frame.touched[us] = merged


@kernel
def _log(position, us, move, number):
    """Append a placement to the log, for the position's text."""
    frame = position.frame
    logged = position.state.log[frame.logged]
    logged.placement = placement_of(move)
    logged.side = us
    logged.dragon = number
    logged.kind = kind_of(move)
    frame.logged += 1


@kernel
def place(position, us, move):
    """Place a move's piece: rows, hand, dragon, log and key.

    The touchdown of a dragon without its P, as position texts have it, takes a P from the hand.
    """
    t = position.t
    frame = position.frame
    placement = placement_of(move)
    kind = kind_of(move)
    number = frame.begun[us] if kind == L.NEW else dragon_of(move)
    dragon = frame.dragon[us][number]
    frame.begun[us] = max(frame.begun[us], number + 1)
    if kind == L.TOUCHDOWN:
        _touch_down(frame, us, touchdown_distance(t, us, placement))
    if kind == L.TOUCHDOWN and dragon.root != 0:
        lift_piece(t, frame, us, dragon.root)
        frame.pieces_key ^= _piece_key(us, dragon.root, L.NEW)
    else:
        frame.hand[us][shape_of(t, placement).letter] -= 1
    put_piece(t, frame, us, placement)
    frame.pieces_key ^= _piece_key(us, placement, kind)
    dragon.second = 1 if kind == L.GROWTH and dragon.used == L.NO_END else 0
    dragon.finished = 1 if kind == L.TOUCHDOWN else 0
    dragon.tip = placement
    dragon.used = end_of(move)
    if kind == L.NEW:
        dragon.root = placement
        dragon.used = L.NO_END
    _log(position, us, move, number)


@kernel
def play(S, move):
    """Make a turn."""
    position = position_of(S)
    us = position.frame.side
    f = HEADER(S).frame + L.FRAME_WORDS
    frame = L.FRAME(S, f)
    copy(frame, position.frame)
    frame.side = 1 - us
    frame.number += us
    if kind_of(move) == L.PASSED:
        frame.passes += 1
    else:
        frame.passes = 0
        place(Position(position.t, position.state, frame), us, move)
    publish(S, f)


@kernel
def take_back(S):
    """Unmake a turn, and restore the log."""
    g = HEADER(S).frame
    f = g - L.FRAME_WORDS
    before = L.FRAME(S, f).logged
    if L.FRAME(S, g).logged != before:
        clear(L.STATE(S).log[before])
    publish(S, f)
