"""The settings of a search for openings. The command line reads them without numpy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ryugi_engine.settings.argument import Argument


@dataclass(frozen=True)
class OpeningSettings:
    """How openings and bench positions are found."""

    openings: Annotated[int, 1, 10**6, Argument("openings to find")] = 200
    plies: Annotated[int, 0, 200, Argument("plies of an opening")] = 8
    last: Annotated[int, 1, 1000, Argument("plies of the longest game of bench positions")] = 80
    seed: Annotated[int, 0, 1 << 31, Argument("seed of the draw")] = 1
    depth: Annotated[int, 2, 60, Argument("depth of the search that draws a move")] = 8
    near: Annotated[int, 0, 10**5, Argument("centipawns that such a move may be worse", "CP")] = 30
    seconds: Annotated[float, 0.001, 10**5, Argument("seconds that an opening is searched")] = 10.0
    balance: Annotated[int, 0, 10**5, Argument("centipawns that a side may be ahead", "CP")] = 60
