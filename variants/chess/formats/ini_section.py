"""A section of ``variants.ini``: its keys, and what it inherits.

Sets of pieces are kept by the names of pieces: a section that inherits may give other letters.
Values are read as Fairy-Stockfish reads them: up to what it cannot read, which a remark names.
"""

from __future__ import annotations

import re
from typing import Any

from ryugi_engine.errors import did_you_mean
from ryugi_engine.games.definitions import DefinitionError
from variants.chess.definition.betza import without_unplayed
from variants.chess.formats.ini_keys import (
    CUSTOM,
    IDLE,
    KEYS,
    MISSING,
    OLD_KEYS,
    OWN,
    PIECES,
    Key,
    order,
)

#: A value with what may stand after it.
_COMMENT = re.compile(r"(?<!\s)\s++[#;].*")
_SQUARES = re.compile(r"[A-Za-z*]([1-9][0-9]?|\*)\Z")
_PAIRS = {
    "limits": re.compile(r"\s*([A-Za-z])\s*\S\s*([0-9]{1,3})(?![0-9])", re.ASCII),
    "pairs": re.compile(r"\s*([A-Za-z])\s*\S\s*([A-Za-z-])"),
}
_FLAGS = ("true", "false")
#: Maximum number of remarks about a file; of further ones a section only keeps the number.
MAX_REMARKS = 100


