"""Options of engines: a match and a compliance check send the same, and refuse the same."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import chess
import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.match.cecp import CecpEngine
from ryugi_engine.match.cecp_text import castling_spelled
from ryugi_engine.match.compliance.checker import Checker, Settings
from ryugi_engine.match.compliance.places import Place, Places
from ryugi_engine.match.compliance.run import knows_game
from ryugi_engine.match.compliance.steps import Check
from ryugi_engine.match.compliance.uci import STEPS
from ryugi_engine.match.engine import Engine, Unsupported
from ryugi_engine.match.engine_options import cecp_option, uci_option
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.match.uci import UciEngine
from tests.support.helpers import SUPPORT, command

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


def test_a_check_sends_what_a_match_sends(tmp_path: Path) -> None:
    """Of CECP a check is a match; only its engine's lines are compared."""
    cmd, log = engine(tmp_path)
    game = registry().game("chess960")

    def options() -> list[str]:
        lines = log.read_text().splitlines()
        log.unlink()
        return [line for line in lines if line.startswith(("setoption", "option"))]

    async def start(kind: type[Engine]) -> None:
        running = kind(EngineSpec(cmd=cmd, options=_GIVEN), game, "", Timeouts())
        await running.start()
        await running.close()

    for proto, kind in (("xboard", CecpEngine), ("uci", UciEngine)):
        asyncio.run(start(kind))
        assert options() == _SENT[proto]
    spec = EngineSpec(cmd=cmd, options=_GIVEN)
    checker = Checker(Settings(spec, game, Places(Place.at(game)), 2.0, Timeouts()))
    step = next(step for step in STEPS if step.name == "game")
    assert asyncio.run(Check(checker, [step], lambda _: None).run())
    assert options() == _SENT["uci"]


def test_castling_as_python_chess_writes_it() -> None:
    """In Chess960; other moves are as they are."""
    position = Position(registry().game("chess960"), "2k5/8/8/8/8/8/8/1RK3R1 w GB - 0 1")
    board = chess.Board(position.text(), chess960=True)
    castlings = 0
    for move in board.legal_moves:
        wanted = board.san(move).rstrip("+#") if board.is_castling(move) else move.uci()
        castlings += board.is_castling(move)
        after = position.copy()
        after.push(move.uci())
        assert castling_spelled(after, after.moves) == [wanted]
    assert castlings == 2


@pytest.mark.parametrize("proto", ["uci", "xboard"])
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Hsh", "3", "it has no option 'Hsh', did you mean 'Hash'?"),
        ("Nonesuch", "", "it has no option 'Nonesuch', it has Hash, Clear Hash, Style, Mode"),
        ("hash", "65", "65 is not in 1..64"),
        ("Hash", "x", "'x' is not a whole number"),
        ("Style", "maybe", "'maybe' is neither true nor false"),
        ("Mode", "fast", "'fast' is none of Slow, Very Fast"),
        ("Mode", "Slow\nquit", "more than a line"),
    ],
)
def test_options_that_an_engine_has_not_got(
    proto: str, name: str, value: str, message: str, tmp_path: Path
) -> None:
    spec = EngineSpec(cmd=engine(tmp_path)[0], proto=proto, options=((name, value),))

    async def start() -> None:
        kind = UciEngine if proto == "uci" else CecpEngine
        running = kind(spec, registry().game("chess"), "", Timeouts())
        try:
            await running.start()
        finally:
            await running.close()

    with pytest.raises(Unsupported) as error:
        asyncio.run(start())
    assert message in str(error.value)


@pytest.mark.parametrize("kind", [UciEngine, CecpEngine])
def test_an_engine_may_speak_before_it_is_asked(kind: type[Engine]) -> None:
    """Phalanx says its name as it starts."""
    engine = kind(EngineSpec(cmd="phalanx"), registry().game("chess"), "", Timeouts())
    for line in ("Phalanx XXV", "feature done=0"):
        engine._handle_line(line)
    assert engine.fault is None


