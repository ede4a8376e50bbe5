"""Dialogs and messages, in a real Chromium: faults stand where they were made, old ones go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer

pytestmark = pytest.mark.slow

ENDGAME = "7k/8/8/8/8/8/8/K5R1 w - - 0 1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert "Traceback" not in server.stop()


@pytest.fixture
def page(browser: Any, server: WebServer) -> BoardPage:
    return BoardPage(browser, server)


def value(page: BoardPage, name: str) -> str:
    return str(page.ask("byId(arguments[0]).value", name))


def choose(page: BoardPage, game: str) -> None:
    """Choose another game by its card."""
    if page.ask("!byId('chosen').hidden"):
        page.click("#other-game")
    page.find("#new-variant").send_keys(game)
    page.click(f"#game-groups [data-variant={game}]")


def test_a_position_belongs_to_its_game(page: BoardPage) -> None:
    """It is offered where it has been set up, and goes when another game is chosen."""
    page.begin("chess", fen=ENDGAME)
    page.click("#new-game")
    choose(page, "chess")
    assert value(page, "new-fen") == ""
    page.find("#new-fen").send_keys(ENDGAME)
    choose(page, "gorogo")
    assert value(page, "new-fen") == ""
    page.click("#new-start")
    page.wait("state.table.game === 'gorogo' && !byId('new-dialog').open")
    page.begin("chess")
    page.click("#setup")
    page.wait("byId('setup-board').querySelector('[data-cell]')")
    page.ask("void (byId('setup-text').value = arguments[0], tryText())", ENDGAME)
    page.wait("state.setup.letters.g1 === 'R' && !byId('setup-play').disabled")
    page.click("#setup-play")
    assert value(page, "new-fen") == ENDGAME
    choose(page, "gorogo")
    assert value(page, "new-fen") == ""
    choose(page, "chess")
    assert value(page, "new-fen") == ENDGAME
    page.click("#new-start")
    page.wait("state.table.game === 'chess' && state.table.letters.g1 === 'R' && here()")


def test_a_fault_leaves_the_dialog_open(page: BoardPage, server: WebServer) -> None:
    """With all that stands in it, and the board as it was."""
    from selenium.webdriver.support.ui import Select

    page.begin("chess")
    turned = page.ask("state.board.turned")
    page.click("#new-game")
    page.find("#new-variant").send_keys("chesss\ue007")
    page.wait("byId('new-fault').textContent.includes(\"'chesss'\")")
    page.find("#new-variant").clear()
    choose(page, "chess")
    page.click("#chosen-rules")
    page.wait("byId('rules-text').querySelectorAll('.diagrams svg').length === 6")
    page.click("#rules-dialog .closes")
    Select(page.find("#new-who")).select_by_value("people")
    assert not page.find("#new-level").is_displayed()
    Select(page.find("#new-who")).select_by_value("b")
    assert page.find("#new-level").is_displayed()
    Select(page.find("#new-level")).select_by_value("12")  # it thinks while the start is seen
    page.find("#new-fen").send_keys("8/8 w - - 0 1")
    page.click("#new-start")
    page.wait("byId('new-fault').textContent.includes('2 ranks instead of 8')")
    page.picture("web-fault-in-dialog")
    assert page.ask("byId('new-dialog').open")
    assert page.ask("state.board.turned") == turned
    assert value(page, "new-fen") == "8/8 w - - 0 1"
    page.ask("void (byId('new-fen').value = arguments[0])", ENDGAME)
    page.click("#new-start")
    page.wait("state.table.letters.g1 === 'R' && here() && !byId('new-dialog').open")
    page.wait("state.board.turned && byId('notice').textContent === ''")
    broken = Path(server.folder) / "broken.pgn"
    broken.write_text('[Variant "nogame"]\n\n1. x *\n', encoding="utf-8")
    page.click("#files")
    page.wait("byId('file-names').querySelector('[data-name=\"broken.pgn\"]')")
    page.click("[data-name='broken.pgn']")
    page.wait("byId('file-progress').textContent.includes('nogame')")
    assert page.ask("byId('files-dialog').open")
    page.ask("void byId('files-dialog').close()")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_files_of_any_encoding(page: BoardPage, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / f"{encoding}.pgn"
    comment = f"Réti, {encoding}"
    path.write_bytes(f'[Variant "chess"]\n\n1. e4 {{{comment}}} e5 *\n'.encode(encoding))
    page.find("#file-chosen").send_keys(str(path))
    page.wait("document.body.textContent.includes(arguments[0])", comment)


def test_a_message_goes_with_what_it_was_about(page: BoardPage) -> None:
    page.ask("void (window.confirm = () => true)")
    page.begin("chess", who="w")
    page.click("#act-draw")
    page.wait("byId('notice').textContent === 'the engine wants to play on'")
    page.click("#act-resign")
    page.wait("state.table.result === '0-1' && byId('notice').textContent === ''")
    page.begin("chess")
    page.click("[data-cell=e2]")
    page.click("[data-cell=e5]")
    page.wait("byId('notice').textContent.startsWith('e2e5: ')")
    page.begin("chess")
    page.wait("byId('notice').textContent === ''")
    page.click("[data-cell=e2]")
    page.click("[data-cell=e5]")
    page.wait("byId('notice').textContent.startsWith('e2e5: ')")
    page.play("e2e4")
    assert page.ask("byId('notice').textContent") == ""


def test_a_start_without_a_game(browser: Any, tmp_path: Path) -> None:
    """The page asks for one, once; the level goes by its name."""
    from selenium.webdriver.support.ui import Select

    server = WebServer(tmp_path)
    page = BoardPage(browser, server)
    page.wait("byId('new-dialog').open")
    choose(page, "gorogo")
    assert value(page, "new-level") == "3"
    page.click("#not-new")
    assert value(page, "new-level") == "6"
    assert not page.find("#newcomer").is_displayed()
    Select(page.find("#new-level")).select_by_visible_text("2 · Novice")
    page.click("#new-start")
    page.wait("state.table.game === 'gorogo' && here() && !byId('new-dialog').open")
    assert page.find("#top .name").text == "ryugi-engine · Novice"
    page = BoardPage(browser, server)
    page.wait("state.knownGames.length > 0")
    assert not page.ask("byId('new-dialog').open")
    page.click("#new-game")
    choose(page, "gorogo")
    assert value(page, "new-level") == "2"
    assert not page.find("#newcomer").is_displayed()
    page.ask("void localStorage.removeItem('ryugi-level')")
    assert "Traceback" not in server.stop()
