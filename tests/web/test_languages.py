"""The page in Japanese: every message, and what the rules say."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import definition_editor, registry
from tests.support.board_page import BoardPage, WebServer
from tests.support.viewer import OPERA, Viewer

pytestmark = pytest.mark.slow

#: Latin words that Japanese texts have too: names, keys, formats, moves' letters.
KEPT = re.compile(
    r"ryugi-engine|English|Enter|Esc|Home|End|Space|PGN|TOML|Unicorn|gorogo|goryujin|ryugi|"
    r"gomokuroku|[\w.-]+\.pgn|(?:/[\w.-]+)+|pass|inf|[NBRQKDMU]?[a-z]?[x@]?[a-z]{1,2}\d{1,2}\S*"
)
#: Everything that is seen or heard: texts, titles, labels, placeholders, options.
TEXTS = """
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const home = node.parentElement;
  if (home.closest("script, noscript, datalist, #tag-list, #board svg, button svg")) continue;
  const shown = home.closest("option") ? home.closest("select") : home;
  if (shown.checkVisibility()) found.push(node.textContent);
}
for (const one of document.querySelectorAll("[title], [aria-label], [placeholder]"))
  if (one.checkVisibility())
    for (const name of ["title", "aria-label", "placeholder"])
      found.push(one.getAttribute(name) ?? "");
return found;
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("home"), "--variant", "gorogo")
    yield server
    assert "Traceback" not in server.stop()


@pytest.fixture
def page(browser: Any, server: WebServer) -> Iterator[BoardPage]:
    """The page in Japanese; then English again."""
    page = BoardPage(browser, server)
    page.click("[data-action=language]")
    assert page.ask("state.language") == "ja"
    yield page
    browser.execute_script("localStorage.removeItem('ryugi-language')")


def english(texts: list[str]) -> list[str]:
    """The texts that have Latin words in them."""
    return sorted({text for text in texts if re.search("[A-Za-z]{3}", KEPT.sub("", text))})


def test_tables(page: BoardPage) -> None:
    """Both languages have the same messages, with the same gaps; what is asked for is there."""
    tables = page.ask("MESSAGES")
    assert tables["en"].keys() == tables["ja"].keys()
    for key, text in tables["en"].items():
        assert set(re.findall(r"{\d}", text)) == set(re.findall(r"{\d}", tables["ja"][key])), key
    folder = Path(__file__).parents[2] / "ryugi_engine"
    asked: set[str] = set()
    for path in [*folder.glob("*/page/*.js"), *folder.glob("*/page/*.html")]:
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r'\bt\("([\w-]+)"', text))
        asked |= set(re.findall(r'data-(?:text|title|label|placeholder)="([\w-]+)"', text))
    assert asked <= tables["en"].keys()


def test_the_saved_page_has_the_same_texts(browser: Any, tmp_path: Path) -> None:
    """What stands in the file for browsers without scripts is what the table says."""
    viewer = Viewer(browser, tmp_path, OPERA)
    before = viewer.ask("document.body.outerHTML")
    viewer.ask("translate()")
    assert viewer.ask("document.body.outerHTML") == before


def test_nothing_is_hard_wired(page: BoardPage) -> None:
    """Games, choices, dialogs, results, thinking: no word of English is seen or heard."""
    found: list[str] = []

    def look() -> None:
        found.extend(english(page.browser.execute_script(TEXTS)))

    page.begin("gorogo")
    page.play("H@c3")
    page.click("[data-cell=a1]")
    page.wait("!byId('choices').hidden")
    look()
    page.play("S@a1")
    page.click("#act-hint")
    page.wait("!byId('best-lines').hidden")
    look()
    for button, dialog in (
        ("#new-game", "#new-dialog"),
        ("#files", "#files-dialog"),
        ("#setup", "#setup-dialog"),
        ("#help", "#keys"),
    ):
        page.click(button)
        page.wait(f"document.querySelector('{dialog}').open")
        look()
        page.ask(f"document.querySelector('{dialog}').close()")
    page.ask("void (window.confirm = () => true)")
    page.click("#act-resign")
    page.wait("state.table.result")
    look()
    for name, move in (("ryugi", "e3e4"), ("goryujin", ""), ("gomokuroku-ninuki", "S@c8")):
        page.begin(name, control="10:00+10")
        if move:
            page.play(move)
        look()
    assert found == []


#: What stays in an own game's form: keys, notation, examples of groups' names, formats.
_CODES = re.compile(
    r"\b[a-z]+(?:_[a-z0-9]+)+\b|\w+\.net|Large boards|Chess with drops|XBoard|KQkq|BNN|"
    r"Fairy-Stockfish|"
    r"Interactive Diagram|variants\.ini|--variants|\bNY\b|「[^」]*」|\([A-Z RKBQ]+ O\)|[A-Z]{5,6}$"
)


