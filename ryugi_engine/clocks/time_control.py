"""Time controls: how they are written, and a side's clock under one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated

from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import decimal, whole

#: Seconds that a clock can begin with, and that a move can have or add.
_SHORTEST, MAX_BASE, MAX_MOVE_TIME = 0.001, 1_000_000, 100_000
_MOST_MOVES, _MOST_NODES, _DEEPEST = 10_000, 10**15, 1000
_CLOCK = re.compile(r"(?:(?P<moves>[^/]*)/)?(?P<base>[^+]*)(?:\+(?P<increment>.*))?", re.DOTALL)


@dataclass(frozen=True)
class TimeControl:
    """Seconds for the game and for each move, or limits that need no clock."""

    base: Annotated[float, 0, MAX_BASE]
    increment: Annotated[float, 0, MAX_MOVE_TIME]
    #: Seconds for each move in place of a clock; 0: a clock runs.
    per_move: Annotated[float, 0, MAX_MOVE_TIME] = 0.0
    #: Seconds that a clock may be overdrawn before the game is lost.
    margin: Annotated[float, 0, MAX_MOVE_TIME] = 0.0
    #: Moves after which ``base`` is added again; 0: it is for the whole game.
    moves: Annotated[int, 0, _MOST_MOVES] = 0
    #: Limits of each move's search; 0: none.
    nodes: Annotated[int, 0, _MOST_NODES] = 0
    depth: Annotated[int, 0, _DEEPEST] = 0
    #: No clock at all: only nodes and depth end a search.
    endless: bool = False

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """Parse ``10+0.1``, ``1:30+1``, ``40/60``, ``inf``, or ``st=0.5`` for a time a move.

        ``nodes=N`` and ``depth=N`` stand for ``inf`` with that limit. UserError if it is not
        like that.
        """

        def seconds(word: str, low: float, high: float, like: str) -> float:
            minutes, colon, rest = word.rpartition(":")
            try:
                number = decimal(rest, -1e300, 1e300)
                if colon:
                    number = 60 * whole(minutes, 0, MAX_BASE) + decimal(rest, 0, 59.999)
            except ValueError:
                raise UserError(f"time control '{text[:40]}' is not like {like}") from None
            if not low <= number <= high:
                message = f"{word[:20]} is not in {low:g}..{high:g} seconds"
                raise UserError(f"time control '{text[:40]}': {message}")
            return number

        if text == "inf":
            return cls(0.0, 0.0, endless=True)
        if text.startswith(("nodes=", "depth=")):
            name, _, number = text.partition("=")
            return cls(0.0, 0.0, endless=True).limited(name, number)
        if text.startswith("st="):
            per_move = seconds(text[3:], _SHORTEST, MAX_MOVE_TIME, "st=0.5")
            return cls(per_move, 0.0, per_move)
        match = _CLOCK.fullmatch(text)
        assert match is not None  # it takes every text
        moves = 0
        if match["moves"] is not None:
            try:
                moves = whole(match["moves"], 1, _MOST_MOVES)
            except ValueError as error:
                raise UserError(f"time control '{text[:40]}': moves: {error}") from None
        base = seconds(match["base"], _SHORTEST, MAX_BASE, "10+0.1")
        increment = "0" if match["increment"] is None else match["increment"]
        return cls(base, seconds(increment, 0.0, MAX_MOVE_TIME, "10+0.1"), moves=moves)

    def limited(self, name: str, text: str) -> TimeControl:
        """Return the same with a limit of ``nodes`` or ``depth``; UserError if it is wrong."""
        try:
            if name == "nodes":
                return replace(self, nodes=whole(text, 1, _MOST_NODES))
            return replace(self, depth=whole(text, 1, _DEEPEST))
        except ValueError as error:
            raise UserError(f"{name}: {error}") from None

    @property
    def bounded(self) -> bool:
        """Whether a search under it ends by itself."""
        return not self.endless or bool(self.nodes or self.depth)

    def __str__(self) -> str:
        limits = "".join(
            f" {name}={value}"
            for name, value in (("nodes", self.nodes), ("depth", self.depth))
            if value
        )
        if self.endless:
            return limits.strip() or "inf"
        if self.per_move:
            return f"st={self.per_move:g}{limits}"
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.base:g}+{self.increment:g}{limits}"


class PlayerClock:
    """A side's clock."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        #: Seconds left.
        self.left = control.base
        #: Moves until more time comes, 0 where none does.
        self.to_go = control.moves

    def run(self, seconds: float) -> bool:
        """Subtract a move's seconds; return whether it came in time."""
        if self.control.endless:
            return True
        self.left -= seconds
        return self.left >= -self.control.margin

    def moved(self) -> None:
        """Count a move, in time or not; add the increment, and the next period's time."""
        control = self.control
        self.left = control.per_move or max(self.left, 0.0) + control.increment
        if control.moves:
            self.to_go -= 1
            if self.to_go == 0:
                self.to_go = control.moves
                self.left += control.base
