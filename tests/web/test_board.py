"""What a person does on the page: keys, fingers, thinking, records, positions, own games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from ryugi_engine.records.pgn import parse_records
from tests.support.accessibility import Accessibility, axe_source
from tests.support.board_page import BoardPage, WebServer
from tests.support.effort import by_turns, turn
from tests.support.helpers import press_key

pytestmark = pytest.mark.slow

CENTAURS = """[mygame]
files = 8
ranks = 8
start = "rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w - - 0 1"
promotion = "CRBN"
pieces = { K = "K", C = "KN", R = "R", B = "B", N = "N" }
"""
#: With a name, a comment and a title that are no markup.
MARKUP = """[Event "<b>Event</b>"]
[White "<img src=x onerror=document.title='gone'>"]
[Black "Bob"]
[Result "*"]
[Variant "gorogo"]

1. H@c3 {<script>alert(1)</script>} S@b2 (1... S@d4 2. S@a1) 2. S@a1 *
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    home = tmp_path_factory.mktemp("home")
    (home / "mygame.toml").write_text(CENTAURS, encoding="utf-8")
    server = WebServer(home, "--variants", str(home / "mygame.toml"), "--variant", "gorogo")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


def test_a_game_of_ones_own(browser: Any, server: WebServer) -> None:
    """A game of a definition file, to its mate."""
    page = BoardPage(browser, server)
    page.ask(
        "void ask('new', {variant: 'mygame', control: 'inf', fen: '7k/8/6K1/8/8/8/8/C6C w - - 0 1',"
        " white: {engine: false}, black: {engine: false}})"
    )
    page.wait("state.table.game === 'mygame' && here() && state.table.ply === 0")
    page.play("a1b3")
    page.play("h8g8")
    state = page.ask("state.table.moves")
    assert "b3c4" in state
    page.click("#act-undo")
    page.wait("state.table.ply === 1")
    text = server.newest().read_text(encoding="utf-8")
    assert '[Variant "mygame"]' in text
    assert parse_records(text)[0].steps[0].move == "Cb3"


def test_drops_walls_and_promotion(browser: Any, server: WebServer) -> None:
    """Games of the general family: pieces in hand, the duck's square, a promotion or none."""
    page = BoardPage(browser, server)
    page.begin("crazyhouse")
    size = page.find("#board").size
    for move in ["e2e4", "d7d5", "e4d5", "d8d5"]:
        page.play(move)
    # what is in hand stands beside the board alone, which keeps its size
    assert page.find("#board").size == size
    assert page.ask("state.board.picture.textContent.length") == len("abcdefgh12345678")
    assert page.find("#hand-white").text == page.find("#hand-black").text == "1"
    page.play("P@e4")
    page.begin("duck")
    for cell in ("e2", "e4"):
        page.click(f"[data-cell={cell}]")
    assert page.find("#standing-text").text == "Now the duck"
    assert page.find("#marks .moved").is_displayed()
    page.click("[data-cell=e5]")
    page.reached(1)
    page.play("g8f6,f6g8")
    assert server.playback(server.newest()).position.moves == ["e2e4,e4e5", "g8f6,f6g8"]
    page.begin("shogi")
    for move in ["c3c4", "g7g6", "b2h8+"]:
        page.play(move)
    assert (
        page.ask("state.cellNodes.get('h8').getAttribute('aria-label')")
        == "sente promoted bishop, h8"
    )
    assert page.find("#shogi-files").accessible_name == "Files 9 to 1"


def test_a_lion_captures_and_goes_back(browser: Any, server: WebServer) -> None:
    """Where it may stop on a square or go on, the page asks which."""
    page = BoardPage(browser, server)
    page.begin("chu")
    for move in ["f3f5", "a9a8", "f5f7", "a8a7", "f7f8", "a7a6"]:
        page.play(move)
    for cell in ("f8", "f9"):
        page.click(f"[data-cell={cell}]")
    page.click("#choices [data-choice=go-on]")
    page.click("[data-cell=f8]")
    page.reached(7)
    for cell in ("l9", "l8", "f8", "e9"):
        page.click(f"[data-cell={cell}]")
    page.click("#choices [data-choice=f8e9]")
    page.reached(9)
    moves = server.playback(server.newest()).position.moves
    assert moves[-3:] == ["f8f9,f9f8", "l9l8", "f8e9"]


