"""Parts of HTML that the sections of a study's page share."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def link_to(heading: str) -> str:
    """Return the name of a section in links."""
    return heading.lower().replace(" ", "-")


def table(identity: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of HTML cells; a column whose head ends in ``#`` holds numbers."""
    kinds = [' class="n"' if word.endswith("#") else "" for word in head]
    lines = [f'<div class="scroll"><table id="{identity}">', "<thead><tr>"]
    lines += [f"<th{k}>{escape(w.rstrip('#'))}</th>" for k, w in zip(kinds, head, strict=True)]
    lines.append("</tr></thead>\n<tbody>")
    for row in rows:
        cells = (f"<td{k}>{cell}</td>" for k, cell in zip(kinds, row, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>\n</table></div>"])


def cell(text: str) -> str:
    """Return a figure in words as a cell of a table: its interval stands below."""
    value, bracket, rest = text.partition(" (")
    return (
        f"{escape(value)}<br><small>{escape(rest.rstrip(')'))}</small>" if bracket else escape(text)
    )