def test_rules_of_own_games(page: BoardPage) -> None:
    """Sentences, choices and headings of every rule, and names of the pieces to add."""
    form = definition_editor().form()
    keys = [key for section in form["sections"] for key in section["keys"]]
    own = ["title", "about", "files", "ranks", "start", "castling", "pieces", "values", "names"]
    texts = {section["heading"] for section in form["sections"]}
    for key in keys:
        texts |= {*key["names"]}
        if key["key"] not in own:
            # as the page shows it, see own_form.js
            texts.add(re.sub(r"\[(.+?)\]\(.*?\)", r"\1", key["meaning"]).replace("`", ""))
    texts |= {piece["name"] for piece in form["known"]}
    assert len(texts) > 180
    shown = page.ask("arguments[0].map(word)", sorted(texts))
    assert english([_CODES.sub("", text) for text in shown]) == []


def test_own_games(page: BoardPage) -> None:
    """Every tab of the dialog, with wrong entries; names of keys, the text and a path stay."""
    found: list[str] = []
    keys = "[...document.querySelectorAll('#own-dialog code, #own-path')].map(o => o.textContent)"

    def look() -> None:
        page.wait("!draft.asked && !draft.edits.length")
        texts = set(page.browser.execute_script(TEXTS))
        texts -= {key for text in page.ask(keys) for key in (text, f"普通に戻す: {text}")}
        found.extend(english([_CODES.sub("", text) for text in texts]))

    page.click("#own")
    page.wait("draft.form && byId('own-model').options.length > 50")
    page.ask("void (byId('own-model').value = 'chess')")
    page.click("#own-copy")
    page.wait("draft.shown && draft.tab === 'board'")
    page.ask("void [...document.querySelectorAll('#own-sections details')].map(d => d.open = true)")
    page.ask("void change({ do: 'set', key: 'title', value: '\u6211\u304c\u68cb' }, 'title')")
    for tab in ("game", "board", "pieces", "rules", "file"):
        page.click(f"#own-tab-{tab}")
        page.picture(f"own-japanese-{tab}")
        look()
    page.ask("void openStudy('chess')")
    page.wait("byId('study-start').checkVisibility()")
    look()
    page.ask("void byId('study-dialog').close()")
    for key, value in (
        ("n_move_rule", 5000),
        ("flag_region", "z99"),
        ("castling_wins", "X"),
        ("promotion", "Z"),
        ("pieces.N", "NY"),
        ("values.Q", 9999),
        ("piece_drops", True),
        ("files", 99),
        ("name", "chess"),
        ("start", "8/8 w - -"),
    ):
        edit = {"do": "name" if key == "name" else "set", "key": key, "value": value}
        page.ask("void change(...arguments)", edit, key)
        page.wait("!draft.asked && !draft.edits.length")
        faults = page.ask(
            "[...document.querySelectorAll('#own-dialog .fault')].map(one => one.textContent)"
        )
        found.extend(f"{key}: {text}" for text in english([_CODES.sub("", f) for f in faults]))
    page.ask("void byId('own-dialog').close()")
    page.browser.execute_script("localStorage.removeItem('ryugi-own-game')")
    assert sorted(set(found)) == []


def test_captions(page: BoardPage, source: random.Random) -> None:
    """What boards and results say of random games to their ends."""
    captions: set[str] = set()
    for name in ("ryugi", "gorogo", "gomokuroku", "gomokuroku-ninuki", "goryujin", "3check"):
        position = Position(registry().game(name))
        for _ in range(150):
            captions |= set(position.draw(position.outcome()).captions)
            if position.outcome() is not None:
                break
            position.push(source.choice(position.legal_moves()))
    shown = page.ask("arguments[0].map(word)", sorted(captions))
    assert english([re.sub(r"\b[FILNPTUVWXYZ]\d\b", "", text) for text in shown]) == []


@pytest.mark.parametrize("name", ["gorogo", "shogi", "xiangqi", "crazyhouse"])
def test_rules(page: BoardPage, name: str) -> None:
    """Frame, headings and diagrams, and all that a definition says; RULES.md is English."""
    page.ask("void askForRules(arguments[0])", name)
    page.wait("byId('rules-text').querySelector('li') && byId('rules-title').textContent")
    of = "h2, h3, #rules-language, figure text" + ", li, p" * (name != "gorogo")
    parts = f"[...document.querySelectorAll('#rules-dialog :is({of})')]"
    assert english(page.ask(f"{parts}.map(one => one.textContent)")) == []
