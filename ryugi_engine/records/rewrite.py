"""Write changed games into the text that they were read from; all others keep their bytes.

A changed game is rewritten, its moves as they were spelled. See :mod:`ryugi_engine.records.pgn`
for the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ryugi_engine.records.encoding import encoding_of, spelled
from ryugi_engine.records.pgn import Record, format_record
from ryugi_engine.records.pgn_tokens import EOL

_EOL = re.compile(EOL)


def rewritten(text: str, records: Sequence[Record]) -> str:
    """Return a file's text with changed ``records``, which were read from it."""
    newline, encoding = newline_of(text), encoding_of(text)
    parts: list[str] = []
    at = 0
    for record in sorted(records, key=lambda record: record.span):
        start, end = record.span
        parts.append(text[at:start])
        if start and text[start - 1] not in "\r\n":
            parts.append(2 * newline)
        parts.append(_formatted(record, encoding, newline))
        if text[end:].strip() and text[end] not in "\r\n":
            parts.append(2 * newline)
        at = end
    return "".join([*parts, text[at:]])


def _formatted(record: Record, encoding: str, newline: str) -> str:
    """Return a game's text without the lines after it."""
    return spelled(format_record(record).rstrip("\n"), encoding).replace("\n", newline)


def newline_of(text: str) -> str:
    """Return the line ending of a text's first line."""
    match = _EOL.search(text)
    return "\n" if match is None else match.group()


def appended(text: str, record: Record) -> str:
    """Return a file's text with one more game at its end."""
    newline = newline_of(text)
    ends = len(_EOL.findall(text[len(text.rstrip()) :]))
    blank = newline * max(0, 2 - ends) if text else ""
    return text + blank + _formatted(record, encoding_of(text), newline) + 2 * newline
