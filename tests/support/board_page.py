"""The page that ``ryugi-engine web`` serves, as tests drive it: a real server and browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from tests.support.helpers import ROOT, patient, read_to
from tests.support.page_modules import PLAY, run, wait

COMMAND = [sys.executable, "-P", "-m", "ryugi_engine", "web", "--no-open"]


class WebServer:
    """A process of ``ryugi-engine web`` with a home of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.folder, self.arguments = home / "ryugi-engine" / "games", arguments
        environment = os.environ | {"XDG_DATA_HOME": str(home)}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        assert self.process.stdout is not None
        try:
            self.address = read_to(self.process.stdout, "").strip()
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.errors()}") from None
        match = re.fullmatch(r"http://([^/]+)/#([\w-]{20,})", self.address)
        assert match is not None, self.address
        self.host, self.token = match[1], match[2]

    def errors(self) -> str:
        """End the process, and return what it has written to standard error."""
        self.process.kill()
        return self.process.communicate(timeout=patient(20))[1]

    def stop(self) -> str:
        """Interrupt it, as Ctrl-C does; return its errors, not what it has compiled."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=patient(20))
        assert out == ""
        progress = ("compiling ", "kernels compiled in ")
        lines = err.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(progress))

    def records(self) -> list[Path]:
        """The records that it keeps."""
        return sorted(self.folder.glob("*.pgn"))

    def newest(self) -> Path:
        """The record that has been written last."""
        return max(self.records(), key=lambda path: path.stat().st_mtime_ns)

    def playback(self, path: Path | None = None, games: Registry | None = None) -> Playback:
        """The game of a record, checked against the rules; the only one's by default."""
        if path is None:
            (path,) = self.records()
        record = parse_records(path.read_text(encoding="utf-8"))[0]
        return Playback.of(record, games or registry())


class BoardPage:
    """The page in the browser."""

    def __init__(self, browser: Any, server: WebServer) -> None:
        self.browser, self.server = browser, server
        browser.get("about:blank")
        browser.get(server.address)
        self.wait("state.table && state.current && here()")

    def ask(self, script: str, *given: Any) -> Any:
        return run(self.browser, PLAY, f"return {script}", *given)

    def wait(self, script: str, *given: Any, seconds: float = 20.0) -> None:
        wait(self.browser, PLAY, script, *given, seconds=seconds)

    def find(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        """Click what is there now; again if it was drawn again between finding and clicking it."""
        from selenium.common.exceptions import StaleElementReferenceException

        end = time.monotonic() + patient(20)
        while True:
            try:
                self.find(selector).click()
                return
            except StaleElementReferenceException:
                if time.monotonic() > end:
                    raise

    @property
    def standing(self) -> dict[str, str]:
        """Last move, side to move, result and ply, as the page tells everybody."""
        return dict(self.ask("{...document.getElementById('standing').dataset}"))

    def reached(self, ply: int) -> None:
        """Wait until the game has at least so many plies, and the last is shown."""
        self.wait("state.table.ply >= arguments[0] && atEnd()", ply)

    def begin(
        self,
        variant: str,
        who: str = "people",
        control: str = "inf",
        fen: str = "",
        level: str = "",
    ) -> None:
        """Begin a game by the dialog; "" is the level that it offers."""
        from selenium.webdriver.support.ui import Select

        self.click("#new-game")
        self.find("#new-variant").send_keys(variant, "\ue007")
        self.wait("!byId('chosen').hidden")
        Select(self.find("#new-who")).select_by_value(who)
        Select(self.find("#new-control")).select_by_value("own")
        self.ask("byId('new-time').value = ''")
        self.find("#new-time").send_keys(control)
        if level:
            Select(self.find("#new-level")).select_by_value(level)
        self.ask("byId('new-fen').value = ''")
        if fen:
            self.find("#new-fen").send_keys(fen)
        self.ask("void (window.before = state.data.games[0])")
        self.click("#new-start")
        self.wait("state.data.games[0] !== window.before && here()")

    def play(self, move: str) -> None:
        """Play a move of the engine's notation by clicks; a choice is made where one is offered."""
        ply = int(self.standing["ply"])
        drop = re.fullmatch(r"(\+?[A-Za-z])@(.*)", move)
        if drop is not None:
            self.click(f"[data-piece='{drop[1]}'][data-side={self.standing['turn']}]")
        cells = re.findall(r"[a-z]\d{1,2}", (drop[2] if drop else move).split("x")[0])
        if len(cells) == 4 and cells[1] == cells[2]:
            del cells[2]
        for cell in cells:
            self.click(f"[data-cell='{cell}']")
        if self.ask("!byId('choices').hidden"):
            self.click(f"#choices [data-choice='{move}']")
        self.reached(ply + 1)
        assert self.standing["last"] == move

    def place(self, move: str, *, keys: bool = True) -> None:
        """Place a piece with a shape: take it from the tray, turn and mirror it, click."""
        from selenium.webdriver.common.action_chains import ActionChains

        ply = int(self.standing["ply"])
        name, cell = move.removesuffix("+").split("@")
        self.click(f"[data-piece='{name[0]}'][data-side={self.standing['turn']}]")
        for turn in range(8):
            if self.ask("state.held.name") == name:
                break
            press = "s" if turn == 3 else "e"
            ActionChains(self.browser).send_keys(press).perform()
        assert self.ask("state.held.name") == name
        # the pointer goes to the middle of where the piece is to lie
        x, y = self.ask(
            "(() => { const [file, rank] = squareOf(arguments[0]);"
            " const [w, h] = sizeOf(state.held.name);"
            " const one = state.cellNodes.get(cellName(file + Math.floor((w - 1) / 2),"
            " rank + Math.floor((h - 1) / 2))).getBoundingClientRect();"
            " const size = one.width; return [one.left + size / 2 + (w % 2 ? 0 : size / 2),"
            " one.top + size / 2 - (h % 2 ? 0 : size / 2)]; })()",
            cell,
        )
        actions = ActionChains(self.browser)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        actions.perform()
        assert self.ask("heldMove()") == f"{name}@{cell}"
        assert self.ask("ghost.getAttribute('class')") == "legal"
        if keys:
            ActionChains(self.browser).send_keys("\ue007").perform()
        else:
            ActionChains(self.browser).click().perform()
        self.reached(ply + 1)

    def picture(self, name: str) -> None:
        """Keep a screenshot, for a person to check."""
        folder = os.environ.get("RYUGI_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(str(Path(folder) / f"{name}.png"))
