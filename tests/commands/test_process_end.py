"""How processes end: by signals, by quit, with a log or an output that takes nothing any more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.helpers import ROOT, EngineUnderTest, patient, read_to

#: Seconds that an idle machine may take for what it does at once.
SOON = 5.0
ENGINE = f"{sys.executable} -m ryugi_engine"


def _interrupted(engine: EngineUnderTest, times: int = 1) -> tuple[int, str]:
    for _ in range(times):
        engine.process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    code = engine.process.wait(patient(SOON))
    errors = engine.errors()
    engine.close()
    return code, errors


def _catches(engine: EngineUnderTest) -> None:
    """Wait until Ctrl-C is the engine's: before that Python is starting, with words of its own."""
    end = time.monotonic() + patient(60)
    while len(os.listdir(f"/proc/{engine.process.pid}/task")) < 2:
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.mark.parametrize(
    ("lines", "awaited"),
    [
        (["uci"], "uciok"),  # numba is being imported
        (["uci", "isready"], "readyok"),
        (["uci", "position startpos", "go infinite"], "info depth 3"),
        (["uci", "bench 30"], "uciok"),
        (["xboard", "protover 2"], "feature done=0"),
        (["xboard", "protover 2", "new", "post", "st 100", "go"], "3 "),
    ],
)
def test_an_interrupted_engine_says_nothing(lines: list[str], awaited: str) -> None:
    engine = EngineUnderTest()
    _catches(engine)
    engine.send(*lines)
    if awaited:
        engine.wait(awaited)
    assert _interrupted(engine) == (130, "")


def test_an_engine_that_compiles_can_be_interrupted(tmp_path: Path) -> None:
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)})
    engine.send("uci", "isready")
    engine.wait("info string compiling")
    assert _interrupted(engine, 2) == (130, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_an_engine_at_once(number: int) -> None:
    engine = EngineUnderTest().ready()
    engine.send("position startpos", "go infinite")
    engine.wait("info depth 3")
    engine.process.send_signal(number)
    assert engine.process.wait(patient(SOON)) == -number
    assert engine.errors() == ""
    engine.close()


def test_a_gui_that_keeps_sigint_for_itself_may_send_it() -> None:
    """In CECP it means "attend to me" where the feature sigint=0 was refused."""
    engine = EngineUnderTest("xboard")
    engine.send("protover 2", "rejected sigint", "ping 1")
    engine.wait("pong 1")
    engine.process.send_signal(signal.SIGINT)
    engine.send("ping 2")
    engine.wait("pong 2")
    assert engine.quit(SOON) == ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads cannot be counted")
@pytest.mark.parametrize(
    ("words", "delay"),
    [
        (["perft", "--depth", "9", "--threads", "3"], 0.0),
        (["bench", "--depth", "40"], 0.5),
        (["solve", "--variant", "gorogo"], 0.5),
        (["play", "--variant", "gorogo"], 0.5),
        (["match", "--games", "9", "--engine", ENGINE, "--engine", ENGINE], 0.5),
    ],
)
def test_an_interrupted_command_says_one_line(words: list[str], delay: float) -> None:
    """Whatever it is at: importing, loading, asking."""
    engine = EngineUnderTest(*words)
    _catches(engine)
    time.sleep(delay)
    code, errors = _interrupted(engine, 2)
    assert code == 130
    assert errors.count("\n") <= 2, errors  # "compiling" may stand before it
    assert errors.endswith("interrupted\n") or words[0] == "match"  # which says it in its table
    assert "Traceback" not in errors


def test_a_kernel_that_counts_can_be_interrupted() -> None:
    engine = EngineUnderTest("perft", "--depth", "6")
    assert engine.process.stderr is not None
    read_to(engine.process.stderr, "parts")
    assert _interrupted(engine) == (130, "ryugi-engine: interrupted\n")


@pytest.mark.slow
def test_a_gui_that_reads_nothing_does_not_keep_the_engine() -> None:
    engine = subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", "uci"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with engine:
        assert engine.stdin is not None
        engine.stdin.write(b"d\n" * 2000 + b"quit\n")
        engine.stdin.flush()
        assert engine.wait(patient(60)) == 0


def _logging(engine: EngineUnderTest, path: Path | str) -> str:
    """What the engine says to a log there, and that it goes on."""
    engine.log.clear()
    engine.send(f"setoption name Debug Log File value {path}", "isready")
    engine.wait("readyok", SOON)
    engine.send("go depth 1", "isready")
    engine.wait("readyok", SOON)
    engine.send("isready")
    engine.wait("readyok", SOON)
    return "\n".join(line for line in engine.log if line.startswith("info string"))


def test_logs_that_cannot_be_kept(tmp_path: Path) -> None:
    fifo, read = tmp_path / "fifo", tmp_path / "read"
    os.mkfifo(fifo)
    os.mkfifo(read)
    ours = os.open(read, os.O_RDONLY | os.O_NONBLOCK)
    master, terminal = os.openpty()
    engine = EngineUnderTest().ready()
    engine.send("position startpos")
    entries = {
        fifo: "error: Debug Log File: .*fifo: No such device",
        tmp_path: "error: Debug Log File: .*: Is a directory",
        "/dev/full": "Debug Log File: /dev/full: No space left on device; it ends here",
        tmp_path / "no" / "log": "No such file or directory",
        "x" * 5000: "File name too long",
    }
    for path, complaint in entries.items():
        text = _logging(engine, path)
        assert text.count("\n") == 0
        assert complaint.split(".*")[-1] in text, (path, text)
    for path in (str(read), os.ttyname(terminal)):  # read by us, but not fast
        _logging(engine, path)
        engine.log.clear()
        for lines in (["d"] * 300, []):
            engine.send(*lines, "isready")
            engine.wait("readyok", 60.0)
        assert any(f"Debug Log File: {path}" in line for line in engine.log)
    for handle in (ours, master, terminal):
        os.close(handle)
    assert engine.quit(SOON) == ""


def test_a_killed_engines_last_lines_are_in_its_log(tmp_path: Path) -> None:
    """What it has heard as well, though it has not come to it: the kernels are still loading."""
    log = tmp_path / "log"
    engine = EngineUnderTest(env={**os.environ, "RYUGI_CACHE_DIR": str(tmp_path / "cache")})
    engine.send(f"setoption name Debug Log File value {log}", "uci", "isready", "eval", "d x")
    engine.wait("uciok")
    end = time.monotonic() + patient(SOON)
    awaited = ("> d x", "< uciok")
    while any(line not in log.read_text() for line in awaited) and time.monotonic() < end:
        time.sleep(0.01)
    engine.process.kill()
    engine.process.wait()
    engine.close()
    lines = [line.split(" ", 1)[1] for line in log.read_text().splitlines()]
    received = [line for line in lines if line.startswith(">")]
    assert received == ["> uci", "> isready", "> eval", "> d x"]
    assert "< uciok" in lines
    assert "< readyok" not in lines
