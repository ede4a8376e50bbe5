"""``define``: a game from its facts, its fields and a few functions, all in one file.

The package of the game gets a second folder, ``template``: its modules ``layout``, ``entries``,
``rules`` and ``reference`` are made from the definition. A module of the same name in the game's
own folder replaces one of them.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from ryugi_engine.errors import GameError
from ryugi_engine.games.facts import fault_of as facts_fault
from ryugi_engine.games.game import Game, Reference, Rules, counted
from ryugi_engine.kernel.declarations import Kernel
from ryugi_engine.simple_game import moves
from ryugi_engine.simple_game.board import Board
from ryugi_engine.simple_game.fields import Field, Hand, Neutral, Pieces
from ryugi_engine.simple_game.inputs import fault_of

_TEMPLATE = str(Path(__file__).parent / "template")
#: Functions of a game with their numbers of arguments; those without a default must be there.
FUNCTIONS = {"moves": 2, "play": 2, "worth": 2, "score": 1, "hint": 2, "result": 1, "no_moves": 1}
_NEEDED = ("moves", "play")
#: Fields that every position has.
_OWN = ("side", "number", "key")


@dataclass(frozen=True)
class Definition:
    """A simple game: its facts, with the module that holds its functions."""

    package: str
    board: Board
    fields: Mapping[str, Field]
    start: str
    longest: int
    #: The fields that a net sees; () for a game whose evaluation cannot be learnt.
    inputs: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """The letters of all kinds of pieces, each once, in the order of the fields."""
        return "".join(dict.fromkeys(f.letter for f in self.fields.values() if f.letter))

    def function(self, name: str) -> FunctionType | None:
        """Return one of the game's functions; None if it has none of that name.

        GameError if it is no function, or takes another number of arguments.
        """
        found = getattr(sys.modules[self.package], name, None)
        if isinstance(found, Kernel):
            found = found.function
        where = f"{self.package}.{name}"
        if found is None:
            if name in _NEEDED:
                raise GameError(f"{where}: the game has no function of that name")
            return None
        if not isinstance(found, FunctionType):
            raise GameError(f"{where}: a {type(found).__name__} instead of a function")
        count = found.__code__.co_argcount
        if count != FUNCTIONS[name]:
            taken = counted(count, "argument")
            raise GameError(f"{where}: it takes {taken} instead of {FUNCTIONS[name]}")
        return found

    def names(self, name: str) -> set[str]:
        """Return the names and attributes that a function of the game uses."""
        function = self.function(name)
        return set() if function is None else set(function.__code__.co_names)

    def optional(self, name: str) -> Callable[..., object] | None:
        """Return a function that Python calls, such as ``figure``; None if the game has none."""
        found = getattr(sys.modules[self.package], name, None)
        return found if callable(found) else None

    def reason(self, position: object) -> str:
        """Return why a finished position has ended, by the game's function ``reason(p)``.

        It is "normal" without such a function. GameError for what is no short line of text.
        """
        explain = self.optional("reason")
        found = "normal" if explain is None else explain(position)
        if not isinstance(found, str) or not found.isprintable() or not 0 < len(found) <= 60:
            where = f"{self.package}.reason"
            raise GameError(f"{where}: it returns {str(found)[:40]!r}, no text of up to 60 letters")
        return found


#: The definitions of games by their packages.
_definitions: dict[str, Definition] = {}


def definition_of(package: str) -> Definition:
    """Return the definition of the game in a package."""
    return _definitions[package]


def _refuse_fields(fields: Mapping[str, Field]) -> None:
    """Raise GameError if a field's name or declaration is wrong."""
    taken: dict[str, str] = {}
    for name, field in fields.items():
        where = f"fields: {name}"
        if name in _OWN:
            raise GameError(f"{where}: every position has a field of that name already")
        if not isinstance(field, Field):
            raise GameError(f"{where}: a {type(field).__name__} is no field")
        fault = field.fault()
        if not fault and not isinstance(field, Hand) and field.letter in taken:
            fault = f"'{field.letter}' is the letter of {taken[field.letter]} already"
        if fault:
            raise GameError(f"{where}: {fault}")
        if field.letter and not isinstance(field, Hand):
            taken[field.letter] = name


def define(
    package: str,
    *,
    title: str,
    board: Board,
    start: str,
    fields: Mapping[str, Field],
    pieces: Mapping[str, str] | None = None,
    longest: int = 0,
    inputs: Sequence[str] = (),
    **facts: Any,
) -> Callable[[], list[Game]]:
    """Define the game whose functions the package has; return its function ``games``.

    ``start`` is a position text, ``pieces`` has moves in Betza's notation by letter, for GUIs;
    without it pieces are dropped, and never move. ``longest`` is an upper bound of a game's length
    in plies, 0 for none. ``inputs`` are the fields that a net sees, see
    :mod:`ryugi_engine.simple_game.inputs`. ``facts`` are further properties of
    :class:`ryugi_engine.games.game.Game`. GameError names what is wrong.
    """
    if not isinstance(board, Board):
        raise GameError(f"board: a {type(board).__name__} is no Board")
    if not isinstance(fields, Mapping):
        raise GameError(f"fields: a {type(fields).__name__} is no table of fields")
    _refuse_fields(fields)
    for fact in facts:
        if fact not in Game.__dataclass_fields__:
            raise GameError(
                f"define: there is no property '{fact}', see ryugi_engine/games/properties.py"
            )
    seen = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    fault = fault_of(seen, fields)
    if fault:
        raise GameError(f"inputs: {fault}")
    definition = Definition(package, board, dict(fields), start, longest, seen)
    _definitions[package] = definition
    folders = sys.modules[package].__path__
    if _TEMPLATE not in folders:
        folders.append(_TEMPLATE)

    def load() -> Rules:
        rules: Rules = importlib.import_module(f"{package}.rules").Rules(game)
        return rules

    def reference(text: str) -> Reference:
        position: Reference = importlib.import_module(f"{package}.reference").parse(text)
        return position

    load.__module__ = package
    kinds = [f for f in fields.values() if isinstance(f, Pieces | Neutral)]
    if not isinstance(pieces or {}, Mapping):
        raise GameError(f"pieces: a {type(pieces).__name__} is no table by letters")
    moving = dict(pieces or {})
    strange = [letter for letter in moving if letter not in [field.letter for field in kinds]]
    if strange:
        raise GameError(f"pieces: {strange[0]!r} is the letter of no field")
    name, folder = package.rpartition(".")[2].replace("_", "-"), Path(folders[0])
    places = (folder / "nets" / f"{name}.net", folder / f"{name}.net")
    net = next((path for path in places if path.is_file()), None) if seen else None
    game = Game(
        **{
            "name": name,
            "title": title,
            "files": board.files,
            "ranks": board.ranks,
            "start": start,
            "load": load,
            "reference": reference,
            "pieces": {f.letter: moving.get(f.letter, "") for f in kinds},
            "neutral": "".join(f.letter for f in kinds if isinstance(f, Neutral)),
            "placed": not any(moving.values()),
            "pocket": 0 if any(moving.values()) else len(definition.letters),
            "move_shape": moves.move_shape(definition.letters),
            "longest": longest,
            "folder": folder,
            "net": net,
            "trained": net is not None,
            **facts,
        }
    )
    fault = facts_fault(game)
    if fault:
        raise GameError(fault)
    return lambda: [game]
