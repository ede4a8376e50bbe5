"""What a player meets: the keyboard's focus, choices, premoves, why a move is none, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import BoardPage, WebServer
from tests.support.helpers import press_key

pytestmark = pytest.mark.slow

ENTER, ESCAPE = "\ue007", "\ue00c"
PROMOTION = "7k/P7/8/8/8/8/8/K5R1 w - - 0 1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "chess")
    yield server
    assert "Traceback" not in server.stop()


@pytest.fixture
def page(browser: Any, server: WebServer) -> BoardPage:
    return BoardPage(browser, server)


def on_board(page: BoardPage) -> bool:
    return bool(page.ask("byId('board').contains(document.activeElement)"))


def press_on(page: BoardPage, *cells: str, button: int = 0) -> None:
    """Press places with the mouse, also where the choice lies over them."""
    from selenium.webdriver.common.action_chains import ActionChains

    for cell in cells:
        x, y = page.ask(
            "(() => { const box = state.cellNodes.get(arguments[0]).getBoundingClientRect();"
            " return [box.left + box.width / 2, box.top + box.height / 2]; })()",
            cell,
        )
        actions = ActionChains(page.browser)
        actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        actions.perform()
        chain = ActionChains(page.browser)
        (chain.context_click() if button else chain.click()).perform()


def drag(page: BoardPage, one: str, other: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    places = [page.find(f"[data-cell={cell}]") for cell in (one, other)]
    ActionChains(page.browser).drag_and_drop(*places).perform()


def test_the_first_enter_goes_to_the_board(page: BoardPage, server: WebServer) -> None:
    """Not to the button that has begun, repeated or opened a game, or closed a dialog."""
    page.begin("chess")
    page.wait("byId('board').contains(document.activeElement)")
    press_key(page.browser, ENTER)
    assert not page.ask("document.querySelector('dialog[open]')")
    for button, dialog in [("rules", "rules"), ("files", "files"), ("help", "keys")]:
        page.click(f"#{button}")
        page.wait("document.querySelector('dialog[open]')")
        press_key(page.browser, ESCAPE)
        page.wait("!document.querySelector('dialog[open]')")
        assert on_board(page), dialog
    page.play("e2e4")
    page.ask("void ask('resign')")
    page.wait("state.table.result")
    page.click("#act-rematch")
    page.wait("!state.table.result && here() && state.table.ply === 0")
    assert on_board(page)
    page.click("#files")
    page.wait("byId('file-names').querySelector('button')")
    page.click("#file-names button")
    page.wait("!byId('files-dialog').open && state.table.study")
    page.wait("byId('board').contains(document.activeElement)")
    press_key(page.browser, ENTER)
    press_key(page.browser, "\ue012")  # the arrow to the left, in a game that is looked at
    assert not page.ask("document.querySelector('dialog[open]')")
    page.wait("state.current.ply === 0")


def test_a_choice_that_is_left_is_no_move(page: BoardPage) -> None:
    """A press beside it closes it, and moves nothing: on places, hands and buttons."""
    page.begin("chess", fen=PROMOTION)
    for beside in ["g8", "h8", "a1", "a8"]:
        press_on(page, "a7", "a8")
        page.wait("!byId('choices').hidden")
        press_on(page, beside)
        page.wait("byId('choices').hidden")
        assert page.ask("[state.table.ply, state.picked.cells.length]") == [0, 0], beside
    press_on(page, "a7", "a8")
    page.wait("!byId('choices').hidden")
    page.click("#rules")
    assert page.ask("byId('choices').hidden && state.table.ply === 0")
    press_key(page.browser, ESCAPE)
    page.wait("!byId('rules-dialog').open")
    press_on(page, "a7", "a8")
    page.ask(
        "void state.cellNodes.get('g7').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    assert page.ask("byId('choices').hidden && state.table.ply === 0")
    page.play("a7a8q")
    assert page.ask("state.table.letters.a8") == "Q"


def begin_waiting(page: BoardPage, fen: str = "", variant: str = "chess") -> None:
    """Begin a game in which the engine thinks of its first move for minutes."""
    page.begin(variant, who="b", control="st=600", fen=fen, level="12")
    page.wait("state.table.thinking")


def engine_moves(page: BoardPage, move: str) -> None:
    """Let the page see a move of the engine's, as the server would send it."""
    page.ask("void ask('players', {white: {engine: false}, black: {engine: false}})")
    page.wait("!state.table.players[0].engine")
    # the page still takes the other side for the engine's until the move has come
    page.ask("void (state.table.players[0].engine = true)")
    page.ask("void ask('move', {move: arguments[0], ply: state.table.ply, line: 0})", move)


def test_premoves(page: BoardPage) -> None:
    """One, shown and taken back; played when it is legal, else dropped without a word."""
    begin_waiting(page)
    press_on(page, "e7", "e5")
    assert page.standing["premove"] == "e7e5"
    assert page.ask("document.querySelectorAll('#marks .premove').length") == 2
    assert "premove e7e5" in page.find("#standing-text").text
    page.picture("web-premove")
    for leave in ("click", "right", "escape"):
        press_on(page, "e7", "e5")
        page.wait("byId('standing').dataset.premove === 'e7e5'")
        if leave == "escape":
            press_key(page.browser, ESCAPE)
        else:
            press_on(page, "h4", button=int(leave == "right"))
        assert page.standing["premove"] == "", leave
    drag(page, "d7", "d5")
    drag(page, "g8", "f6")
    assert page.standing["premove"] == "g8f6"  # the last one alone
    engine_moves(page, "e2e4")
    page.reached(2)
    assert page.standing["last"] == "g8f6"
    assert page.standing["premove"] == ""


