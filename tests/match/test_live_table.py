"""The table that a match shows while it runs, on a terminal of 80 columns and 24 lines."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte
import pytest
from rich.cells import cell_len
from rich.console import Console

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.registry import registry
from ryugi_engine.match.openings import Opening, read_openings
from ryugi_engine.match.panel import GameOn, MatchProgress, Numbers, table
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.run import UNDECIDED
from ryugi_engine.match.schedule import GameTask
from ryugi_engine.match.spec import read_engines
from tests.support.helpers import ROOT, SUPPORT, patient

ENGINE = shlex.join([sys.executable, str(SUPPORT / "match_engine.py"), "none"])
COLUMNS, LINES = 80, 24
#: What only the table has.
HEADING = re.compile(r"^ *Game +White - Black +Ply", re.MULTILINE)
FINISHED = re.compile(r"Game (\d+): (1-0|0-1|1/2-1/2) \(")


def engines(number: int) -> list[str]:
    """Words for so many engines."""
    words = []
    for at in range(number):
        words += ["--engine", f"name=e{at}", f"cmd={ENGINE}"]
    return ["--variant", "chess", *words]


class Watched:
    """A match on a terminal: what stands on the screen, and what has gone up out of it."""

    def __init__(self, *words: str, term: str = "xterm-256color", python: str = "") -> None:
        self._handle, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.modes = termios.tcgetattr(theirs)
        self._theirs = theirs  # kept open, so that its modes can be asked for at the end
        path = os.pathsep.join(filter(None, [python, os.environ.get("PYTHONPATH")]))
        gone = {name: value for name, value in os.environ.items() if name not in ("COLUMNS",)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ryugi_engine", "match", *words],
            cwd=ROOT,
            env={**gone, "TERM": term, "PYTHONPATH": path},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        self.screen = pyte.HistoryScreen(COLUMNS, LINES, history=5000)
        self._stream = pyte.Stream(self.screen)
        self.raw = ""

    def _read(self, seconds: float) -> bool:
        if not select.select([self._handle], [], [], seconds)[0]:
            return False
        text = os.read(self._handle, 65536).decode(errors="replace")
        self.raw += text
        self._stream.feed(text)
        return True

    def press(self, keys: bytes) -> None:
        """Send keys."""
        os.write(self._handle, keys)

    def shown(self) -> str:
        """The screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def everything(self) -> str:
        """The screen and all that has been on it before, as somebody scrolls up."""
        before = ["".join(row[at].data for at in range(COLUMNS)) for row in self.screen.history.top]
        return "\n".join(line.rstrip() for line in before) + "\n" + self.shown()

    def until(self, wanted: Callable[[str], object], seconds: float = 120.0) -> str:
        """Read until the screen is as wanted; returns it."""
        end = time.monotonic() + patient(seconds)
        while not wanted(self.shown()):
            assert time.monotonic() < end, self.everything()[-4000:]
            assert self._read(0.5) or self.process.poll() is None, self.everything()[-4000:]
        return self.shown()

    def end(self) -> int:
        """Read to the end; the exit code. The terminal must be as it was."""
        finish = time.monotonic() + patient(120)
        while self.process.poll() is None:
            assert time.monotonic() < finish, self.everything()[-4000:]
            self._read(0.2)
        while self._read(0.2):
            pass
        assert not self.screen.cursor.hidden
        assert self.screen.cursor.x == 0
        assert termios.tcgetattr(self._theirs) == self.modes
        os.close(self._handle)
        os.close(self._theirs)
        return self.process.returncode


@pytest.mark.slow
def test_a_match_of_two_and_its_table() -> None:
    """The table stands below the lines of finished games, and is gone at the end."""
    watched = Watched(
        *engines(2), "--games", "100", "--tc", "1+0.1", "--time-margin", "60000",
        *("--concurrency", "2", "--max-plies", "60", "--sprt", "elo0=0", "elo1=5"),
    )  # fmt: skip
    shown = watched.until(
        lambda text: (
            HEADING.search(text)
            and re.search(r"^e0 +[0-9.]+ +[1-9]", text, 8)
            and re.search(r"^chess: \d+ of 100 games", text, 8)
        )
    )
    assert "Faults: none" in shown
    assert re.search(r"^LOS: (-|\S+ %)  Ptnml\(0-2\): \[", shown, 8)
    assert re.search(r"^LLR: \S+  -2\.94 \[#+\.+\] 2\.94$", shown, 8)
    row = r"^ *\d+  e[01] - e[01] +\d+  \w\d\w\d +\+0\.10/1 +\d+\.\d +\d+\.\d$"
    watched.until(lambda text: re.search(row, text, 8))
    assert watched.end() == UNDECIDED
    everything = watched.everything()
    assert not HEADING.search(everything)
    assert "expected end" not in everything
    assert sorted(int(number) for number, _ in FINISHED.findall(everything)) == list(range(1, 101))
    assert everything.count("Results of e0 vs e1") == 1
    # a line that is there is a line that is expected: nothing of the table is left between them
    upto = everything[: everything.index("Results of")].splitlines()
    games = [line for line in upto if FINISHED.match(line)]
    assert [line for line in upto[upto.index(games[0]) :] if line.strip("-")] == games


