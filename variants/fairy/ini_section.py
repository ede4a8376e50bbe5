"""A section of ``variants.ini``: its keys, and what it inherits.

Sets of pieces are kept by the names of pieces: a section that inherits may give other letters.
"""

from __future__ import annotations

import re
from typing import Any

from ryugi_engine.games.definitions import DefinitionError
from variants.fairy.ini_keys import FIXED, IDLE, KEYS, Key
from variants.fairy.ini_pieces import CUSTOM, PIECES

#: What a word of a list by pieces looks like.
_LIKE = {"limits": "q:1", "pairs": "p:g"}
_PIECE_SET = re.compile(r"[A-Za-z* -]*\Z")


class Section:
    """A section with what it inherits: pieces by name, and values by key."""

    def __init__(self, path: str, name: str, line: int, parent: Section | None) -> None:
        self.path, self.name, self.line = path, name, line
        self.letters: dict[str, str] = dict(parent.letters) if parent else {}
        self.moves: dict[str, str] = dict(parent.moves) if parent else {}
        self.values: dict[str, Any] = dict(parent.values) if parent else {}
        self.lines: dict[str, int] = {}
        self._given: dict[str, str] = {}

    def fail(self, key: str, reason: str) -> DefinitionError:
        """Return the error about a key, with its line."""
        line = self.lines.get(key, self.line)
        return DefinitionError(self.path, line, f"{self.name}.{key}" if key else self.name, reason)

    def add(self, key: str, value: str, line: int) -> None:
        """Note a key; DefinitionError for what no definition can say."""
        self.lines[key] = line  # of a key that stands there twice the last one counts
        if key in FIXED:
            if value.lower() not in FIXED[key]:
                raise self.fail(key, f"can only be {FIXED[key][0]}, see LIMITS.md")
        elif key in PIECES or key in CUSTOM or key in KEYS or key.startswith("mobilityRegion"):
            self._given[key] = value
        elif key not in IDLE:
            raise self.fail(key, "is not a known key")

    def close(self) -> None:
        """Read the section's own keys: pieces first, which the others name by their letters."""
        for key in sorted(self._given, key=_order):
            if key in PIECES or key in CUSTOM:
                self._piece(key, self._given[key].strip())
        for key, value in self._given.items():
            if key.startswith("mobilityRegion"):
                self.values[key] = self._region_of(key, value)
            elif key in KEYS:
                for name in KEYS[key].sets:
                    self.values[name] = self._value(key, KEYS[key], value)

    def _piece(self, key: str, text: str) -> None:
        letter, colon, betza = (part.strip() for part in text.partition(":"))
        if letter == "-":
            self._remove(key)
            return
        if not re.fullmatch("[a-zA-Z]", letter):
            raise self.fail(key, f"'{letter[:20]}' is not a letter")
        if key in CUSTOM and not colon:
            raise self.fail(key, "needs its moves, as in m:RN")
        if colon and key not in CUSTOM and key != "king":
            raise self.fail(key, "has its moves already")
        for name in [n for n, other in self.letters.items() if other == letter.upper()]:
            self._remove(name)
        self.letters[key] = letter.upper()
        self.moves[key] = betza if colon else PIECES[key]
        if key in CUSTOM and "e" in self.moves[key]:
            for side in ("White", "Black"):
                name = f"enPassantTypes{side}"
                self.values[name] = frozenset({*self.values.get(name, {"pawn"}), key})

    def _remove(self, name: str) -> None:
        self.letters.pop(name, None)
        for side in ("White", "Black"):
            key = f"promotionPieceTypes{side}"
            self.values[key] = frozenset(self.values.get(key, frozenset())) - {name}

    def _region_of(self, key: str, value: str) -> str:
        match = re.fullmatch("mobilityRegion(White|Black)([A-Z][A-Za-z]*[0-9]*)", key)
        name = match[2][0].lower() + match[2][1:] if match else ""
        if name not in PIECES and name not in CUSTOM:
            raise self.fail(key, "names no piece")
        return value

    def _value(self, key: str, kind: Key, text: str) -> Any:
        if kind.kind == "set":
            return self.names(key, text)
        if kind.kind in ("pairs", "limits"):
            return self._pairs(key, kind.kind, text)
        if kind.kind == "flag":
            if text.lower() not in ("true", "false"):
                raise self.fail(key, "must be true or false")
            return text.lower() == "true"
        if kind.kind == "number":
            if not re.fullmatch("[0-9]{1,6}", text, re.ASCII):
                raise self.fail(key, f"'{text[:20]}' is not a whole number")
            return int(text)
        return text

    def name_of(self, key: str, letter: str) -> str:
        """Return the name of the piece with a letter."""
        for name, other in self.letters.items():
            if other == letter.upper():
                return name
        raise self.fail(key, f"'{letter}' is not one of the pieces")

    def names(self, key: str, text: str) -> frozenset[str]:
        """Return the names of pieces by their letters; ``*`` stands for all."""
        if not _PIECE_SET.match(text):
            raise self.fail(key, f"'{text[:20]}' is not a list of pieces")
        letters = text.replace(" ", "")
        if "*" in letters:
            return frozenset("*")
        return frozenset(self.name_of(key, letter) for letter in letters.replace("-", ""))

    def _pairs(self, key: str, kind: str, text: str) -> dict[str, Any]:
        """Return ``p:g s:g`` by names, or ``q:1 r:2``; it adds to what is inherited."""
        found: dict[str, Any] = dict(self.values.get(key, {}))
        for word in ":".join(part.strip() for part in text.split(":")).split():
            first, colon, second = word.partition(":")
            wanted = "[0-9]{1,3}" if kind == "limits" else "."
            if not colon or len(first) != 1 or not re.fullmatch(wanted, second, re.ASCII):
                raise self.fail(key, f"'{word[:20]}' is not like {_LIKE[kind]}")
            name = self.name_of(key, first)
            if kind == "limits":
                found[name] = int(second)
            elif second == "-":
                found.pop(name, None)
            else:
                found[name] = self.name_of(key, second)
        return found


def _order(key: str) -> int:
    names = [*PIECES, *CUSTOM]
    last = len(names)
    return last if key == "king" else names.index(key) if key in names else last + 1
