"""Recorded games as one web page that needs nothing else and works from the disk.

What it shows and does lies in ``page/``: a template, a style, and scripts that are put into it one
behind the other. What it knows of the games is made by pagedata.py. Sources: HTML Living Standard;
WAI-ARIA for screen readers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

from ryugi_engine.games.game import counted
from ryugi_engine.records.pagedata import PageData
from ryugi_engine.records.playback import Playback

#: More games than these make a page that no browser shows at once.
MOST_GAMES = 2000
_FOLDER = Path(__file__).parent / "page"
#: In this order: each uses what stands before it.
_SCRIPTS = ("data", "board", "graph", "moves", "summary", "list", "viewer", "keys")
_STYLES = ("theme", "viewer", "panel")


@cache
def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def theme() -> str:
    """Return the style sheet with the colours and the font that all pages share."""
    return _file("theme.css")


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
    fields = {
        "title": escape(title),
        "heading": escape(title),
        "home": back,
        "style": "".join(_file(f"{name}.css") for name in _STYLES),
        "script": "".join(_file(f"{name}.js") for name in _SCRIPTS),
        # no "<" may stand in a script element
        "data": json.dumps(payload, separators=(",", ":"), ensure_ascii=False).replace(
            "<", "\\u003c"
        ),
    }
    text = _file("page.html")
    before, *rest = text.split("{{")
    pieces = [before]
    for piece in rest:
        name, _, after = piece.partition("}}")
        pieces += [fields[name], after]
    return "".join(pieces)
