"""The race's search as an entry of its own."""

from __future__ import annotations

from ryugi_engine.abi import H_FRAME
from ryugi_engine.jit import entry
from ryugi_engine.memory import load64
from variants.goryujin import layout as L
from variants.goryujin.evaluate import race_base
from variants.goryujin.race import reach


@entry(2)
def reach_entry(S: int, side: int) -> int:
    """What ``race.reach`` answers for a side of the current position."""
    return reach(S, load64(S, L.TABLES), load64(S, H_FRAME), side, race_base(side))
