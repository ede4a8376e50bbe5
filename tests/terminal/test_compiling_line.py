"""Whoever waits for kernels sees what is being compiled, and how much is left."""

from __future__ import annotations

import io
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from ryugi_engine.kernel import compile_progress
from ryugi_engine.terminal import compiling_line
from ryugi_engine.terminal.compiling_line import CompilingLine, progress_text
from tests.support.helpers import EngineUnderTest, TerminalUnderTest, copy_warm_cache, patient

_ENGINE = f"'{sys.executable}' -m ryugi_engine"
_MATCH = ["match", "--variant", "gorogo", "--engine", _ENGINE, "--engine", _ENGINE]
_MATCH += ["--games", "1", "--tc", "st=0.02", "--time-margin", "60000", "--max-plies", "2"]


class Kernel:
    """A kernel that is compiled when a test says so."""

    extent = 1

    def __init__(self, name: str) -> None:
        self.name, self.ready = f"variants.{name}", False

    def is_ready(self) -> bool:
        return self.ready


@pytest.fixture
def half_cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that lacks what every command needs for a position of GoRoGo."""
    folder = tmp_path / "cache"
    copy_warm_cache(folder, links=True)
    for name in ("refresh", "generate"):
        for path in (folder / "kernels").glob(f"variants.gorogo.entries.{name}-*.kernel"):
            path.unlink()
    monkeypatch.setenv("RYUGI_CACHE_DIR", str(folder))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "wanted"),
    [(["perft", "--variant", "gorogo", "--depth", "1"], "Nodes searched: 25"), (_MATCH, "LOS")],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_show_it(words: list[str], wanted: str, half_cold: Path) -> None:
    """On a terminal by a line that is written over, and that is gone when the command goes on."""
    terminal = TerminalUnderTest(*words)
    terminal.wait("compiling the kernels, once for this version")
    moving = terminal.wait(" s so far")
    assert "\x1b[Kcompiling " in moving
    output = terminal.wait(wanted)
    last = output.rindex(" s so far")
    assert "\r\x1b[K" in output[last:]
    assert terminal.process.wait(patient(60)) == 0


@pytest.mark.slow
def test_the_page_shows_it(half_cold: Path, tmp_path: Path) -> None:
    terminal = TerminalUnderTest("web", "--no-open", "--variant", "gorogo", str(tmp_path / "g.pgn"))
    terminal.wait("compiling gorogo.entries.")
    terminal.wait(" s so far")
    terminal.process.send_signal(signal.SIGINT)
    terminal.wait("\x1b[Kryugi-engine: interrupted")
    assert terminal.process.wait(patient(60)) == 130


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_an_engine_writes_nothing(protocol: str, half_cold: Path) -> None:
    engine = EngineUnderTest(protocol)
    if protocol == "uci":
        engine.ready("setoption name UCI_Variant value gorogo")
    else:
        engine.send("protover 2", "new", "variant gorogo", "ping 1")
        engine.wait("pong 1")
    assert engine.quit() == ""


def until(stream: io.StringIO, wanted: str) -> None:
    end = time.monotonic() + patient(30)
    while wanted not in stream.getvalue():
        assert time.monotonic() < end, stream.getvalue()
        time.sleep(0.01)


def test_lines_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then one, whole; none once it is over, whoever begins to look in the midst of it."""
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setattr(compiling_line, "_MOVES", 0.01)
    monkeypatch.setattr(compiling_line, "_LINES", 0.02)
    monkeypatch.delenv(compiling_line.QUIET, raising=False)
    first, second = Kernel("hex.make"), Kernel("hex.unmake")
    with compile_progress.expecting([first, second]), compile_progress.compiling(first, []):
        assert errors.getvalue() == ""  # no one watches
        compile_progress.watch(CompilingLine())
        until(errors, "compiling hex.make: 0 of 2 kernels done, ")
        assert " left" not in errors.getvalue()  # nobody knows
        first.ready = True
        until(errors, "compiling hex.make: 1 of 2 kernels done, ")
        until(errors, " s so far, about ")
        compile_progress.watch(None)
        shown = errors.getvalue()
        compile_progress.watch(CompilingLine())
    compile_progress.watch(None)
    assert compile_progress.progress() is None
    last = errors.getvalue()
    time.sleep(0.1)
    assert errors.getvalue() == last
    assert shown.endswith("\n")
    assert "\x1b" not in last


def test_the_time_is_that_of_this_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of the process, nor of what was compiled before; the rest goes by the work."""
    now = [1000.0]
    monkeypatch.setattr(compile_progress, "time", SimpleNamespace(monotonic=lambda: now[0]))
    for _ in range(2):
        small, large = Kernel("hex.make"), Kernel("hex.unmake")
        large.extent = 3
        with compile_progress.expecting([small, large]):
            now[0] += 10
            shown = compile_progress.progress()
            assert shown is not None
            assert (shown.left, shown.total, shown.seconds, shown.remaining) == (2, 2, 10, None)
            assert progress_text(shown) == "compiling hex.make: 0 of 2 kernels done, 10 s so far"
            small.ready = True
            shown = compile_progress.progress()
            assert shown is not None
            assert (shown.done, shown.seconds, shown.remaining) == (0.25, 10, 30)
            now[0] += 2
            shown = compile_progress.progress()
            assert shown is not None
            assert (shown.seconds, shown.remaining) == (12, 28)
            assert progress_text(shown).endswith(
                "1 of 2 kernels done, 12 s so far, about 28 s left"
            )
        now[0] += 500


def test_nobody_reads_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is closed: what is compiled is compiled all the same."""
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setattr(compiling_line, "_MOVES", 0.01)
    monkeypatch.setattr(compiling_line, "_LINES", 0.0)
    line = CompilingLine()
    line.tell("a message")
    compile_progress.watch(line)
    with compile_progress.expecting([Kernel("hex.make")]):
        time.sleep(0.1)
    compile_progress.watch(None)
