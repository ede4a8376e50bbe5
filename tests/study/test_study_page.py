"""The page of a study in a real Chromium, which opens it from the disk."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.helpers import command, patient

#: Sections of a study of chess, and of a placement game.
PLACED = ["balance", "games", "openings", "games-to-replay"]
CHESS = ["balance", "games", "moves-of-the-pieces", "pieces", "rules", "openings", "mates"]
CHESS += ["games-to-replay"]


@pytest.mark.parametrize(("game", "sections"), [("chess", CHESS), ("gorogo", PLACED)])
def test_a_page_in_the_browser(
    game: str, sections: list[str], browser: Any, tmp_path: Path
) -> None:
    """No fault, no network, by day and night, as wide as a desk and as a phone."""
    page = tmp_path / "page.html"
    words = ("--nodes", "20", "40", "60", "--rounds", "1", "--threads", "2", "--out", str(page))
    done = command("study", game, *words)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    # but for the namespace of SVG and what the text of the replay's page escapes again
    assert set(re.findall(r"https?://[^\s\"'&<>]*", text)) <= {"http://www.w3.org/2000/svg"}
    browser.get_log("browser")
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get(page.as_uri())
            _look(browser, sections, scheme, width)
            folder = os.environ.get("RYUGI_SCREENSHOTS")
            if folder:
                browser.save_screenshot(str(Path(folder) / f"study-{game}-{scheme}-{width}.png"))
    assert browser.get_log("browser") == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.get("about:blank")


def _look(browser: Any, sections: list[str], scheme: str, width: int) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    found = browser.execute_script(
        "return [...document.querySelectorAll('section')].map(one => one.id)"
    )
    assert found == sections
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (int(re.findall(r"\d+", ground)[0]) > 128) == (scheme == "light")
    assert browser.execute_script("return document.querySelectorAll('.findings li').length")
    resources = browser.execute_script(
        "return performance.getEntriesByType('resource').map(one => one.name)"
    )
    assert all(name.startswith("data:") for name in resources)
    frame = browser.find_element("tag name", "iframe")
    browser.execute_script("arguments[0].scrollIntoView()", frame)
    browser.switch_to.frame(frame)
    script = "return document.body.dataset.ply"
    WebDriverWait(browser, patient(20), 0.05).until(lambda _: browser.execute_script(script))
    assert browser.execute_script("return document.querySelectorAll('#board svg *').length") > 10
    browser.execute_script("document.getElementById('forward').click()")
    WebDriverWait(browser, patient(20), 0.05).until(lambda _: browser.execute_script(script) == "1")
    browser.switch_to.default_content()