def test_keys_alone(browser: Any, server: WebServer) -> None:
    """Places are gone to by arrows and pressed by Enter, a choice is made, a move taken back."""
    from selenium.webdriver.common.keys import Keys

    page = BoardPage(browser, server)
    page.begin("gorogo")
    page.ask("void focusCell('a1')")
    for key in (Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.ENTER):
        press_key(browser, key)
    page.reached(1)
    assert page.standing["last"] == "H@c3"
    assert page.ask("state.cellNodes.get('c3').getAttribute('aria-label')") == "Henge, c3"
    for key in (Keys.ARROW_LEFT, Keys.ENTER):
        press_key(browser, key)
    page.wait("!byId('choices').hidden")
    for key in (Keys.ARROW_RIGHT, Keys.ESCAPE):
        press_key(browser, key)
    page.wait("byId('choices').hidden")
    page.ask("void focusCell('b3')")
    press_key(browser, Keys.ENTER)
    page.wait("!byId('choices').hidden")
    press_key(browser, Keys.ENTER)
    page.reached(2)
    press_key(browser, "u")
    page.wait("state.table.ply === 1")
    page.find("#typed").send_keys("S@a1\n")
    page.reached(2)
    page.ask("document.activeElement.blur()")
    press_key(browser, "?")
    page.wait("byId('rules-dialog').open && byId('rules-text').querySelector('h3')")
    page.ask("void byId('rules-dialog').close()")
    press_key(browser, "k")
    page.wait("byId('keys').open && byId('key-list').textContent.startsWith('nNew game')")
    page.ask("void byId('keys').close()")
    page.begin("ryugi")
    page.ask("void focusCell('e3')")
    for key in (Keys.ENTER, Keys.ARROW_UP, Keys.SPACE):
        press_key(browser, key)
    page.reached(1)
    assert page.standing["last"] == "e3e4"
    assert page.standing["turn"] == "black"


def tap(browser: Any, x: float, y: float, *to: tuple[float, float], resting: float = 0.0) -> None:
    """A finger that goes down, rests for some seconds, goes perhaps along a way, and up."""

    def touch(kind: str, points: list[dict[str, Any]]) -> None:
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", [{"x": x, "y": y}])
    time.sleep(resting)
    for at in to:
        touch("touchMove", [{"x": at[0], "y": at[1]}])
    touch("touchEnd", [])


def middle(page: BoardPage, selector: str) -> tuple[float, float]:
    x, y = page.ask(
        "(() => { const one = document.querySelector(arguments[0]); one.scrollIntoView({block:"
        " 'nearest'}); const box = one.getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; })()",
        selector,
    )
    return x, y


@pytest.fixture
def phone(browser: Any) -> Iterator[None]:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True},
    )
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.usefixtures("phone")
def test_fingers(browser: Any, server: WebServer) -> None:
    """A phone: taps, pieces dragged from square to square and from the hand, a dragon's P."""
    page = BoardPage(browser, server)
    page.begin("crazyhouse")
    tap(browser, *middle(page, "[data-cell=e2]"))
    tap(browser, *middle(page, "[data-cell=e4]"))
    page.reached(1)
    start, end = middle(page, "[data-cell=d7]"), middle(page, "[data-cell=d5]")
    tap(browser, *start, (start[0], start[1] + 20), end)
    page.reached(2)
    page.play("e4d5")
    page.play("a7a6")
    start, end = middle(page, "[data-piece=P][data-side=white]"), middle(page, "[data-cell=e5]")
    tap(browser, *start, (start[0], start[1] - 20), end)
    page.reached(5)
    assert page.standing["last"] == "P@e5"
    page.begin("goryujin")
    tap(browser, *middle(page, "[data-piece=P][data-side=white]"))
    page.wait("holding()")
    x, y = middle(page, "[data-cell=m2]")
    # a finger that rests: on a busy machine any does
    tap(browser, x + 30, y - 60, (x + 10, y - 20), (x, y), resting=1.0)
    assert page.ask("ghost.getAttribute('class')") == "legal"
    time.sleep(1)  # Chromium makes no click of a tap that follows at once
    tap(browser, *middle(page, "#put"))
    page.reached(1)
    page.picture("web-phone")
    assert page.ask("document.documentElement.scrollWidth") <= 390


