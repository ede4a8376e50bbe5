"""Skill Level: weaker play by choosing among several lines with a random error.

Source: the rule of Stockfish's "Skill Level". The random part grows with weakness and with the
spread of the lines' scores.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ryugi_engine.search.report import Report, Result


def choose(result: Result, lines: Sequence[Report], skill: int, source: random.Random) -> Result:
    """Return the result with the move that a player of ``skill`` (0 to 19) chooses."""
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
