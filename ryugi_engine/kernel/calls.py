"""Calls of a game's entries from kernels that work with any game, through their addresses.

Such a kernel's block has a field ``game`` of the layout :data:`GAME`. With a view ``w`` of the
block, ``make(w, move)`` plays a move in the state that ``w.game`` names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ryugi_engine.kernel.abi import HEADER, MOVE_CAPACITY, Kernels
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import call1, call2, call3, call4, call5
from ryugi_engine.kernel.views import Layout, i64, u32

_ADDRESSES: dict[str, Any] = dict.fromkeys(Kernels._fields, i64)
#: A state's address, its move buffer, and the addresses of the game's entries.
GAME = Layout(
    "game",
    constant=True,
    state=i64,
    moves=i64,  # in 32-bit words of the state
    **_ADDRESSES,
)
#: A state's move buffer.
_MOVE_BUFFER = Layout("lists", move=u32[MOVE_CAPACITY])


def bind_game(game: Any, state: Block, kernels: Kernels, names: Iterable[str]) -> None:
    """Fill in a ``game`` field with a state and the entries of the given names; compile those.

    ValueError if the state's move buffer begins inside a 64-bit word.
    """
    game["state"] = state.address
    game["moves"] = HEADER.of(state)["moves"]
    if game["moves"] % 2:
        raise ValueError("the move buffer begins amid a word")
    for name in names:
        game[name] = getattr(kernels, name).address


@kernel
def header(w):
    """Return the view of the state's header, see ``abi.HEADER``."""
    return HEADER(w.game.state)


@kernel
def move_buffer(w):
    """Return the view of the state's move buffer: ``.move[index]``."""
    return _MOVE_BUFFER(w.game.state, w.game.moves >> 1)


@kernel
def generate(w, kind, first):
    """List the legal moves of a kind from index ``first`` of the buffer on; return their number."""
    return call3(w.game.generate, w.game.state, kind, w.game.moves + first)


@kernel
def make(w, move):
    """Play a legal move."""
    call2(w.game.make, w.game.state, move)


@kernel
def unmake(w):
    """Unmake the last move."""
    call1(w.game.unmake, w.game.state)


@kernel
def make_null(w):
    """Make a null move; return False, with nothing done, if the side to move may not pass."""
    return call1(w.game.make_null, w.game.state) != 0


@kernel
def unmake_null(w):
    """Unmake a null move."""
    call1(w.game.unmake_null, w.game.state)


@kernel
def evaluate(w):
    """Return the static evaluation in centipawns for the side to move."""
    return call1(w.game.evaluate, w.game.state)


@kernel
def status(w, ply):
    """Return ONGOING, DRAWN, LOST or WON; ``ply`` is the distance from the search's root."""
    return call2(w.game.status, w.game.state, ply)


@kernel
def no_moves(w):
    """Return DRAWN, LOST or WON of a position without a legal move."""
    return call1(w.game.no_moves, w.game.state)


@kernel
def order(w, first, count, block, word):
    """Write (score, history slot) of each listed move as 32-bit pairs from a block's word on."""
    call5(w.game.order, w.game.state, w.game.moves + first, count, block, word)


@kernel
def wins_exchange(w, move, threshold):
    """Return whether the static exchange evaluation of a move is at least ``threshold`` cp."""
    return call3(w.game.exchange, w.game.state, move, threshold) != 0


@kernel
def may_check(w, move):
    """Return whether the side to move may be in check after a legal move."""
    return call2(w.game.may_check, w.game.state, move) != 0


@kernel
def bulk_perft(w, depth, first):
    """Return the number of sequences of legal moves, the last ply counted in bulk."""
    return call4(w.game.perft, w.game.state, depth, 1, w.game.moves + first)
