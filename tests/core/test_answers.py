"""What a GUI waits for comes: last lines of searches, answers in finished games, to bad numbers."""

from __future__ import annotations

import itertools
import mmap
import os
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest

from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel import cache
from ryugi_engine.text.numbers import RANGES, read
from tests.conftest import GAMES
from tests.support.helpers import EngineUnderTest, patient, python_chess
from uci.parser import parse_go
from xboard import features, parser

#: Seconds for an answer on an idle machine.
SOON = 5.0
HUGE = "9" * 20
ENDLESS = "9" * 5000
#: What is no number of any protocol.
NUMBERS = ("nan", "inf", "1e400", "1e3", "1_000", "\u0661\u0662", "0x10", "", "--1", "1.5.2", "½")


@pytest.fixture(scope="module")
def uci() -> Iterator[EngineUnderTest]:
    yield from _engine("uci", _set_up)


@pytest.fixture(scope="module")
def cecp() -> Iterator[EngineUnderTest]:
    def introduce(engine: EngineUnderTest) -> None:
        engine.send("protover 2", "new", "force", "ping 1")
        engine.wait("pong 1", 180)

    yield from _engine("xboard", introduce)


def _set_up(engine: EngineUnderTest, *lines: str) -> None:
    """Say lines and wait for the kernels that they need, however long they are compiled."""
    engine.send(*lines, "isready")
    engine.wait("readyok", 180)


def _engine(word: str, introduce: Callable[[EngineUnderTest], None]) -> Iterator[EngineUnderTest]:
    engine = EngineUnderTest(word)
    try:
        introduce(engine)
        yield engine
        assert engine.quit(SOON) == ""
    finally:
        engine.process.kill()
        engine.process.wait()
        engine.close()


# ---- the last line -------------------------------------------------------------------------------


def _field(line: str, name: str) -> str:
    return line.split(f" {name} ")[1].split(maxsplit=1)[0]


def _searched(engine: EngineUnderTest, *lines: str, stop_at: str = "") -> list[str]:
    """The lines of one multipv 1 and the best move of a search."""
    engine.log.clear()
    engine.send(*lines)
    if stop_at:
        engine.wait(stop_at)
        engine.send("stop")
    engine.wait("bestmove")
    return [line for line in engine.log if " multipv 1 " in line] + engine.log[-1:]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_bestmove_rests_on_the_last_line(uci: EngineUnderTest, name: str) -> None:
    _set_up(uci, f"setoption name UCI_Variant value {name}", "position startpos")
    cases = [
        *(f"go nodes {n}" for n in (1, 2, 3, 10, 77, 500, 4000)),
        "go depth 2",
        "go movetime 5",
    ]
    for threads, lines, level in itertools.product((1, 3), (1, 3), (12, 2)):
        uci.send(f"setoption name Threads value {threads}", f"setoption name MultiPV value {lines}")
        uci.send(f"setoption name Level value {level}", "ucinewgame")
        for go in cases:
            *output, best = _searched(uci, go)
            assert output, (go, uci.log)
            assert _field(output[-1], "pv") == best.split()[1], (go, uci.log)
            assert " score " in output[-1]
            assert "bound" not in output[-1]
            if " nodes " in go:
                assert int(_field(output[-1], "nodes")) <= int(go.split()[-1]), (go, uci.log)
        *output, best = _searched(uci, "go infinite", stop_at="info depth 1")
        assert _field(output[-1], "pv") == best.split()[1], uci.log
    uci.send("setoption name Threads value 1", "setoption name MultiPV value 1")
    uci.send("setoption name Level value 12")


# ---- nothing that runs keeps anybody waiting -----------------------------------------------------


