"""What GUIs wait for: the first answer, ready, the end; with an empty cache too.

Cute Chess gives an engine 35 seconds to introduce itself, 15 to be ready and 5 to end; XBoard and
python-chess give 10 for the introduction (XBoard more after ``feature done=0``).
"""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.events import Event
from ryugi_engine.core.loading import Loading
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import Game
from tests.conftest import GAMES
from tests.support.helpers import EngineUnderTest, command, patient
from uci import protocol


@pytest.mark.soak
def test_uci_with_an_empty_cache(tmp_path: Path) -> None:
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("uci")
    engine.wait("uciok", 5.0)
    asked = time.perf_counter()
    engine.send("setoption name Hash value 8", "setoption name UCI_Variant value capablanca")
    engine.send("ucinewgame", "isready")
    engine.wait("readyok", 15.0)
    assert time.perf_counter() - asked < patient(15.0)
    engine.send("position startpos", "go depth 2")
    engine.wait("bestmove", 120.0)
    engine.send("stop", "isready")
    engine.wait("readyok", 5.0)
    assert engine.quit(5.0) == ""


@pytest.mark.soak
def test_cecp_with_an_empty_cache(tmp_path: Path) -> None:
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("xboard", "protover 2")
    engine.wait("feature done=0", 5.0)
    engine.wait("feature done=1", 35.0)
    engine.send("new", "variant janus", "sd 2", "ping 1")
    engine.wait("pong 1", 15.0)
    engine.send("usermove b2b3")
    engine.wait("move ", 120.0)
    assert engine.quit(5.0) == ""


@pytest.mark.slow
def test_two_engines_share_the_work_of_compiling(tmp_path: Path) -> None:
    environment = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)}
    engines = [EngineUnderTest(env=environment) for _ in range(2)]
    for engine in engines:
        engine.send("uci", "isready")
    for engine in engines:
        engine.wait("readyok", 15.0)
    for engine in engines:
        assert engine.quit(5.0) == ""


def test_an_end_while_compiling(tmp_path: Path) -> None:
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("uci", "isready", "position startpos", "go infinite")
    engine.wait("uciok", 5.0)
    time.sleep(0.5)
    assert engine.quit(2.0) == ""


def test_ready_is_not_waited_for_longer_than_guis_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that compiles slowly answers in time, and the first search waits."""
    release = threading.Event()
    load = Loading._load

    def slow(self: Loading, game: Game, earlier: threading.Thread | None) -> None:
        release.wait(patient(60.0))
        load(self, game, earlier)

    monkeypatch.setattr(Loading, "_load", slow)
    assert protocol._READY_SECONDS < 10.0  # where pychess's bridge gives up
    monkeypatch.setattr(protocol, "_READY_SECONDS", 0.2)
    output = io.StringIO()

    def tell(event: Event) -> None:
        speaker.on_event(event)

    session = Session(tell)
    speaker = protocol.UciProtocol(GuiConnection(output), session)
    for line in ("uci", "setoption name Hash value 8", "ucinewgame", "isready"):
        speaker.answer(line)
    assert output.getvalue().splitlines()[-2].startswith("info string still compiling")
    assert output.getvalue().endswith("readyok\n")
    release.set()
    speaker.answer("position startpos")
    speaker.answer("go depth 1")
    end = time.monotonic() + patient(60.0)
    while "bestmove" not in output.getvalue() and time.monotonic() < end:
        time.sleep(0.02)
    assert "bestmove" in output.getvalue()
    assert session.searcher.table.block.words.nbytes <= 8 << 20
    session.stop()


def test_compiled_kernels_are_waited_for_after_the_end() -> None:
    """Loading them takes long where there are many games or the machine is busy."""
    changes = "".join(f"setoption name UCI_Variant value {name}\n" for name in GAMES)
    lines = command("uci", input=f"{changes}eval\n").stdout.splitlines()
    assert not [line for line in lines if "input has ended" in line]
    assert [line for line in lines if line.startswith("Evaluation: ")]


@pytest.mark.slow
@pytest.mark.parametrize("last", ["quit\n", ""])
def test_facts_are_told_before_the_end(last: str, tmp_path: Path) -> None:
    """With an empty cache, so that no kernels come in time: what needs none is answered.

    What does need them is refused, and what follows it is answered all the same.
    """
    env = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)}
    output = command(
        "xboard", env=env, input=f"protover 2\nvariant gorogo\nvariant goryujin\nping 3\n{last}"
    ).stdout.splitlines()
    assert output.index("feature done=1") < output.index("pong 3")
    assert len([line for line in output if line.startswith("setup (")]) == 2
    output = command(
        "uci",
        env=env,
        input=f"isready\nd\nsetoption name UCI_Variant value gorogo\neval\nisready\n{last}",
    ).stdout.splitlines()
    lines = [
        line for line in output if line.startswith(("info string variant", "info string error"))
    ]
    refused = "info string error: the input has ended before the kernels were loaded"
    assert [lines[0], lines[2]] == [refused, refused]
    assert lines[1].startswith("info string variant gorogo files 5 ranks 5 pocket 2 ")
    assert output.count("readyok") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_readyok_says_that_the_table_has_its_memory() -> None:
    """Else the first search would stop for each page that it is the first to write to."""
    engine = EngineUnderTest()
    status = Path(f"/proc/{engine.process.pid}/statm")

    def megabytes() -> float:
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

    for size in (64, 128):  # the default's, and another's; a table takes a power of two
        engine.send(f"setoption name Hash value {size}", "isready")
        engine.wait("readyok")
        assert size <= megabytes() <= size + 256
    assert engine.quit() == ""