class Section:
    """A section with what it inherits: pieces by name, and values by key."""

    def __init__(self, path: str, name: str, line: int, parent: Section | None) -> None:
        self.path, self.name, self.line = path, name, line
        self.letters: dict[str, str] = dict(parent.letters) if parent else {}
        self.moves: dict[str, str] = dict(parent.moves) if parent else {}
        self.values: dict[str, Any] = dict(parent.values) if parent else {}
        for key in OWN:
            self.values.pop(key, None)
        self.lines: dict[str, int] = {}
        #: What has been passed over, as errors that say so.
        self.remarks: list[DefinitionError] = []
        #: Number of remarks that are not kept.
        self.further = 0
        self._given: dict[str, str] = {}

    def fail(self, key: str, reason: str) -> DefinitionError:
        """Return the error about a key, with its line."""
        line = self.lines.get(key, self.line)
        return DefinitionError(self.path, line, f"{self.name}.{key}" if key else self.name, reason)

    def _remark(self, key: str, reason: str) -> None:
        if len(self.remarks) < MAX_REMARKS:
            self.remarks.append(self.fail(key, reason))
        else:
            self.further += 1

    def add(self, key: str, value: str, line: int) -> None:
        """Add a key; DefinitionError for a value that no definition can express."""
        before = self.lines.get(key)
        self.lines[key] = line  # of a key that stands there twice the last one counts
        known = key in KEYS or key in OLD_KEYS or key in PIECES or key in CUSTOM
        if not known and key not in MISSING and not key.startswith("mobilityRegion"):
            if key not in IDLE:
                looked_up = len(self.remarks) < MAX_REMARKS  # it takes a millisecond
                near = did_you_mean(key[:40], (*KEYS, *PIECES)) if looked_up else ""
                hint = f", {near}" if near else ""
                self._remark(key, f"is passed over: it is not a known key{hint}")
        elif not value:
            self._remark(key, "is passed over: it has no value")
            if before is not None:
                self.lines[key] = before
        elif key in MISSING:
            if value == "true":
                raise self.fail(key, "can only be false, see LIMITS.md")
        else:
            self._given[key] = value

    def close(self) -> None:
        """Read the section's own keys: pieces first, which the others name by their letters."""
        for key in sorted(self._given, key=_place):
            if key in PIECES or key in CUSTOM:
                self._piece(key, _COMMENT.sub("", self._given[key]))
        if "doubleStepRank" in self._given:
            self._given.pop("doubleStepRankMin", None)
        for key in sorted(self._given, key=order):
            text = self._given[key]
            if key.startswith("mobilityRegion"):
                self.values[key] = self._region_of(key, text)
            elif key in KEYS:
                value = self._value(key, KEYS[key], text)
                self.values |= dict.fromkeys(KEYS[key].sets, value)
            elif key in OLD_KEYS:
                self._old(key, OLD_KEYS[key], text)

    def _piece(self, key: str, text: str) -> None:
        letter, rest = text[:1], text[1:].strip()
        if letter == "-":
            self._remove(key)
            return
        if not re.fullmatch("[a-zA-Z]", letter):
            raise self.fail(key, f"'{letter}' is not a letter")
        colon = rest[:1] == ":"
        if key in CUSTOM and not colon:
            raise self.fail(key, "needs its moves, as in m:RN")
        if rest and key not in CUSTOM and not (colon and key == "king"):
            reason = "it has its moves already" if colon else "a piece has one letter"
            self._remark(key, f"'{rest[:20]}' is passed over: {reason}")
            rest = ""
        for name in [n for n, other in self.letters.items() if other == letter.upper()]:
            self._remove(name)
        self.letters[key] = letter.upper()
        self.moves[key] = self._played(key, rest[1:].strip()) if rest else PIECES[key]
        if key in CUSTOM and "e" in self.moves[key]:
            for side in ("White", "Black"):
                name = f"enPassantTypes{side}"
                self.values[name] = frozenset({*self.values.get(name, {"pawn"}), key})

    def _played(self, key: str, moves: str) -> str:
        """Return a piece's moves without those that Fairy-Stockfish does not play."""
        try:
            moves, unplayed = without_unplayed(moves)
        except ValueError:
            return moves  # which is a fault of the piece
        if unplayed:
            self._remark(key, f"'{unplayed[:20]}' is passed over: Fairy-Stockfish does not play it")
        return moves

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
        return self._region(key, value)

    def _old(self, key: str, kind: Key, text: str) -> None:
        """Read a key of old files as what it stands for today."""
        if kind.kind == "top":
            if self._flag(key, text):
                self.values["enclosingDrop"] = "top"
            return
        if kind.kind in ("region", "set"):
            self.values |= dict.fromkeys(kind.sets, self._value(key, kind, text))
            return
        number, size = self._number(key, text), self.values.get("maxRank", "8")
        ranks = int(size) if re.fullmatch("[0-9]{1,2}", size, re.ASCII) else 8
        if not 1 <= number <= ranks:
            self._remark(key, f"is passed over: {number} is not a rank of the board")
            return
        first = {"zone": (number, ranks), "second rank": (number, 2), "ranks": (2, number)}
        low, high = first[kind.kind]
        both = (range(low, high + 1), range(ranks + 1 - high, ranks + 2 - low))
        for name, some in zip(kind.sets, both, strict=True):
            self.values[name] = " ".join(f"*{rank}" for rank in some) or "-"

    def _value(self, key: str, kind: Key, text: str) -> Any:
        if kind.kind == "flag":
            return self._flag(key, text)
        text = _COMMENT.sub("", text)
        if kind.kind == "set":
            return self._names(key, text)
        if kind.kind in ("pairs", "limits"):
            return self._pairs(key, kind.kind, text)
        if kind.kind == "number":
            return self._number(key, text)
        return self._region(key, text) if kind.kind == "region" else text

    def _flag(self, key: str, text: str) -> bool:
        if text not in _FLAGS and _COMMENT.sub("", text) != "false":
            self._remark(key, f"'{text[:20]}' is neither true nor false: it means false")
        return text == "true"

    def _number(self, key: str, text: str) -> int:
        text = _COMMENT.sub("", text)
        match = re.match(r"[+]?([0-9]{1,6})(?![0-9])", text, re.ASCII)
        if match is None:
            raise self.fail(key, f"'{text[:20]}' is not a whole number")
        self._left_over(key, text[match.end() :])
        return int(match[1])

    def _left_over(self, key: str, text: str) -> None:
        """Remark on the end of a value, from where Fairy-Stockfish reads no further."""
        if text.strip():
            self._remark(key, f"'{text.strip()[:20]}' is passed over")

    def _region(self, key: str, text: str) -> str:
        words = _COMMENT.sub("", text).split()
        for at, word in enumerate(words):
            if word == "-" or not _SQUARES.match(word):
                self._left_over(key, " ".join(words[at:]).removeprefix("-"))
                return " ".join(words[:at]) or "-"
        return " ".join(words) or "-"

    def _name_of(self, letter: str) -> str | None:
        """Return the name of the piece with a letter."""
        return next((n for n, other in self.letters.items() if other == letter.upper()), None)

    def _names(self, key: str, text: str) -> frozenset[str]:
        """Return the names of pieces by their letters; ``*`` stands for all."""
        found: set[str] = set()
        for at, letter in enumerate(text):
            name = "*" if letter == "*" else self._name_of(letter)
            if name is None and not letter.isspace():
                self._left_over(key, text[at:].removeprefix("-"))
                break
            found |= {name} if name else set()
        return frozenset("*") if "*" in found else frozenset(found)

    def _pairs(self, key: str, kind: str, text: str) -> dict[str, Any]:
        """Return ``p:g s:g`` by names, or ``q:1 r:2``; it adds to what is inherited."""
        found: dict[str, Any] = dict(self.values.get(key, {}))
        at = 0
        while match := _PAIRS[kind].match(text, at):
            name, value = self._name_of(match[1]), match[2]
            other = value if kind == "limits" or value == "-" else self._name_of(value)
            if name is None or other is None:
                break
            if other == "-":
                found.pop(name, None)
            else:
                found[name] = int(other) if kind == "limits" else other
            at = match.end()
        self._left_over(key, text[at:])
        return found


def _place(key: str) -> int:
    """Return when a piece is read."""
    names = [*PIECES, *CUSTOM]
    last = len(names)
    return last if key == "king" else names.index(key) if key in names else last + 1
