"""Games out of Fairy-Stockfish's ``variants.ini``: as much of it as a definition can say.

Everything else is refused by line and key. Source: the comments of Fairy-Stockfish's own
``variants.ini``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ryugi_engine.games.definitions import NAME, DefinitionError, Reader, file_text
from ryugi_engine.games.notation import file_name
from variants.chess_family.definition import Definition
from variants.chess_family.ini import BUILT_IN, PIECES, write

_CUSTOM = re.compile(r"customPiece([1-9]|1[0-9]|2[0-5])\Z")

#: What a section without a parent begins with.
_DEFAULTS = {
    "maxFile": "8", "maxRank": "8", "castling": "true", "castlingKingFile": "e",
    "castlingKingsideFile": "g", "castlingQueensideFile": "c", "doubleStep": "true",
    "promotionPieceTypes": "nbrq", "nMoveRule": "50", "nFoldRule": "3",
    "startFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
}  # fmt: skip
#: Keys that change nothing here, and keys with the one value that they always have here.
_IDLE = ("variantTemplate", "pieceToCharTable", "pieceValueMg", "pieceValueEg", "nnueAlias")
_FIXED = {
    "checking": "true", "stalemateValue": "draw", "checkmateValue": "loss",
    "mandatoryPawnPromotion": "true", "mandatoryPiecePromotion": "false", "pocketSize": "0",
    "castlingRank": "1", "castlingKingPiece": "k", "pieceDrops": "false", "checkCounting": "false",
    "chess960": "false", "twoBoards": "false", "blastOnCapture": "false", "capturesToHand": "false",
    "mustCapture": "false", "tripleStep": "false", "firstRankPawnDrops": "false", "gating": "false",
    "cambodianMoves": "false", "pass": "false", "extinctionValue": "none", "mustDrop": "false",
    "immobilityIllegal": "false", "nFoldValue": "draw", "perpetualCheckIllegal": "false",
}  # fmt: skip
_READ = (
    *_DEFAULTS, "promotionRegionWhite", "promotionRegionBlack", "doubleStepRegionWhite",
    "doubleStepRegionBlack", "castlingRookKingsideFile", "castlingRookQueensideFile",
    "castlingRookPieces",
)  # fmt: skip
_HEADER = re.compile(r"\[([^][:]*+)(?::([^][]*+))?\]\Z")


class _Section:
    """A section's keys, with those of its parent, and the line of each."""

    def __init__(self, path: str, name: str, line: int, parent: _Section | None) -> None:
        self.path, self.name, self.line = path, name, line
        self.values: dict[str, str] = dict(_DEFAULTS if parent is None else parent.values)
        self.lines: dict[str, int] = {}

    def fail(self, key: str, reason: str) -> DefinitionError:
        line = self.lines.get(key, self.line)
        return DefinitionError(self.path, line, f"{self.name}.{key}" if key else self.name, reason)

    def set(self, key: str, value: str, line: int) -> None:
        """Set a key; DefinitionError for what a definition cannot express."""
        if key in self.lines:
            raise DefinitionError(self.path, line, f"{self.name}.{key}", "stands here twice")
        self.lines[key] = line
        if key in _FIXED:
            if value.lower() != _FIXED[key]:
                raise self.fail(key, f"can only be {_FIXED[key]} here")
        elif key in PIECES or _CUSTOM.match(key):
            self._piece(key, value)
        elif key not in _IDLE:
            if key not in _READ:
                raise self.fail(key, "is nothing that a definition of this engine can say")
            self.values[key] = value

    def _piece(self, key: str, value: str) -> None:
        """Set a piece's letter; ``-`` removes a parent's piece."""
        letter, colon, betza = value.partition(":")
        letter, betza = letter.strip(), betza.strip()
        if value == "-":
            self.values.pop(key, None)
        elif not re.fullmatch("[a-zA-Z]", letter):
            raise self.fail(key, f"'{letter[:20]}' is not a letter")
        elif bool(colon) != key.startswith("customPiece") and not (key == "king" and colon):
            reason = "needs its moves, as in m:RN" if not colon else "has its moves already"
            raise self.fail(key, reason)
        elif colon and not betza:
            raise self.fail(key, "needs its moves, as in m:RN")
        else:
            self.values[key] = f"{letter}:{betza}" if colon else letter

    # what a definition calls it

    def table(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Return the definition's table, and for each of its keys the key of the section."""
        values = self.values
        origin = {"files": "maxFile", "ranks": "maxRank", "start": "startFen", "royal": "king"}
        files, ranks = self._size("maxFile"), self._size("maxRank")
        pieces: dict[str, str] = {}
        table: dict[str, Any] = {"files": files, "ranks": ranks, "pieces": pieces}
        for key in values:
            if key not in PIECES and not _CUSTOM.match(key):
                continue
            letter, _, betza = values[key].partition(":")
            letter = letter.upper()
            if key == "pawn":
                table["pawn"] = letter
                origin["pawn"] = key
                continue
            if letter in pieces:
                raise self.fail(key, f"another piece is called '{letter}' already")
            pieces[letter] = betza or PIECES[key]
            origin[f"pieces.{letter}"] = key
        if "king" not in values:
            raise self.fail("king", "is missing")
        table["royal"] = values["king"][0].upper()
        if "pawn" not in table:
            # there is none: a letter that nobody has
            free = (letter for letter in "PQRSTUVWXYZ" if letter not in pieces)
            table["pawn"] = next(free, "P")
        fields = values["startFen"].split()
        fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :] if fields else []
        table["start"] = " ".join(fields)
        self._promotion(table, origin, pieces, ranks)
        self._double_step(table, origin, ranks)
        self._castling(table, origin, pieces, fields)
        rules = {}
        for name, key in (("claim_moves", "nMoveRule"), ("claim_repetition", "nFoldRule")):
            rules[name] = self._number(key)
            origin[f"rules.{name}"] = key
        table["rules"] = rules
        return table, origin

    def _number(self, key: str) -> int:
        text = self.values[key]
        if not re.fullmatch("[0-9]{1,6}", text, re.ASCII):
            raise self.fail(key, f"'{text[:20]}' is not a whole number")
        return int(text)

    def _size(self, key: str) -> int:
        text = self.values[key].lower()
        if key == "maxFile" and re.fullmatch("[a-z]", text):
            return ord(text) - ord("a") + 1
        return self._number(key)

    def _flag(self, key: str) -> bool:
        text = self.values[key].lower()
        if text not in ("true", "false"):
            raise self.fail(key, "must be true or false")
        return text == "true"

    def _promotion(
        self, table: dict[str, Any], origin: dict[str, str], pieces: Mapping[str, str], ranks: int
    ) -> None:
        key = "promotionPieceTypes"
        letters = self.values[key].upper().replace(" ", "")
        if key not in self.lines:
            letters = "".join(letter for letter in letters if letter in pieces)
        table["promotion"] = "" if letters == "-" else letters
        origin["promotion"] = key
        for region, rank in (("White", ranks), ("Black", 1)):
            key = f"promotionRegion{region}"
            last = self.values.get(key, "*8" if region == "White" else "*1").split()
            if last != [f"*{rank}"] and table["pawn"].lower() in table["start"].split()[0].lower():
                raise self.fail(key, f"can only be the last rank here, *{rank}")

    def _double_step(self, table: dict[str, Any], origin: dict[str, str], ranks: int) -> None:
        origin["double_step"] = "doubleStepRegionWhite"
        if not self._flag("doubleStep"):
            table["double_step"] = []
            return
        white = self._region("doubleStepRegionWhite", "*2", table)
        black = self._region("doubleStepRegionBlack", "*7", table)
        mirrored = {f"{name[0]}{ranks + 1 - int(name[1:])}" for name in white}
        if mirrored != set(black):
            raise self.fail("doubleStepRegionBlack", "is not the mirror image of White's")
        # Fairy-Stockfish passes over squares without room for one
        table["double_step"] = [name for name in white if int(name[1:]) <= ranks - 2]

    def _region(self, key: str, default: str, table: Mapping[str, Any]) -> list[str]:
        """Return the squares of a region like ``a2 b2 *3``."""
        squares: list[str] = []
        for word in self.values.get(key, default).split():
            match = re.fullmatch(r"([a-z*])([1-9][0-9]?)", word.lower(), re.ASCII)
            if match is None:
                raise self.fail(key, f"'{word[:20]}' is not a square, nor a rank as in *2")
            files = [file_name(n) for n in range(table["files"])] if match[1] == "*" else [match[1]]
            squares += [f"{name}{match[2]}" for name in files]
        return squares

    def _castling(
        self, table: dict[str, Any], origin: dict[str, str], pieces: Mapping[str, str],
        fields: list[str],
    ) -> None:  # fmt: skip
        ways: dict[str, list[str]] = {}
        letters = {letter.upper() for letter in "".join(fields[:1]) if letter.isalpha()}
        if not letters <= {*pieces, table["pawn"]}:
            return  # which is a fault of the start
        wanted = fields[2] if self._flag("castling") and len(fields) > 2 else "-"
        for right, side in (("K", "Kingside"), ("Q", "Queenside")):
            if right not in wanted.upper():
                continue
            key = f"castling{side}File"
            king, to = self._at("castlingKingFile"), self._at(key)
            rook = self._rook(f"castlingRook{side}File", king, table, right)
            beside = to - 1 if right == "K" else to + 1
            ways[right] = [" ".join(f"{file_name(file)}1" for file in (king, to, rook, beside))]
            origin[f"castling.{right}"] = key
        if ways:
            table["castling"] = ways
        elif wanted != "-":
            raise self.fail("startFen", f"'{wanted[:20]}' are no rights to castle: KQkq")
        if not ways and len(fields) > 2:
            table["start"] = " ".join([*fields[:2], "-", *fields[3:]])

    def _at(self, key: str) -> int:
        text = self.values[key].lower()
        if not re.fullmatch("[a-z]", text):
            raise self.fail(key, f"'{text[:20]}' is not a file")
        return ord(text) - ord("a")

    def _rook(self, key: str, king: int, table: Mapping[str, Any], right: str) -> int:
        """Return the file of the castling rook: the given one, else the outermost on its side."""
        own = self.values.get("castlingRookPieces", self.values.get("rook", "r")).upper()
        file, rooks = 0, []
        rank = table["start"].split()[0].split("/")[-1]
        for digits, letter in re.findall("([0-9]+)|([A-Za-z])", rank):
            if letter and letter in own:
                rooks.append(file)
            file += int(digits) if digits else 1
        if key in self.values:
            if self._at(key) not in rooks:
                raise self.fail(key, f"there is no rook for the right {right} on that file")
            return self._at(key)
        rooks = [rook for rook in rooks if (rook > king) == (right == "K")]
        if not rooks:
            raise self.fail(key, f"there is no rook for the right {right} on the first rank")
        return max(rooks) if right == "K" else min(rooks)


