"""Chess as a yardstick: figures of the engine's own study of it, of half an hour on 2026-11-28."""

from __future__ import annotations

from typing import NamedTuple


class Yardstick(NamedTuple):
    """Figures of a game to compare others with; shares are from 0 to 1."""

    name: str
    #: The first side's score, and the share of draws, from the weakest play to the strongest.
    first: tuple[float, float, float]
    draws: tuple[float, float, float]
    plies: int
    branching: int
    captures: int
    decided: float
    comebacks: float
    sharpness: float
    only_moves: float


CHESS = Yardstick(
    name="chess",
    first=(0.51, 0.52, 0.53),
    draws=(0.18, 0.44, 0.57),
    plies=154,
    branching=27,
    captures=24,
    decided=0.0,
    comebacks=0.149,
    sharpness=0.044,
    only_moves=0.043,
)
