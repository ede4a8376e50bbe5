"""The page of replayed games as tests drive it: records to show, and what can be asked of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import format_record, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.webpage import page
from tests.support.helpers import press_key
from tests.support.page_modules import REPLAY, run, wait

#: Morphy's game at the opera, analysed; variations in one another, arrows, clocks.
OPERA = """[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[Round "-"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[WhiteElo "2690"]

{A famous game, played in a box at the opera.} 1. e4 {[%eval 0.33] [%clk 0:10:00]} e5
{[%eval 0.25] [%clk 0:10:00]} 2. Nf3 {[%eval 0.3] [%clk 0:09:55]} d6 $6 {[%eval 0.71]
[%clk 0:09:50] Inaccuracy. b8c6 was best.} ({Better is} 2... Nc6 3. Bb5 a6 (3... Nf6 4. O-O) 4. Ba4)
3. d4 {[%eval 0.6] [%clk 0:09:40] [%cal Gb1c3][%csl Ye5] The thematic break.} Bg4 $2 {[%eval
1.4] [%clk 0:09:12] Mistake. e5d4 was best.} (3... exd4 4. Nxd4 Nf6) 4. dxe5 {[%eval 1.3]
[%clk 0:09:30]} Bxf3 {[%eval 1.2] [%clk 0:08:50]} 5. Qxf3 {[%eval 1.3]} dxe5 {[%eval 1.3]} 6.
Bc4 {[%eval 1.2]} Nf6 $4 {[%eval 3.1]} (6... Qf6 7. Qb3) 7. Qb3! {[%eval 3.0]} Qe7 {[%eval
3.1]} 8. Nc3 {[%eval 2.5]} c6 {[%eval 2.6]} 9. Bg5 {[%eval 2.6]} b5 $4 {[%eval 4.6]} 10. Nxb5!!
{[%eval 4.4]} cxb5 {[%eval 4.5]} 11. Bxb5+ {[%eval 4.6]} Nbd7 {[%eval 5.0]} 12. O-O-O {[%eval
5.2]} Rd8 {[%eval 5.6]} 13. Rxd7 {[%eval 5.7]} Rxd7 {[%eval 6.2]} 14. Rd1 {[%eval 6.4]} Qe6
{[%eval 8.1]} 15. Bxd7+ {[%eval 8.0]} Nxd7 {[%eval #2] [%clk 0:00:09.3]} 16. Qb8+ {[%eval #1]}
Nxb8 {[%eval #1]} 17. Rd8# 1-0

"""
MATCH = """[Event "A match"]
[White "net"]
[Black "plain"]
[Result "1/2-1/2"]
[Variant "ryugi"]

1. a2a3 {+0.38/5 0.250s} a7a6 {-0.54/4 12.4s} 2. b2b3 {+M4/9 0.010s, draw agreed} 1/2-1/2

"""
GOROGO = """[Event "Stones"]
[White "Ann"]
[Black "Paul Morphy"]
[Result "*"]
[Variant "gorogo"]

1. H@c3 S@b2 $4 {[%csl Gb2]} (1... S@d4 2. S@a1) 2. S@a1 *

"""


class Viewer:
    """The page in the browser, and what can be asked of it."""

    def __init__(self, browser: Any, folder: Path, text: str, words: str = "") -> None:
        self.browser = browser
        records = parse_records(text)
        self.path = folder / "games.html"
        playbacks = [Playback.of(record, registry()) for record in records]
        self.path.write_text(page(playbacks), encoding="utf-8")
        self.pgn = [format_record(playback.record) for playback in playbacks]
        self.open(words)

    def open(self, words: str = "") -> None:
        self.browser.get("about:blank")
        self.browser.get(self.path.as_uri() + words)

    def ask(self, script: str, *given: Any) -> Any:
        return run(self.browser, REPLAY, f"return {script}", *given)

    def click(self, name: str) -> None:
        self.browser.find_element("id", name).click()

    def press(self, *pressed: str) -> None:
        for key in pressed:
            press_key(self.browser, key)

    @property
    def at(self) -> tuple[int, int, int]:
        """Game, ply, variation."""
        given = self.ask("document.body.dataset")
        return int(given["game"]), int(given["ply"]), int(given["line"])

    def text(self, name: str) -> str:
        return str(self.browser.find_element("id", name).text)

    def wait(self, script: str, *given: Any) -> None:
        wait(self.browser, REPLAY, script, *given)

    def picture(self, name: str) -> None:
        folder = os.environ.get("RYUGI_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(str(Path(folder) / f"{name}.png"))


#: Contrast of every text with what lies under it (WCAG 2, 1.4.3), and all names of controls.
CHECK = r"""
  const shown = one => one.checkVisibility() && one.getClientRects().length;
  const seen = text => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = colour => {
    const [r, g, b] = colour.map(v => v / 255).map(v => v <= .04045 ? v / 12.92
      : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const found = [];
  for (const one of document.querySelectorAll("button, select, input, [role=slider], [role=img]")) {
    if (!shown(one)) continue;
    const name = one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")
      || one.textContent.trim() || one.labels?.[0]?.textContent.trim();
    if (!name) found.push("no name: " + one.outerHTML.slice(0, 80));
    const box = one.getBoundingClientRect();
    if (one.matches("button:not(.move), select") && (box.width < 28 || box.height < 28))
      found.push("small: " + one.outerHTML.slice(0, 80));
  }
  for (const one of document.querySelectorAll("h1, p, span, b, button, label, li, dt, dd")) {
    const own = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !shown(one) || one.closest("[aria-disabled=true]")) continue;
    let behind = one, back;
    do {
      back = seen(getComputedStyle(behind).backgroundColor);
      behind = behind.parentElement;
    } while (behind && back[3] < 255);
    const both = [light(back), light(seen(getComputedStyle(one).color))];
    if ((Math.max(...both) + .05) / (Math.min(...both) + .05) < 4.5)
      found.push("pale: " + one.outerHTML.slice(0, 100));
  }
  const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
  if (new Set(ids).size !== ids.length) found.push("an id twice");
  if (document.documentElement.lang !== "en") found.push("no language");
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
  return found;
"""


#: The names next to the board: words, left, top, right, bottom, size of the letters.
LABELS = """(() => {
  const found = {};
  for (const ruler of document.querySelectorAll(".ruler"))
    found[ruler.dataset.at] = [...ruler.querySelectorAll("text")].map(text => {
      const box = text.getBoundingClientRect();
      return [text.textContent, Math.round(box.left), Math.round(box.top), box.right, box.bottom,
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a];
    }).sort((a, b) => a[1] - b[1] || a[2] - b[2]);
  return found;
})()"""


def drag(browser: Any, *ways: list[tuple[float, float]]) -> None:
    """Fingers that go along their ways at the same time."""
    for moment in range(len(ways[0])):
        points = [{"x": way[moment][0], "y": way[moment][1], "id": i} for i, way in enumerate(ways)]
        kind = "touchMove" if moment else "touchStart"
        given = {"type": kind, "touchPoints": points}
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", given)
    given = {"type": "touchEnd", "touchPoints": []}
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", given)