def test_a_game_against_the_engine(browser: Any, server: WebServer) -> None:
    """Nothing helps unasked while it is on; a button, or the end, shows what it thinks."""
    page = BoardPage(browser, server)
    helps = "#gauge, #graph, #moves .score, #controls, #note"

    def helping() -> list[str]:
        return [one.get_attribute("id") for one in shown(page, helps)]

    page.begin("chess", who="w", control="1:30+2")
    page.ask("void ask('players', {white: {engine: false}, black: {engine: true, level: 2}})")
    for ply, (begin, end) in enumerate([("e2", "e4"), ("d2", "d4")]):
        page.click(f"[data-cell={begin}]")
        page.click(f"[data-cell={end}]")
        page.wait(f"state.table.ply === {2 * ply + 2} && !state.table.thinking && here()")
    assert helping() == []
    assert [page.find(f"#{name}").text for name in ("title", "about")] == ["Chess", "1:30+2"]
    page.click("#act-hint")
    page.wait("!byId('best-lines').hidden && byId('pointers').innerHTML !== ''")
    assert helping() == []
    page.click("#act-analyse")
    page.wait("byId('best-lines').children.length === 3")
    assert {"gauge", "controls", "note"} <= set(helping())
    page.picture("web-analysis")
    page.click("#act-analyse")
    page.wait("!state.table.analysis")
    assert helping() == []
    page.ask("void (window.confirm = () => true)")
    page.click("#act-resign")
    page.wait("state.table.result === '0-1'")
    assert server.playback(server.newest()).record.result == "0-1"
    assert {"gauge", "graph", "controls", "note"} <= set(helping())
    # the result once
    assert page.find("#standing-text").text == "You lose · resignation"
    text = page.find("body").text
    assert not any(other in text for other in ("0-1", "Black wins", "by resignation"))
    page.click("#act-undo")
    page.wait("state.table.result === ''")
    assert helping() == []
    page.click("#act-resign")
    page.wait("state.table.result === '0-1'")
    page.click("#act-rematch")
    page.wait(
        "state.board.turned && state.table.ply > 0 && !state.table.result && !state.table.thinking"
    )
    players = [{"engine": True, "level": 2}, {"engine": False, "level": 12}]
    assert page.ask("[state.table.players, state.table.control]") == [players, "1:30+2"]


def shown(page: BoardPage, selector: str) -> list[Any]:
    """The elements that can be seen."""
    found = page.browser.find_elements("css selector", selector)
    return [one for one in found if one.is_displayed()]


def test_clocks_run_out_on_the_server(browser: Any, server: WebServer) -> None:
    page = BoardPage(browser, server)
    page.begin("chess", control="0.7")
    page.play("e2e4")
    page.wait("state.table.result === '1-0' && state.table.reason === 'time forfeit'")
    assert server.playback(server.newest()).outcome() is not None


