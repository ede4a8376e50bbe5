"""Other systems: what only POSIX has is hidden, and everything still runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ryugi_engine.records.pgn import parse_records
from tests.support.helpers import ROOT, EngineUnderTest, completed

MODULES = ("curses", "fcntl", "grp", "posix_ipc", "pty", "pwd", "readline", "resource", "syslog")
MODULES += ("termios", "tty")
OS_NAMES = ("fchmod", "fork", "geteuid", "getgid", "getpgid", "getuid", "killpg", "mkfifo")
OS_NAMES += ("sched_getaffinity", "setpgid", "setsid")  # numpy itself asks for uname here
OS_NAMES += ("O_DIRECTORY", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK")
SIGNALS = ("SIGALRM", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1", "SIGWINCH", "pthread_sigmask")

#: Every Python process begun below imports this first.
_HIDE = f"""
import os, signal, subprocess, sys

# Windows has its own; POSIX's needs a signal's name that is hidden
subprocess.Popen.kill = lambda process: process.send_signal(9)
for name in {MODULES!r}:
    sys.modules[name] = None
for module, names in ((os, {OS_NAMES!r}), (signal, {SIGNALS!r})):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "hidden"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_HIDE)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def run(environment: dict[str, str], *words: str) -> str:
    """A command line's output; it has to end well."""
    done = completed([sys.executable, "-m", "ryugi_engine", *words], env=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_the_modules_are_hidden(environment: dict[str, str]) -> None:
    """Else the other tests here say nothing."""
    code = (
        f"import importlib, os, signal\nfor name in {MODULES!r}:\n"
        "    try:\n        importlib.import_module(name)\n"
        "    except ImportError:\n        continue\n    raise SystemExit(name)\n"
        f"assert not any(hasattr(os, name) for name in {OS_NAMES!r})\n"
        f"assert not any(hasattr(signal, name) for name in {SIGNALS!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, timeout=300)
    assert done.returncode == 0


def test_perft_and_files(environment: dict[str, str], tmp_path: Path) -> None:
    output = run(environment, "perft", "--variant", "chess", "--depth", "3")
    assert "Nodes searched: 8902" in output
    suite = tmp_path / "suite.epd"
    suite.write_text("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n")
    output = run(environment, "perft", "--variant", "chess", "--suite", str(suite))
    assert "1 position, 1 count agrees" in output
    picture = tmp_path / "board.svg"
    run(environment, "show", "--variant", "gorogo", "--svg", str(picture))
    assert picture.read_text().startswith("<svg")
    fen = "1S1s1/s1H1S/3sH/H1HSS/1Hss1[SSSSSSsssss] w - - 0 8"
    words = ["solve", "--variant", "gorogo", "--fen", fen, "--hash", "16"]
    assert run(environment, *words).startswith("Value: 1-0")


def test_the_engine(environment: dict[str, str]) -> None:
    engine = EngineUnderTest(env=environment).ready("setoption name UCI_Variant value chess")
    engine.send("position startpos moves e2e4", "go depth 3")
    engine.wait("bestmove ")
    assert not [line for line in engine.log if "error" in line or "(none)" in line]
    assert engine.quit(10) == ""


@pytest.mark.slow
def test_records(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    run(environment, "record", "new", str(path), "--variant", "chess")
    run(environment, "record", "add", str(path), "e2e4", "e7e5")
    run(environment, "record", "undo", str(path))
    assert "1. e4   (ply 1 of 1)" in run(environment, "record", "show", str(path))
    assert "ply 0 of 1" in run(environment, "record", "replay", str(path), "--all")
    page = tmp_path / "game.html"
    run(environment, "record", "replay", str(path), "--html", str(page))
    assert page.exists()
    assert "1. e4 *" in path.read_text()


def test_play(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    words = ["play", "--variant", "gorogo", "--tc", "st=0.05", "--save", str(path)]
    done = completed(
        [sys.executable, "-m", "ryugi_engine", *words],
        input="H@c3\nplace\nquit\n", env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "The engine plays" in done.stdout
    assert len(parse_records(path.read_text())[0].steps) == 2


@pytest.mark.slow
def test_a_match(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    engine = f"'{sys.executable}' -m ryugi_engine"
    words = ["match", "--variant", "gorogo", "--engine", engine, "--engine", engine]
    words += ["--games", "1", "--tc", "st=0.05", "--time-margin", "60000"]
    output = run(environment, *words, "--pgn-out", str(path))
    assert "Faults: illegal move 0, time forfeit 0, crash 0" in output
    assert len(parse_records(path.read_text())) == 1
