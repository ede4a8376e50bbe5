"""A real XBoard on a virtual screen, driven by its mouse and read through its log."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from ryugi_engine.games.notation import squares_of
from tests.support.helpers import ROOT, patient, read_to

#: The programs that the tests need besides the engine.
PROGRAMS = ("xboard", "Xvfb", "xdotool", "import")
#: Where Debian puts games; not every account has it on its path.
_PATH = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
#: Colours of squares, for finding the board on the screen.
_LIGHT, _DARK = (240, 217, 181), (181, 136, 99)

#: Set where a test that is skipped would be a test that is missing.
REQUIRED = bool(os.environ.get("RYUGI_NEED_XBOARD"))
needs_xboard = pytest.mark.skipif(
    not REQUIRED and any(shutil.which(program, path=_PATH) is None for program in PROGRAMS),
    reason="needs XBoard, Xvfb, xdotool and ImageMagick",
)


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """The environment of programs on a screen of their own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1000x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            display = read_to(pipe, "", 60).strip()
        yield {**os.environ, "DISPLAY": f":{display}", "PATH": _PATH, "PYTHONPATH": str(ROOT)}
    finally:
        server.terminate()
        server.wait(patient(20))


def engine_command(folder: Path, *arguments: str) -> str:
    """A program that starts the engine, for GUIs that take the path of one."""
    script = folder / "engine"
    words = " ".join(arguments)
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ryugi_engine {words} "$@"\n')
    script.chmod(0o755)
    return str(script)


