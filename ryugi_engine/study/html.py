"""Parts of HTML that the sections of a study's page share."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ryugi_engine.text.html_table import html_table

#: What the page may load: nothing besides itself.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline';"
    " img-src data:; frame-src 'self'"
)


def link_to(heading: str) -> str:
    """Return the name of a section in links."""
    return heading.lower().replace(" ", "-")


def table(identity: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of HTML cells that scrolls by itself; see ``html_table``."""
    return f'<div class="scroll">{html_table(identity, head, rows)}</div>'


def cell(text: str) -> str:
    """Return a figure in words as a cell of a table: its interval stands below."""
    value, bracket, rest = text.partition(" (")
    return (
        f"{escape(value)}<br><small>{escape(rest.rstrip(')'))}</small>" if bracket else escape(text)
    )
