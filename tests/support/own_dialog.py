"""The dialog of the page in which a game of one's own is made, as tests drive it."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer

#: Width and height of the windows in which it is tried.
SIZES = [pytest.param((1280, 800), id="desk"), pytest.param((390, 844), id="phone")]
_FORGET = "localStorage.removeItem('ryugi-own-game')"


@contextlib.contextmanager
def opened(browser: Any, server: WebServer, size: tuple[int, int]) -> Iterator[Workshop]:
    """The page in a window of a size, without a game that somebody has begun."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 400}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page = Workshop(browser, server)
    page.size = "desk" if width > 400 else "phone"
    browser.execute_script(_FORGET)
    browser.refresh()
    page.wait("state.table && state.knownGames.length")
    try:
        yield page
    finally:
        browser.execute_script(_FORGET)
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


class Workshop(BoardPage):
    """The dialog in which a game is made."""

    size = "desk"

    def copy(self, game: str) -> None:
        """Open the dialog and begin with a copy of a game."""
        self.click("#own")
        self.wait("draft.form && byId('own-model').options.length > 50")
        self.copy_of(game)

    def copy_of(self, game: str) -> None:
        """Begin with a copy of a game."""
        from selenium.webdriver.support.ui import Select

        Select(self.find("#own-model")).select_by_value(game)
        self.click("#own-copy")
        self.wait("draft.shown && draft.tab === 'board'")

    def dark(self, on: bool) -> None:
        """Let it be night, or day."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def tab(self, name: str) -> None:
        self.click(f"#own-tab-{name}")

    def done(self) -> None:
        """Wait until all changes are answered."""
        self.wait("!draft.asked && !draft.edits.length")

    def press(self, selector: str) -> None:
        """Click a control of the dialog, and wait for what it changes."""
        self.ask("void document.querySelector(arguments[0]).scrollIntoView()", selector)
        self.click(selector)
        self.done()

    def type(self, selector: str, text: str) -> None:
        """Type into a field in the place of what is in it, and leave it."""
        field = self.find(selector)
        self.ask("void document.querySelector(arguments[0]).scrollIntoView()", selector)
        field.send_keys("\ue009a\ue000", text, "\ue004")
        self.done()

    def choose(self, selector: str, value: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.find(selector)).select_by_value(value)
        self.done()

    def rule(self, key: str) -> str:
        """Find a rule by its key; return the selector of its field."""
        self.tab("rules")
        search = self.find("#own-search")
        search.clear()
        search.send_keys(key)
        return f"[data-field={key}]"

    def fault(self, key: str) -> str:
        """The message beside a field."""
        script = (
            "(field => (field.matches('p') ? field : field.querySelector(':scope > .fault'))"
            ".textContent)(document.querySelector(`[data-field='${arguments[0]}']`))"
        )
        return str(self.ask(script, key))

    @property
    def table(self) -> dict[str, Any]:
        """The definition as the page has it now."""
        (table,) = tomllib.loads(self.ask("draft.text")).values()
        return dict(table)

    def put(self, piece: str, *squares: str) -> None:
        self.press(f"#own-palette [data-piece='{piece}'][data-side=white]")
        for square in squares:
            self.press(f"#own-squares [data-square={square}]")

    def fits(self) -> None:
        """Nothing of the dialog is wider than the window."""
        assert self.ask("byId('own-inside').scrollWidth <= byId('own-inside').clientWidth")
