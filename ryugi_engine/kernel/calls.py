"""A game's entries, called by name from kernels that know it by their addresses only.

A block of such a kernel has a field ``game`` of the layout :data:`GAME`: ``make(w, move)`` plays a
move in the state of the game that the view ``w`` names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ryugi_engine.kernel.abi import HEADER, MOVE_ROOM, Block, Kernels
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import call1, call2, call3, call4, call5
from ryugi_engine.kernel.views import Layout, i64, u32

_ADDRESSES: dict[str, Any] = dict.fromkeys(Kernels._fields, i64)
#: A state, where its room for move lists begins, and the addresses of the game's entries.
GAME = Layout(
    "game",
    constant=True,
    state=i64,
    moves=i64,  # in 32-bit words of the state
    **_ADDRESSES,
)
#: The room for move lists.
_LISTS = Layout("lists", move=u32[MOVE_ROOM])


def name_game(game: Any, state: Block, kernels: Kernels, names: Iterable[str]) -> None:
    """Fill in a ``game`` with a state and the entries that will be called: each is compiled."""
    game["state"] = state.address
    game["moves"] = HEADER.of(state)["moves"]
    if game["moves"] % 2:
        raise ValueError("the room for move lists begins amid a word")
    for name in names:
        game[name] = getattr(kernels, name).address


@kernel
def header(w):
    """What the state says of the position: side, key, check."""
    return HEADER(w.game.state)


@kernel
def lists(w):
    """The room for move lists, as ``.move[index]``."""
    return _LISTS(w.game.state, w.game.moves >> 1)


@kernel
def generate(w, kind, first):
    """List the legal moves of a kind from an index of the room on; their number."""
    return call3(w.game.generate, w.game.state, kind, w.game.moves + first)


@kernel
def make(w, move):
    """Play a legal move."""
    call2(w.game.make, w.game.state, move)


@kernel
def unmake(w):
    """Take the last move back."""
    call1(w.game.unmake, w.game.state)


@kernel
def make_null(w):
    """Pass; whether the side to move may."""
    return call1(w.game.make_null, w.game.state) != 0


@kernel
def unmake_null(w):
    """Take a null move back."""
    call1(w.game.unmake_null, w.game.state)


@kernel
def evaluate(w):
    """Centipawns for the side to move."""
    return call1(w.game.evaluate, w.game.state)


@kernel
def status(w, ply):
    """ONGOING, DRAWN, LOST or WON so many plies from the search's root."""
    return call2(w.game.status, w.game.state, ply)


@kernel
def no_moves(w):
    """The same of a position without a legal move."""
    return call1(w.game.no_moves, w.game.state)


@kernel
def order(w, first, count, block, word):
    """Write a hint and a history slot for each listed move, as pairs from a block's word on."""
    call5(w.game.order, w.game.state, w.game.moves + first, count, block, word)


@kernel
def wins_exchange(w, move, threshold):
    """Whether the exchange that a move begins wins at least so much."""
    return call3(w.game.exchange, w.game.state, move, threshold) != 0


@kernel
def perft(w, depth, bulk, first):
    """Sequences of legal moves."""
    return call4(w.game.perft, w.game.state, depth, bulk, w.game.moves + first)
