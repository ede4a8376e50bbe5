"""Time as CECP tells it: sessions of moves, clocks of colours, limits of a move."""

from __future__ import annotations

from dataclasses import dataclass

from ryugi_engine.search.limits import Limits, budget

#: For a move when ``st 0`` comes without a clock: Cute Chess says so for less than a second.
_SHORT = 0.1


@dataclass
class Clock:
    """Seconds; None where the GUI has said nothing."""

    moves: int = 40
    base: float = 300.0
    increment: float = 0.0
    per_move: float | None = None
    depth: int | None = None
    nodes_per_second: int = 0
    own: float | None = None
    other: float | None = None
    #: Moves that the side had made when its session began.
    begun: int = 0

    def set_level(self, moves: int, base: float, increment: float, made: int) -> None:
        """``level``: a session begins, in which the side has ``made`` moves already."""
        self.moves, self.base, self.increment = moves, base, increment
        self.per_move = self.own = self.other = None
        self.begun = made

    def spend(self, seconds: float) -> None:
        """Time that has passed since the GUI last told it."""
        own = self.base if self.own is None else self.own
        self.own = max(own - seconds, 0.0)

    def limits(self, side: int, made: int) -> Limits:
        """The limits of a search for ``side``, which has made so many moves."""
        limits = Limits(depth=self.depth)
        if self.per_move is not None:
            limits.move_time = self.per_move or _SHORT
            if self.own is not None and (self.own < limits.move_time or self.per_move == 0):
                limits.move_time = self.own
        else:
            own = self.base if self.own is None else self.own
            other = own if self.other is None else self.other
            limits.time = (own, other) if side == 0 else (other, own)
            limits.increment = (self.increment, self.increment)
            if self.moves:
                limits.moves_to_go = self.moves - (made - self.begun) % self.moves
        if self.nodes_per_second:
            # time is what nodes make it: the wall clock has no say
            allowed = budget(limits, side, 0.0)
            assert allowed is not None
            wanted = limits.move_time if limits.move_time is not None else allowed.soft
            limits.nodes = max(1, int(wanted * self.nodes_per_second))
            limits.time, limits.move_time = (None, None), None
        return limits
