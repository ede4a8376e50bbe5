"""The general chess family: any pieces and rules that tables can describe, one set of kernels.

Definitions of chess-like games are read here. Those that fit the fast family become its games.
"""

from __future__ import annotations

import copy
import re
from functools import cache
from pathlib import Path

from ryugi_engine.games.definitions import DefinitionError, Reader, file_text, ini_text, read_text
from ryugi_engine.games.game import Game, Reference, Rules
from variants import chess_family
from variants.chess_family.definition import SATURATION
from variants.fairy.crowding import most_moves
from variants.fairy.definition import Definition, has_locusts
from variants.fairy.diagram import marks
from variants.fairy.diagram_reading import diagram_in, reader_of_diagram
from variants.fairy.diagram_writing import writer
from variants.fairy.exposed import read_position
from variants.fairy.fast_form import fast_table
from variants.fairy.gui import describe, parent_of, promotes, rearranges, template_of
from variants.fairy.ini_reading import read_sections, reader_of
from variants.fairy.ini_section import Section
from variants.fairy.reading import read_game
from variants.fairy.text import format_text, has_hands

#: Value of the key ``family`` in definitions of these games.
FAMILY = "chess"

_CATALOGUE = Path(__file__).parent / "catalogue.ini"
_FURTHER = Path(__file__).parent / "catalogue.toml"
#: Coordinates with a promotion, a gate or a wall, drops, and GUIs' ways to write castling.
_SHAPE = (
    r"[a-z][0-9]{1,2}[a-z][0-9]{1,2}[=]?[a-z+-]?(,[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z+]?)?"
    r"|\+?[a-z]@[a-z][0-9]{1,2}(,[a-z][0-9]{1,2}[a-z][0-9]{1,2})?|o-o(-o)?|0-0(-0)?"
)


def game_of(definition: Definition) -> Game:
    """Return the game of a definition, played by this family's kernels."""

    def load() -> Rules:
        from variants.fairy.rules import FairyRules

        return FairyRules(game, definition)

    def reference(text: str) -> Reference:
        from variants.fairy.reference import Reference as Position

        return Position.parse(definition, text)

    rules = definition.rules
    start = read_position(definition, definition.start)
    game = Game(
        name=definition.name,
        title=definition.title,
        files=definition.files,
        ranks=definition.ranks,
        start=format_text(definition, start),
        load=load,
        reference=reference,
        aliases=definition.aliases,
        pocket=len(definition.pieces) if has_hands(definition) else 0,
        pieces=describe(definition),
        promoted=rules.promoted_piece_type,
        parent=parent_of(definition),
        template=template_of(definition),
        promotes=promotes(definition),
        family="general family",
        royal=definition.royal,
        pawn=definition.pawn,
        diagram=writer(definition),
        saturation=SATURATION,
        most_moves=most_moves(definition, start),
        san="shogi" if rules.promoted_piece_type else "chess",
        move_shape=_SHAPE,
        captures=rearranges(definition),
        legs=rules.walling_rule != "none" or has_locusts(definition),
    )
    return game


def define(reader: Reader) -> Game:
    """Return the game of a definition; DefinitionError if it is wrong."""
    attempt = copy.copy(reader)
    attempt.known = set(reader.known)
    try:
        return chess_family.define(attempt)
    except DefinitionError:
        if "net" in reader.table:  # only the fast family has nets
            raise
        return _general(reader)


def _general(reader: Reader) -> Game:
    """Return the game of a definition that the fast family does not read as it stands."""
    definition = read_game(reader)
    table = fast_table(definition)
    if table is not None:
        try:
            return chess_family.define(Reader(reader.path, reader.name, table, {}))
        except DefinitionError:
            pass  # something that the fast family has no room for
    from variants.fairy.descriptors import capacity_fault

    fault = capacity_fault(definition)
    if fault:
        raise reader.fail("pieces", fault)
    try:
        return game_of(definition)
    except ValueError as error:
        raise reader.fail("start", str(error)) from None


@cache
def _catalogue() -> dict[str, Section]:
    """Return the sections of the catalogue by name."""
    text = file_text(_CATALOGUE)
    sections, faults, remarks = read_sections(text, _CATALOGUE.name, lambda name: None)
    for fault in faults + remarks:
        raise fault
    return sections


@cache
def _further() -> dict[str, Reader]:
    """Return the tables of the catalogue's games that Fairy-Stockfish does not have."""
    return {reader.name: reader for reader in read_text(file_text(_FURTHER), _FURTHER.name)}


@cache
def catalogue() -> tuple[str, ...]:
    """Return the names of the games that need no definition file; nothing else of it is read."""
    texts = file_text(_CATALOGUE) + file_text(_FURTHER)
    return tuple(re.findall(r"(?m)^\[([a-z0-9-]+)[]:]", texts))


@cache
def find(name: str) -> Game | None:
    """Return a game of the catalogue by its name; None if it has none of that name."""
    if name in _further():
        return _general(_further()[name])
    section = _catalogue().get(name)
    return None if section is None else _general(reader_of(section))


def read_ini(path: Path) -> tuple[list[Game], list[DefinitionError], list[DefinitionError]]:
    """Return the games of a ``variants.ini``, why others are left out, and what is passed over.

    DefinitionError if there is none, or the file is no such file.
    """
    sections, faults, remarks = read_sections(ini_text(path), str(path), _catalogue().get)
    games: list[Game] = []
    for section in sections.values():
        try:
            games.append(_general(reader_of(section)))
        except DefinitionError as error:
            faults.append(error)
    if not games:
        raise faults[0] if faults else DefinitionError(str(path), 1, "(file)", "defines no game")
    return games, faults, remarks


def read_diagram(text: str, path: Path) -> Game | None:
    """Return the game of an Interactive Diagram; None for a text that is none.

    DefinitionError names line and reason.
    """
    diagram = diagram_in(text)
    return None if diagram is None else _general(reader_of_diagram(diagram, path))


def move_marks(betza: str, radius: int) -> dict[tuple[int, int], str]:
    """Return the signs of a diagram of moves in Betza notation; ValueError if it is none."""
    return marks(betza, radius)


def games() -> list[Game]:
    """Return no games: those of the catalogue are found by name."""
    return []
