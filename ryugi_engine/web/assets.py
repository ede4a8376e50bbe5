"""The page's static files: those of the replay page, and the ones for playing."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.records.webpage import SCRIPTS, STYLES, filled, source

_FOLDER = Path(__file__).parent / "page"
#: Scripts before the first data, and after the replay page's own, in this order.
_FIRST = ("messages", "japanese", "japanese_games", "connection")
_LIVE = (
    *(
        "live",
        "choices",
        "hands",
        "play",
        "chooser",
        "player",
        "newgame",
        "placing",
        "thinking",
        "records",
        "setup",
        "owngame",
    ),
)
_STYLES = ("live",)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
    " data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Asset(NamedTuple):
    """A static file: content and media type."""

    path: str
    content: bytes
    kind: str


def _own(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _index() -> str:
    """Return the page without its data, which come through the socket."""
    names = [f"{name}.css" for name in (*STYLES, *_STYLES)]
    links = "\n".join(f'<link rel="stylesheet" href="/{name}">' for name in names)
    # connection.js adds the others once there are data to be shown
    later = " ".join(f"/{name}.js" for name in (*SCRIPTS[1:], *_LIVE))
    first = "\n".join(
        f'<script src="/{name}.js" data-later="{later}"></script>' for name in (SCRIPTS[0], *_FIRST)
    )
    return filled(
        title="ryugi-engine",
        heading="ryugi-engine",
        style=links,
        script=first,
        data="null",
        tools=_own("tools.html"),
        panel=_own("panel.html"),
        dialogs=_own("dialogs.html"),
        symbols=_own("symbols.html"),
    ).replace('href="data:,"', f'href="{escape("/icon.svg")}"')


def assets() -> list[Asset]:
    """Return all files that the server serves, by URL path."""
    files = [Asset("/", _index().encode(), "text/html")]
    for name in SCRIPTS:
        files.append(Asset(f"/{name}.js", source(f"{name}.js").encode(), "text/javascript"))
    for name in (*_FIRST, *_LIVE):
        files.append(Asset(f"/{name}.js", _own(f"{name}.js").encode(), "text/javascript"))
    for name in STYLES:
        files.append(Asset(f"/{name}.css", source(f"{name}.css").encode(), "text/css"))
    for name in _STYLES:
        files.append(Asset(f"/{name}.css", _own(f"{name}.css").encode(), "text/css"))
    icon = Path(__file__).parents[1] / "icon.svg"
    files.append(Asset("/icon.svg", icon.read_bytes(), "image/svg+xml"))
    return files
