"""Reading files of game definitions: TOML tables; every error names line and key.

Every top-level table defines the game of the table's name; its key ``family`` names the package of
games that it belongs to.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError, did_you_mean
from ryugi_engine.files import reading
from ryugi_engine.text.plain_text import plain

NAME = re.compile(r"[a-z][a-z0-9-]{0,39}\Z")
#: Maximum length of a text, and number of a game's aliases.
MAX_TEXT, MAX_ALIASES = 200, 20
#: Maximum nesting of tables and lists, and dots in a line: dotted keys nest, too.
_MAX_NESTING, _MAX_DOTS = 8, 100
#: Maximum length of what a message quotes.
_QUOTED = 60


class DefinitionError(UserError):
    """A fault in a definition file, with path, line and key."""

    def __init__(self, path: str, line: int, key: str, reason: str) -> None:
        self.path, self.line = path, line
        self.key, self.reason = plain(key[:_QUOTED]), plain(reason[: 5 * _QUOTED])
        super().__init__(f"{path}:{line}: {self.key}: {self.reason}")


_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_\"'.-]+)\s*=")


def _key_lines(text: str) -> dict[str, int]:
    """Return the line, from 1, of every table header and key by its dotted name."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = header.group(1).replace('"', "").replace("'", "").replace(" ", "")
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            name = key.group(1).replace('"', "").replace("'", "")
            lines.setdefault(f"{table}.{name}" if table else name, number)
    return lines


