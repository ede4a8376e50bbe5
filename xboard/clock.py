"""Time as CECP tells it: sessions of moves, clocks of colours, limits of a move."""

from __future__ import annotations

from dataclasses import dataclass

from ryugi_engine.search.budget import budget
from ryugi_engine.search.limits import Limits

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
        if self.per_move is not None:
            move_time = self.per_move or _SHORT
            if self.own is not None and (self.own < move_time or self.per_move == 0):
                move_time = self.own
            limits = Limits(depth=self.depth, move_time=move_time)
        else:
            own = self.base if self.own is None else self.own
            other = own if self.other is None else self.other
            left = self.moves - (made - self.begun) % self.moves if self.moves else None
            limits = Limits(
                depth=self.depth,
                time=(own, other) if side == 0 else (other, own),
                increment=(self.increment, self.increment),
                moves_to_go=left,
            )
        if not self.nodes_per_second:
            return limits
        # time is what nodes make it: the wall clock has no say
        allowed = budget(limits, side, 0.0)
        assert allowed is not None
        wanted = allowed.soft if limits.move_time is None else limits.move_time
        return Limits(depth=self.depth, nodes=max(1, int(wanted * self.nodes_per_second)))
