"""Writing moves: no list goes beyond the end of the move buffer, whatever a game allows."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import store32
from variants.fairy import layout as L


@kernel
def put_move(S, at, move):
    """Write a move of a list; beyond the move buffer's end, over the buffer's last word."""
    store32(S, min(at, L.LISTS_END - 1), move)


@kernel
def fits(first, n):
    """Return whether ``n`` moves from ``first`` on lie within the move buffer."""
    return first + n <= L.LISTS_END
