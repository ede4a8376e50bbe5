"""Compliance check of an engine (``match --check``), reported line by line."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict

from ryugi_engine.games.game import Game
from ryugi_engine.match import descendants
from ryugi_engine.match.compliance.connection import Gone
from ryugi_engine.match.compliance.sample_positions import Place, Places
from ryugi_engine.match.compliance.steps import Check, Checker, Fault, Settings, Step, StepResult
from ryugi_engine.match.engine import GameUnknown, Unsupported
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timecontrol import Timeouts

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
    """Check an engine with a game and print a line a step; return 0 if none failed, else 1.

    ``margin``: seconds that an answer may be late beyond half a second; ``seed``: the positions.
    """
    places = Places.find(game, seed)
    timeouts = timeouts or Timeouts()
    settings = Settings(spec, game, places, _MARGIN + margin, timeouts, variants_file)
    checker, steps = make_checker(settings)
    check = Check(checker, steps, _tell_json if as_json else _tell)
    with descendants.ended():
        fine = asyncio.run(check.run())
    if as_json:
        results = [verdict.result for verdict in check.verdicts]
        counts = {result: results.count(result) for result in ("ok", "failed", "skipped")}
        print(json.dumps({"event": "check", "engine": spec.label, "game": game.name, **counts}))
    else:
        print(check.summary())
    return 0 if fine else 1


def knows_game(spec: EngineSpec, game: Game, timeouts: Timeouts, variants_file: str) -> bool:
    """Return False if an engine can be started and does not list a game."""
    places = Places(game, Place.at(game))
    checker, _steps = make_checker(Settings(spec, game, places, _MARGIN, timeouts, variants_file))

    async def begun() -> bool:
        try:
            await checker.get_ready()
        except GameUnknown:
            return False
        except (Fault, Gone, Unsupported, OSError):
            return True  # the check itself names it
        finally:
            await checker.close()
        return True

    with descendants.ended():
        return asyncio.run(begun())


def make_checker(settings: Settings) -> tuple[Checker, tuple[Step, ...]]:
    """Return the checker of the engine's protocol, and its steps."""
    if settings.spec.proto == "xboard":
        from ryugi_engine.match.compliance import cecp, cecp_steps

        return cecp.CecpChecker(settings), cecp_steps.STEPS
    from ryugi_engine.match.compliance import uci, uci_steps

    return uci.UciChecker(settings), uci_steps.STEPS


def _tell(verdict: StepResult) -> None:
    message = f": {verdict.message}" if verdict.message else ""
    print(f"{verdict.step:{_WIDTH}} {verdict.result}{message}", flush=True)


def _tell_json(verdict: StepResult) -> None:
    print(json.dumps({"event": "step", **asdict(verdict)}), flush=True)