@pytest.mark.parametrize(
    "line", ["bench 40", "go perft 12", "go infinite", "go mate 30", "go depth 99"]
)
def test_what_runs_can_be_stopped(uci: EngineUnderTest, line: str) -> None:
    _set_up(uci, "setoption name UCI_Variant value ryugi", "position startpos")
    uci.send(line, "isready")
    uci.wait("readyok", SOON)
    uci.log.clear()
    uci.send("d", "isready")
    counts = line.startswith("bench") or "perft" in line  # a count is answered first
    if counts:
        uci.send("stop", "isready")
    uci.wait("Key: ", SOON)
    uci.wait("readyok", SOON)
    if not counts:
        uci.send("stop", "isready")
    uci.wait("readyok", SOON)
    assert not [text for text in uci.log if "Nodes searched" in text]
    uci.send("go depth 1")
    uci.wait("bestmove", SOON)


def test_perft_does_not_wait_for_its_kernel(tmp_path: Path) -> None:
    """It is compiled when it is asked for the first time, which takes seconds."""
    (tmp_path / "kernels").mkdir(mode=0o700)
    for file in cache.files():
        if "perft" not in file.name:
            shutil.copy2(file, tmp_path / "kernels")
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("uci", "setoption name UCI_Variant value gorogo", "position startpos", "d")
    engine.wait("Key", 180)
    engine.send("go perft 9", "stop", "isready")
    engine.wait("info string perft stopped", SOON)
    engine.wait("readyok", SOON)
    assert engine.quit(SOON) == ""


# ---- finished games ------------------------------------------------------------------------------


def _finished(name: str, source: random.Random) -> Position:
    position = Position(registry().game(name))
    while position.outcome() is None:
        position.push(source.choice(position.legal_codes()))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_finished_games_are_answered(
    uci: EngineUnderTest, cecp: EngineUnderTest, name: str, source: random.Random
) -> None:
    position = _finished(name, source)
    moves = " ".join(position.moves)
    _set_up(uci, f"setoption name UCI_Variant value {name}", f"position startpos moves {moves}")
    for go in ("depth 3", "infinite", "nodes 10", "movetime 50", "wtime 10 btime 10", "mate 2"):
        uci.send(f"go {go}", "stop")
        uci.wait("bestmove", SOON)
    cecp.send("new", f"variant {features.cecp_name(position.game)}", "force", "ping 7")
    cecp.wait("pong 7", 180)
    cecp.send(f"setboard {position.text()}", "analyze")
    # by its position alone a game that ended by repetition goes on
    restarted = Position(position.game, position.text()).outcome() is not None
    cecp.wait("127 " if restarted else "1 ", SOON)
    cecp.send("exit", "ping 8")
    cecp.wait("pong 8", SOON)
    if restarted:
        cecp.log.clear()
        cecp.send("go", "ping 9")
        cecp.wait("pong 9", SOON)
        assert [line for line in cecp.log if line[:3] in ("1-0", "0-1", "1/2")], cecp.log


STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_python_chess_waits_for_nothing(protocol: str) -> None:
    with python_chess(protocol) as engine:
        engine.timeout = 30
        if protocol == "xboard":
            engine.configure({"Level": 12, "MoveOverhead": 30})
            assert "Draw" not in engine.options
        for text in (STALEMATE, MATED):
            board = chess.Board(text)
            info = engine.analyse(board, chess.engine.Limit(depth=12))
            assert not info.get("pv")
            assert engine.play(board, chess.engine.Limit(depth=5)).move is None
            assert engine.play(board, chess.engine.Limit(time=0.1)).move is None
        info = engine.analyse(chess.Board(MATED), chess.engine.Limit(depth=1))
        assert info["score"].relative <= chess.engine.Mate(0)
        info = engine.analyse(chess.Board(STALEMATE), chess.engine.Limit(depth=1))
        assert info["score"].relative == chess.engine.Cp(0)


class _Placement(chess.Board):
    """A position of GoRoGo, as far as python-chess has to know it to ask about it."""

    uci_variant = xboard_variant = "gorogo"
    text = ""

    def fen(self, **_more: Any) -> str:
        return self.text

    def root(self) -> _Placement:
        return self

    def copy(self, **_more: Any) -> _Placement:
        return self


