"""A page of rules as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby

from ryugi_engine.games.move_diagram import draw_diagram
from ryugi_engine.games.rules_page import CODE, HEADING, ITEM, TABLE, RulesPage, blocks

#: Code, bold, a link, whose file is not here, and an address.
_INLINE = re.compile(r"`(.+?)`|\*\*(.+?)\*\*|!?\[(.+?)\]\([^)]*\)|&lt;(http.+?)&gt;")


def rules_html(page: RulesPage, start: str, figure: Callable[[str], str]) -> str:
    """Return a page's HTML; ``start`` is the SVG of the start, ``figure`` a piece's picture."""
    parts = [f'<div class="start">{start}</div>', *_written(page.text)]
    if page.pieces:
        parts.append('<div class="diagrams">')
        for piece in page.pieces:
            drawing = draw_diagram(piece.title, figure(piece.letter), piece.marks, page.board)
            parts.append(f"<figure>{drawing.svg()}</figure>")
        parts.append("</div>")
    return "".join(parts)


_STYLE = """body { margin: 0 auto; max-width: 46rem; padding: 1rem; font-family: sans-serif }
.start svg { max-width: 100%; height: auto }
.diagrams { display: flex; flex-wrap: wrap; gap: 1rem }
figure { margin: 0 }
.diagrams svg { width: 14rem; height: auto }
td, th { padding: .2rem .5rem; text-align: left; vertical-align: top }"""


def rules_file(page: RulesPage, start: str, figure: Callable[[str], str]) -> str:
    """Return a page of its own, which needs nothing else; arguments as for :func:`rules_html`."""
    title = escape(page.title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="generator" content="ryugi-engine">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"{rules_html(page, start, figure)}\n</body>\n</html>\n"
    )


def _written(text: str) -> Iterator[str]:
    for kind, group in groupby(blocks(text), key=lambda block: block[0]):
        texts = [text for _kind, text in group]
        if kind == ITEM:
            yield f"<ul>{''.join(f'<li>{_inline(text)}</li>' for text in texts)}</ul>"
        elif kind == HEADING:
            yield from (f"<h3>{_inline(text)}</h3>" for text in texts)
        elif kind == CODE:
            yield from (f"<pre>{escape(text)}</pre>" for text in texts)
        elif kind == TABLE:
            yield from map(_table, texts)
        else:
            yield from (f"<p>{_inline(text)}</p>" for text in texts)


def _inline(text: str) -> str:
    def shown(match: re.Match[str]) -> str:
        code, bold, link, address = match.groups()
        if code or bold:
            return f"<code>{code}</code>" if code else f"<b>{bold}</b>"
        return str(link or address)

    return _INLINE.sub(shown, escape(text))


def _table(text: str) -> str:
    head, _rule, *rows = ([cell.strip() for cell in row.strip("|").split("|")]
                          for row in text.splitlines())  # fmt: skip
    lines = [f"<tr>{''.join(f'<th>{_inline(cell)}</th>' for cell in head)}</tr>"]
    for row in rows:
        lines.append(f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in row)}</tr>")
    return f"<table>{''.join(lines)}</table>"
