"""XBoard's settings file, read as XBoard does.

Source: the manual page of XBoard 4.9.1, and what it saves again after reading a file. An option
begins with ``-`` or ``/``. Its value follows blanks, ``=`` or ``:``; it is one word, or in braces,
or in quotation marks with escapes. A semicolon begins a comment; an option's last value counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ryugi_engine.errors import UserError

#: The option with the list of the dialog Engine > Load: a line an engine.
ENGINES = "firstChessProgramNames"
#: Options with the name of a file that is read in their place, and saved to from then on.
_FILES = ("settingsFile", "ini")
_TOKEN = re.compile(
    r"""[ \t\r\n]+
      | ;[^\n]*
      | [-/](?P<name>[^ =:\t\r\n]*)(?:[ =:\t\r]*+(?P<value>
            \{[^}]*(?:\}|\Z)
            | "[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)
            | '[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\Z)
            | (?![-/][A-Za-z]\w*(?:[ =:\t\r\n]|\Z))[^ \t\r\n]+))?  # no option of its own
      | @[ =:\t\r]*+[^ \t\r\n]++
      | [^\t\n]+
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Setting:
    """A value, and its span in the text with all that quotes it."""

    name: str
    value: str
    span: tuple[int, int]


def _escaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 8) % 256) if match[1] else _LETTERS.get(match[2], match[2])


def settings(text: str) -> Iterator[Setting]:
    """Yield the settings that have a value, in the order of the text."""
    for match in _TOKEN.finditer(text):
        raw = match["value"]
        if raw is None:
            continue
        value = raw
        if raw[0] in "{'\"":
            closed = len(raw) > 1 and raw[-1] == {"{": "}"}.get(raw[0], raw[0])
            value = raw[1 : len(raw) - closed]
        if raw[0] in "'\"":
            value = _ESCAPE.sub(_escaped, value)
        # XBoard skips the letter wherever it stands
        yield Setting(match["name"], value.replace("\r", ""), match.span("value"))


def engines(text: str) -> Setting | None:
    """Return XBoard's list of engines, one a line; None if the settings have none."""
    results = [setting for setting in settings(text) if setting.name == ENGINES]
    return results[-1] if results else None


def file_of(text: str) -> Path | None:
    """Return the existing settings file that these settings refer to; None if there is none."""
    names = [setting.value for setting in settings(text) if setting.name in _FILES]
    path = Path(names[-1]).expanduser() if names else None
    return path if path is not None and path.is_file() else None


def with_engines(path: Path, text: str, lines: list[str]) -> str:
    """Return a file's text with another list of engines; UserError if XBoard would not read it."""
    result, value = engines(text), "\n".join(lines) + "\n"
    newline = "\r\n" if "\r\n" in text else "\n"
    quoted = "{" + value + "}"
    if "}" in value:
        quoted = '"' + re.sub(r'[\\"]', r"\\\g<0>", value) + '"'
    quoted = quoted.replace("\n", newline)
    if result is not None:
        start, end = result.span
        new = text[:start] + quoted + text[end:]
    else:
        begin = "" if not text or text.endswith("\n") else newline
        new = f"{text}{begin}-{ENGINES} {quoted}{newline}"
    again = engines(new)
    hidden = any(ENGINES in one.value for one in settings(text) if one.name != ENGINES)
    if hidden or again is None or again.value != value:
        raise UserError(f"{path}: XBoard would not find a list of engines in this file")
    return new
