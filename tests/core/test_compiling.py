"""An engine whose kernels have to be compiled: it says how far that is, waits, and plays on.

The kernels are held back by a switch, so that nothing here depends on how slow a machine is.
"""

from __future__ import annotations

import os
import queue
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ryugi_engine.core import compile_report, conversation, loading
from ryugi_engine.core.conversation import Conversation, GuiConnection, Line
from ryugi_engine.games.game import Game
from ryugi_engine.kernel import compile_progress, jit
from tests.support.helpers import patient
from uci.protocol import UciProtocol
from xboard.protocol import CecpProtocol


class Kernel:
    """A kernel that is compiled when a test says so."""

    name, ready = "variants.hex.make", False

    def __init__(self, extent: int) -> None:
        self.extent = extent

    def is_ready(self) -> bool:
        return self.ready


class Compiler:
    """Stands in for ``jit.load``: kernels come by :meth:`release`."""

    def __init__(self) -> None:
        self.kernels = [Kernel(1), Kernel(3)]
        self._load, self._go = jit.load, threading.Event()
        self.begun: list[str] = []

    def load(self, *modules: str, wanted: Any, **entries: Any) -> bool:
        if not self._go.is_set():
            if not wanted():
                return False
            self.begun.append(modules[0])
            with compile_progress.expecting(self.kernels):
                assert self._go.wait(patient(200.0))
        return self._load(*modules, wanted=wanted, **entries)

    def release(self) -> None:
        self._go.set()


