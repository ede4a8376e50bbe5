"""What becomes of a game of one's own on the page: studied, removed, sent to others."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.registry import Registry
from tests.support.board_page import WebServer
from tests.support.effort import by_turns, turn
from tests.support.own_dialog import SIZES, Workshop, opened

pytestmark = [pytest.mark.slow, pytest.mark.more]

#: A game that is soon over.
TINY = """\
[tiny]
title = "Tiny"
files = 5
ranks = 5
pieces = { K = "K", R = "R", P = "fmWfcF" }
start = "r1k1r/ppppp/5/PPPPP/R1K1R w - - 0 1"
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    home = tmp_path_factory.mktemp("home")
    own = home / "ryugi-engine" / "variants.toml"
    own.parent.mkdir(parents=True)
    own.write_text(TINY)
    server = WebServer(home, "--variant", "chess")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


@pytest.fixture(params=by_turns(SIZES, 1))
def page(browser: Any, server: WebServer, request: pytest.FixtureRequest) -> Iterator[Workshop]:
    print(turn())
    with opened(browser, server, request.param) as page:
        yield page


def test_a_study_from_the_page(page: Workshop) -> None:
    """Begun beside the saved game, followed, stopped; its page opens in a tab of its own."""
    page.click("#own")
    page.wait("document.querySelector('[data-study=tiny]')")
    page.click("[data-study=tiny]")
    page.wait("byId('study-heading').textContent === 'Study of Tiny'")
    page.wait("!byId('study-start').hidden")
    page.picture(f"study-before-{page.size}")
    page.choose("#study-time", "120")
    page.click("#study-start")
    page.wait("byId('study-stop').checkVisibility()")
    assert page.ask("byId('study-start').hidden && byId('study-for').hidden")
    page.wait("/^games: [1-9].* left, until/.test(byId('study-line').textContent)", seconds=300)
    page.picture(f"study-running-{page.size}")
    page.dark(True)
    page.picture(f"study-dark-{page.size}")
    page.click("#study-dialog .closes")
    page.click("#own-dialog .closes")
    page.click("#rules")
    page.click("#rules-study")
    page.wait("byId('study-heading').textContent === 'Study of Chess'")
    runs = "A study of Tiny is running. Only one runs at a time."
    page.wait("byId('study-other').textContent === arguments[0]", runs)
    page.picture(f"study-other-{page.size}")
    page.click("#study-stop")
    page.wait("!byId('study-start').hidden", seconds=60)
    assert not page.ask("byId('study-page').checkVisibility()")
    page.click("#study-dialog .closes")
    page.click("#rules-dialog .closes")
    page.click("#own")
    page.click("[data-study=tiny]")
    page.wait("byId('study-page').checkVisibility()")
    assert page.ask("byId('study-line').textContent").startswith("So far: ")
    assert page.ask("byId('study-start').textContent") == "Go on"
    page.picture(f"study-after-{page.size}")
    before = page.browser.current_window_handle
    page.click("#study-page")
    (opened_tab,) = {*page.browser.window_handles} - {before}
    page.browser.switch_to.window(opened_tab)
    try:
        assert page.find("h1").text == "Study of Tiny"
        assert page.find(".findings li").text
        page.picture(f"study-page-{page.size}")
        # the games on it can be replayed
        page.browser.switch_to.frame(page.find("iframe"))
        forward = page.find("#forward")
        page.browser.execute_script("arguments[0].scrollIntoView()", forward)
        forward.click()
        assert page.browser.execute_script("return document.body.dataset.ply") == "1"
        page.picture(f"study-replay-{page.size}")
        page.browser.switch_to.default_content()
        # it has no origin, so it cannot read what this site keeps
        assert page.browser.execute_script("return window.origin") == "null"
        faults = [one["message"] for one in page.browser.get_log("browser")]
        assert not [one for one in faults if "study" in one]
    finally:
        page.browser.close()
        page.browser.switch_to.window(before)
        page.dark(False)