class XBoard:
    """An XBoard process; squares are named as in moves."""

    def __init__(self, folder: Path, environment: dict[str, str], *arguments: str) -> None:
        self.folder = folder
        self.log_file = folder / "xboard.debug"
        # the log of an earlier XBoard must not be taken for this one's
        self.log_file.unlink(missing_ok=True)
        self.environment = {**environment, "HOME": str(folder)}
        # the engine's compiled kernels are those of the other tests
        cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        self.environment["XDG_CACHE_HOME"] = cache
        self._read = 0
        self._board: tuple[int, int, float, float] | None = None
        self.size = (10, 8)
        self.process = subprocess.Popen(
            ["xboard", "-saveSettingsOnExit", "false", "-debug", "-nameOfDebugFile"]
            + [str(self.log_file), "-fcp", engine_command(folder), "-useBoardTexture", "false"]
            + ["-lightSquareColor", "#f0d9b5", "-darkSquareColor", "#b58863"]
            + ["-popupMoveErrors", "false", "-animateMoving", "false"]
            + ["-highlightLastMove", "false", "-showTargetSquares", "false", "-boardSize", "49"]
            + list(arguments),
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    # ---- reading ---------------------------------------------------------------------------

    @property
    def log(self) -> str:
        """The conversation so far, as XBoard logs it."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def wait(self, pattern: str, seconds: float = 60.0) -> re.Match[str]:
        """The next whole line of the log that holds the pattern, after the last one waited for."""
        began = time.monotonic()
        while time.monotonic() < began + patient(seconds):
            match = re.compile(f"^.*{pattern}.*$(?=\n)", re.MULTILINE).search(self.log, self._read)
            if match is not None:
                self._read = match.end()
                return match
            if self.process.poll() is not None:
                raise AssertionError(f"XBoard ended before '{pattern}': {self.log[-2000:]}")
            time.sleep(0.03)
        raise AssertionError(f"no '{pattern}' in {seconds} s: {self.log[self._read :][-2000:]}")

    def pixels(self) -> np.ndarray:
        """The screen as height x width x 3 bytes."""
        raw = subprocess.run(
            ["import", "-silent", "-window", "root", "-depth", "8", "rgb:-"],
            env=self.environment,
            capture_output=True,
            check=True,
        ).stdout
        return np.frombuffer(raw, dtype=np.uint8).reshape(1000, 1280, 3)

    def settled(self) -> None:
        """Wait until the screen shows what XBoard knows: two pictures in a row are the same."""
        began, before = time.monotonic(), self.pixels()
        while time.monotonic() < began + patient(20):
            time.sleep(0.2)
            after = self.pixels()
            if np.array_equal(before, after):
                return
            before = after
        raise AssertionError("the screen changes all the time")

    def windows(self) -> list[str]:
        """The windows that can be seen."""
        return self._xdotool("search", "--onlyvisible", "--class", "xboard").split()

    def _window(self) -> str:
        sizes = {}
        for window in self.windows():
            text = self._xdotool("getwindowgeometry", "--shell", window)
            width, height = (int(n) for n in re.findall(r"(?:WIDTH|HEIGHT)=(\d+)", text))
            sizes[window] = width * height
        return max(sizes, key=lambda window: sizes[window])

    # ---- hands -----------------------------------------------------------------------------

    def _xdotool(self, *words: str) -> str:
        return subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, check=True
        ).stdout

    def find_board(self, files: int, ranks: int, *, holdings: bool = False) -> None:
        """Look for the board's squares on the screen; holdings take two files on either side."""
        self.size = (files, ranks)
        margin = 2 if holdings else 0
        self.settled()
        files += 2 * margin
        began = time.monotonic()
        while time.monotonic() < began + patient(10):
            picture = self.pixels()
            board = (picture == _LIGHT).all(axis=2) | (picture == _DARK).all(axis=2)
            rows, columns = np.nonzero(board)
            if len(rows) > 10_000:
                left, top = int(columns.min()), int(rows.min())
                width, height = int(columns.max()) - left + 1, int(rows.max()) - top + 1
                if abs(width / files - height / ranks) < 1.0:
                    left += round(margin * width / files)
                    self._board = (left, top, width / files, height / ranks)
                    return
            time.sleep(0.1)
        raise AssertionError("there is no board of that size on the screen")

    def pixel(self, at: tuple[int, int], x: float, y: float) -> tuple[int, ...]:
        """The colour in a square, at parts of its width and height from its upper left corner."""
        assert self._board is not None
        left, top, width, height = self._board
        column = round(left + (at[0] + x) * width)
        row = round(top + (self.size[1] - 1 - at[1] + y) * height)
        return tuple(self.pixels()[row, column].tolist())

    def _point(self, at: tuple[int, int]) -> tuple[str, str]:
        assert self._board is not None
        left, top, width, height = self._board
        x = left + (at[0] + 0.5) * width
        y = top + (self.size[1] - at[1] - 0.5) * height
        return str(round(x)), str(round(y))

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Move a piece with the mouse; a holdings' square lies next to the board."""
        self._xdotool("mousemove", *self._point(start), "mousedown", "1")
        self._xdotool("mousemove", *self._point(end), "mouseup", "1")

    def press(self, square: str) -> None:
        """Press the mouse's button on a square."""
        self._xdotool("mousemove", *self._point(squares_of(square)[0]), "mousedown", "1")

    def release(self, square: str) -> None:
        """Release the mouse's button on a square."""
        self._xdotool("mousemove", *self._point(squares_of(square)[0]), "mouseup", "1")

    def move(self, text: str) -> None:
        """Make a move with the mouse."""
        start, end = squares_of(text)[:2]
        self.drag(start, end)

    def promote(self, text: str, steps: int) -> None:
        """Make a promotion with the mouse, pulling through that many pieces after the queen."""
        start, end = squares_of(text)[:2]
        x, y = self._point(end)
        self._xdotool("mousemove", *self._point(start), "mousedown", "1", "mouseup", "1")
        time.sleep(0.2)
        self._xdotool("mousemove", x, y, "mousedown", "1")
        for step in range(1, steps + 1):
            time.sleep(0.1)
            self._xdotool("mousemove", x, str(int(y) + 30 * step))
        time.sleep(0.1)
        self._xdotool("mouseup", "1")

    def load_position(self, file: Path) -> None:
        """Choose a file in the dialog of File, Load Position."""
        before = len(self.windows())
        self.key("ctrl+shift+o")
        began = time.monotonic()
        while len(self.windows()) == before:
            assert time.monotonic() < began + patient(30), "no dialog has opened"
            time.sleep(0.1)
        time.sleep(1.0)
        self._xdotool("type", "--delay", "50", "/")  # opens the line for a file's name
        time.sleep(1.0)
        self._xdotool("key", "ctrl+a")
        self._xdotool("type", "--delay", "50", str(file))
        while len(self.windows()) > before:
            assert time.monotonic() < began + patient(60), "the dialog has not closed"
            self._xdotool("key", "Return")
            time.sleep(1.0)

    def drop(self, side: int, number: int, square: str) -> None:
        """Place a piece: White's holdings stand at the lower right, Black's at the upper left."""
        files, ranks = self.size
        stock = (files + 1, number) if side == 0 else (-2, ranks - 1 - number)
        self.drag(stock, squares_of(square)[0])

    def key(self, *names: str) -> None:
        """Press keys in the window."""
        self._xdotool("windowfocus", "--sync", self._window())
        self._xdotool("key", *names)

    def close(self) -> None:
        """End XBoard and with it the engine."""
        self.process.terminate()
        try:
            self.process.wait(patient(5))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def xboard(folder: Path, *arguments: str) -> Iterator[XBoard]:
    """An XBoard with the engine, on a screen of its own."""
    with virtual_screen() as environment:
        window = XBoard(folder, environment, *arguments)
        try:
            yield window
        finally:
            window.close()
