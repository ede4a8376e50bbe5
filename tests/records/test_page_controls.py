"""Every control of the page of replayed games, on a desktop and a phone, by day and by night."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.records.pgn import format_record
from tests.records.test_page import recorded
from tests.support.effort import effort
from tests.support.viewer import CHECK, GOROGO, LABELS, MATCH, OPERA, Viewer, drag

pytestmark = pytest.mark.slow

SCREENS = {"desktop": (1200, 900, False), "phone": (390, 844, True)}


#: Keeps names and texts of downloads, which are not made then.
_SAVING = """
  let text;
  window.saved = [];
  window.Blob = function (parts) { text = parts.join(""); };
  URL.createObjectURL = () => "#";
  HTMLAnchorElement.prototype.click = function () { saved.push([this.download, text]); };
"""
_MODES = [(screen, mode) for screen in SCREENS for mode in ("light", "dark")]


@pytest.fixture(params=effort([_MODES[-1]], _MODES))
def screen(request: pytest.FixtureRequest, browser: Any) -> Iterator[tuple[str, str]]:
    """The browser as a device in a mode of its system."""
    name, mode = request.param
    width, height, mobile = SCREENS[name]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": mode}]},
    )
    browser.execute_cdp_cmd(
        "Emulation.setTouchEmulationEnabled", {"enabled": mobile, "maxTouchPoints": 2 * mobile + 1}
    )
    yield name, mode
    for command in ("clearDeviceMetricsOverride", "setEmulatedMedia", "setTouchEmulationEnabled"):
        given = {"enabled": False} if "Touch" in command else {}
        browser.execute_cdp_cmd(f"Emulation.{command}", given)


def test_an_analysed_game(browser: Any, screen: tuple[str, str], tmp_path: Path) -> None:
    """Graph, arrows, variations, clocks, captured pieces, turning, both themes."""
    from selenium.webdriver.common.keys import Keys

    name, mode = screen
    viewer = Viewer(browser, tmp_path, OPERA)
    assert browser.execute_script(CHECK) == []
    night = "matchMedia('(prefers-color-scheme: dark)').matches"
    assert viewer.ask(night) == (mode == "dark")
    background = viewer.ask("getComputedStyle(document.body).backgroundColor")
    assert (int(re.findall(r"\d+", background)[0]) < 60) == (mode == "dark")
    # the switch, and back to what the system has
    for dark in (mode == "light", mode == "dark"):
        viewer.click("dark")
        pressed = browser.find_element("id", "dark").get_attribute("aria-pressed")
        assert pressed == str(dark).lower()
        now = viewer.ask("getComputedStyle(document.body).backgroundColor")
        assert (now != background) == (dark != (mode == "dark"))
        viewer.press("d", "d")
    assert viewer.ask("localStorage.length") == 0
    # panel next to the board, or below it
    places = viewer.ask(
        "['board', 'controls', 'moves'].map(id => document.getElementById(id)"
        ".getBoundingClientRect()).map(box => [box.left, box.top])"
    )
    assert (places[2][0] > places[0][0] + 300) == (name == "desktop")
    # the graph: a click leads to a ply, and it says where one is
    graph = browser.find_element("id", "graph")
    from selenium.webdriver.common.action_chains import ActionChains

    viewer.ask("document.getElementById('graph').scrollIntoView({block: 'center'})")
    wide = graph.size["width"]
    ActionChains(browser).move_to_element_with_offset(
        graph, 12 * wide / 33 - wide / 2, 0
    ).click().perform()
    assert viewer.at == (1, 12, 0)
    assert graph.get_attribute("aria-valuenow") == "12"
    assert graph.get_attribute("aria-valuetext") == "6... Nf6 +3.10"
    assert len(browser.find_elements("css selector", "#graph circle")) == 4
    gauge = viewer.ask("document.querySelector('#gauge div').style.blockSize")
    assert 70 < float(gauge.rstrip("%")) < 80
    # the sides' mistakes, each with a way to the next
    rows = browser.find_elements("css selector", "#summary div")
    assert rows[0].text.split("\n") == ["0 inaccuracies", "0 mistakes", "0 blunders", "loss 8"]
    assert rows[1].text.split("\n") == ["1 inaccuracy", "1 mistake", "2 blunders", "loss 65"]
    blunders = rows[1].find_elements("tag name", "button")[2]
    for ply in (18, 12):
        blunders.click()
        assert viewer.at == (1, ply, 0)
    rows[0].find_elements("tag name", "button")[2].click()
    assert viewer.at == (1, 12, 0)
    # the move, its sign in words, the comment, whose turn it is
    assert viewer.text("status") == "6... Nf6?? \N{MIDDLE DOT} +3.10 \N{MIDDLE DOT} White to move"
    chosen = browser.find_element("css selector", "#moves [aria-current]")
    assert chosen.get_attribute("aria-label") == "6... Nf6 +3.10, blunder"
    assert viewer.ask("document.querySelector('#board > svg').getAttribute('aria-label')") == (
        "Board: 6... Nf6, White to move"
    )
    # what was taken, the clocks: White has a bishop and a pawn, Black a knight and a pawn
    taken = "[...document.querySelectorAll('.taken')].map(one => one.getAttribute('aria-label'))"
    assert viewer.ask(taken) == ["Black has taken: N P", "White has taken: b p"]
    assert [c.text for c in browser.find_elements("css selector", ".clock")] == ["8:50", "9:30"]
    # the best move's arrow stands before the mistake, from e5 to d4; the record's own too
    viewer.open("#ply=5")
    tips = (
        "[...document.querySelectorAll('#pointers *')]"
        ".map(one => [one.tagName, one.getAttribute('fill')])"
    )
    assert viewer.ask(tips) == [["polygon", "#15781b"], ["rect", "#c98a00"], ["polygon", "#1f5fae"]]
    viewer.picture(f"opera-{name}-{mode}")
    viewer.click("arrows")
    assert viewer.ask(tips) == []
    viewer.press("a")
    assert len(viewer.ask(tips)) == 3
    # the board turned: names of files change places, pieces stay upright
    before = viewer.ask(LABELS)
    assert [label[0] for label in before["below"]] == list("abcdefgh")
    viewer.click("flip")
    turned = viewer.ask(LABELS)
    assert [label[0] for label in turned["below"]] == list("hgfedcba")
    assert [label[0] for label in turned["left"]] == list("12345678")
    assert viewer.ask("document.querySelector('#bottom .name').textContent").startswith("Duke")
    pieces = "[...document.querySelectorAll('#board > svg > g > g > g')]"
    assert viewer.ask(f"{pieces}.every(one => one.getCTM().a > 0)")
    viewer.press("f")
    assert viewer.ask(LABELS) == before
    # into a variation by its button, on along it, to its neighbour's and out of it
    variation = browser.find_elements("css selector", ".variation .move")
    assert [one.text for one in variation[:3]] == ["2... Nc6", "3. Bb5", "a6"]
    variation[0].click()
    assert viewer.at == (1, 4, 1)
    viewer.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert viewer.at == (1, 6, 1)
    viewer.press(Keys.ARROW_DOWN)
    assert viewer.at == (1, 6, 2)
    assert viewer.text("status").startswith("3... Nf6")
    viewer.press(Keys.END)
    assert viewer.at == (1, 7, 2)
    viewer.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert viewer.at == (1, 4, 1)
    viewer.press(Keys.ARROW_UP)
    assert viewer.at == (1, 4, 0)
    # the winner is shown by the board, the players and the list
    viewer.click("last")
    assert viewer.text("captions") == "White wins: checkmate"
    assert "1-0" in viewer.text("status")
    assert [one.text for one in browser.find_elements("css selector", ".points")] == ["0", "1"]
    assert browser.find_element("id", "forward").get_attribute("aria-disabled") == "true"
    assert browser.execute_script(CHECK) == []
    assert browser.get_log("browser") == []


def test_several_games(browser: Any, screen: tuple[str, str], tmp_path: Path) -> None:
    """List and filter, links and the browser's Back, autoplay, downloads, help."""
    from selenium.webdriver.common.keys import Keys

    name, mode = screen
    viewer = Viewer(browser, tmp_path, OPERA + MATCH + GOROGO, "#game=2&ply=2")
    assert viewer.at == (2, 2, 0)
    assert browser.title == "net - plain, Ryugi, ?"
    # what a match has written: evaluations and seconds, from the mover's side
    scores = [one.text for one in browser.find_elements("css selector", ".move .score")]
    assert scores == ["+0.38", "+0.54", "#4"]
    assert [one.text for one in browser.find_elements("css selector", ".clock")] == [
        "12 s",
        "0.25 s",
    ]
    viewer.click("last")
    assert "draw agreed" in viewer.text("status")
    # links: each of the two is a page of the browser's history
    viewer.open("#game=1&line=2&ply=6")
    assert viewer.at == (1, 6, 2)
    for words in ("#game=9&ply=1", "#ply=999999999999", "#nonsense", "#game=-1&ply=x&line=99"):
        viewer.open(words)
        assert viewer.at[0] == 1
    viewer.open("#game=1&ply=3")
    browser.find_elements("css selector", ".row .move")[8].click()
    assert viewer.ask("location.hash") == "#game=1&ply=8"
    viewer.press(Keys.ARROW_RIGHT)
    viewer.wait("location.hash === '#game=1&ply=9'")
    viewer.press("]")
    assert viewer.at == (2, 0, 0)
    browser.back()
    viewer.wait("document.body.dataset.ply === '9' && document.body.dataset.game === '1'")
    browser.back()
    viewer.wait("document.body.dataset.ply === '3'")
    browser.forward()
    viewer.wait("document.body.dataset.ply === '9'")
    viewer.press("]", "]", "]")
    assert viewer.at == (3, 0, 0)
    viewer.press("[")
    assert viewer.at == (2, 0, 0)
    # the list, filtered by player, result and text
    viewer.click("games")
    listed = (
        "[...document.querySelectorAll('#found-games li:not([hidden]) .who')]"
        ".map(one => one.textContent)"
    )
    everything = viewer.ask(listed)
    assert len(everything) == 3
    assert browser.execute_script(CHECK) == []
    viewer.picture(f"list-{name}-{mode}")
    field = browser.find_element("id", "filter-text")
    assert viewer.ask("document.activeElement.id") == "filter-text"
    for written, left in (("morphy", [0, 2]), ("Nc3 opera", [0]), ("nobody", [])):
        field.clear()
        field.send_keys(written)
        assert viewer.ask(listed) == [everything[i] for i in left], written
    field.clear()
    field.send_keys(" ")
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", "filter-player")).select_by_visible_text("Paul Morphy")
    assert viewer.text("found") == "2 of 3 games"
    Select(browser.find_element("id", "filter-result")).select_by_visible_text("1-0")
    assert viewer.ask(listed) == [everything[0]]
    # downloads
    browser.execute_script(_SAVING)
    viewer.click("save-all")
    browser.find_element("css selector", "#found-games li:not([hidden]) button").click()
    assert viewer.at == (1, 0, 0)
    viewer.click("save")
    viewer.press("s")
    saved = viewer.ask("saved")
    assert saved[0] == ["games.pgn", "".join(viewer.pgn)]
    assert saved[1] == saved[2] == [saved[1][0], viewer.pgn[0]]
    assert re.fullmatch(r"[\w.,+-]+\.pgn", saved[1][0])
    # autoplay begins, stops, and ends by itself at the end
    viewer.press("]")
    speed = Select(browser.find_element("id", "speed"))
    speed.select_by_value("0.2")
    viewer.click("play")
    assert browser.find_element("id", "play").get_attribute("aria-label") == "Pause"
    viewer.wait("document.body.dataset.ply === '3'")
    viewer.wait("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
    # at the speed of the game: moves of 0.25, 12.4 and 0.01 seconds
    speed.select_by_value("played")
    viewer.click("play")
    viewer.wait("document.body.dataset.ply === '1'")
    assert 12000 < viewer.ask("pace()") < 13000
    viewer.click("play")
    viewer.click("first")
    speed.select_by_value("4")
    viewer.ask("document.activeElement.blur()")
    viewer.press("p")
    assert viewer.at == (2, 0, 0)
    assert browser.find_element("id", "play").get_attribute("aria-pressed") == "true"
    viewer.press("p")
    assert browser.find_element("id", "play").get_attribute("aria-pressed") == "false"
    # a link to the position is copied, or told
    viewer.click("link")
    viewer.wait("/Link copied|game=2&ply=0/.test(document.getElementById('status').textContent)")
    # help: keys of the page mean nothing while it is open
    viewer.press("?")
    assert viewer.ask("document.getElementById('keys').open")
    assert "Ryugi" not in viewer.text("key-list")
    assert "net" in viewer.text("tag-list")
    assert browser.execute_script(CHECK) == []
    viewer.picture(f"help-{name}-{mode}")
    viewer.press(Keys.ARROW_RIGHT)
    assert viewer.at == (2, 0, 0)
    viewer.press(Keys.ESCAPE)
    viewer.click("help")
    viewer.click("keys-close")
    assert not viewer.ask("document.getElementById('keys').open")
    viewer.press("g")
    viewer.click("list-close")
    assert not viewer.ask("document.getElementById('list').open")
    # in a game of placements the better move is a marked point, and hands are told
    viewer.press("]")
    viewer.press(Keys.ARROW_RIGHT)
    marks = "[...document.querySelectorAll('#pointers *')].map(one => one.tagName)"
    assert viewer.ask(marks) == ["rect"]
    assert viewer.ask("document.getElementById('as-played').hidden")
    assert "in hand" in viewer.text("captions")
    assert browser.get_log("browser") == []


def test_a_download_is_a_file(browser: Any, tmp_path: Path) -> None:
    """What the browser keeps is the record itself."""
    saved = tmp_path / "saved"
    saved.mkdir()
    given = {"behavior": "allow", "downloadPath": str(saved)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", given)
    viewer = Viewer(browser, tmp_path, OPERA)
    viewer.click("save")
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 20, 0.05).until(lambda _: list(saved.glob("*.pgn")))
    (path,) = saved.glob("*.pgn")
    assert path.name == "Paul-Morphy-Duke-Karl-Count-Isouard-Chess-1858.11.02.pgn"
    WebDriverWait(browser, 20, 0.05).until(lambda _: path.read_text() == viewer.pgn[0])
    assert browser.get_log("browser") == []


def test_a_large_board(
    browser: Any, screen: tuple[str, str], source: random.Random, tmp_path: Path
) -> None:
    """Buttons, keys, wheel, mouse and fingers enlarge and move it; its names can be read then."""
    name, mode = screen
    games = (recorded("goryujin", source, 40) for _ in range(100))
    playback = next(game for game in games if len(game.steps) >= 24)
    viewer = Viewer(browser, tmp_path, format_record(playback.record), "#ply=20")
    assert viewer.at == (1, 20, 0)
    zoom = "Number(document.body.dataset.zoom)"
    box = viewer.ask("document.getElementById('board').getBoundingClientRect().toJSON()")
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for larger, smaller, whole in (("in", "out", "fit"), ("+", "-", "0")):
        act = viewer.click if larger == "in" else viewer.press
        act(larger)
        assert viewer.ask(zoom) == 1.5
        act(larger)
        assert viewer.ask(zoom) == 2.25
        act(smaller)
        assert viewer.ask(zoom) == 1.5
        act(whole)
        assert viewer.ask(zoom) == 1
    viewer.ask("scrollTo(0, 0)")
    corner = "state.board.corner.map(Math.round)"
    if name == "desktop":
        for turn, low, high in ((-240, 1.5, 1.8), (-240, 2.4, 2.8), (240, 1.5, 1.8)):
            wheel = {"type": "mouseWheel", "x": middle[0], "y": middle[1]}
            browser.execute_cdp_cmd(
                "Input.dispatchMouseEvent", {**wheel, "deltaX": 0, "deltaY": turn}
            )
            viewer.wait(f"{low} < {zoom} && {zoom} < {high}")
        before = viewer.ask(corner)
        for kind, shift in (("mousePressed", 0), ("mouseMoved", 50), ("mouseReleased", 50)):
            at = {"type": kind, "x": middle[0] - shift, "y": middle[1], "button": "left"}
            browser.execute_cdp_cmd("Input.dispatchMouseEvent", {**at, "clickCount": 1})
        viewer.wait(f"{corner}[0] > arguments[0]", before[0])
        assert viewer.at == (1, 20, 0)
    else:
        x, y = middle
        # a swipe goes on or back
        drag(browser, [(x + 100 - 20 * i, y + i) for i in range(11)])
        viewer.wait("document.body.dataset.ply === '21'")
        drag(browser, [(x - 100 + 20 * i, y + i) for i in range(11)])
        viewer.wait("document.body.dataset.ply === '20'")
        # two fingers enlarge, one moves what is enlarged
        spread = range(15, 56, 4)
        drag(browser, [(x - i, y) for i in spread], [(x + i, y) for i in spread])
        viewer.wait(f"{zoom} > 2.5")
        before = viewer.ask(corner)
        drag(browser, [(x - 8 * i, y) for i in range(11)])
        viewer.wait(f"{corner}[0] > arguments[0]", before[0])
        assert viewer.at == (1, 20, 0)
    # the view follows the moves
    for ply in range(18, 24):
        viewer.ask(f"go(lineOf(state.current)[{ply}])")
        if not viewer.ask("state.current.q.length"):
            continue  # a pass
        point = (
            "(({a, d, e, f}, [x, y]) => [a * x + e, d * y + f])"
            "(document.querySelector('#board > svg').getScreenCTM(), state.current.q)"
        )
        x, y = viewer.ask(point)
        box = viewer.ask("document.getElementById('board').getBoundingClientRect().toJSON()")
        assert box["left"] < x < box["right"], ply
        assert box["top"] < y < box["bottom"], ply
    viewer.press("0")
    assert viewer.ask(zoom) == 1
    hidden = viewer.ask("getComputedStyle(document.querySelector('.ruler')).display") == "none"
    assert hidden == (name == "phone")
    viewer.ask("state.board.enlarge(2.5)")
    # what is enlarged has its names at the window's edges, large enough and none on another
    for turned in (False, True):
        rulers = viewer.ask(LABELS)
        box = viewer.ask("document.getElementById('board').getBoundingClientRect().toJSON()")
        assert set(rulers) == {"left", "right", "below"}
        for labels in rulers.values():
            seen = [
                label
                for label in labels
                if label[1] >= box["left"] - 1
                and label[3] <= box["right"] + 1
                and label[2] >= box["top"] - 1
                and label[4] <= box["bottom"] + 1
            ]
            assert len(seen) >= 8
            for number, (text, left, top, right, bottom, size) in enumerate(seen):
                assert size >= 9, (text, size)
                for other, left2, top2, right2, bottom2, _ in seen[:number]:
                    apart = abs(top + bottom - top2 - bottom2) > (bottom - top) * 0.9
                    assert apart or right <= left2 or right2 <= left, (text, other)
        if not turned:
            viewer.picture(f"goryujin-{name}-{mode}")
            viewer.press("f")
    assert browser.execute_script(CHECK) == []
    assert browser.get_log("browser") == []


ODD = r"""[White "A"]
[Black "B"]
[Result "0-1"]

{0-1 by resignation} 0-1

[White "A"]
[Black "B"]
[Result "*"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7"]

7... e5 $999 {[%eval #-0] [%cal Gz9z8] [%csl Rh9] [%weird x]} (7... d5 8. exd5) (7... c5) 8. Nf3 *

[White "\"><img src=x onerror=alert(1)>"]
[Black "?"]
[Result "1-0"]

1. f3 {</script><script>alert(2)</script> & "quoted" [%eval 99999.99]} e5 2. g4 {[%clk 9:59:59]} 1-0

"""


def test_odd_games(browser: Any, tmp_path: Path) -> None:
    """No moves, Black begins, unknown glyphs and commands, texts that look like the page's own."""
    from selenium.webdriver.common.keys import Keys

    viewer = Viewer(browser, tmp_path, ODD)
    assert viewer.text("captions") == "Black wins: resignation"
    viewer.click("play")
    viewer.wait("document.getElementById('play').getAttribute('aria-pressed') === 'false'")
    for name in ("first", "back", "forward", "last"):
        viewer.click(name)
        assert viewer.at == (1, 0, 0)
    viewer.press("]", Keys.ARROW_RIGHT)
    status = "7... e5$999 [] #0 [] [%weird x] [] White to move"
    assert viewer.text("status") == status.replace("[] ", "\N{MIDDLE DOT} ").replace(" []", "")
    rows = [one.text for one in browser.find_elements("css selector", ".row")]
    assert rows[1].split("\n")[:3] == ["7", "\N{HORIZONTAL ELLIPSIS}", "e5$999"]
    viewer.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert viewer.at == (2, 1, 2)
    viewer.press("]", Keys.END)
    assert viewer.text("title").startswith('"><img src=x')
    assert viewer.ask("document.images.length + document.scripts.length") == 3
    assert "9:59:59" in viewer.text("bottom")
    assert browser.execute_script(CHECK) == []
    assert browser.get_log("browser") == []