class Reader:
    """Typed access to one table; errors name the line of the key."""

    def __init__(self, path: str, name: str, table: Mapping[str, Any], lines: dict[str, int]):
        self.path, self.name, self.table, self.lines = path, name, table, lines
        self.known: set[str] = set()

    def fail(self, key: str, reason: str) -> DefinitionError:
        """Return a DefinitionError that names the line of ``key``; "": that of the table."""
        full = f"{self.name}.{key}" if key else self.name
        line = self.lines.get(full) or self.lines.get(full.rsplit(".", 1)[0], 0)
        return DefinitionError(self.path, line or self.lines.get(self.name, 1), full, reason)

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """Return the value of a key; without a default the key is required."""
        self.known.add(key)
        if key not in self.table:
            if default is None:
                import difflib  # an error's only

                near = difflib.get_close_matches(
                    key, self.table.keys() - self.known, n=1, cutoff=0.8
                )
                if near:
                    raise self.fail(near[0], f"is not a known key, did you mean '{key}'?")
                raise self.fail(key, "is missing")
            return default
        value = self.table[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            wanted = {str: "a text", int: "a whole number", list: "a list", dict: "a table"}[kind]
            raise self.fail(key, f"must be {wanted}")
        if isinstance(value, str):
            self._check_text(key, value, MAX_TEXT)
        return value

    def text(self, key: str, longest: int) -> str:
        """Return a required text of up to ``longest`` letters."""
        self.known.add(key)
        if not isinstance(self.table.get(key), str):
            return str(self.get(key, str))  # which refuses it
        value: str = self.table[key]
        self._check_text(key, value, longest)
        return value

    def _check_text(self, key: str, value: str, longest: int) -> None:
        """Refuse long texts and control characters: texts are shown in terminals and GUIs."""
        if len(value) > longest:
            raise self.fail(key, f"is longer than {longest} letters")
        for letter in value:
            if not letter.isprintable():
                raise self.fail(key, f"{letter!r} cannot stand in a text")

    def flag(self, key: str, default: bool) -> bool:
        """Return a boolean."""
        self.known.add(key)
        value = self.table.get(key, default)
        if not isinstance(value, bool):
            raise self.fail(key, "must be true or false")
        return value

    def choice(self, key: str, names: Sequence[str]) -> str:
        """Return one of some names, the first by default."""
        value: str = self.get(key, str, names[0])
        if value not in names:
            known = ", ".join(name for name in names if name)
            raise self.fail(key, f"must be one of {known}")
        return value

    def aliases(self) -> tuple[str, ...]:
        """Return the aliases of the game."""
        aliases = self.get("aliases", list, [])
        if not all(isinstance(alias, str) and NAME.match(alias) for alias in aliases):
            raise self.fail("aliases", "must be a list of names")
        if len(aliases) > MAX_ALIASES:
            raise self.fail("aliases", f"more than {MAX_ALIASES} names")
        return tuple(aliases)

    def finish(self) -> None:
        """Raise DefinitionError if the table has a key that has not been read."""
        for key in self.table:
            if key not in self.known and key != "family":
                near = did_you_mean(key, self.known)
                raise self.fail(key, "is not a known key" + (f", {near}" if near else ""))

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return an integer of ``low..high``."""
        value: int = self.get(key, int, default)
        if not low <= value <= high:
            # printing a number of a thousand digits fails
            shown = value if abs(value) < 10**12 else "the number"
            raise self.fail(key, f"{shown} is not in {low}..{high}")
        return value

    def letters(self, key: str, allowed: str, default: str) -> str:
        """Return a text of different letters, each one of ``allowed``."""
        value: str = self.get(key, str, default)
        for letter in value:
            if letter not in allowed:
                raise self.fail(key, f"'{letter}' is not one of the pieces {allowed}")
        if len(set(value)) != len(value):
            raise self.fail(key, f"a letter stands twice in '{value}'")
        return value


def _too_deep(document: Any) -> bool:
    """Return whether tables and lists are nested too deeply."""
    level = [document]
    for _ in range(_MAX_NESTING):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inner += value.values()
            elif isinstance(value, list):
                inner += value
        level = inner
    return bool(level)


def _line_where(text: str, fits: Callable[[str], object]) -> int:
    """Return the number of the first line for which ``fits`` is true; 0 if there is none."""
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if fits(line)), 0)


def _quotes_missing(lines: Sequence[str]) -> str:
    """Return a hint for a line like ``key = word``; "" for any other."""
    bare = re.match(r"""[^#"']*=\s*(\[\s*)?([A-Za-z][^\s"'#,\]}]*)""", lines[0]) if lines else None
    if bare is None or bare[2] in ("true", "false", "inf", "nan"):
        return ""
    return f'; a text stands in quotes: "{bare[2][:40]}"'


def _parsed(text: str, path: str) -> dict[str, Any]:
    """Parse a text as TOML; DefinitionError for the first fault."""

    def fail(line: int, reason: str) -> DefinitionError:
        return DefinitionError(path, line, "(syntax)", reason)

    deep = f"brackets or keys more than {_MAX_NESTING} deep in one another"
    # the TOML reader's time grows with the square of a dotted key's length
    if line := _line_where(text, lambda line: line.count(".") > _MAX_DOTS):
        raise fail(line, f"more than {_MAX_DOTS} dots in a line")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place.group(1)) if place else len(text.splitlines()) or 1
        reason = str(error).rpartition(" (at ")[0] or str(error)
        raise fail(line, reason + _quotes_missing(text.splitlines()[line - 1 : line])) from None
    except RecursionError:
        line = _line_where(text, lambda line: len(re.findall(r"[\[{]", line)) > _MAX_NESTING)
        raise fail(line or 1, deep) from None
    except ValueError:  # Python's own, of a whole number with thousands of digits
        line = _line_where(text, lambda line: re.search("[0-9_]{400}", line))
        raise fail(line or 1, "a number with too many digits") from None
    if _too_deep(document):
        raise fail(1, deep)
    return document


def read_text(text: str, path: str) -> list[Reader]:
    """Return a reader for every table of a file's text; DefinitionError for the first fault."""
    document = _parsed(text, path)
    lines = _key_lines(text)
    for key, value in document.items():
        if not isinstance(value, dict):
            raise DefinitionError(path, lines.get(key, 1), key, "must stand in a game's table")
    if not document:
        raise DefinitionError(path, 1, "(file)", "defines no game")
    readers = [Reader(path, name, table, lines) for name, table in document.items()]
    for reader in readers:
        if not NAME.match(reader.name):
            raise reader.fail("", "a game's name is lower-case letters, digits and hyphens")
    return readers


def file_text(path: Path) -> str:
    """Read a definition file; UserError if that fails."""
    with reading.naming(path):
        return reading.read_text(path, reading.MAX_DEFINITIONS)


def ini_text(path: Path) -> str:
    """Read a ``variants.ini``, which may hold hundreds of games; UserError if that fails."""
    with reading.naming(path):
        return reading.read_text(path, reading.MAX_INI)


def read_file(path: Path) -> list[Reader]:
    """Return the readers of a file's tables; UserError if it cannot be read."""
    return read_text(file_text(path), str(path))
