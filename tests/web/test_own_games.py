"""Games of one's own, made on the page: an inventor's walk, wrong entries, files."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyffish
import pytest

from ryugi_engine.games.registry import read_definitions
from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import command

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


def test_an_inventor_s_walk(page: Workshop, tmp_path: Path) -> None:
    """From a copy of chess to 10x8 with two more pieces, a goal and drops: played, and exported.

    Fairy-Stockfish counts the same moves in the game.
    """
    page.copy("chess")
    page.click("#own-files-more")
    page.click("#own-files-more")
    page.done()
    assert page.table["start"].split()[0] == "rnbqkbnr2/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKBNR2"
    page.fits()
    page.picture("own-board")
    page.tab("pieces")
    search = page.find("#own-find-piece")
    for typed, name in (("archb", "Archbishop"), ("nightr", "Nightrider")):
        search.clear()
        search.send_keys(typed)
        page.press(f"#own-known [data-name={name}]")
    assert page.table["pieces"]["A"] == "BN"
    (rider,) = (letter for letter, moves in page.table["pieces"].items() if moves == "NN")
    assert page.table["names"] == {rider: "Nightrider"}
    assert "nowhere" in page.fault("pieces.A")
    # the moves of a piece that is added are shown
    page.wait("document.querySelectorAll('#own-piece-list .diagram:not([hidden]) circle').length")
    page.fits()
    page.picture("own-pieces")
    page.tab("board")
    for piece, *squares in (("A", "g1"), ("B", "h1"), (rider, "i1"), ("R", "j1")):
        page.put(piece, *squares)
    page.put("K", "f1")
    assert "2 kings" in page.fault("start")
    page.put("Q", "e1")
    page.put(rider, "d1")
    assert page.table["castling"] == {"K": ["f1 h1 j1 g1"], "Q": ["f1 d1 a1 e1"]}
    page.choose("#own-castling", "3")
    back = f"RNB{rider}QKAB{rider}R"
    rows = f"{back.lower()}/pppppppppp/10/10/10/10/PPPPPPPPPP/{back}"
    assert page.table["start"] == f"{rows} w KQkq - 0 1"
    assert page.ask("byId('own-says').textContent") == "It can be played"
    page.picture("own-start")
    goal = page.rule("flag_region")
    page.press(f"{goal} [data-action=squares]")
    page.press(f"{goal} [data-square='*8']")
    assert page.table["flag_region"] == "*8"
    page.fits()
    page.picture("own-goal")
    only = page.rule("flag_piece")
    for piece in "QRBNAP" + rider:
        page.press(f"{only} [data-letter={piece}]")
    assert page.table["flag_piece"] == "K"
    page.press(f"{page.rule('piece_drops')} input")
    assert "no piece ever comes into a hand" in page.fault("piece_drops")
    page.press(f"{page.rule('captures_to_hand')} input")
    assert page.fault("piece_drops") == ""
    page.tab("game")
    page.type("#own-title", "The walk")
    page.fits()
    page.picture("own-game")
    # for Fairy-Stockfish
    name = f"walk-{time.time_ns()}"
    page.type("#own-name", name)
    page.browser.execute_script(
        "const make = URL.createObjectURL; URL.createObjectURL = blob => {"
        " blob.text().then(text => window.saved = text); return make.call(URL, blob); }"
    )
    page.tab("file")
    page.picture("own-file")
    page.click("#own-ini")
    page.wait("window.saved")
    pyffish.load_variant_config(page.ask("window.saved"))
    table, text = page.table, page.ask("draft.text")
    page.click("#own-play")
    page.wait("byId('new-dialog').open && state.chosenGame === draft.shown.name")
    page.choose("#new-who", "people")
    page.click("#new-start")
    page.wait("state.table.game === draft.shown.name && here()", seconds=120)
    page.play("a2a4")
    file = page.server.folder.parent / "variants.toml"
    assert tomllib.loads(file.read_text())[name] == table
    own = tmp_path / "own.toml"
    own.write_text(text)
    (game,) = read_definitions(str(own))
    assert pyffish.start_fen(name) == game.start
    for depth in (1, 2, 3):
        done = command("perft", "--variants", str(own), "--depth", f"{depth}")
        (nodes,) = re.findall(r"Nodes searched: (\d+)", done.stdout)
        assert int(nodes) == perft(name, game.start, depth)


def perft(name: str, text: str, depth: int) -> int:
    """As Fairy-Stockfish counts."""
    moves = pyffish.legal_moves(name, text, [])
    if depth == 1:
        return len(moves)
    return sum(perft(name, pyffish.get_fen(name, text, [move]), depth - 1) for move in moves)


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
