"""The check of a CECP engine: two games against itself, in which every fault is named."""

from __future__ import annotations

import json

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import Game, counted
from ryugi_engine.match.game import PlayedGame
from ryugi_engine.match.match_output import MatchOutput
from ryugi_engine.match.openings import read_openings
from ryugi_engine.match.plan import MatchError, MatchPlan
from ryugi_engine.match.referee import FAULTS
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.run import play_match
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts

#: The games: their clock in seconds, and plies at most.
_CLOCK, _INCREMENT, _PLIES = 5.0, 0.1, 300


def play_games(
    spec: EngineSpec,
    game: Game,
    *,
    margin: float,
    timeouts: Timeouts,
    variants_file: str = "",
    as_json: bool = False,
) -> int:
    """Let an engine play itself from the start, each process with both colours; print its faults.

    Return 0 if it has none, else 1; the code of a signal that ends the games.
    """
    output = _Faults(game, as_json)
    plan = MatchPlan(
        game,
        [spec, spec],
        TimeControl(_CLOCK, _INCREMENT, margin=margin),
        read_openings(game, "start"),
        max_plies=_PLIES,
        timeouts=timeouts,
        variants_file=variants_file,
    )
    try:
        code = play_match(plan, output)
    except MatchError as error:
        output.fault(str(error))
        code = 1
    if as_json:
        counts = {"games": output.games, "faults": output.faults}
        print(json.dumps({"event": "check", "engine": spec.label, "game": game.name, **counts}))
    else:
        faults = counted(output.faults, "fault") if output.faults else "no fault"
        print(f"{counted(output.games, 'game')}: {faults}")
    return code


class _Faults(MatchOutput):
    """Prints a line for each fault; counts faults and games."""

    def __init__(self, game: Game, as_json: bool) -> None:
        super().__init__()
        self._game, self._as_json = game, as_json
        self.games = self.faults = 0

    def fault(self, message: str, game: int | None = None, side: str = "") -> None:
        """Print a fault: in which game, by which side."""
        self.faults += 1
        if self._as_json:
            print(json.dumps({"event": "fault", "game": game, "side": side, "message": message}))
        else:
            print(f"game {game}, {side}: {message}" if game else message, flush=True)

    def game_ended(self, game: FinishedGame, played: PlayedGame, remaining: int) -> None:
        self.games += 1
        if game.reason in FAULTS:
            side = self._game.sides[game.result == "1-0"]
            detail = f": {played.detail}" if played.detail else ""
            self.fault(f"{game.reason}{detail}", game.number, side)
        for side, turns in zip(self._game.sides, played.lost_turns, strict=True):
            if turns:
                self.fault(f"{counted(turns, 'turn')} lost on time", game.number, side)

    def note(self, line: str) -> None:
        pass

    def match_ended(self) -> None:
        pass
