"""Recorded games as one web page that needs nothing else and works from the disk.

What it shows and does lies in ``page/``: a template, a style, and ES modules. What it knows of the
games is made by pagedata.py. Sources: HTML Living Standard; WAI-ARIA for screen readers.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path

from ryugi_engine.games.game import counted
from ryugi_engine.records.pagedata import PageData
from ryugi_engine.records.playback import Playback

#: More games than these make a page that no browser shows at once.
MOST_GAMES = 2000
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
    " script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:\">"
)
FOLDER = Path(__file__).parent / "page"
STYLES = ("theme", "viewer", "panel")


@cache
def source(name: str) -> str:
    """Return the text of a file in ``page/``."""
    return (FOLDER / name).read_text(encoding="utf-8")


def modules(folder: Path) -> dict[str, str]:
    """Return a ``page`` folder's scripts by the names that import them: ``records/board.js``."""
    paths = sorted(folder.glob("*.js"))
    return {f"{folder.parent.name}/{path.name}": path.read_text(encoding="utf-8") for path in paths}


def import_map(addresses: Mapping[str, str]) -> str:
    """Return the import map that leads names of modules to addresses.

    A page that is one file has its modules as ``data:`` addresses, which no relative name can be
    resolved against. So modules import bare names. That file and the server map them differently.
    """
    return json.dumps({"imports": addresses}, separators=(",", ":"))


@cache
def _scripts() -> str:
    """Return the script elements of a page that needs nothing else."""
    addresses = {
        name: f"data:text/javascript;base64,{b64encode(text.encode()).decode()}"
        for name, text in modules(FOLDER).items()
    }
    return (
        f'<script type="importmap">{import_map(addresses)}</script>\n'
        '<script type="module">import "records/main.js";</script>'
    )


def theme() -> str:
    """Return the style sheet with the colours and the font of all pages."""
    return source("theme.css")


def page(
    playbacks: Playback | Iterable[Playback],
    home: str = "",
    start: tuple[int, int, int] = (1, 0, 0),
) -> str:
    """Return the page of one game or several, with a link to the page ``home`` if given.

    It opens at ``start``: a game from 1, a variation of it (0: none) and a ply. Several games may
    be given one after the other, so that only one board is in the memory.
    """
    data = PageData()
    title = ""
    for playback in [playbacks] if isinstance(playbacks, Playback) else playbacks:
        title = title or playback.heading()
        data.add(playback)
    payload = data.everything() | {"start": dict(zip(("game", "line", "ply"), start, strict=True))}
    if data.games > 1:
        title = counted(data.games, "game")
    back = f'<a id="home" href="{escape(home)}">All games</a>\n' if home else ""
    style = "".join(source(f"{name}.css") for name in STYLES)
    return filled(
        title=escape(title),
        heading=escape(title),
        home=back,
        policy=_POLICY,
        style=f"<style>\n{style}</style>",
        script=_scripts(),
        # no "<" may stand in a script element
        data=json.dumps(payload, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c"),
    )


def filled(**fields: str) -> str:
    """Return the page's template with fields filled in; missing ones are empty."""
    before, *rest = source("page.html").split("{{")
    pieces = [before]
    for piece in rest:
        name, _, after = piece.partition("}}")
        pieces += [fields.get(name, ""), after]
    return "".join(pieces)
