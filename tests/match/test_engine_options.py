"""Options of engines: a match and a compliance check send the same, and refuse the same."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import chess
import pytest

from ryugi_engine.games.registry import registry
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.compliance.cecp import CecpChecker
from ryugi_engine.match.compliance.run import make_checker
from ryugi_engine.match.compliance.sample_positions import Place, Places
from ryugi_engine.match.compliance.steps import Check, Settings
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timecontrol import Timeouts
from ryugi_engine.match.uci import UciEngine

#: An engine of Chess960 that writes down what it hears; a first argument: its log.
_ENGINE = r"""
import sys, chess
board = chess.Board(chess960=True)
for line in sys.stdin:
    line = line.strip()
    with open(sys.argv[1], "a") as log:
        log.write(line + "\n")
    word, _, rest = line.partition(" ")
    if word == "uci":
        print("id name a\nid author b")
        print("option name Hash type spin default 1 min 1 max 64")
        print("option name Clear Hash type button")
        print("option name Style type check default false")
        print("option name Mode type combo default Slow var Slow var Very Fast")
        print("option name UCI_Chess960 type check default false")
        print("uciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "protover":
        print('feature ping=1 setboard=1 variants="normal,fischerandom" myname="a"')
        print('feature option="Hash -spin 1 1 64" option="Clear Hash -button"')
        print('feature option="Style -check 0" option="Mode -combo *Slow /// Very Fast"')
        print("feature done=1", flush=True)
    elif word == "ping":
        print("pong", rest, flush=True)
    elif word == "go":
        answer = "bestmove a2a3" if rest else "move a2a3"
        print(answer, flush=True)
    elif word == "quit":
        break
"""
_GIVEN = (("hash", "8"), ("Clear Hash", "yes"), ("STYLE", "on"), ("Mode", "very fast"))
_SENT = {
    "uci": [
        "setoption name Hash value 8",
        "setoption name Clear Hash",
        "setoption name Style value true",
        "setoption name Mode value Very Fast",
        "setoption name UCI_Chess960 value true",
    ],
    "xboard": ["option Hash=8", "option Clear Hash", "option Style=1", "option Mode=Very Fast"],
}


def engine(folder: Path) -> tuple[str, Path]:
    """The command line of the engine, and its log."""
    script, log = folder / "engine.py", folder / "log"
    script.write_text(_ENGINE)
    return f"'{sys.executable}' '{script}' '{log}'", log


@pytest.mark.parametrize("proto", ["uci", "xboard"])
def test_a_check_sends_what_a_match_sends(proto: str, tmp_path: Path) -> None:
    cmd, log = engine(tmp_path)
    spec = EngineSpec(cmd=cmd, proto=proto, options=_GIVEN)
    game = registry().game("chess960")

    def options() -> list[str]:
        lines = log.read_text().splitlines()
        log.unlink()
        return [line for line in lines if line.startswith(("setoption", "option"))]

    async def start() -> None:
        kind = UciEngine if proto == "uci" else CecpEngine
        running = kind(spec, game, "", Timeouts())
        await running.start()
        await running.close()

    asyncio.run(start())
    assert options() == _SENT[proto]
    places = Places(game, Place.at(game))
    checker, steps = make_checker(Settings(spec, game, places, 2.0, Timeouts()))
    step = next(step for step in steps if step.name == "game")
    assert asyncio.run(Check(checker, [step], lambda _: None).run())
    assert options() == _SENT[proto]


def test_a_check_castles_as_a_match_does() -> None:
    """Castling of Chess960 as python-chess writes it, and other moves as they are."""
    game = registry().game("chess960")
    place = Place.at(game, "2k5/8/8/8/8/8/8/1RK3R1 w GB - 0 1")
    settings = Settings(EngineSpec("e", proto="xboard"), game, Places(game, place), 0, Timeouts())
    checker, _steps = make_checker(settings)
    assert isinstance(checker, CecpChecker)
    board = chess.Board(place.position.text(), chess960=True)
    castlings = 0
    for move in board.legal_moves:
        wanted = board.san(move).rstrip("+#") if board.is_castling(move) else move.uci()
        castlings += board.is_castling(move)
        assert checker.last_move(place.after(move.uci())) == wanted
    assert castlings == 2