def test_python_chess_waits_for_no_proof(source: random.Random) -> None:
    """A proof ends a search long before the depth that was asked for, and CECP knows no depth."""
    position = _finished("gorogo", source)
    texts = [position.text()]
    for _ in range(4):
        position.pop()
    texts.append(position.text())
    with python_chess("xboard") as engine:
        for text in texts:
            board = _Placement()
            board.text = text
            with engine.analysis(board, chess.engine.Limit(depth=100)) as analysis:
                end = threading.Timer(patient(30.0), engine.close)
                end.start()
                analysis.wait()  # until the end of the engine at the latest
                end.cancel()


# ---- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RANGES)
def test_every_number_has_its_ends(name: str) -> None:
    low, high = RANGES[name]
    assert read(name, str(low)) == low
    assert read(name, str(high)) == high
    for text in (str(low - 1), str(high + 1), HUGE, "-" + HUGE, ENDLESS, *NUMBERS):
        with pytest.raises(UserError, match=f"^{name}: "):
            read(name, text)


GO = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
CECP = ("st", "sd", "nps", "time", "otim", "memory", "cores", "protover")
SPINS = ("Hash", "Threads", "MultiPV", "Level", "Move Overhead")
LEVELS = ("level {} 5 0", "level 40 5 {}")
#: What follows the digits of a base time is to be ignored.
BASES = ("level 40 {} 0", "level 40 5:{} 0")


def test_uci_refuses_numbers_in_one_line_each(uci: EngineUnderTest) -> None:
    _set_up(uci, "setoption name UCI_Variant value chess", "position startpos")
    for text in (HUGE, "-" + HUGE, ENDLESS, *NUMBERS):
        lines = [f"setoption name {name} value {text}" for name in SPINS]
        lines += [f"go {name} {text}" for name in GO] + [f"perft {text}"]
        for line in lines + [f"bench {text}"] * bool(text):
            uci.log.clear()
            uci.send(line, "isready")
            uci.wait("readyok", SOON)
            messages = [output for output in uci.log if output.startswith("info string error: ")]
            assert len(messages) == 1, (line, uci.log)
            assert len(messages[0]) < 200
            assert [output for output in uci.log if output.startswith("bestmove")] == (
                ["bestmove (none)"] if line.startswith("go") else []
            )
    uci.send("go wtime 1000000000000 btime 1000000000000 movestogo 1000000", "stop")
    uci.wait("bestmove", SOON)


def test_cecp_refuses_numbers_in_one_line_each(cecp: EngineUnderTest) -> None:
    cecp.send("new", "force")
    for text in (HUGE, "-" + HUGE, ENDLESS, *NUMBERS):
        lines = [f"{name} {text}" for name in CECP] + [level.format(text) for level in LEVELS]
        lines += [f"option {name}={text}" for name in SPINS if name not in ("Hash", "Threads")]
        lines += [base.format(text) for base in BASES if text in (HUGE, ENDLESS)]
        for line in lines:
            cecp.log.clear()
            cecp.send(line, "ping 3")
            cecp.wait("pong 3", SOON)
            messages = [output for output in cecp.log if output.startswith("Error (")]
            assert len(messages) == 1, (line, cecp.log)
            assert len(messages[0]) < 300
    cecp.send("new", "level 0 16666666 1000000000", "go", "?")
    cecp.wait("move ", SOON)
    cecp.send("st 1000000000", "time 100000000000", "go", "?", "ping 4")
    cecp.wait("pong 4", SOON)


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told at once, loaded or not, and the table stays as it was."""

    def refuse(handle: int, length: int) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    session = Session(lambda event: None)
    with pytest.raises(ValueError, match="Hash: there is no memory for 65536 MB"):
        session.options.set("hash", "65536")
    assert session.options.number("Hash") == 64


def test_a_level_is_all_or_nothing() -> None:
    assert parser.level(["40", "5:30", "0.5"]) == (40, 330.0, 0.5)
    assert parser.level(["0", "1.5", "0"]) == (0, 90.0, 0.0)
    for words in (["40", "5e9", "0"], ["40", "1_0", "0"], ["40", "5:1_0", "0"], ["40", "nan", "0"]):
        with pytest.raises(ValueError, match="level|is not"):
            parser.level(words)
    with pytest.raises(ValueError, match="go nodes: "):
        parse_go(["nodes", HUGE])
