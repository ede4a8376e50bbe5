"""Chess-like games of any kind: their definitions are read here, and become games.

The fast family plays those that it can, the general family all others.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ryugi_engine.games.definitions import (
    DefinitionError,
    Reader,
    file_text,
    ini_text,
    read_file,
    read_text,
)
from ryugi_engine.games.game import Game, Reference
from variants.chess import chess960, general
from variants.chess import fast as fast_kernels
from variants.chess.definition.definition import Definition, has_locusts
from variants.chess.family.exposed import read_position
from variants.chess.fast.game import FastGame, KernelChoice, kernels_of, net_fault, read_fast
from variants.chess.formats import ini_writing, toml_writing
from variants.chess.formats.diagram_reading import diagram_in, reader_of_diagram
from variants.chess.formats.diagram_writing import writer
from variants.chess.formats.ini_reading import read_sections, reader_of
from variants.chess.formats.ini_section import Section
from variants.chess.formats.toml import read_game
from variants.chess.gui.descriptions import describe, parent_of, promotes, rearranges, template_of
from variants.chess.gui.grouping import group_of
from variants.chess.gui.rules_text import sentences
from variants.chess.gui.without import without
from variants.chess.notation.text import has_hands
from variants.chess.pictures.figures import look_of, names_of, wall_name
from variants.chess.pictures.move_diagram import marks

if TYPE_CHECKING:
    from variants.chess.editing.editor import Editor

#: Centipawns, about a queen, beyond which the search of chess-like games counts evaluations less.
#: Of 40 positions with a mate in 4 to 9 moves, 36 are solved in 700,000 nodes instead of 27.
_SATURATION = 1000
#: Beam of games where a move also puts a wall on any of many squares. Against Fairy-Stockfish the
#: Amazons had 1 of 6 points with it and 0 without; it is too narrow for duck chess, 5 and 8 of 12.
_BEAM = 40
#: Value of the key ``family`` in definitions of these games.
FAMILY = "chess"

#: The modules with all kernels of these games.
RULES = (f"{__name__}.fast.rules", f"{__name__}.general.rules", f"{__name__}.tablebase.generator")

_FOLDER = Path(__file__).parent
_CATALOGUE = _FOLDER / "catalogue.ini"
_FURTHER = _FOLDER / "catalogue.toml"
LENGTHS = _FOLDER / "lengths.json"
#: Coordinates with a promotion, a gate or a wall, drops, and GUIs' ways to write castling.
_SHAPE = (
    r"[a-z][0-9]{1,2}[a-z][0-9]{1,2}[=]?[a-z+-]?(,[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z+]?)?"
    r"|\+?[a-z]@[a-z][0-9]{1,2}(,[a-z][0-9]{1,2}[a-z][0-9]{1,2})?|o-o(-o)?|0-0(-0)?"
)
#: Those of the fast kernels' games.
_PLAIN_SHAPE = "[a-z][0-9]{1,2}[a-z][0-9]{1,2}(=?[a-z])?|o-o(-o)?|0-0(-0)?"


def game_of(
    definition: Definition,
    kernels: KernelChoice,
    folder: Path | None = None,
    net: Path | None = None,
    table: Mapping[str, Any] | None = None,
) -> Game:
    """Return the game of a definition, to be played by ``kernels``.

    ``folder`` has the data files of a game that comes with the engine, ``net`` is that of a user's,
    and ``table`` is what the definition was read from.
    """
    fast, shipped = kernels.fast, (definition.net or definition.name) in nets()
    definition = fast or definition
    rules, refusal = definition.rules, chess960.refusal(definition, kernels)
    moves_of = describe(definition, fast)

    def reference(text: str) -> Reference:
        from variants.chess.reference.objections import Objections

        data = read_fast(fast, text) if fast else read_position(definition, text)
        return Objections.of(definition, data)

    game = Game(
        name=definition.name,
        title=definition.title,
        files=definition.files,
        ranks=definition.ranks,
        start=definition.start,
        load=(
            fast_kernels.loader(lambda: game, fast)
            if fast is not None
            else general.loader(lambda: game, definition)
        ),
        reference=reference,
        aliases=definition.aliases,
        group=group_of(definition),
        about=definition.appearance.about,
        trained=shipped or net is not None,
        net=net,
        look=look_of(definition),
        sides=definition.appearance.sides,
        names=names_of(definition),
        wall=wall_name(definition),
        sentences=lambda: sentences(definition),
        mistakes=lambda: _mistakes(definition),
        without=lambda: _without(definition),
        pocket=len(definition.letters) if has_hands(definition) else 0,
        pieces={sign: moves for sign, moves in moves_of.items() if sign[0] != "+"},
        promoted=rules.promoted_piece_type,
        turned={sign: moves for sign, moves in moves_of.items() if sign[0] == "+"},
        parent=parent_of(definition),
        template="chess" if definition.name == "chess" else template_of(definition),
        promotes=promotes(definition),
        family=kernels.name,
        royal=definition.royal,
        pawn=definition.pawn,
        ini=None if definition.chess960 else lambda: _ini(definition, fast),
        toml=None if table is None else lambda: toml_writing.write(definition.name, table),
        diagram=writer(definition, fast),
        saturation=_SATURATION,
        beam=_BEAM if rules.walling_rule in ("arrow", "static") else 0,
        length=_lengths().get(definition.name, 0),
        san="shogi" if rules.promoted_piece_type else "chess",
        move_shape=_SHAPE if fast is None else _PLAIN_SHAPE,
        captures=rearranges(definition),
        legs=rules.walling_rule != "none" or has_locusts(definition),
        folder=folder,
        openings=lambda: chess960.start_positions(definition),
        setup_of=definition.name.removesuffix("960") if definition.chess960 else "",
        chess960=None if refusal else _chess960(definition),
        no_chess960=refusal,
    )
    return game


def _without(definition: Definition) -> dict[str, Game]:
    """Return the game without one of its rules each; what cannot be played so is left out."""
    found: dict[str, Game] = {}
    for name, other in without(definition):
        with contextlib.suppress(ValueError):  # a start that the other rules do not allow
            found[name] = game_of(other, kernels_of(other))
    return found


def _ini(definition: Definition, fast: FastGame | None) -> str:
    """Return a game's section of ``variants.ini``; UserError if that cannot say it."""
    if fast is not None:
        return ini_writing.write(fast)
    from variants.chess.formats import ini_general

    return ini_general.write(definition)