def test_a_saved_game_is_removed(page: Workshop) -> None:
    """After a question; it can be put back, and what else is in the file stays."""
    file = page.server.folder.parent / "variants.toml"
    before = file.read_text()
    assert "[tiny]" in before
    page.click("#own")
    page.wait("document.querySelector('[data-remove=tiny]')")
    page.click("[data-remove=tiny]")
    assert page.ask("document.activeElement.dataset.sure") == "tiny"
    page.picture(f"remove-{page.size}")
    page.click("[data-keep=tiny]")
    assert page.ask("document.activeElement.dataset.remove") == "tiny"
    assert file.read_text() == before
    page.click("[data-remove=tiny]")
    page.click("[data-sure=tiny]")
    page.wait(
        "byId('own-put-back').checkVisibility() && document.activeElement.id === 'own-put-back'"
    )
    page.picture(f"removed-{page.size}")
    assert "[tiny]" not in file.read_text()
    page.wait("!state.knownGames.some(game => game.name === 'tiny')")
    page.click("#own-put-back")
    page.wait("document.querySelector('[data-remove=tiny]')")
    assert not page.ask("byId('own-put-back').checkVisibility()")
    page.wait("document.activeElement.dataset.variant === 'tiny'")
    page.wait("state.knownGames.some(game => game.name === 'tiny')")
    assert tomllib.loads(file.read_text()) == tomllib.loads(before)


@pytest.fixture(scope="module")
def friend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """The server of another person, who has no games of their own."""
    server = WebServer(tmp_path_factory.mktemp("friend"), "--variant", "gorogo")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


def test_another_person_opens_the_file(page: Workshop, friend: WebServer, tmp_path: Path) -> None:
    """What one page downloads another one opens, plays and keeps; other files are refused."""
    page.click("#own")
    page.wait("document.querySelector('#own-owned [data-variant=tiny]')")
    page.click("#own-owned [data-variant=tiny]")
    page.wait("draft.shown && draft.shown.name === 'tiny'")
    name = f"tiny-for-{page.size}"
    page.tab("game")
    page.type("#own-name", name)
    page.press(f"{page.rule('must_capture')} input")
    page.browser.execute_script(
        "const make = URL.createObjectURL; URL.createObjectURL = blob => {"
        " blob.text().then(text => window.saved = text); return make.call(URL, blob); }"
    )
    page.tab("file")
    page.click("#own-download")
    page.wait("window.saved")
    sent, table = tmp_path / f"{name}.toml", page.table
    sent.write_text(page.ask("window.saved"))
    photo, words = tmp_path / "photo.toml", tmp_path / "words.txt"
    photo.write_bytes(bytes(range(256)))
    words.write_text("Dear friend, this is my game.")

    size = next(one.values[0] for one in SIZES if one.id == page.size)
    with opened(page.browser, friend, size) as other:
        other.click("#own")
        other.wait("draft.form && byId('own-model').options.length > 50")
        for wrong in (photo, words):
            other.find("#own-open").send_keys(str(wrong))
            other.wait("!draft.asked && draft.refused")
            assert re.match("This file is no game: line 1: ", other.fault("open"))
            assert other.ask("document.querySelector('[data-field=open] .fault').checkVisibility()")
        other.picture(f"open-wrong-{page.size}")
        other.find("#own-open").send_keys(str(sent))
        other.wait("draft.shown && draft.tab === 'board'")
        other.done()
        assert other.fault("open") == ""
        assert (other.table, other.ask("draft.shown.name")) == (table, name)
        other.click("#own-play")
        other.wait("byId('new-dialog').open && state.chosenGame === draft.shown.name")
        other.choose("#new-who", "people")
        other.click("#new-start")
        other.wait("state.table.game === draft.shown.name && here()", seconds=120)
        other.play("a2a3")
        # the capture is forced now
        other.reached(1)
        moves = other.ask("here().moves")
        assert sorted(moves) == ["b4a3"]
        other.play("b4a3")
        file = friend.folder.parent / "variants.toml"
        assert tomllib.loads(file.read_text())[name] == table
        assert friend.playback(friend.newest(), games_of(file)).record.steps[-1].move == "b4a3"


def games_of(file: Path) -> Registry:
    found = Registry()
    found.load_file(str(file))
    return found
