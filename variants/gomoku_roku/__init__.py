"""Gomoku Roku, hexagonal five in a row with a track, by S. Hasuike: one kernel, five rule sets."""

from __future__ import annotations

from pathlib import Path

from ryugi_engine.games.definitions import Reader, read_file
from ryugi_engine.games.game import Game, Reference, Rules
from ryugi_engine.games.groups import GROUPS
from variants.gomoku_roku.board import SIZE
from variants.gomoku_roku.definition import Definition, read_definition
from variants.gomoku_roku.text import MOVE, start_text

#: Value of the key ``family`` in definitions of these games.
FAMILY = "gomokuroku"
_FOLDER = Path(__file__).parent


def _game(definition: Definition, folder: Path | None) -> Game:
    def load() -> Rules:
        from variants.gomoku_roku.rules import GomokuRokuRules

        return GomokuRokuRules(game, definition)

    def reference(text: str) -> Reference:
        from variants.gomoku_roku.reference import Reference

        return Reference.parse(definition, text)

    game = Game(
        name=definition.name,
        title=definition.title,
        files=SIZE,
        ranks=SIZE,
        start=start_text(definition),
        load=load,
        aliases=definition.aliases,
        group=GROUPS[0],
        about=definition.about,
        pieces={"S": ""},
        names={"S": "stone"},
        move_shape=MOVE.pattern,
        placed=True,
        proves=True,
        pocket=1,
        captures=definition.ninuki,
        folder=folder,
        horizon=10,
        reference=reference,
    )
    return game


def define(reader: Reader) -> Game:
    """Return the game of a definition; DefinitionError if it is wrong."""
    return _game(read_definition(reader), None)


def games() -> list[Game]:
    """Return the built-in rule sets."""
    readers = read_file(_FOLDER / "variants.toml")
    return [_game(read_definition(reader), _FOLDER) for reader in readers]
