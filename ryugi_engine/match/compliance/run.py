"""Compliance check of an engine (``match --check``), reported line by line."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

from ryugi_engine.games.game import Game, counted
from ryugi_engine.match.compliance.cecp import play_games
from ryugi_engine.match.compliance.checker import Checker, Settings
from ryugi_engine.match.compliance.places import Places
from ryugi_engine.match.compliance.steps import Check, StepResult
from ryugi_engine.match.compliance.uci import STEPS
from ryugi_engine.match.engine import EngineFailure, GameUnknown
from ryugi_engine.match.engine_pool import new_engine
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts

#: Seconds that any engine may be late by, however small its clock is: machines are busy.
_MARGIN = 0.5
#: Letters of the longest step's name.
_WIDTH = 22


def check_engine(
    spec: EngineSpec,
    game: Game,
    *,
    margin: float = 0.0,
    timeouts: Timeouts | None = None,
    seed: int = 0,
    variants_file: str = "",
    as_json: bool = False,
) -> int:
    """Check an engine with a game; return 0 if it does nothing wrong, else 1.

    A UCI engine has a line a step, a CECP engine one a fault in its games. ``margin``: seconds
    that an answer may be late beyond half a second; ``seed``: the positions.
    """
    timeouts = timeouts or Timeouts()
    margin += _MARGIN
    if spec.proto == "xboard":
        return play_games(
            spec,
            game,
            margin=margin,
            timeouts=timeouts,
            variants_file=variants_file,
            as_json=as_json,
        )
    settings = Settings(spec, game, Places.find(game, seed), margin, timeouts, variants_file)
    check = Check(Checker(settings), STEPS, _tell_json if as_json else _tell)
    fine = asyncio.run(check.run())
    counts = check.counts()
    if as_json:
        print(json.dumps({"event": "check", "engine": spec.label, "game": game.name, **counts}))
    else:
        failed = ", ".join(one.step for one in check.results if one.result == "failed")
        numbers = ", ".join(f"{number} {result}" for result, number in counts.items())
        message = f"{counted(len(check.results), 'step')}: {numbers}"
        print(message + (f"; failed: {failed}" if failed else ""))
    return 0 if fine else 1


def knows_game(spec: EngineSpec, game: Game, timeouts: Timeouts, variants_file: str) -> bool:
    """Return False if an engine can be started and does not list a game."""
    engine = new_engine(spec, game, variants_file, timeouts)

    async def begun() -> bool:
        try:
            await engine.open()
            await engine.handshake()
            await engine.configure()
        except GameUnknown:
            return False
        except EngineFailure:
            return True  # the check itself names it
        finally:
            await engine.close(0.0)
        return True

    return asyncio.run(begun())


def _tell(result: StepResult) -> None:
    message = f": {result.message}" if result.message else ""
    print(f"{result.step:{_WIDTH}} {result.result}{message}", flush=True)


def _tell_json(result: StepResult) -> None:
    print(json.dumps({"event": "step", **asdict(result)}), flush=True)
