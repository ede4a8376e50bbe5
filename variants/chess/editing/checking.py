"""All faults of a definition at once, by the keys that they concern.

A reader stops at the first fault. Here the faulty value is replaced by one that goes with any
other, and the rest is read.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ryugi_engine.games.definitions import DefinitionError, Reader
from ryugi_engine.games.game import Game
from variants.chess.definition.definition import Definition
from variants.chess.definition.game_rules import Rules
from variants.chess.definition.regions import parse_region
from variants.chess.formats.toml import MAX_FILES, MAX_RANKS, read_game

#: Maximum number of faults that are looked for.
_MOST = 40


class Fault(NamedTuple):
    """What is wrong with a key, such as ``pieces.Q``; or a warning of what is hardly meant."""

    key: str
    text: str
    warning: bool = False


class Checked(NamedTuple):
    """A definition's faults and warnings, and the game: without the faulty values if there are any.

    ``definition`` and ``game`` are None where nothing can be read.
    """

    faults: list[Fault]
    definition: Definition | None
    game: Game | None

    @property
    def playable(self) -> bool:
        """Whether the definition has no fault."""
        return self.game is not None and all(fault.warning for fault in self.faults)


def check(
    name: str, table: Mapping[str, Any], define: Callable[[Reader], Game], path: str = ""
) -> Checked:
    """Return all that is wrong with a definition; ``define`` reads one, ``path`` is its file's."""
    draft: dict[str, Any] = copy.deepcopy(dict(table))
    faults: list[Fault] = []
    reader = Reader(path, name, draft, {})
    for _ in range(_MOST):
        try:
            game = define(reader)
        except DefinitionError as error:
            key = error.key.removeprefix(name).removeprefix(".")
            if any(fault.key == key for fault in faults):
                break
            faults.append(Fault(key, error.reason))
            _replace(draft, key)
            reader = Reader(path, name, draft, {})
        else:
            if not faults and game.mistakes is not None:
                unplayable, doubtful = game.mistakes()
                faults += [_clause(text, False) for text in unplayable]
                faults += [_clause(text, True) for text in doubtful]
            definition = read_game(Reader(path, name, draft, {}))
            return Checked([*faults, *_beyond(draft, definition)], definition, game)
    return Checked(faults, None, None)


def _beyond(draft: Mapping[str, Any], definition: Definition) -> Iterator[Fault]:
    """Yield warnings of squares that are not on the board: rules leave them out."""
    for rule in dataclasses.fields(Rules):
        kind, value = rule.metadata["kind"], draft.get(rule.name, "")
        if kind not in ("region", "regions"):
            continue
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for letter, texts in parts:
            words = [word for text in ([texts] if isinstance(texts, str) else texts)
                     for word in text.split() if word != "-"]  # fmt: skip
            for word in words:
                if not parse_region(word, definition.files, definition.ranks):
                    key = f"{rule.name}.{letter}" if letter else rule.name
                    yield Fault(key, f"'{word}' is not on the board", True)
                    break


def _clause(text: str, warning: bool) -> Fault:
    """Return what a clause such as ``start: the game is over`` says of a key."""
    key, _colon, rest = text.partition(": ")
    return Fault(key, rest, warning)


def _replace(draft: dict[str, Any], key: str) -> None:
    """Replace a faulty value by one that leaves the others as they are."""
    head, _dot, rest = key.partition(".")
    value = draft.get(head)
    if head in ("files", "ranks", "start"):
        if head != "start":
            draft.pop(head, None)
        if "P" in str(draft.get("start")).upper():
            draft.setdefault("pawn", "P")  # chess's, which is a piece where it stands somewhere
        files, ranks = _size(draft, "files", MAX_FILES), _size(draft, "ranks", MAX_RANKS)
        draft["start"] = "/".join([f"{files}"] * ranks) + " w - - 0 1"
        draft.pop("castling", None)  # nobody stands there now
    elif head == "pieces" and isinstance(value, dict) and len(rest) == 1:
        value[rest] = ""  # it stays on the board, and does not move
    elif head == "castling":
        draft.pop(head, None)
        fields = draft["start"].split()
        draft["start"] = " ".join([*fields[:2], "-", *fields[3:]])
    elif rest and isinstance(value, dict):
        value.pop(rest, None)
    else:
        draft.pop(head, None)
    if head == "pieces" and not isinstance(draft.get("pieces"), dict):
        draft["pieces"] = {}


def _size(draft: Mapping[str, Any], key: str, most: int) -> int:
    value = draft.get(key, 8)
    return value if isinstance(value, int) and 1 <= value <= most else 8
