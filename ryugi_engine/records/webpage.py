"""A recorded game as one web page that needs nothing else and works from the disk.

Every picture is a list of lines that mostly stand in others too, so each is kept once and a
position is a list of their numbers. Sources: HTML Living Standard; WAI-ARIA for the live region.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from ryugi_engine.records.playback import Playback

_STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; padding: 1rem; max-width: 1500px; font: 16px/1.4 sans-serif;
  color: #2b2620; background: #fbf7ee; }
h1 { font-size: 1.2rem; margin: 0 0 .6rem; }
main { display: flex; flex-wrap: wrap; gap: 1rem; }
#board { flex: 3 1 34rem; min-width: 0; }
#board svg { display: block; width: 100%; height: auto; max-height: 82vh; }
#side { flex: 1 1 16rem; }
#moves { max-height: 60vh; overflow-y: auto; margin: .6rem 0 0; padding: 0; list-style: none;
  display: flex; flex-wrap: wrap; gap: .15rem; align-content: flex-start; }
button { font: inherit; padding: .15rem .5rem; border: 1px solid #c9b99a; border-radius: .3rem;
  background: #fff; color: inherit; cursor: pointer; }
button[aria-current] { background: #2f6db3; border-color: #2f6db3; color: #fff; }
button[aria-disabled=true] { opacity: .4; cursor: default; }
#controls button { font-size: 1.2rem; min-width: 3rem; }
#status { min-height: 2.8em; margin: .5rem 0; }
"""

_SCRIPT = """
"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const last = game.plies.length - 1;
const board = document.getElementById("board");
const status = document.getElementById("status");
const moves = document.getElementById("moves");
const controls = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => last };
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", " ": "forward",
  End: "last" };
let ply = -1;

function show(wanted) {
  const next = Math.min(Math.max(wanted, 0), last);
  if (next === ply) return;
  ply = next;
  const here = game.plies[ply];
  board.innerHTML = here.picture.map(number => game.parts[number]).join("");
  status.textContent = here.label + (here.comment ? " (" + here.comment + ")" : "")
    + " \\u2013 " + here.status;
  // not "disabled", which would take the keyboard's focus away
  for (const name of Object.keys(controls))
    document.getElementById(name).setAttribute("aria-disabled",
      ply === (name === "first" || name === "back" ? 0 : last));
  for (const button of moves.querySelectorAll("[aria-current]"))
    button.removeAttribute("aria-current");
  const chosen = moves.children[ply].firstChild;
  chosen.setAttribute("aria-current", "step");
  if (moves.contains(document.activeElement)) chosen.focus({ preventScroll: true });
  // not scrollIntoView: the page itself has to stay where it is
  const top = chosen.offsetTop - moves.offsetTop;
  if (top < moves.scrollTop || top + chosen.offsetHeight > moves.scrollTop + moves.clientHeight)
    moves.scrollTop = top - moves.clientHeight / 2;
  document.body.dataset.ply = ply;
}

game.plies.forEach((here, number) => {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = here.label;
  button.addEventListener("click", () => show(number));
  item.append(button);
  moves.append(item);
});
for (const [name, target] of Object.entries(controls))
  document.getElementById(name).addEventListener("click", () => show(target()));
// what a key means to the element that has the focus goes before what it means to the page
function taken(event) {
  const target = event.target;
  return target.closest("input, select, textarea") !== null || target.isContentEditable
    || (event.key === " " && target.closest("button, summary, [role=button]") !== null);
}

document.addEventListener("keydown", event => {
  const name = keys[event.key];
  if (!name || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.defaultPrevented || taken(event)) return;
  event.preventDefault();
  show(controls[name]());
});
show(0);
"""


def _plies(playback: Playback) -> dict[str, Any]:
    """What the page knows: the lines of all pictures, and what each position shows of them."""
    numbers: dict[str, int] = {}
    plies = []
    for ply in range(len(playback.steps) + 1):
        playback.to(ply)
        lines = playback.position.draw(playback.outcome()).svg().splitlines()
        comment = playback.steps[ply - 1].comment if ply else playback.record.comment
        plies.append(
            {
                "label": playback.label(ply),
                "comment": comment,
                "status": playback.status(),
                "picture": [numbers.setdefault(line, len(numbers)) for line in lines],
            }
        )
    return {"parts": list(numbers), "plies": plies}


def page(playback: Playback, home: str = "") -> str:
    """The page, on request with a link to one that it belongs to."""
    title = escape(playback.heading())
    # no "<" may stand in a script element
    data = json.dumps(_plies(playback), separators=(",", ":")).replace("<", "\\u003c")
    buttons = (
        ("first", "|&lt;", "First"),
        ("back", "&lt;", "Back"),
        ("forward", "&gt;", "Forward"),
        ("last", "&gt;|", "Last"),
    )
    controls = "".join(
        f'<button id="{name}" title="{words}" aria-label="{words}">{sign}</button>\n'
        for name, sign, words in buttons
    )
    back = f'<p><a href="{escape(home)}">All games</a></p>\n' if home else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{_STYLE}</style>
</head>
<body>
{back}<h1>{title}</h1>
<main>
<div id="board"></div>
<div id="side">
<div id="controls">
{controls}</div>
<p id="status" role="status"></p>
<ol id="moves"></ol>
</div>
</main>
<script type="application/json" id="game">{data}</script>
<script>{_SCRIPT}</script>
</body>
</html>
"""
