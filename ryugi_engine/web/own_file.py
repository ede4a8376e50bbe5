"""A user's own file of games: TOML, of which one game at a time is replaced or removed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading, writing
from ryugi_engine.files.locks import locked
from ryugi_engine.files.output import CHANGED
from ryugi_engine.games.definitions import file_text, read_text

_HEADER = re.compile(r"""\s*\[\[?\s*["']?([^\].\s"']+)""")


class OwnFile:
    """The file; missing before the first game is kept."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        """``tell`` gets warnings."""
        self.path, self._tell = path, tell

    def text(self) -> str:
        """Return what is in it; UserError if it cannot be read."""
        return file_text(self.path) if self.path.exists() else ""

    def games(self) -> dict[str, Mapping[str, Any]]:
        """Return the tables of its games by name; UserError for what is no TOML."""
        text = self.text()
        if not _tables(text):
            return {}
        return {reader.name: reader.table for reader in read_text(text, str(self.path))}

    def put(self, name: str, definition: str) -> None:
        """Write a game's definition, in the place of an earlier one of its name.

        All else stays as it is. UserError if that cannot be done.
        """
        with reading.naming(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.path, self._tell):
                before = self.text()
                after = replaced(before, name, definition)
                wanted = dict(_tables(before)) | {name: _tables(definition)[name]}
                self._write(after, wanted)

    def remove(self, name: str) -> None:
        """Remove a game's definition."""
        with reading.naming(self.path), locked(self.path, self._tell):
            before = self.text()
            wanted = {key: table for key, table in _tables(before).items() if key != name}
            self._write(replaced(before, name, ""), wanted)

    def _write(self, text: str, wanted: Mapping[str, Any]) -> None:
        try:
            whole = tomllib.loads(text) == wanted
        except tomllib.TOMLDecodeError:
            whole = False
        if not whole:
            raise UserError(f"{self.path}: its tables are interlaced: change it in an editor")
        if len(text.encode()) > reading.MAX_DEFINITIONS:
            kilobytes = reading.MAX_DEFINITIONS >> 10
            raise UserError(f"{self.path}: more than {kilobytes} KB: move games to other files")
        writing.write_whole(self.path, text, CHANGED)


def _tables(text: str) -> dict[str, Any]:
    """Return what a text defines; UserError if it is no TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        read_text(text, "the file of your own games")  # which says what is wrong
        raise


def replaced(text: str, name: str, definition: str) -> str:
    """Return a file's text with another definition of a game, or with none: the empty text."""
    kept: list[str] = []
    place, inside = -1, False
    for line in text.splitlines(keepends=True):
        if header := _HEADER.match(line):
            inside = header[1] == name
            if inside and place < 0:
                place = len(kept)
        if not inside:
            kept.append(line)
    before, after = "".join(kept[:place] if place >= 0 else kept), "".join(kept[max(place, 0) :])
    parts = [before.rstrip(), definition.strip(), after.strip() if place >= 0 else ""]
    return "\n\n".join(part for part in parts if part) + "\n"
