"""What the last line of `train compare` says, for scripts that choose the better net."""

from __future__ import annotations

import math
import re


def elo(line: str) -> float:
    """Return a comparison's Elo; where it is not known, infinity by the points.

    -inf where no match was played.
    """
    found = re.search(r"Elo ([-+.\d]+)", line)
    if found is not None:
        return float(found[1])
    points = re.search(r"([.\d]+) % of the points", line)
    return -math.inf if points is None else math.inf * (2 * float(points[1]) - 100 or -1)
