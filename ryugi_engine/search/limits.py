"""What bounds a search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The arguments of ``go``. Times are seconds; ``None`` means no such limit.

    They do not change: other limits are others, made by ``dataclasses.replace``.
    """

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

    def timed(self, side: int) -> bool:
        """Whether a clock runs for the side."""
        return self.move_time is not None or self.time[side] is not None