def read(path: Path, known: Callable[[str], Definition | None]) -> list[Reader]:
    """Return a reader for every section of a file, equivalent to a TOML definition's.

    ``known`` returns the built-in game of a name, as a section's parent. DefinitionError for the
    first fault.
    """
    name = str(path)
    sections: dict[str, _Section] = {}
    section: _Section | None = None
    for number, raw in enumerate(file_text(path).splitlines(), start=1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[":
            section = _opened(name, number, line, sections, known)
            sections[section.name] = section
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if section is None or not equals or not re.fullmatch(r"\w+", key, re.ASCII):
            raise DefinitionError(name, number, "(syntax)", "is neither [name] nor key = value")
        section.set(key, value, number)
    if not sections:
        raise DefinitionError(name, 1, "(file)", "defines no game")
    return [_IniReader(section) for section in sections.values()]


def _opened(
    path: str,
    number: int,
    line: str,
    sections: Mapping[str, _Section],
    known: Callable[[str], Definition | None],
) -> _Section:
    match = _HEADER.match(line)
    if match is None:
        raise DefinitionError(path, number, "(syntax)", "a section is like [name] or [name:parent]")
    name, parent = match[1].strip(), match[2] and match[2].strip()
    if not NAME.match(name):
        reason = "a game's name is lower-case letters, digits and hyphens"
        raise DefinitionError(path, number, name, reason)
    if name in sections:
        raise DefinitionError(path, number, name, "stands here twice")
    if parent is None:
        return _Section(path, name, number, None)
    base = sections.get(parent)
    if base is None:
        game = known(parent)
        if game is None:
            reason = f"no game '{parent[:40]}' to begin with is known here"
            raise DefinitionError(path, number, name, reason)
        base = _of_game(game)
    return _Section(path, name, number, base)


def _of_game(game: Definition) -> _Section:
    """Return a built-in game as a section that others inherit from."""
    section = _Section("", game.name, 1, None)
    # by a name that Fairy-Stockfish does not have: it is written then
    for line in write(replace(game, name="parent")).splitlines():
        if line[0] not in "#[":
            key, _, value = line.partition(" = ")
            section.set(key, value, 1)
    if game.name in BUILT_IN:
        # there it says this, which another start position makes other squares of
        section.values |= {"doubleStepRegionWhite": "*2", "doubleStepRegionBlack": "*7"}
        for side in ("Kingside", "Queenside"):
            section.values.pop(f"castlingRook{side}File", None)
    return section


class _IniReader(Reader):
    """A section as a definition's table; errors name the section's own keys and lines."""

    def __init__(self, section: _Section) -> None:
        table, origin = section.table()
        super().__init__(section.path, section.name, table, {})
        self._section, self._origin = section, origin

    def fail(self, key: str, reason: str) -> DefinitionError:
        return self._section.fail(self._origin.get(key, key), reason)

    def sub(self, key: str) -> Reader:
        return _SubReader(self, key, self.get(key, dict, {}))


class _SubReader(Reader):
    """A table nested in a section's."""

    def __init__(self, outer: Reader, key: str, table: Mapping[str, Any]) -> None:
        super().__init__(outer.path, f"{outer.name}.{key}", table, {})
        self._outer, self._key = outer, key

    def fail(self, key: str, reason: str) -> DefinitionError:
        return self._outer.fail(f"{self._key}.{key}", reason)
