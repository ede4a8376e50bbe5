"""A recorded game as a web page, in a real Chromium that opens it from the disk."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.playback import Playback
from ryugi_engine.position import Position
from ryugi_engine.records import Record, Step
from ryugi_engine.registry import registry
from ryugi_engine.webpage import page

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


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
    assert text.count("http") == text.count("http://www.w3.org/2000/svg")
    assert text.count("</script>") == 2
    assert "Ann &lt;&amp;&gt; - Bob" in text


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if BROWSER is None or DRIVER is None:
        assert "RYUGI_NEED_BROWSER" not in os.environ, "chromium and chromedriver are missing"
        pytest.skip("needs Debian's chromium and chromium-driver")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for word in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "window-size=1500,950",
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plies"), [("goryujin", 90), ("gomokuroku", 60), ("ryugi", 60)])
def test_every_ply_in_a_browser(
    name: str, plies: int, browser: Any, source: random.Random, tmp_path: Path
) -> None:
    playback = recorded(name, source, plies)
    path = tmp_path / f"{name}.html"
    path.write_text(page(playback), encoding="utf-8")
    browser.get(path.as_uri())
    assert browser.title.startswith('Ann <&> - Bob "B", ')
    body = browser.find_element("tag name", "body")

    def press(name: str) -> None:
        browser.find_element("id", name).click()

    def state() -> tuple[int, str, str, int]:
        """Ply, chosen move, status, and how much the picture shows."""
        found: Any = browser.execute_script(
            "return [Number(document.body.dataset.ply),"
            " document.querySelector('[aria-current]').textContent,"
            " document.getElementById('status').textContent,"
            " document.querySelectorAll('#board svg *').length]"
        )
        return tuple(found)

    last = len(playback.steps)
    for ply in range(last + 1):
        playback.to(ply)
        shown = playback.position.draw().svg()
        elements = sum(line.startswith("<") for line in shown.splitlines()) - 2  # svg's own tags
        found = state()
        assert found[0] == ply
        assert found[1] == playback.label(ply)
        assert found[2].startswith(playback.label(ply))
        assert found[2].endswith(playback.status())
        assert found[3] == elements
        if ply < last:
            press("forward")
    assert "a </script> & <b>comment</b>" in page_status(browser, 3)
    press("last")
    assert not browser.find_element("id", "forward").is_enabled()
    from selenium.webdriver.common.keys import Keys

    for key, ply in (
        (Keys.HOME, 0), (Keys.ARROW_LEFT, 0), (Keys.ARROW_RIGHT, 1), (Keys.SPACE, 2),
        (Keys.ARROW_LEFT, 1), (Keys.END, last), (Keys.ARROW_RIGHT, last),
    ):  # fmt: skip
        body.send_keys(key)
        assert state()[0] == ply
    folder = os.environ.get("RYUGI_SCREENSHOTS")
    assert browser.save_screenshot(str(Path(folder or tmp_path) / f"{name}.png"))
    press("first")
    assert state()[0] == 0
    assert browser.get_log("browser") == []


def page_status(browser: Any, ply: int) -> str:
    """The status after a click on a move of the list."""
    browser.find_elements("css selector", "#moves button")[ply].click()
    return str(browser.find_element("id", "status").text)
