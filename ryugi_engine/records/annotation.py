"""Machine-readable annotations of moves: ``[%eval 0.35]``, ``[%clk 0:05:00]``, glyphs as ``$4``.

An evaluation follows the move that leads to its position, and is always from White's side. Sources:
S. J. Edwards, "Portable Game Notation Specification", 1994, 8.2.3.8 and 10 (glyphs); ``%clk`` is A.
Cowderoy's supplement to it of 2001, ``%eval`` what lichess writes; the winning chances are those of
https://lichess.org/page/accuracy.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

#: Signs of glyphs after a move, by their numbers; others have no sign of ASCII.
SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
#: Centipawns beyond which more of them mean nothing.
CERTAIN = 1000
_STEEPNESS = 0.00368208

_EVAL = re.compile(
    r"""\[%eval\s+(?:\#(?P<mate>[+-]?[0-9]{1,9})
        |(?P<pawns>[+-]?(?:[0-9]{0,9}\.[0-9]{1,9}|[0-9]{1,9}\.?)))
        (?:\s*,\s*(?P<depth>[0-9]{1,9}))?\s*\]""",
    re.VERBOSE | re.ASCII,
)
_CLK = re.compile(
    r"\[%clk\s+(?P<hours>[0-9]{1,9}):(?P<minutes>[0-9]{1,2}):(?P<seconds>[0-9]{1,2}(?:\.[0-9]{0,9})?)"
    r"\s*\]",
    re.ASCII,
)
#: The first position as XBoard draws it before the first move of a game that it saves.
_DIAGRAM = re.compile(r"-{14}\s+(?:\S{1,4}\s+)++(?:white|black) to play\s+-{14}(?=\s|$)")


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of a position from White's side: centipawns, or moves to a forced win.

    ``mate`` is positive if White wins, negative if Black wins, and 0 if the game is over, won by
    the side that moved last.
    """

    centipawns: int = 0
    mate: int | None = None
    #: Plies that were searched, if recorded.
    depth: int | None = None

    def __str__(self) -> str:
        """Return the text in ``[%eval ...]``: ``0.35``, ``-1.20``, ``#3``, ``#-3``."""
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{self.centipawns / 100 + 0.0:.2f}"

    @property
    def bounded(self) -> int:
        """Centipawns for White, at most :data:`CERTAIN`, which a forced win counts as."""
        if self.mate is not None:
            return CERTAIN * ((self.mate > 0) - (self.mate < 0))
        return max(-CERTAIN, min(CERTAIN, self.centipawns))

    @property
    def chances(self) -> float:
        """White's winning chances, from -1 (loss) to 1 (win); graphs show them."""
        if self.mate:
            return math.copysign(1.0, self.mate)
        return winning_chances(self.bounded)


def winning_chances(centipawns: float) -> float:
    """Return winning chances, from -1 to 1, for an evaluation in centipawns."""
    return 2 / (1 + math.exp(-_STEEPNESS * centipawns)) - 1


def evaluation_in(comment: str) -> Evaluation | None:
    """Return the first ``[%eval ...]`` of a comment, or None."""
    match = _EVAL.search(comment)
    if match is None:
        return None
    depth = None if match["depth"] is None else int(match["depth"])
    if match["mate"] is not None:
        return Evaluation(mate=int(match["mate"]), depth=depth)
    return Evaluation(round(float(match["pawns"]) * 100), depth=depth)


def clock_in(comment: str) -> float | None:
    """Return the seconds of the first ``[%clk ...]`` of a comment, or None."""
    match = _CLK.search(comment)
    if match is None:
        return None
    return int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"])


def _without(comment: str, what: re.Pattern[str]) -> str:
    return " ".join(what.sub(" ", comment).split())


def prose(comment: str) -> str:
    """Return a comment without its ``[%eval ...]`` and ``[%clk ...]``."""
    return _without(_without(comment, _EVAL), _CLK)


def without_diagram(comment: str) -> str:
    """Return a comment without XBoard's diagram of the first position."""
    return _without(comment, _DIAGRAM)


def without_evaluation(comment: str) -> str:
    """Return a comment without any ``[%eval ...]``."""
    return _without(comment, _EVAL)


def with_evaluation(comment: str, evaluation: Evaluation) -> str:
    """Return a comment that begins with the evaluation, the only one in it."""
    depth = "" if evaluation.depth is None else f",{evaluation.depth}"
    return f"[%eval {evaluation}{depth}] {_without(comment, _EVAL)}".rstrip()


def with_clock(comment: str, seconds: float) -> str:
    """Return a comment that begins with a clock, the only one in it; ``seconds`` are left on it."""
    whole = max(int(seconds), 0)
    hours, minutes = divmod(whole // 60, 60)
    clock = f"[%clk {hours}:{minutes:02d}:{whole % 60:02d}]"
    return f"{clock} {_without(comment, _CLK)}".rstrip()