def _mistakes(definition: Definition) -> tuple[list[str], list[str]]:
    """Return what makes a definition unplayable, and what is hardly meant in it."""
    from variants.chess.family.doubts import doubts, faults
    from variants.chess.reference.position import Reference

    start = Reference.parse(definition, definition.start)
    return list(faults(start.result(), start.pseudo_legal())), list(doubts(definition))


def _chess960(definition: Definition) -> Callable[[], Game]:
    """Return what makes the game in which king and rooks begin on any files."""

    def make() -> Game:
        anywhere = chess960.with_any_setup(definition)
        return game_of(anywhere, kernels_of(anywhere))

    return cache(make)


def define(reader: Reader, folder: Path | None = None) -> Game:
    """Return the game of a definition; DefinitionError if it is wrong."""
    definition = read_game(reader)
    kernels = kernels_of(definition)
    if kernels.fast is None:
        from variants.chess.general.encoding.descriptors import capacity_fault

        fault = capacity_fault(definition)
        if fault:
            raise reader.fail("pieces", fault)
    net = _net_of(reader, definition, kernels) if folder is None else None
    return game_of(definition, kernels, folder, net, reader.table)


def _net_of(reader: Reader, definition: Definition, kernels: KernelChoice) -> Path | None:
    """Return the file of the net that a definition names; None if it names none.

    It is one of the engine's, or a file ``NAME.net`` in the definition's folder.
    """
    name = definition.net
    if not name:
        return None
    folder = Path(reader.path).absolute().parent
    path = folder / name if name.endswith(".net") else _FOLDER / "nets" / f"{name}.net"
    if name not in nets() and not name.endswith(".net"):
        raise reader.fail("net", f"'{name[:40]}' is not a net that comes with the engine")
    fault = net_fault(definition, kernels.fast, path)
    if fault:
        raise reader.fail("net", fault)
    return path


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
    """Return the names of the catalogue's games; their definitions are not read."""
    texts = file_text(_CATALOGUE) + file_text(_FURTHER)
    return tuple(re.findall(r"(?m)^\[([a-z0-9-]+)[]:]", texts))


@cache
def nets() -> frozenset[str]:
    """Return the names of the games that come with a net."""
    return frozenset(path.stem for path in (_FOLDER / "nets").glob("*.net"))


@cache
def _lengths() -> dict[str, int]:
    """Return the mean lengths of games in moves of a side, measured by scripts/game_lengths.py."""
    lengths: dict[str, int] = json.loads(LENGTHS.read_text())
    return lengths


@cache
def definition_of(name: str) -> Definition | None:
    """Return the definition of a game that comes with the engine; None if there is none."""
    reader = _reader_of(name)
    return None if reader is None else read_game(reader)


def _reader_of(name: str) -> Reader | None:
    """Return the reader of a definition that comes with the engine; None if there is none."""
    if name in _further():
        return _further()[name]
    if name in _catalogue():
        return reader_of(_catalogue()[name])
    path = _FOLDER / "definitions" / f"{name}.toml"
    found = read_file(path) if name.isidentifier() and path.is_file() else []
    return next((reader for reader in found if reader.name == name), None)


@cache
def find(name: str) -> Game | None:
    """Return a game of the catalogue by its name; None if it has none of that name."""
    if name not in catalogue():
        return None
    reader = _reader_of(name)
    assert reader is not None
    definition = read_game(reader)
    # that it fits the tables is known: to look at that needs numpy
    game = game_of(definition, kernels_of(definition), table=reader.table)
    return replace(game, levels=_FOLDER / "levels" / f"{game.name}.json")


def read_ini(path: Path) -> tuple[list[Game], list[DefinitionError], list[DefinitionError]]:
    """Return (games, faults, warnings) of a ``variants.ini``: faults leave a section out.

    DefinitionError if no game is left, or the file cannot be read.
    """
    sections, faults, remarks = read_sections(ini_text(path), str(path), _catalogue().get)
    games: list[Game] = []
    for section in sections.values():
        try:
            games.append(define(reader_of(section)))
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
    return None if diagram is None else define(reader_of_diagram(diagram, path))


def move_marks(betza: str, radius: int) -> dict[tuple[int, int], str]:
    """Return the signs of a diagram of moves; ValueError if ``betza`` is not Betza notation."""
    return marks(betza, radius)


def definition_editor() -> Editor:
    """Return what edits definitions of these games, for the page."""
    from variants.chess.editing.editor import Editor

    return Editor(define)


@cache
def games() -> list[Game]:
    """Return the built-in games; those of the catalogue are found by name."""
    files = sorted((_FOLDER / "definitions").glob("*.toml"))
    return [define(reader, folder=_FOLDER) for path in files for reader in read_file(path)]