def test_records(browser: Any, server: WebServer) -> None:
    """Loaded, commented, continued, with variations; texts are never markup; two pages agree."""
    page = BoardPage(browser, server)
    page.ask("void ask('load', {text: arguments[0]})", MARKUP)
    page.wait("state.data.games[0].tags.Black === 'Bob' && here()")
    assert "<img src=x" in page.find("#title").text
    assert page.ask("document.querySelectorAll('#names img, #moves script').length") == 0
    assert page.ask("document.title.startsWith('<img')")
    page.click("[data-cell=d5]")
    page.click("#choices [data-choice='S@d5']")
    page.reached(4)
    path = server.newest()
    assert "<script>alert(1)</script>" in path.read_text(encoding="utf-8")
    page.click("#first")
    page.wait("here() && state.current.ply === 0")
    page.click("[data-cell=a5]")  # what if
    page.wait("state.current.line > 0 && state.current.ply === 1 && here()")
    page.find("#note-text").send_keys("what if")
    page.click("#note-save")
    page.wait("state.current.c === 'what if'")
    lines = server.playback(path).record.variations()
    assert [steps[0].move for _way, steps in lines] == ["H@a5", "S@d4"]
    assert lines[0][1][0].comment == "what if"
    page.click("#remove-line")
    page.wait("lineOf(treeOf(state.data.games[0]))[0].children.length === 1")
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    other = BoardPage(browser, server)
    other.click("[data-cell=e5]")
    other.click("#choices [data-choice='S@e5']")
    other.reached(5)
    browser.close()
    browser.switch_to.window(first)
    page.wait("state.table.ply === 5")
    page.wait("state.knownGames.length")
    page.click("#files")
    page.wait("byId('file-names').children.length > 0")
    listed = page.find("#file-names [aria-current]").text.split("\n")
    assert listed == ["<img src=x onerror=document.title='gone'> – Bob", "unfinished", "GoRoGo"]
    page.click("#files-dialog .closes")


def test_positions(browser: Any, server: WebServer) -> None:
    """A position is set up by hand and by text; pieces' moves are drawn."""
    page = BoardPage(browser, server)
    page.begin("chess")
    page.click("#setup")
    page.wait("byId('setup-board').firstChild && byId('diagrams').children.length === 6")
    page.find("#setup-text").send_keys("x")
    page.wait("byId('setup-play').disabled && byId('setup-fault').textContent.length > 5")
    page.ask("void (byId('setup-text').value = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', tryText())")
    page.wait("!byId('setup-play').disabled && state.setup.letters.e5 === 'k'")
    page.click("#palette [aria-label='white queen']")
    page.click("#setup-board [data-cell='b1']")
    page.wait("byId('setup-text').value === '8/8/8/4k3/8/8/4P3/1Q2K3 w - - 0 1'")
    page.wait("!byId('setup-play').disabled")


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    return axe_source(tmp_path_factory.mktemp("axe"))


@pytest.mark.more
@pytest.mark.parametrize("width", by_turns(["desk", "phone"], 1))
def test_accessible(
    browser: Any, server: WebServer, axe: str, width: str, request: pytest.FixtureRequest
) -> None:
    """axe finds nothing serious: boards, choices and dialogs, by day and at night."""
    print(turn())
    if width == "phone":
        request.getfixturevalue("phone")
    page = BoardPage(browser, server)
    access = Accessibility(browser, axe)
    look = access.look
    page.begin("gorogo")
    page.play("H@c3")
    page.click("[data-cell=a1]")
    page.wait("!byId('choices').hidden")
    look("choices")
    page.begin("shogi", who="w", control="nodes=200")
    look("shogi")
    page.click("[data-cell=c3]")
    page.click("[data-cell=c4]")
    page.reached(2)
    page.ask("void (window.confirm = () => true)")
    page.click("#act-resign")
    page.wait("state.table.result")
    look("over")
    for opens, dialog in (
        ("#new-game", "#new-dialog"),
        ("#files", "#files-dialog"),
        ("#setup", "#setup-dialog"),
        ("#rules", "#rules-dialog"),
    ):
        page.click(opens)
        look(dialog)
        page.click(f"{dialog} .closes")
    page.click("#dark")
    page.begin("goryujin")
    look("goryujin at night")
    page.click("#dark")
    assert access.found == []
