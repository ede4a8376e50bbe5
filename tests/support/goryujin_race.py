"""The race's search as an entry of its own."""

from __future__ import annotations

from ryugi_engine.kernel.jit import entry
from variants.goryujin.board import position_of
from variants.goryujin.race import reach


@entry(2)
def reach_entry(S: int, side: int) -> int:
    """What ``race.reach`` answers for a side of the current position: distance | turns << 8."""
    reached = reach(position_of(S), side)
    return reached.distance | reached.turns << 8
