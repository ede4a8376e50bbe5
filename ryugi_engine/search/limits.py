"""The limits of a search."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The arguments of ``go``: times in seconds, ``None`` for no such limit. Immutable."""

    time: tuple[float | None, float | None] = (None, None)
    increment: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    move_time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[str, ...] = ()
