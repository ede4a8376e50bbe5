"""Games of one's own, made on the page: an inventor's walk, wrong entries, files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "chess")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desk", "phone"])
def page(browser: Any, server: WebServer, request: pytest.FixtureRequest) -> Iterator[Workshop]:
    width, height = request.param
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 400}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page = Workshop(browser, server)
    browser.execute_script("localStorage.removeItem('ryugi-own-game')")
    browser.refresh()
    page.wait("state.table && state.knownGames.length")
    yield page
    browser.execute_script("localStorage.removeItem('ryugi-own-game')")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


class Workshop(BoardPage):
    """The dialog in which a game is made."""

    def copy(self, game: str) -> None:
        """Begin with a copy of a game."""
        from selenium.webdriver.support.ui import Select

        self.click("#own")
        self.wait("draft.form && byId('own-model').options.length > 50")
        Select(self.find("#own-model")).select_by_value(game)
        self.click("#own-copy")
        self.wait("draft.shown && draft.tab === 'board'")

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


def test_a_copy_is_changed_kept_and_played(page: Workshop) -> None:
    """Size, a piece by its name, a goal, a switch: what is kept is what is played."""
    page.copy("chess")
    page.click("#own-files-more")
    page.click("#own-files-more")
    page.done()
    assert page.table["start"].split()[0] == "rnbqkbnr2/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKBNR2"
    page.fits()
    page.picture("own-board")
    page.tab("pieces")
    page.find("#own-find-piece").send_keys("archb")
    page.press("#own-known [data-name=Archbishop]")
    assert page.table["pieces"]["A"] == "BN"
    assert "nowhere" in page.fault("pieces.A")
    page.fits()
    page.tab("board")
    page.put("A", "i1")
    page.put("K", "j1")
    page.put("R", "e1")
    page.press("#own-squares [data-square=j1]")
    page.put("K", "f1")
    assert page.table["castling"] == {"K": ["f1 h1 j1 g1"], "Q": ["f1 d1 a1 e1"]}
    rows = "rnbqrknrar/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQRKNRAR"
    assert page.table["start"] == f"{rows} w KQkq - 0 1"
    assert page.ask("byId('own-says').textContent") == "It can be played"
    goal = page.rule("flag_region")
    page.press(f"{goal} [data-action=squares]")
    page.press(f"{goal} [data-square='*8']")
    assert page.table["flag_region"] == "*8"
    page.fits()
    page.press(f"{page.rule('piece_drops')} input")
    assert "no piece ever comes into a hand" in page.fault("piece_drops")
    page.press(f"{page.rule('captures_to_hand')} input")
    assert page.fault("piece_drops") == ""
    page.tab("game")
    page.type("#own-title", "The walk")
    page.fits()
    page.picture("own-game")
    name = page.table
    page.click("#own-play")
    page.wait("byId('new-dialog').open && state.chosenGame === draft.shown.name")
    page.choose("#new-who", "people")
    page.click("#new-start")
    page.wait("state.table.game === draft.shown.name && here()", seconds=120)
    page.play("a2a4")
    file = page.server.folder.parent / "variants.toml"
    assert tomllib.loads(file.read_text())[page.ask("draft.shown.name")] == name


#: A field, what is typed, and what the message beside it says.
WRONG = [
    ("n_move_rule", "#own-n_move_rule", "5000", "5000 is not in 0..1000"),
    ("flag_region", "#own-flag_region", "z99 x", "is not a square"),
    ("castling_wins", "#own-castling_wins", "X", "must be rights to castle"),
    ("aliases", "#own-aliases", "A!", "must be a list of names"),
]


def test_wrong_entries(page: Workshop) -> None:
    """Each has its message beside its field, all at once; the others stay as they are."""
    page.copy("chess")
    for key, field, text, _message in WRONG:
        page.rule(key)
        page.type(field, text)
    page.tab("pieces")
    page.type("[data-letter=N] .moves", "NY")
    page.type("[data-letter=Q] .letter", "R")
    assert "there is a piece R already" in page.fault("pieces.Q")
    page.type("[data-letter=Q] .value", "9999")
    page.tab("game")
    page.type("#own-name", "Chess!")
    page.tab("board")
    page.type("#own-files", "99")
    assert "16 files" in page.fault("files")
    assert page.table["files"] == 8
    page.tab("game")
    page.type("#own-name", "chess")
    for key, _field, _text, message in WRONG:
        assert message in page.fault(key), key
    assert "'Y' in 'NY' is not a piece atom" in page.fault("pieces.N")
    assert "0..5000" in page.fault("values.Q")
    assert "comes with the engine" in page.fault("name")
    assert page.ask("byId('own-play').disabled && byId('own-save').disabled")
    assert page.ask("byId('own-tab-rules').dataset.faults") == "4"
    page.rule("move")
    page.picture("own-faults")
    page.tab("file")
    page.type("#own-text", "[x]\nfiles = = 3")
    assert re.search("syntax|2:", page.fault("text"))
    page.type("#own-text", '[x]\nstart = "8/8 w"\npieces = { K = "K" }\n')
    assert "2 ranks instead of 8" in page.fault("start")


def test_a_game_for_the_keyboard_alone(page: Workshop) -> None:
    """From the button in the bar to a piece on the board."""
    from selenium.webdriver.common.action_chains import ActionChains

    def keys(*pressed: str) -> None:
        ActionChains(page.browser).send_keys(*pressed).perform()

    tab, enter, right, up = "\ue004", "\ue007", "\ue014", "\ue013"
    page.ask("void byId('own').focus()")
    keys(enter)
    page.wait("byId('own-dialog').open && draft.form && byId('own-model').options.length > 50")
    page.ask("void byId('own-model').focus()")
    keys(tab, enter)
    page.wait("draft.shown && draft.tab === 'board'")
    page.ask("void byId('own-palette').querySelector('[data-piece=Q]').focus()")
    keys(enter)
    page.ask("void byId('own-squares').querySelector('[tabindex=\"0\"]').focus()")
    assert page.ask("document.activeElement.dataset.square") == "a8"
    for _ in range(4):
        keys("\ue015")
    keys(right, up, enter)
    page.done()
    assert page.ask("draft.shown.board.letters.b5") == "Q"
    assert page.ask("draft.shown.board.letters.b4") == "q"
    page.ask("void byId('own-tab-board').focus()")
    keys(right, right)
    assert page.ask("draft.tab") == "rules"
    page.ask("void byId('own-search').focus()")
    keys("must_capture", tab, tab)
    keys(" ")
    page.done()
    assert page.table["must_capture"] is True
