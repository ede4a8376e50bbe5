"""What bounds a search, and how much of the clock a move may have."""

from __future__ import annotations

from dataclasses import dataclass, field

#: Moves that a game is expected to last from here when the clock gives no number.
_HORIZON = 30
#: Overheads that stay on the clock.
_RESERVE = 5
#: Seconds beside the overhead that stay free of a time for one move.
_LATE = 0.02


@dataclass
class Limits:
    """The arguments of ``go``. Times are seconds; ``None`` means no such limit."""

    time: tuple[float | None, float | None] = (None, None)
    increment: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    move_time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: list[str] = field(default_factory=list)

    def timed(self, side: int) -> bool:
        """Whether a clock runs for the side."""
        return self.move_time is not None or self.time[side] is not None


@dataclass(frozen=True)
class Budget:
    """Seconds for a move: no new iteration after ``soft``, an end in any case at ``hard``."""

    soft: float
    hard: float


def budget(limits: Limits, side: int, overhead: float) -> Budget | None:
    """The time for this move, ``overhead`` seconds kept back; None if no clock runs."""
    if limits.move_time is not None:
        # a process may wake up late: short times keep a fifth more back, long ones hardly feel it
        late = min(0.2 * limits.move_time, _LATE)
        available = max(limits.move_time - overhead - late, 0.001)
        return Budget(available, available)
    remaining = limits.time[side]
    if remaining is None:
        return None
    increment = limits.increment[side]
    moves = min(limits.moves_to_go or _HORIZON, 50)
    # a reserve of several moves' overhead is kept: a late wake-up of the process now and then
    # must not cost the game, so near it even the increment is saved
    usable = max(remaining - _RESERVE * overhead, 0.04 * remaining)
    share = usable / moves + min(0.75 * increment, usable / 4)
    if limits.moves_to_go == 1:
        most = 0.9 * usable
    else:
        most = min(0.35 * usable + 0.5 * increment, 0.8 * usable)
    hard = max(0.001, min(most, 4.0 * share))
    return Budget(min(0.65 * share, hard), hard)
