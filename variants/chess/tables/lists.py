"""Writing moves: no list goes beyond the end of the move buffer, in any game."""

from __future__ import annotations

from ryugi_engine.kernel.jit import kernel
from ryugi_engine.kernel.memory import store32
from variants.chess.tables import layout as L


@kernel
def put_move(S, at, move):
    """Write a move at index ``at``, or over the buffer's last word if the index is beyond it."""
    store32(S, min(at, L.LISTS_END - 1), move)


@kernel
def fits(first, n):
    """Return whether ``n`` moves from ``first`` on lie within the move buffer."""
    return first + n <= L.LISTS_END
