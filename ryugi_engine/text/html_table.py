"""A table of HTML, for pages that are written as one file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(identity: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of HTML cells; a column whose head ends in ``#`` holds numbers."""
    kinds = [' class="n"' if word.endswith("#") else "" for word in head]
    lines = [f'<table id="{identity}">', "<thead><tr>"]
    lines += [f"<th{k}>{escape(w.rstrip('#'))}</th>" for k, w in zip(kinds, head, strict=True)]
    lines.append("</tr></thead>\n<tbody>")
    for row in rows:
        cells = (f"<td{k}>{cell}</td>" for k, cell in zip(kinds, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>\n</table>"])