def test_an_interrupt_takes_the_table_away() -> None:
    watched = Watched(*engines(2), "--games", "2000", "--tc", "1+0.1", "--time-margin", "60000")
    watched.until(HEADING.search)
    watched.press(b"\x03")  # it is echoed; a signal it is only on a terminal that controls
    watched.process.send_signal(signal.SIGINT)
    assert watched.end() == 130
    assert not HEADING.search(watched.everything())
    assert watched.everything().count("interrupted") == 1


#: A package that hides the real one, as if that were not installed.
_MISSING = "raise ModuleNotFoundError(\"No module named 'rich'\", name='rich')\n"


@pytest.mark.parametrize(
    ("words", "missing", "term"),
    [
        (["--live", "never"], False, "xterm"),
        (["--json"], False, "xterm"),
        ([], True, "xterm"),
        ([], False, "dumb"),
    ],
)
def test_lines_as_ever(words: list[str], missing: bool, term: str, tmp_path: Path) -> None:
    """Whoever wants no table, or cannot have one, gets none, and no escapes of one."""
    if missing:
        (tmp_path / "rich").mkdir()
        (tmp_path / "rich" / "__init__.py").write_text(_MISSING)
    limits = ["--games", "2", "--tc", "1+0.1", "--time-margin", "60000", "--max-plies", "20"]
    watched = Watched(*engines(2), *limits, *words, term=term, python=str(tmp_path))
    assert watched.end() == 0
    everything = watched.everything()
    assert "expected end" not in watched.raw
    assert "\x1b[?25" not in watched.raw
    assert "Traceback" not in everything
    assert ('"event": "game"' if "--json" in words else "Game 2: 1/2-1/2 (") in everything


def test_a_table_without_rich_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich" / "__init__.py").write_text(_MISSING)
    watched = Watched(*engines(2), "--live", "always", python=str(tmp_path))
    assert watched.end() == 2
    assert "pip install 'ryugi-engine[live]'" in watched.everything().replace("\n", "")


def _plan(names: list[str]) -> MatchPlan:
    specs = read_engines([[f"name={name}", "cmd=true"] for name in names], [])
    control = TimeControl(10.0, 0.1)
    return MatchPlan(
        registry().game("chess"),
        specs,
        control,
        read_openings(registry().game("chess"), "start"),
        names=names,
    )


@pytest.mark.parametrize("count", [2, 3, 10, 60])
def test_every_size_is_kept(count: int) -> None:
    """However many engines and games, wide letters and narrow terminals."""
    names = [f"龍棋エンジン engine {number}" for number in range(count)]
    numbers = Numbers.of(names, [], None)
    progress = MatchProgress(_plan(names), 1000, done=10, ended=10, began=0.0)
    none = Opening("", (), "")
    for playing in (0, 1, 7, 64):
        games = [
            GameOn(GameTask(999_000 + at, 1, 1, 0, 1, none), (names[0], names[-1]), at % 2, 1234,
                   "a10b10q", "+M12/99", (3700.0, 59.9), 50.0)
            for at in range(playing)
        ]  # fmt: skip
        for columns, room in [(77, 23), (20, 5), (1, 1), (200, 60), (77, 2)]:
            console = Console(width=columns, file=io.StringIO())
            with console.capture() as capture:
                console.print(table(progress, numbers, games, room, 60.0))
            lines = [line.rstrip() for line in capture.get().splitlines()]
            assert 1 <= len(lines) <= room
            assert all(cell_len(line) <= columns for line in lines), (columns, lines)
            if columns == 77 and room == 23 and playing:
                output = sum(
                    int(result) for result in re.findall(r"and (\d+) more", "\n".join(lines))
                )
                rows = [line for line in lines if "engine" in line or " - " in line]
                assert any(line.endswith("49.9") or line.endswith("59.9") for line in lines)
                assert len(rows) + output >= count + playing
