"""The log of a study: its plan, then a line for each game that is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.files.line_log import LineLog, OtherRun
from ryugi_engine.files.output import STUDY
from ryugi_engine.study.plan import MATE, ODDS, PLAY, Plan, Unit

_HELD = "another study writes to it: let it end, or give --journal another file"


def _check(key: str, game: Any) -> None:
    """Raise an error of Python's for a game that figures cannot be made of."""
    kind, strength, number = key.split()
    _ = int(strength), int(number)
    if float(game["points"]) not in (0.0, 0.5, 1.0):
        raise ValueError(f"{game['points']} points")
    _ = game["reason"].split(), game["moves"].split()
    if kind == ODDS:
        first, second = game["lacking"]
        _ = int(game["pair"]), first.split(), second.split()
    elif kind == MATE:
        _ = int(game["plies"]), game["set"].split()
    elif kind == PLAY:
        _ = [int(score) for score in game["scores"]]
        _ = [tuple(map(int, (ply, best, second))) for ply, best, second in game["seconds"]]
        _ = [int(game[name]) for name in ("opening", "branching", "captures", "drops")]
        for counts in (game["became"], game.get("rules", {})):
            _ = [int(count) for count in counts.values()]
        if any(len([int(count) for count in one]) != 6 for one in game["pieces"].values()):
            raise ValueError("pieces")
    else:
        raise ValueError(kind[:20])


class Journal(LineLog):
    """The games so far by their units' keys."""

    def __init__(self, path: Path, digest: str, title: str) -> None:
        """Begin, or read what the file holds; UserError if that is something else.

        ``digest`` is that of the rules now.
        """
        self.plan: Plan | None = None
        self.games: dict[str, dict[str, Any]] = {}
        #: Seconds of all calls together.
        self.spent = 0.0
        self._digest, self._title = digest, title
        super().__init__(path, STUDY, _HELD, self._take)

    def _take(self, entry: Any) -> None:
        if not isinstance(entry, dict):
            raise UserError("the line is no JSON object")
        if self.plan is None:
            self.plan = Plan.from_json(entry)
            if self.plan.rules != self._digest:
                raise OtherRun(f"games of other rules than those of {self._title} now")
            return
        try:
            key, self.spent = str(entry["unit"]), float(entry["spent"])
            game = entry["game"]
            _check(key, game)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError(f"this is no game of a study: {error!r}") from None
        self.games[key] = game

    def begin(self, plan: Plan) -> None:
        """Write the plan of a new study."""
        self.plan = plan
        self.write(plan.to_json())

    def add(self, unit: Unit, game: dict[str, Any], spent: float) -> None:
        """Keep a game; ``spent`` are the seconds of all calls so far."""
        self.spent = spent
        self.games[unit.key] = game
        self.write({"unit": unit.key, "spent": round(spent, 1), "game": game})

    def of(self, kind: str, strength: int = 0) -> list[dict[str, Any]]:
        """Return the games of a kind and a strength, in the order of their numbers."""
        start = f"{kind} {strength} "
        found = [
            (int(key[len(start) :]), game)
            for key, game in self.games.items()
            if key.startswith(start)
        ]
        return [game for _, game in sorted(found, key=lambda item: item[0])]