def test_limits_that_an_engine_does_not_name() -> None:
    """What the match cannot know, the engine judges."""
    for option in (uci_option("option name A type spin default 1"), cecp_option("A -spin 1")):
        assert option.read("-7") == "-7"
    assert uci_option("option name A type string default a var b").read("c") == "c"
    assert uci_option("option name A type combo default a").read("c") == "c"
    combo = uci_option("option name A type combo default max var default var max var normal var a")
    assert (combo.default, combo.choices) == ("max", ("default", "max", "normal", "a"))
    combo = uci_option("option name A type combo var a b var c default c")
    assert (combo.default, combo.choices) == ("c", ("a b", "c"))
    combo = cecp_option("A b -combo x /// *y z")
    assert (combo.name, combo.choices, combo.read("Y Z")) == ("A b", ("x", "y z"), "y z")


CHESS = f"'{sys.executable}' '{SUPPORT / 'dialect_engine.py'}'"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (("option.Hsh=3",), "'b' did not start: it has no option 'Hsh'"),
        (("variant=nochess",), "'b' did not start: it does not play 'nochess', it plays normal"),
        (("nodes=5",), "'b' did not start: its nodes cannot be limited"),
    ],
)
def test_a_match_that_must_fail_is_not_begun(keys: tuple[str, ...], message: str) -> None:
    words = ["match", "--variant", "chess", "--engine", "name=a", f"cmd={CHESS} good"]
    words += ["--engine", "name=b", f"cmd={CHESS} plain xboard", "proto=xboard", *keys]
    done = command(*words)
    assert (done.returncode, done.stdout) == (2, ""), done.stdout
    assert message in done.stderr


@pytest.mark.parametrize("proto", ["uci", "xboard"])
def test_chess_is_played_where_nobody_knows_ryugi(proto: str, tmp_path: Path) -> None:
    """A game that was named, or that one engine knows, is not replaced."""
    other = "xboard" if proto == "xboard" else ""
    words = ["match", "--games", "1", "--max-plies", "4", "--quiet", "--report", str(tmp_path)]
    words += ["--engine", "name=a", f"cmd={CHESS} plain {other}", f"proto={proto}"]
    done = command(*words, "--engine", "name=b", f"cmd={CHESS} good")
    assert done.returncode == 0, done.stderr
    assert "Results of a vs b (chess, 10+0.1):" in done.stdout
    assert done.stderr.count("the game is chess: no engine knows ryugi") == 1
    done = command(*words, "--engine", "name=b", f"cmd={CHESS} good", "--variant", "ryugi")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'a' did not start: it does not play 'ryugi'" in done.stderr
    knows = f"cmd='{sys.executable}' -m ryugi_engine"
    done = command(*words, "--engine", "name=b", knows)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'a' did not start: it does not play 'ryugi'" in done.stderr
    assert "--variant names the game" in done.stderr


@pytest.mark.parametrize("proto", ["uci", "xboard"])
def test_a_check_knows_which_game_it_can_check(proto: str) -> None:
    for cmd, known in ((CHESS, False), (f"'{sys.executable}' -m ryugi_engine", True)):
        plain = f"{cmd} plain {'xboard' if proto == 'xboard' else ''}" if cmd == CHESS else cmd
        spec = EngineSpec(cmd=plain, proto=proto)
        assert knows_game(spec, registry().game("ryugi"), Timeouts(), "") is known
    missing = EngineSpec(cmd="/no/such/engine", proto=proto)
    assert knows_game(missing, registry().game("ryugi"), Timeouts(), "")


def test_a_test_without_a_number_of_games_goes_on_until_it_decides() -> None:
    words = ["match", "--variant", "chess", "--quiet", "--tc", "100+1"]
    words += ["--engine", "name=a", f"cmd={CHESS} good"]
    words += ["--engine", "name=b", f"cmd={CHESS} resigns xboard", "proto=xboard"]
    words += ["--sprt", "elo0=0", "elo1=200", "alpha=0.2", "beta=0.2"]
    done = command(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SPRT: H1 was accepted" in done.stdout
    assert "Game 3: " in done.stdout
    done = command(*words, "--games", "2")
    assert done.returncode == 3
    assert "SPRT: undecided" in done.stdout