class Talk:
    """A conversation in this process."""

    def __init__(self, protocol: str, game: str) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        source, self._into = os.pipe()
        self._source = os.fdopen(source, "rb")
        protocols = {"uci": lambda: UciProtocol, "xboard": lambda: CecpProtocol}
        target: Any = self
        self.conversation = Conversation(self._source, target, "", protocols, game)
        run = self.conversation.run
        self._thread = threading.Thread(target=run, args=(protocol,), daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        self.lines.put(text.rstrip("\n"))

    def flush(self) -> None:
        pass

    def send(self, *lines: str) -> None:
        os.write(self._into, ("\n".join(lines) + "\n").encode())

    def wait(self, start: str) -> list[str]:
        """Lines printed up to one that starts with this."""
        lines, end = [], time.monotonic() + patient(200.0)
        while not (lines and lines[-1].startswith(start)):
            try:
                lines.append(self.lines.get(timeout=max(end - time.monotonic(), 0.01)))
            except queue.Empty:
                raise AssertionError(f"no '{start}' in {lines}") from None
        return lines

    def close(self) -> None:
        """End the input."""
        if self._into >= 0:
            os.close(self._into)
            self._into = -1

    def end(self) -> list[str]:
        """End the input, and return what is still said."""
        self.close()
        self._thread.join(patient(200.0))
        assert not self._thread.is_alive()
        self._source.close()
        return list(self.lines.queue)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    compiler = Compiler()
    monkeypatch.setattr(jit, "load", compiler.load)
    monkeypatch.setattr(compile_report, "_PERIOD", 0.02)
    monkeypatch.setattr(GuiConnection, "_end_process", lambda self: None)
    return compiler


@pytest.fixture
def talk(compiler: Compiler) -> Iterator[Any]:
    talks: list[Talk] = []

    def begin(protocol: str, game: str = "") -> Talk:
        talks.append(Talk(protocol, game))
        return talks[-1]

    yield begin
    compiler.release()
    for one in talks:
        one.end()


def test_uci_waits_and_says_how_far_it_is(compiler: Compiler, talk: Any) -> None:
    engine = talk("uci", "gorogo")
    engine.send("uci")
    engine.wait("uciok")
    assert compiler.begun == []  # no one waits for it yet
    engine.send("isready", "setoption name Hash value 2", "ucinewgame")
    engine.send("position startpos moves H@c3", "go infinite", "stop", "isready")
    engine.wait("info string compiling gorogo: 0 %")
    compiler.kernels[0].ready = True
    line = engine.wait("info string compiling gorogo: 25 %")[-1]
    assert re.fullmatch(r"info string compiling gorogo: 25 %, about \d+ s left", line)
    compiler.release()
    engine.wait("readyok")
    lines = engine.wait("bestmove")
    assert lines[-1] != "bestmove (none)"
    assert any(line.startswith("info depth 1 ") for line in lines)
    assert not any("compiling" in line for line in lines)
    engine.wait("readyok")


def test_xboard_waits_before_done(compiler: Compiler, talk: Any) -> None:
    engine = talk("xboard")
    engine.send("protover 2", "new", "variant gorogo", "post", "sd 1", "usermove H@c3", "ping 1")
    lines = engine.wait("# compiling ryugi: 0 %")
    assert "feature done=0" in lines
    assert "feature done=1" not in lines
    compiler.release()
    engine.wait("feature done=1")
    lines = engine.wait("move ")
    assert any(line.startswith("1 ") for line in lines)
    engine.wait("pong 1")


#: Lines, and the beginnings of what answers them, in this order.
_UCI = {
    "uci": ["id name ", "uciok"],
    "isready": ["readyok"],
    "position startpos": [],
    "go perft 2": ["Nodes searched: "],
    "d": ["Key: "],
    "eval": ["Evaluation: "],
    "go depth 2": ["info depth 2 ", "bestmove "],
    "bench 1": ["Nodes searched  : "],
    "go nodes 300": ["info depth 1 ", "bestmove "],
    "setoption name UCI_Variant value goryujin": ["info string variant goryujin "],
    "perft 1": ["Nodes searched: "],
    "go movetime 30": ["info depth 1 ", "bestmove "],
    "go depth 1": ["info depth 1 ", "bestmove "],
    "go wtime 90 btime 90": ["info depth 1 ", "bestmove "],
}
_CECP = {
    "new": [],
    "variant gorogo": ["setup "],
    "post": [],
    "sd 2": [],
    "usermove H@c3": ["2 ", "move "],
    "usermove S@a1": ["2 ", "move "],
    "ping 1": ["pong 1"],
}


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("last", [["quit"], []])
@pytest.mark.parametrize(("protocol", "answers"), [("uci", _UCI), ("xboard", _CECP)])
def test_lines_are_answered_before_their_end(
    protocol: str,
    answers: dict[str, list[str]],
    last: list[str],
    compiled: bool,
    compiler: Compiler,
    talk: Any,
) -> None:
    """All of them, in their order, however long the first one has to wait."""
    if compiled:
        compiler.release()
    engine = talk(protocol, "gorogo")
    engine.send(*answers, *last)
    engine.close()
    begun = []
    if not compiled:
        begun = engine.wait("info string compiling" if protocol == "uci" else "# compiling")
        compiler.release()
    lines = iter(begun + engine.end())
    for line, starts in answers.items():
        for start in starts:
            assert any(one.startswith(start) for one in lines), (line, start)


def test_an_endless_search_ends_with_the_input(compiler: Compiler, talk: Any) -> None:
    for go in ("go infinite", "go", "go ponder movetime 1", "go mate 30"):
        engine = talk("uci", "gorogo")
        compiler.release()
        engine.send("position startpos moves H@c3", go)
        assert [line for line in engine.end() if line.startswith("bestmove ")], go


def test_quit_stops_what_runs_when_it_comes(compiler: Compiler, talk: Any) -> None:
    compiler.release()
    for protocol, go in (
        ("uci", ["go depth 120"]),
        ("uci", ["perft 30"]),
        ("xboard", ["new", "st 9999", "go"]),
    ):
        engine = talk(protocol, "goryujin")
        engine.send(*go)
        session, end = engine.conversation._session, time.monotonic() + patient(200.0)
        while not session.busy and time.monotonic() < end:
            time.sleep(0.01)
        engine.send("quit")
        engine.end()


def test_stop_ends_what_waits_before_it(compiler: Compiler, talk: Any) -> None:
    engine = talk("uci", "goryujin")
    engine.send("go depth 120", "perft 30", "go infinite", "stop", "isready")
    compiler.release()
    assert sum(line.startswith("bestmove ") for line in engine.wait("readyok")) == 2


def test_nobody_reads_the_answers(
    compiler: Compiler, talk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was said is not worth its kernels, nor its time, then."""
    left = threading.Event()
    monkeypatch.setattr(GuiConnection, "leave", lambda self: left.set())
    monkeypatch.setattr(conversation, "_PATIENCE", 0.02)
    engine = talk("uci", "gorogo")
    engine.send("go depth 3", "quit")
    engine.wait("info string compiling")
    assert not left.is_set()
    end, other = os.pipe()
    os.close(end)
    monkeypatch.setattr(engine, "fileno", lambda: other, raising=False)
    assert left.wait(patient(200.0))
    os.close(other)


def test_another_game_is_chosen_before_the_first_is_compiled(compiler: Compiler, talk: Any) -> None:
    engine = talk("uci", "gorogo")
    engine.send("uci")
    engine.wait("uciok")
    engine.send("setoption name UCI_Variant value goryujin", "isready")
    engine.wait("info string compiling goryujin")
    assert [name for name in compiler.begun if "gorogo" in name] == []
    compiler.release()
    engine.wait("readyok")


def test_the_clock_runs_from_go_on(compiler: Compiler, talk: Any) -> None:
    """Since the line came, but not before the kernels had: this one came 50 s ago."""
    compiler.release()
    engine = talk("uci", "gorogo")
    inbox = engine.conversation._connection.inbox
    for ready, waits in ((time.perf_counter() - 100.0, True), (time.perf_counter(), False)):
        engine.send("isready")
        engine.wait("readyok")
        engine.conversation._session._loading.ready_since = ready
        inbox.put(Line("go depth 1", time.perf_counter() - 50.0))
        info = next(line for line in engine.wait("bestmove") if line.startswith("info depth 1 "))
        assert (int(info.split(" time ")[1].split()[0]) >= 50_000) == waits


def test_the_clock_waits_for_the_search_before(compiler: Compiler, talk: Any) -> None:
    compiler.release()
    engine = talk("uci", "gorogo")
    inbox = engine.conversation._connection.inbox
    engine.send("go movetime 200")
    inbox.put(Line("go depth 1", time.perf_counter() - 50.0))
    engine.wait("bestmove")
    info = next(line for line in engine.wait("bestmove") if line.startswith("info depth 1 "))
    assert int(info.split(" time ")[1].split()[0]) < 50_000


def test_a_failure_is_told_and_answered(
    compiler: Compiler, talk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: Game, *modules: str, wanted: Any) -> None:
        raise RuntimeError("no such processor")

    monkeypatch.setattr(loading, "load_kernels", fail)
    compiler.release()
    engine = talk("uci", "gorogo")
    for go in ("go depth 3", "go infinite"):
        engine.send("position startpos", go)
        engine.wait("info string error: ")
        assert "no such processor" in engine.wait("info string error: ")[-1]
        engine.send(*["stop"] * (go == "go infinite"), "isready")
        assert "bestmove (none)" in engine.wait("readyok")
