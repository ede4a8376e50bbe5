"""Positions set up by clicks: stones, pieces in hand, pieces with shapes, the side to move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import press_key

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


@pytest.fixture
def page(browser: Any, server: WebServer) -> BoardPage:
    return BoardPage(browser, server)


def open_setup(page: BoardPage, game: str) -> None:
    page.begin(game)
    page.click("#setup")
    page.wait("byId('setup-board').querySelector('[data-cell]')")


def choose(page: BoardPage, piece: str, side: str = "") -> None:
    chosen = f"[data-piece='{piece}']" + (f"[data-side={side}]" if side else "")
    page.click(f"#palette {chosen}")


def press(page: BoardPage, *cells: str) -> None:
    for cell in cells:
        page.click(f"#setup-board [data-cell='{cell}']")


def reads(page: BoardPage, text: str, fault: str = "") -> None:
    """Wait until the text is this, and whether it is legal."""
    page.wait("!state.setup.editing && byId('setup-text').value === arguments[0]", text)
    page.wait(
        "byId('setup-play').disabled === (arguments[0] !== '')"
        " && byId('setup-fault').textContent.includes(arguments[0])",
        fault,
    )


def play_from_here(page: BoardPage) -> None:
    page.click("#setup-play")
    page.ask("void (window.before = state.data.games[0])")
    page.click("#new-start")
    page.wait("state.data.games[0] !== window.before && here()")


def test_stones_and_track(page: BoardPage) -> None:
    """Gomoku Roku: a track stone moves, the track says whose turn it is, sides are exchanged."""
    open_setup(page, "gomokuroku")
    choose(page, "S", "white")
    press(page, "f11")
    choose(page, "S", "black")
    press(page, "k10")
    page.wait("!state.setup.editing && !byId('setup-play').disabled")
    assert page.ask("state.setup.letters") == {"f11": "S", "k10": "s"}
    choose(page, "S", "white")
    press(page, "g11", "e5")
    page.wait("!state.setup.editing && state.setup.letters.e5 === 'S' && !state.setup.letters.f11")
    text = page.ask("byId('setup-text').value")
    assert text.count("S") == text.count("s") == 31
    turn = page.ask("document.querySelector('#setup-side [aria-pressed=true]').dataset.side")
    other = "black" if turn == "white" else "white"
    page.click(f"#setup-side [data-side={other}]")
    page.wait(
        "!state.setup.editing && state.setup.letters.g11 === 's' && !byId('setup-play').disabled"
    )
    page.picture("setup-gomokuroku")
    press(page, "f6")  # the centre's mark
    page.wait("!state.setup.editing && byId('setup-fault').textContent.includes('f6')")
    page.click("#palette [data-action=erase]")
    press(page, "e5")
    page.wait("!state.setup.editing && !state.setup.letters.e5 && !byId('setup-play').disabled")
    play_from_here(page)
    assert page.standing["turn"] == other


def test_henges_and_hands(page: BoardPage) -> None:
    """GoRoGo: pieces come from the hands and go back; a hand is changed by its buttons."""
    open_setup(page, "gorogo")
    choose(page, "H")
    press(page, "c3")
    choose(page, "S", "white")
    press(page, "a1", "b2")
    choose(page, "S", "black")
    press(page, "b2")
    reads(page, "5/5/2H2/1s3/S4[HHSSSSSSSSShhsssssssss] w - - 0 1")
    page.click("#setup-hands [data-piece=S][data-side=white] [data-action=one-less]")
    page.click("#setup-hands [data-piece=S][data-side=white] [data-action=one-less]")
    page.click("#setup-side [data-side=black]")
    reads(page, "5/5/2H2/1s3/S4[HHSSSSSSShhsssssssss] b - - 0 1")
    page.click("#setup-hands [data-piece=H][data-side=white] [data-action=one-less]")
    reads(page, "5/5/2H2/1s3/S4[HSSSSSSShhsssssssss] b - - 0 1", "4 Henges")
    page.click("#setup-hands [data-piece=H][data-side=white] [data-action=one-more]")
    page.click("#palette [data-action=erase]")
    press(page, "a1")
    reads(page, "5/5/2H2/1s3/5[HHSSSSSSSShhsssssssss] b - - 0 1")
    page.picture("setup-gorogo")
    # the text changes the board
    page.ask("void (byId('setup-text').value = arguments[0], tryText())", "5/5/5/5/5[] w - - 0 1")
    page.wait("byId('setup-play').disabled && !state.setup.letters.c3")


def test_pressed_buttons_stay(page: BoardPage) -> None:
    """An answer that comes while a button or a place is being pressed leaves the click alone."""
    from selenium.webdriver.common.action_chains import ActionChains

    open_setup(page, "gorogo")
    choose(page, "S", "white")
    for pressed, text in (
        ("#setup-side [data-side=black]", "5/5/5/5/S4[HHHSSSSSSSSShhssssssssss] b - - 0 1"),
        ("#setup-board [data-cell=b1]", "5/5/5/5/SS3[HHHSSSSSSSShhssssssssss] b - - 0 1"),
    ):
        page.wait("!state.setup.editing")
        ActionChains(page.browser).click_and_hold(page.find(pressed)).perform()
        page.ask("void edit({do: 'put', piece: 'S', cell: 'a1'})")
        page.wait("!state.setup.editing && state.setup.letters.a1 === 'S'")
        ActionChains(page.browser).release().perform()
        reads(page, text)


def test_pieces_with_shapes(browser: Any, page: BoardPage) -> None:
    """Goryujin: pieces of both trays are turned, laid, removed; a dragon follows from contacts."""
    from selenium.webdriver.common.keys import Keys

    open_setup(page, "goryujin")
    page.wait("document.querySelector('#setup-turns').hidden")
    choose(page, "P", "white")
    page.click("#setup-turns [data-action=turn-right]")
    page.click("#setup-turns [data-action=mirror]")
    name = page.ask("state.setup.brush")
    assert name != "P0"
    put = page.ask("(({name, file, rank}) => `${name}@${cellName(file, rank)}`)(shapeOver('m1'))")
    press(page, "m1")
    reads(page, f"{put}/- w 0 1")
    choose(page, "I", "black")
    press(page, "m20")
    page.wait(
        "!state.setup.editing && byId('setup-play').disabled && state.setup.letters.m20 === 'i'"
    )
    assert "begins with a P" in page.find("#setup-fault").text
    page.picture("setup-goryujin")
    page.click("#palette [data-action=erase]")
    press(page, "m20")
    reads(page, f"{put}/- w 0 1")
    page.click("#setup-side [data-side=black]")
    reads(page, f"{put}/- b 0 1")
    # keys alone
    choose(page, "P", "black")
    page.ask("void byId('setup-board').querySelector('[data-cell=t29]').focus()")
    press_key(browser, Keys.ARROW_RIGHT)
    press_key(browser, Keys.ENTER)
    page.wait(
        "!state.setup.editing && !byId('setup-play').disabled && state.setup.letters.u29 === 'p'"
    )
    play_from_here(page)
    assert page.standing["turn"] == "black"
    assert page.ask("here().letters.u29") == "p"


def test_hands_of_shogi(page: BoardPage) -> None:
    """Promoted pieces stand on the board, others come into a hand."""
    open_setup(page, "shogi")
    choose(page, "+P", "white")
    press(page, "e5")
    page.click("#setup-hands [data-piece=P][data-side=black] [data-action=one-more]")
    page.wait("!state.setup.editing && byId('setup-text').value.includes('/4+P4/')")
    page.wait("byId('setup-text').value.includes('[p]')")
    page.picture("setup-shogi")
