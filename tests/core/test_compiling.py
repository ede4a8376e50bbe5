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

from ryugi_engine.core import compile_report, loading
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

    def end(self) -> list[str]:
        """End the input, and return what is still said."""
        if self._into >= 0:
            os.close(self._into)
            self._into = -1
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
    engine.wait("uciok")
    assert compiler.begun == []  # no one waits for it yet
    engine.send("isready", "setoption name Hash value 2", "ucinewgame")
    engine.send("position startpos moves H@c3", "go infinite", "stop", "isready")
    engine.wait("info string compiling gorogo: 0 %")
    compiler.kernels[0].ready = True
    line = engine.wait("info string compiling gorogo: 25 %")[-1]
    assert re.fullmatch(r"info string compiling gorogo: 25 %, \d+ s", line)
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


@pytest.mark.parametrize("last", [["quit"], []])
def test_the_end_while_compiling(last: list[str], talk: Any) -> None:
    """No one waits for kernels any more; what needs none is answered all the same."""
    engine = talk("uci", "gorogo")
    engine.send("isready")
    engine.wait("info string compiling")
    engine.send("go depth 3", "setoption name UCI_Variant value goryujin", "eval", "isready", *last)
    lines = engine.end()
    assert (
        lines.count("info string error: the input has ended before the kernels were compiled") >= 3
    )
    assert [line for line in lines if line.startswith("info string variant goryujin")]
    assert lines.count("readyok") == 2
    assert "bestmove (none)" in lines


def test_another_game_is_chosen_before_the_first_is_compiled(compiler: Compiler, talk: Any) -> None:
    engine = talk("uci", "gorogo")
    engine.wait("uciok")
    engine.send("setoption name UCI_Variant value goryujin", "isready")
    engine.wait("info string compiling goryujin")
    assert [name for name in compiler.begun if "gorogo" in name] == []
    compiler.release()
    engine.wait("readyok")


def test_the_clock_runs_from_go_on(compiler: Compiler, talk: Any) -> None:
    """Since the line came, not since the kernels have: this one came 1000 s ago."""
    compiler.release()
    engine = talk("uci", "gorogo")
    inbox = engine.conversation._connection.inbox
    inbox.put(Line("go movetime 500000", time.perf_counter() - 1000.0))
    info = next(line for line in engine.wait("bestmove") if line.startswith("info depth 1 "))
    assert int(info.split(" time ")[1].split()[0]) >= 1_000_000


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
