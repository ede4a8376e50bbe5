"""Decode and encode files of records: UTF-8, Windows-1252 with Latin-1, or both, and UTF-16.

A byte that is no UTF-8 is one of Windows-1252, of which Latin-1 is a part. In the text it is a lone
surrogate (PEP 383); :func:`legible` shows it. So every file is written back byte for byte, joined
ones of both kinds too. With its byte order mark UTF-16 is read and written as well.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ryugi_engine.errors import UserError

_ESCAPED = re.compile("[\udc80-\udcff]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def _marked(raw: bytes) -> tuple[bytes, str]:
    """Return the byte order mark of a file, and its encoding."""
    return next(((mark, name) for mark, name in _MARKS if raw.startswith(mark)), (b"", "utf-8"))


def decoded(path: Path | str, raw: bytes) -> str:
    """Return a file's text without byte order mark; UserError for broken UTF-16."""
    mark, encoding = _marked(raw)
    errors = "surrogateescape" if encoding == "utf-8" else "strict"
    try:
        return raw[len(mark) :].decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: this is no {encoding.upper()} text: {error.reason}") from None


def encoded(text: str, old: bytes | None) -> bytes:
    """Return a text's bytes in the encoding of ``old``, the file's bytes until now, if any."""
    mark, encoding = _marked(old or b"")
    return mark + text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict")


def _character(match: re.Match[str]) -> str:
    byte = bytes([ord(match[0]) - 0xDC00])
    try:
        return byte.decode("cp1252")
    except UnicodeDecodeError:
        return byte.decode("latin-1")


def legible(text: str) -> str:
    """Return a part of a file's text with bytes of Windows-1252 shown as their characters."""
    return text if text.isascii() else _ESCAPED.sub(_character, text)


def encoding_of(text: str) -> str:
    """Return ``cp1252`` if a file's text is ASCII and bytes that are no UTF-8, else ``utf-8``."""
    foreign = _ESCAPED.search(text) is not None
    return "cp1252" if foreign and _ESCAPED.sub("", text).isascii() else "utf-8"


def spelled(words: str, encoding: str) -> str:
    """Convert new text for a file of ``encoding``; characters without a byte in it stay as is."""
    if encoding == "utf-8" or words.isascii():
        return words
    return "".join(_byte(letter) for letter in words)


def _byte(letter: str) -> str:
    try:
        raw = letter.encode("cp1252")
    except UnicodeEncodeError:
        return letter
    return raw.decode("ascii", "surrogateescape")
