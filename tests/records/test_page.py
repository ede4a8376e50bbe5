"""A recorded game as a web page, in a real Chromium that opens it from the disk."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import Record, Step
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.webpage import FOLDER, modules, page
from tests.conftest import GAMES
from tests.support.helpers import command, press_key
from tests.support.page_modules import REPLAY, run


def recorded(name: str, source: random.Random, plies: int) -> Playback:
    """A game of random moves in which Goryujin's dragons grow."""
    game = registry().game(name)
    position = Position(game)
    while position.outcome() is None and len(position.moves) < plies:
        moves = position.legal_moves()
        growing = [move for move in moves if "@" not in move or not move.startswith("P")]
        position.push(source.choice(growing or moves))
    outcome = position.outcome()
    steps = [
        Step(move, "a </script> & <b>comment</b>" * (i == 2))
        for i, move in enumerate(position.moves)
    ]
    tags = {"White": "Ann <&>", "Black": 'Bob "B"', "Variant": name, "Date": "2026.01.02"}
    return Playback(game, Record(tags, steps, "*" if outcome is None else outcome.result))


def test_page_needs_nothing_else(source: random.Random) -> None:
    """No address but the namespace's and an empty icon; texts cannot end the script."""
    text = page(recorded("gorogo", source, 30))
    everything = text + "".join(modules(FOLDER).values())
    assert set(re.findall(r"\w+://[^\s\"]*", everything)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert text.count("</script>") == 3
    assert "Ann &lt;&amp;&gt; - Bob" in text


#: Goes through a game by its buttons: ply, chosen move, status, caption, elements of the picture.
_WALK = """
    const found = [];
    for (;;) {
      const { parts, figures } = state.data;
      const lines = pictureOf(state.current).map(number => parts[number]).map(part => part[4]
        ? `<g transform="${part[4]}">${figures[part[0]]}</g>` : part[0]);
      found.push([Number(document.body.dataset.ply),
        document.querySelector("#moves [aria-current]").getAttribute("aria-label"),
        document.getElementById("status").textContent,
        document.querySelector("#captions li:last-child").textContent, lines,
        document.querySelector("#board > svg").children.length]);
      const forward = document.getElementById("forward");
      if (forward.getAttribute("aria-disabled") === "true") return found;
      forward.click();
    }
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), [("goryujin", 90), ("gomokuroku", 60), ("ryugi", 60)])
def test_every_ply_in_a_browser(
    name: str, plies: int, browser: Any, source: random.Random, tmp_path: Path
) -> None:
    """Each position is shown as the game draws it, from what differs from the one before."""
    playback = recorded(name, source, plies)
    opened(browser, playback, tmp_path)
    assert browser.title.startswith('Ann <&> - Bob "B", ')
    last = len(playback.steps)
    result = run(browser, REPLAY, _WALK)
    assert [ply for ply, *_ in result] == list(range(last + 1))
    for ply, move, status, caption, lines, children in result:
        playback.to(ply)
        drawing = playback.position.draw(playback.outcome())
        assert lines == [part.line for part in drawing.board_parts()]
        assert children > 1
        assert move == playback.label(ply)
        assert status.startswith(playback.label(ply))
        assert status.endswith(caption)
        assert caption == drawing.captions[-1]
        assert ("a </script> & <b>comment</b>" in status) == (ply == 3)
    folder = os.environ.get("RYUGI_SCREENSHOTS")
    assert browser.save_screenshot(str(Path(folder or tmp_path) / f"{name}.png"))
    assert browser.get_log("browser") == []


def opened(browser: Any, playback: Playback, folder: Path) -> Any:
    """The page of a game in the browser; returns its body."""
    path = folder / "game.html"
    path.write_text(page(playback), encoding="utf-8")
    browser.get(path.as_uri())
    return browser.find_element("tag name", "body")


def ply_of(browser: Any) -> int:
    return int(browser.execute_script("return document.body.dataset.ply"))


@pytest.mark.slow
def test_keys_and_what_has_the_focus(browser: Any, source: random.Random, tmp_path: Path) -> None:
    """A key means one thing: a focused button is pressed, else the page's shortcut is followed."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    playback = recorded("gorogo", source, 12)
    last = len(playback.steps)
    assert last > 8
    opened(browser, playback, tmp_path)

    def click(name: str) -> None:
        browser.find_element("id", name).click()

    def move(ply: int) -> Any:
        return browser.find_elements("css selector", "#moves button")[ply]

    # a focused button is pressed by Space and by Enter, once
    for name, after in (("back", 3), ("forward", 7), ("first", 0), ("last", last)):
        for key in (Keys.SPACE, Keys.ENTER):
            move(5).click()
            click(name)
            press_key(browser, key)
            assert ply_of(browser) == after, (name, key)
    # at either end a button keeps the focus, and the arrows go on from there
    click("last")
    for key, ply in ((Keys.ARROW_LEFT, last - 1), (Keys.SPACE, last), (Keys.SPACE, last)):
        press_key(browser, key)
        assert ply_of(browser) == ply
    # in the list of moves the focus goes with the move that is shown
    move(4).click()
    for key, ply in ((Keys.SPACE, 4), (Keys.ARROW_RIGHT, 5), (Keys.SPACE, 5), (Keys.ENTER, 5)):
        press_key(browser, key)
        assert ply_of(browser) == ply
    press_key(browser, Keys.TAB)
    press_key(browser, Keys.SPACE)
    assert ply_of(browser) == 6
    # if anything else may have the focus one day
    script = """
        document.activeElement.blur();
        const made = document.createElement(arguments[0]);
        Object.assign(made, arguments[1]);
        if (made.tagName === "DETAILS") made.append(document.createElement("summary"));
        document.body.prepend(made);
    """
    # a summary takes the focus once its details are laid out, which a busy machine puts off
    focus = """
        const made = document.body.firstElementChild;
        const target = made.querySelector("summary") || made;
        target.focus();
        return document.activeElement === target;
    """
    for tag, more, space_moves, arrow_moves in (
        ("input", {}, False, False),
        ("textarea", {}, False, False),
        ("select", {}, False, False),
        ("div", {"contentEditable": "true"}, False, False),
        ("div", {"role": "button", "tabIndex": 0}, False, True),
        ("details", {}, False, True),
        ("a", {"href": "#x"}, True, True),
        ("div", {"tabIndex": 0}, True, True),
    ):
        click("first")
        browser.execute_script(script, tag, more)
        WebDriverWait(browser, 60).until(lambda one: one.execute_script(focus), tag)
        press_key(browser, Keys.SPACE)
        assert ply_of(browser) == space_moves, (tag, more)
        press_key(browser, Keys.ARROW_RIGHT)
        assert ply_of(browser) == space_moves + arrow_moves, (tag, more)
    # with another key held it is the browser's
    for held in (Keys.SHIFT, Keys.CONTROL, Keys.ALT):
        click("first")
        browser.execute_script("document.activeElement.blur()")
        press_key(browser, Keys.END, held=held)
        assert ply_of(browser) == 0
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_games_picture_says_who_has_won(name: str, source: random.Random) -> None:
    """And why, whoever ended it; and neither side is to move."""
    playback = recorded(name, source, 1)
    record = playback.record
    assert re.search(" to (move|set up)", playback.position.draw().svg())
    record.result = "0-1"
    record.steps[-1].comment = "well played 0-1 by resignation"
    assert ">Black wins: resignation</text>" in playback.position.draw(playback.outcome()).svg()
    record.steps[-1].comment = ""
    for tag, words in (("normal", "Black wins"), ("time forfeit", "Black wins: time forfeit")):
        record.tags["Termination"] = tag
        shown = playback.position.draw(playback.outcome()).svg()
        assert f">{words}</text>" in shown
        assert " to move" not in shown
        assert " to set up" not in shown
    data = json.loads(re.findall(r'id="data">(.*)</script>', page(playback))[0])
    (game,) = data["games"]
    first, last = (
        [data["texts"][i] for i in node["h"]] for node in (game["start"], game["line"][-1])
    )
    assert last[-1] == "Black wins: time forfeit" == game["end"]
    assert "wins" not in " ".join(first)


@pytest.mark.parametrize(
    ("name", "fen", "words"),
    [
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "White wins: checkmate"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Draw: stalemate"),
        ("goryujin", "-/- w 5 6", "Black wins: five passes, no touchdown"),
    ],
)
def test_a_game_that_the_rules_have_ended(name: str, fen: str, words: str, tmp_path: Path) -> None:
    """``show --svg`` and the board's text say so too."""
    path = tmp_path / "board.svg"
    done = command("show", "--variant", name, "--fen", fen, "--svg", str(path))
    assert done.returncode == 0, done.stderr
    assert f">{words}</text>" in path.read_text()
    assert " to move" not in path.read_text() + done.stdout
