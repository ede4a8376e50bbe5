"""What a search tells: scores, reports on the way, and the result."""

from __future__ import annotations

from dataclasses import dataclass, field

from ryugi_engine.search import layout as L


@dataclass(frozen=True)
class Score:
    """Centipawns, or full moves to mate (negative: being mated), for the side to move."""

    cp: int
    mate: int | None = None
    bound: str = ""  # "lowerbound" or "upperbound" while an iteration is open

    @classmethod
    def of(cls, value: int, bound: str = "") -> Score:
        """From the search's number."""
        if value > L.MATE_BOUND:
            return cls(value, (L.MATE - value + 1) // 2, bound)
        if value < -L.MATE_BOUND:
            return cls(value, -(L.MATE + value) // 2, bound)
        return cls(value, None, bound)


@dataclass(frozen=True)
class Report:
    """State of a search after an iteration of one line."""

    depth: int
    seldepth: int
    multipv: int
    score: Score
    nodes: int
    seconds: float
    hashfull: int
    pv: list[str]
    #: The opponent's answer, "" if the line ends or the same side plays on.
    ponder: str = ""


@dataclass
class Result:
    """What a search found: moves as text, "" if the game is over."""

    best: str = ""
    ponder: str = ""
    score: Score = field(default_factory=lambda: Score(0))
    depth: int = 0
    nodes: int = 0
    #: The whole line of a proof.
    line: list[str] = field(default_factory=list)
