"""What a match shows while it runs, and at its end."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.statistics import Tally

_RULE = "-" * 50
#: So often, in games, the expected end is told.
_EXPECTING = 10


class Scores:
    """Results so far: of two engines from the first one's point of view, of more by points."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.tally = Tally()
        self.reasons: Counter[str] = Counter()
        #: Points, games, and faults by reason, of each engine.
        self.points: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.faults: dict[str, Counter[str]] = {name: Counter() for name in names}

    def add(self, game: FinishedGame, lost_turns: int = 0) -> None:
        """Count a game."""
        for name in (game.white, game.black):
            self.points[name] += game.points(name)  # type: ignore[assignment]
            self.games[name] += 1
        if game.between(self.names[0], self.names[1]) and len(self.names) == 2:
            self.tally.add(game.points(self.names[0]))
        self.reasons[game.reason] += 1
        if lost_turns:
            self.reasons["turns lost on time"] += lost_turns
        if game.reason in FAULTS:
            loser = game.black if game.result == "1-0" else game.white
            self.faults[loser][game.reason] += 1

    @property
    def faulty(self) -> bool:
        """Whether any engine was at fault."""
        return any(self.reasons[fault] for fault in FAULTS)


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
        """An event, for programs."""
        if self._json:
            print(json.dumps({"event": event, **values}, ensure_ascii=False), flush=True)

    def say(self, line: str) -> None:
        """A line for people; for programs a note."""
        if self._json:
            self.tell("note", text=line.strip())
        else:
            self._print(line)

    def begin(self, task: GameTask, total: int) -> None:
        """A game begins."""
        names = self._plan.names
        white, black = names[task.white], names[task.black]
        if self._verbose and self._alone:
            self._print(f"Game {task.number} of {total}: {white} - {black}")
        self.tell("begin", number=task.number, white=white, black=black, opening=task.opening)

    def move(self, position: Position, answer: Answer, clocks: tuple[float, float]) -> None:
        """A move of a game that is shown: every one on a terminal, else every tenth."""
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
        """A game is over; ``left`` are to come."""
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
            told = f"{game.result} ({game.reason}{detail}), {plies}{stand}"
            self._print(f"Game {game.number}: {told}")
        plain = {name: value for name, value in asdict(game).items() if name != "record"}
        self.tell("game", **plain, detail=played.detail, faults=dict(scores.reasons))
        self._ended += 1
        if self._verbose and left > 0 and self._ended % _EXPECTING == 0:
            seconds = (time.monotonic() - self._began) / self._ended * left
            self._print(f"  {counted(left, 'game')} left, about {_duration(seconds)}")

    def table(self, scores: Scores) -> None:
        """The results at the end."""
        if not self._json:
            self._print(self.text(scores))
        standing = {n: {"points": scores.points[n], "games": scores.games[n]} for n in scores.names}
        self.tell("end", standing=standing, reasons=dict(scores.reasons))

    def text(self, scores: Scores) -> str:
        """The table for people."""
        lines = [_RULE]
        plan = self._plan
        if len(scores.names) == 2:
            lines += self._duel(scores)
        else:
            lines.append(f"Results ({plan.game.name}, {plan.control}):")
            lines += _standings(scores)
        lines += [
            "Endings: " + ", ".join(f"{reason} {n}" for reason, n in scores.reasons.most_common()),
            "Faults: " + ", ".join(f"{fault} {scores.reasons[fault]}" for fault in FAULTS),
            _RULE,
        ]
        return "\n".join(lines)

    def _duel(self, scores: Scores) -> list[str]:
        tally, names, plan = scores.tally, scores.names, self._plan
        points = tally.wins + tally.draws / 2
        return [
            f"Results of {names[0]} vs {names[1]} ({plan.game.name}, {plan.control}):",
            f"Elo: {tally.elo()}",
            f"Games: {tally.games}, Wins: {tally.wins}, Losses: {tally.losses}, "
            f"Draws: {tally.draws}, Points: {points:g} ({100 * tally.score:.1f} %)",
        ]


def _standings(scores: Scores) -> list[str]:
    """A line for each engine, the best first."""
    order = sorted(scores.names, key=lambda name: -scores.points[name])
    width = max(map(len, order))
    lines = []
    for place, name in enumerate(order, start=1):
        faults = scores.faults[name]
        told = ", ".join(f"{fault} {number}" for fault, number in faults.most_common())
        lines.append(
            f"{place:3d}. {name:{width}s}  {scores.points[name]:6g} of {scores.games[name]}"
            + (f"  ({told})" if told else "")
        )
    return lines


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
