"""The page's static files: those of the replay page, and the ones for playing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from ryugi_engine.records.webpage import FOLDER, STYLES, filled, import_map, modules, source

_FOLDER = Path(__file__).parent / "page"
_STYLES = ("live", "own")
#: Modules import one another by names like ``web/live.js``, see :func:`import_map`.
_MAP = import_map({"records/": "/records/", "web/": "/web/"})
_HASH = b64encode(sha256(_MAP.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; script-src 'self' 'sha256-{_HASH}'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
    return filled(
        title="ryugi-engine",
        heading="ryugi-engine",
        style=links,
        script=f'<script type="importmap">{_MAP}</script>\n'
        '<script type="module" src="/web/connection.js"></script>',
        data="null",
        tools=_own("tools.html"),
        panel=_own("panel.html"),
        dialogs=_own("dialogs.html") + _own("own.html") + _own("study.html"),
        symbols=_own("symbols.html"),
    ).replace('href="data:,"', f'href="{escape("/icon.svg")}"')


def assets() -> list[Asset]:
    """Return all files that the server serves, by URL path."""
    files = [Asset("/", _index().encode(), "text/html")]
    for name, text in (modules(FOLDER) | modules(_FOLDER)).items():
        files.append(Asset(f"/{name}", text.encode(), "text/javascript"))
    for name in STYLES:
        files.append(Asset(f"/{name}.css", source(f"{name}.css").encode(), "text/css"))
    for name in _STYLES:
        files.append(Asset(f"/{name}.css", _own(f"{name}.css").encode(), "text/css"))
    icon = Path(__file__).parents[1] / "icon.svg"
    files.append(Asset("/icon.svg", icon.read_bytes(), "image/svg+xml"))
    return files