def test_a_premove_that_is_not_legal_is_dropped(page: BoardPage) -> None:
    begin_waiting(page)
    press_on(page, "e7", "e2")
    assert page.standing["premove"] == "e7e2"
    engine_moves(page, "e2e4")
    page.reached(1)
    assert page.ask("[state.premove, byId('notice').textContent]") == [None, ""]


def test_premoves_of_promotions_and_drops(page: BoardPage) -> None:
    begin_waiting(page, "7k/8/8/8/8/8/p7/7K w - - 0 1")
    press_on(page, "a2", "a1")
    engine_moves(page, "h1h2")
    page.reached(2)
    assert page.standing["last"] == "a2a1q"
    begin_waiting(page, "4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1", "crazyhouse")
    page.click("[data-piece=P][data-side=black]")
    press_on(page, "e5")
    assert page.standing["premove"] == "P@e5"
    engine_moves(page, "e1e2")
    page.reached(2)
    assert page.standing["last"] == "P@e5"


def test_why_a_move_is_none(page: BoardPage) -> None:
    """A dragged and a typed move are told the same, also of a piece that cannot move."""
    page.begin("chess")
    drag(page, "f1", "c4")
    page.wait("byId('notice').textContent === 'f1c4: a piece is in between'")
    drag(page, "e1", "e2")
    page.wait("byId('notice').textContent === \"e1e2: its own side's piece is there\"")
    press_on(page, "a1", "a4")
    page.wait("byId('notice').textContent === 'a1a4: a piece is in between'")
    page.find("#typed").send_keys("f1c4", ENTER)
    page.wait("byId('notice').textContent.endsWith('a piece is in between')")
    page.click("#language")
    drag(page, "e7", "e5")
    page.wait("byId('notice').textContent === 'e7e5: 相手の駒です'")
    page.click("#language")
    page.begin("crazyhouse", fen="4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1")
    page.click("[data-piece=P][data-side=white]")
    press_on(page, "e8")
    page.wait("byId('notice').textContent.startsWith('P@e8: ')")


def test_a_moved_piece_is_shown_once(page: BoardPage) -> None:
    """Where a move has a further square, and while a piece is dragged."""
    page.begin("duck")
    figures = "state.board.picture.querySelectorAll('g[transform]:not(:has(g))').length"
    before = page.ask(figures)
    press_on(page, "e2", "e4")
    page.wait("state.picked.cells.length === 2")
    assert page.ask(figures) == before - 1
    assert page.ask("document.querySelectorAll('#marks .moved').length") == 1
    page.picture("web-duck")
    press_on(page, "d2")
    assert page.ask(figures) == before
    page.ask("void flip()")
    before = page.ask(figures)
    press_on(page, "d4")
    page.wait("state.picked.cells.length === 2")
    assert page.ask(figures) == before - 1
    press_on(page, "d2")
    page.reached(1)


def test_the_best_names_come_first(page: BoardPage) -> None:
    """A title's beginning, then a word's, then what is in a name."""
    page.click("#new-game")
    page.wait("state.knownGames.length")
    cards = "[...byId('game-groups').querySelectorAll('.card')].map(card => card.dataset"
    for text, first in [("shog", "shogi"), ("chess", "chess"), ("xiang", "xiangqi")]:
        page.ask("void (byId('new-variant').value = '')")
        page.find("#new-variant").send_keys(text)
        found, titles = page.ask(f"{cards}.variant)"), page.ask(f"{cards}.title)")
        assert found[0] == first, (text, found)
        begins = [any(one.startswith(text) for one in title.split("\n")) for title in titles]
        assert begins == sorted(begins, reverse=True)
    page.picture("web-search")
    ring = page.ask(
        "(() => { const [field, form] = ['new-variant', 'new-form'].map(id =>"
        " byId(id).getBoundingClientRect()); return [field.left - form.left,"
        " form.right - field.right, field.top - form.top]; })()"
    )
    assert min(ring) >= 4  # the outline and its offset
    page.ask("void (byId('new-variant').value = '')")
    page.ask("void byId('new-variant').dispatchEvent(new Event('input'))")
    assert page.ask("byId('game-groups').querySelectorAll('h3').length") > 3
    press_key(page.browser, ESCAPE)


def test_after_the_game(page: BoardPage) -> None:
    """The whole game is analysed beside the rematch, with progress; Play is not in the middle."""
    page.begin("gorogo")
    for move in ["H@c1", "S@c2", "S@d4"]:
        page.play(move)
    assert not page.find("#act-annotate").is_displayed()
    page.ask("void ask('resign')")
    page.wait("state.table.result")
    order = page.ask("[...byId('controls').querySelectorAll('button')].map(b => b.id)")
    assert order == ["first", "back", "forward", "last", "play"]
    page.ask(
        "void (window.seen = [], new MutationObserver(() => seen.push(byId('notice').textContent))"
        ".observe(byId('notice'), {childList: true}))"
    )
    page.click("#act-annotate")
    page.wait("document.querySelectorAll('#moves .score').length >= 3", seconds=60)
    assert page.ask("seen.some(text => /^Analysing: move \\d of 4$/.test(text))"), page.ask("seen")
    page.wait("byId('act-annotate').getAttribute('aria-disabled') === 'false'")
    page.picture("web-after")
