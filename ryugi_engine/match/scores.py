"""The games of a match so far, and the faults in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.statistics import Tally


class Scores:
    """The finished games, their tally, and each engine's faults."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        #: Without their records, which would fill the memory.
        self.games: list[FinishedGame] = []
        self.tally = Tally()
        self.faults: Counter[str] = Counter()
        self.lost_turns = 0
        self._at_fault: dict[str, Counter[str]] = {name: Counter() for name in names}

    def add(self, game: FinishedGame, lost_turns: int = 0) -> None:
        """Add a finished game to the tally."""
        self.games.append(replace(game, record=""))
        self.lost_turns += lost_turns
        if len(self.names) == 2:
            self.tally.add(game.points(self.names[0]))
        if game.reason in FAULTS:
            self.faults[game.reason] += 1
            loser = game.black if game.result == "1-0" else game.white
            self._at_fault[loser][game.reason] += 1

    def fault_lines(self) -> list[str]:
        """Return lines of faults: each engine's if there are more than two, lost turns, the sum."""
        lines = []
        for name, faults in self._at_fault.items():
            if faults and len(self.names) > 2:
                message = ", ".join(f"{fault} {number}" for fault, number in faults.most_common())
                lines.append(f"Faults of {name}: {message}")
        if self.lost_turns:
            lines.append(f"Turns lost on time: {self.lost_turns}")
        return [*lines, "Faults: " + ", ".join(f"{f} {self.faults[f]}" for f in FAULTS)]
