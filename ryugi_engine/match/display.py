"""What a match shows while it runs, and at its end."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Tally
from ryugi_engine.match.summary import duration, summary_data, summary_lines

#: So often, in games, the expected end is told.
_EXPECTING = 10


class Scores:
    """The games so far, and the faults in them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        #: Without their records, which would fill the memory.
        self.games: list[FinishedGame] = []
        self.tally = Tally()
        self.faults: Counter[str] = Counter()
        self.lost_turns = 0
        self._at_fault: dict[str, Counter[str]] = {name: Counter() for name in names}

    def add(self, game: FinishedGame, lost_turns: int = 0) -> None:
        """Count a game."""
        self.games.append(replace(game, record=""))
        self.lost_turns += lost_turns
        if len(self.names) == 2:
            self.tally.add(game.points(self.names[0]))
        if game.reason in FAULTS:
            self.faults[game.reason] += 1
            loser = game.black if game.result == "1-0" else game.white
            self._at_fault[loser][game.reason] += 1

    def fault_lines(self) -> list[str]:
        """Whose faults they were, where there are several to choose from, and all together."""
        lines = []
        for name, faults in self._at_fault.items():
            if faults and len(self.names) > 2:
                message = ", ".join(f"{fault} {number}" for fault, number in faults.most_common())
                lines.append(f"Faults of {name}: {message}")
        if self.lost_turns:
            lines.append(f"Turns lost on time: {self.lost_turns}")
        return [*lines, "Faults: " + ", ".join(f"{f} {self.faults[f]}" for f in FAULTS)]


class Display:
    """Lines about a match; nothing of single moves where ``verbose`` is not set."""

    def __init__(self, plan: MatchPlan, verbose: bool, as_json: bool = False) -> None:
        self._plan = plan
        self._json = as_json
        self._alone = plan.concurrency == 1
        self._verbose = verbose and not as_json
        self._live = self._verbose and sys.stdout.isatty()
        self._began = time.monotonic()
        self._ended = 0

    def _print(self, line: str) -> None:
        print(("\r\x1b[K" if self._live else "") + line, flush=True)

    def tell(self, event: str, **values: object) -> None:
        """Write an event, for programs."""
        if self._json:
            print(json.dumps({"event": event, **values}, ensure_ascii=False), flush=True)

    def say(self, line: str) -> None:
        """Write a line for people; for programs a note."""
        if self._json:
            self.tell("note", text=line.strip())
        else:
            self._print(line)

    def begin(self, task: GameTask, total: int) -> None:
        """Report the beginning of a game."""
        names = self._plan.names
        white, black = names[task.white], names[task.black]
        if self._verbose and self._alone:
            self._print(f"Game {task.number} of {total}: {white} - {black}")
        self.tell("begin", number=task.number, white=white, black=black, opening=task.opening)

    def move(
        self, task: GameTask, position: Position, answer: Answer, clocks: tuple[float, float]
    ) -> None:
        """Report a move of a game that is shown: every one on a terminal, else every tenth."""
        if not self._verbose or not self._alone:
            return
        ply = len(position.moves)
        if not self._live and ply % 10:
            return
        thought = f"{answer.score}/{answer.depth}" if answer.score else "-"
        side = "White" if position.side == 1 else "Black"
        line = (
            f"  ply {ply:3d}  {side} {answer.move:6s} {thought:>9s}  "
            f"clocks {clocks[0]:6.2f} {clocks[1]:6.2f}"
        )
        if self._live:
            print(f"\r{line}\x1b[K", end="", flush=True)
        else:
            print(line, flush=True)

    def end(self, game: FinishedGame, played: PlayedGame, scores: Scores, left: int) -> None:
        """Report the end of a game; ``left`` games are to come."""
        detail = f": {played.detail}" if played.detail else ""
        if any(played.lost_turns):
            white_late, black_late = played.lost_turns
            detail += f", turns lost on time {white_late}-{black_late}"
        plies = counted(len(played.moves), "ply", "plies")
        names = self._plan.names
        if len(names) == 2:
            tally = scores.tally
            stand = f"; {names[0]}: +{tally.wins} -{tally.losses} ={tally.draws}"
        else:
            stand = f"; {game.white} - {game.black}"
        if not self._json:
            message = f"{game.result} ({game.reason}{detail}), {plies}{stand}"
            self._print(f"Game {game.number}: {message}")
        plain = {name: value for name, value in asdict(game).items() if name != "record"}
        self.tell("game", **plain, detail=played.detail, faults=dict(scores.faults))
        self._ended += 1
        if self._verbose and left > 0 and self._ended % _EXPECTING == 0:
            seconds = (time.monotonic() - self._began) / self._ended * left
            self._print(f"  {counted(left, 'game')} left, about {duration(seconds)}")

    def close(self) -> None:
        """Remove what is not a line from the terminal; only lines follow."""

    def table(self, scores: Scores) -> None:
        """Write the results at the end."""
        names, games, test = scores.names, scores.games, self._plan.test
        self.tell("end", **summary_data(names, games, test), faults=dict(scores.faults))
        if not self._json:
            *lines, rule = summary_lines(names, games, self._what(), test)
            self._print("\n".join([*lines, *scores.fault_lines(), rule]))

    def _what(self) -> str:
        """Return a short description of the match."""
        plan = self._plan
        controls = {str(plan.control_of(player)) for player in range(len(plan.engines))}
        return f"{plan.game.name}, {', '.join(sorted(controls))}"
