"""The time control and clocks of CECP: level, st, sd, nps, time, otim."""

from __future__ import annotations

from dataclasses import dataclass

from ryugi_engine.search.limits import Limits
from ryugi_engine.search.time_management import time_budget

#: Seconds per move for ``st 0`` without a clock, which Cute Chess sends for less than a second.
_SHORT = 0.1


@dataclass
class CecpClock:
    """Time control and clocks, in seconds; None where the GUI has sent nothing."""

    moves: int = 40
    base: float = 300.0
    increment: float = 0.0
    per_move: float | None = None
    depth: int | None = None
    nodes_per_second: int = 0
    own: float | None = None
    other: float | None = None
    #: Moves that the side had made when the time control began.
    moves_before: int = 0

    def set_level(self, moves: int, base: float, increment: float, made: int) -> None:
        """Begin a time control (``level``); the side has ``made`` moves before it."""
        self.moves, self.base, self.increment = moves, base, increment
        self.per_move = self.own = self.other = None
        self.moves_before = made

    def spend(self, seconds: float) -> None:
        """Subtract the seconds of an engine move that the GUI has not been sent yet."""
        own = self.base if self.own is None else self.own
        self.own = max(own - seconds, 0.0)

    def limits(self, side: int, made: int) -> Limits:
        """Return the limits of a search for ``side``, which has made ``made`` moves."""
        if self.per_move is not None:
            move_time = self.per_move or _SHORT
            if self.own is not None and (self.own < move_time or self.per_move == 0):
                move_time = self.own
            limits = Limits(depth=self.depth, move_time=move_time)
        else:
            own = self.base if self.own is None else self.own
            other = own if self.other is None else self.other
            left = self.moves - (made - self.moves_before) % self.moves if self.moves else None
            limits = Limits(
                depth=self.depth,
                time=(own, other) if side == 0 else (other, own),
                increment=(self.increment, self.increment),
                moves_to_go=left,
            )
        if not self.nodes_per_second:
            return limits
        # nps: nodes take the place of the wall clock
        allowed = time_budget(limits, side, 0.0)
        assert allowed is not None
        wanted = allowed.soft if limits.move_time is None else limits.move_time
        return Limits(depth=self.depth, nodes=max(1, int(wanted * self.nodes_per_second)))
