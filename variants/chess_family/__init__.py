"""Chess-like games: one kernel, and a definition file for each game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from ryugi_engine.games.definitions import Reader, read_file
from ryugi_engine.games.game import Game, Reference, Rules
from ryugi_engine.games.notation import parse_board
from variants.chess_family import chess960, diagram_text, fen, ini
from variants.chess_family.definition import SATURATION, Definition, describe
from variants.chess_family.reading import read_game

_FOLDER = Path(__file__).parent
#: Beside coordinates GUIs write ``e7e8=q``, ``O-O`` and ``0-0``.
_SHAPE = "[a-z][0-9]{1,2}[a-z][0-9]{1,2}(=?[a-z])?|o-o(-o)?|0-0(-0)?"


def _chess960(definition: Definition) -> Callable[[], Game] | None:
    """Return what makes the game with castling from any files; None where that is undefined."""
    ways = definition.castling.values()
    if definition.chess960 or not ways or any(len(some) > 1 for some in ways):
        return None
    return cache(lambda: _game(chess960.with_any_setup(definition), None))


def _game(definition: Definition, folder: Path | None) -> Game:
    def load() -> Rules:
        from variants.chess_family.rules import ChessRules

        return ChessRules(game, definition)

    def reference(text: str) -> Reference:
        from variants.chess_family.reference import Board

        return Board(definition, fen.canonical(definition, text))

    game = Game(
        name=definition.name,
        title=definition.title,
        files=definition.files,
        ranks=definition.ranks,
        start=definition.start,
        load=load,
        reference=reference,
        aliases=definition.aliases,
        pieces=describe(definition),
        family="fast family",
        royal=definition.royal,
        pawn=definition.pawn,
        san="chess",
        move_shape=_SHAPE,
        saturation=SATURATION,
        template="chess" if definition.name == "chess" else "fairy",
        folder=folder,
        ini=None if definition.chess960 else lambda: ini.write(definition),
        diagram=None if definition.chess960 else lambda: diagram_text.write(_said(definition)),
        openings=lambda: chess960.start_positions(definition),
        setup_of=definition.name.removesuffix("960") if definition.chess960 else "",
        chess960=_chess960(definition),
    )
    return game


def _said(game: Definition) -> diagram_text.Game:
    """Return what an Interactive Diagram says of a game."""
    return diagram_text.Game(
        files=game.files,
        ranks=game.ranks,
        pieces=describe(game),
        board=parse_board(game.start.split()[0], game.files, game.ranks, game.letters),
        royal=game.royal,
        pawns=game.pawn,
        choice=game.promotion,
    )


def define(reader: Reader) -> Game:
    """Return the game of a definition; DefinitionError if it is wrong."""
    return _game(read_game(reader), None)


@cache
def _definitions() -> dict[str, Definition]:
    """Return the definitions of the built-in games, by name."""
    files = sorted((_FOLDER / "definitions").glob("*.toml"))
    return {r.name: read_game(r) for path in files for r in read_file(path)}


def games() -> list[Game]:
    """Return the built-in games."""
    return [_game(definition, _FOLDER) for definition in _definitions().values()]
