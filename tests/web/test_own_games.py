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
from tests.support.accessibility import Accessibility, axe_source
from tests.support.board_page import WebServer
from tests.support.effort import by_turns, turn
from tests.support.helpers import command
from tests.support.own_dialog import SIZES, Workshop, opened

pytestmark = [pytest.mark.slow, pytest.mark.more]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "chess")
    yield server
    assert server.stop() == "ryugi-engine: interrupted\n"


@pytest.fixture(params=by_turns(SIZES, 1))
def page(browser: Any, server: WebServer, request: pytest.FixtureRequest) -> Iterator[Workshop]:
    print(turn())
    with opened(browser, server, request.param) as page:
        yield page


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
    ("n_fold_rule", "#own-n_fold_rule", "2.5", "must be a whole number"),
]
#: What can be played and is hardly meant.
DOUBTFUL = [
    ("promotion_region", "#own-promotion_region", "*8 z99", "'z99' is not on the board"),
    ("double_step_region", "#own-double_step_region", "b12", "'b12' is not on the board"),
]


def test_wrong_entries(page: Workshop) -> None:
    """Each has its message beside its field, all at once; the others stay as they are."""
    page.copy("chess")
    for key, field, text, _message in WRONG + DOUBTFUL:
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
    for number, message in (("99", "16 files"), ("9.5", "must be a whole number")):
        page.type("#own-files", number)
        assert message in page.fault("files")
    assert page.table["files"] == 8
    page.tab("game")
    page.type("#own-name", "chess")
    for key, _field, _text, message in WRONG:
        assert message in page.fault(key), key
    assert "'Y' in 'NY' is not a piece atom" in page.fault("pieces.N")
    assert "0..5000" in page.fault("values.Q")
    assert "comes with the engine" in page.fault("name")
    assert page.ask("byId('own-play').disabled && byId('own-save').disabled")
    assert page.ask("byId('own-tab-rules').dataset.faults") == "5"
    page.rule("move")
    page.picture("own-faults")
    page.tab("file")
    page.type("#own-text", "[x]\nfiles = = 3")
    assert re.search("syntax|2:", page.fault("text"))
    page.type("#own-text", '[x]\nstart = "8/8 w"\npieces = { K = "K" }\n')
    assert "2 ranks instead of 8" in page.fault("start")


def test_doubtful_entries(page: Workshop) -> None:
    """Squares that no board has are named; the game can be played without them."""
    page.copy("chess")
    for key, field, text, message in DOUBTFUL:
        page.rule(key)
        page.type(field, text)
        assert message in page.fault(key)
    # in words: the ranks that are left, and none
    assert "on the last rank" in page.ask("byId('own-sentences').textContent")
    page.rule("promotion_region")
    page.type("#own-promotion_region", "z99")
    assert page.fault("promotion_region")
    assert page.ask("byId('own-says').textContent") == "It can be played"


def test_what_is_not_found(page: Workshop) -> None:
    """Words that people have for rules find them; nothing found is said, and a piece has moves."""
    page.copy("chess")
    page.tab("rules")
    for said, key in (
        ("goal", "flag_region"),
        ("crazyhouse", "captures_to_hand"),
        ("duck", "walling_rule"),
        ("antichess", "must_capture"),
    ):
        page.rule(said)
        assert page.find(f".rule[data-field={key}]").is_displayed(), said
        assert not page.find("#own-no-rule").is_displayed()
    page.rule("zzz")
    assert page.find("#own-no-rule").text == "No rule has these words."
    page.tab("pieces")
    page.find("#own-find-piece").send_keys("zzz")
    assert page.find("#own-no-piece").is_displayed()
    before = page.table["pieces"]
    page.press("#own-new-add")
    assert page.find("#own-new-fault").text.endswith("First type its moves, such as BN.")
    page.find("#own-new-letter").send_keys("Q")
    page.find("#own-new-moves").send_keys("NN")
    page.press("#own-new-add")
    assert page.find("[data-field=own-piece] .fault").text.endswith("there is a piece Q already")
    assert page.table["pieces"] == before


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


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    return axe_source(tmp_path_factory.mktemp("axe"))


def test_accessible(page: Workshop, axe: str) -> None:
    """axe finds nothing serious in any tab, with faults, at night, in the study's dialog."""
    access = Accessibility(page.browser, axe)
    page.click("#own")
    page.wait("draft.form && byId('own-model').options.length > 50")
    access.look("begin")
    page.copy_of("seirawan")
    for tab in ("game", "board", "pieces", "rules", "file"):
        page.tab(tab)
        access.look(tab)
    page.tab("pieces")
    page.press("[data-letter=N] button.piece")
    page.wait("document.querySelector('[data-letter=N] .diagram circle')")
    access.look("diagram")
    page.type("[data-letter=N] .moves", "NY")
    access.look("a wrong piece")
    goal = page.rule("flag_region")
    page.press(f"{goal} [data-action=squares]")
    access.look("squares")
    page.press(f"{page.rule('promotion_limit')} select")
    page.ask("void [...document.querySelectorAll('#own-sections details')].map(d => d.open = true)")
    access.look("all rules")
    page.dark(True)
    access.look("rules at night")
    page.tab("board")
    access.look("board at night")
    page.ask("void openStudy('chess')")
    page.wait("byId('study-start').checkVisibility()")
    access.look("study at night")
    page.dark(False)
    access.look("study")
    assert access.found == []
