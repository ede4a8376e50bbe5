"""Playing weaker on purpose: choosing among several lines with a random error.

The rule is the well-known one of Stockfish's "Skill Level", restated: the weaker, the larger
the random part, which grows with how much the lines differ.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ryugi_engine.search.report import Report, Result


def choose(result: Result, lines: Sequence[Report], skill: int, source: random.Random) -> Result:
    """The result with the move that a player of ``skill`` (0..19) makes of the lines."""
    if not lines:
        return result
    weakness = 120 - 6 * skill
    ordered = sorted(lines, key=lambda line: line.multipv)
    top = ordered[0].score.cp
    spread = min(top - ordered[-1].score.cp, 100)
    best, best_value = ordered[0], -(10**9)
    for line in ordered:
        push = (weakness * (top - line.score.cp) + spread * source.randrange(weakness)) // 128
        if line.score.cp + push >= best_value:
            best, best_value = line, line.score.cp + push
    if not best.pv:
        return result
    return replace(result, best=best.pv[0], ponder=best.ponder, score=best.score)
