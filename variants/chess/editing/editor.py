"""The editor of definitions behind the page: texts and changes in, plain data out."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import NAME, Reader, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.move_diagram import RADIUS, draw_diagram
from ryugi_engine.games.notation import square_name
from variants.chess.definition.definition import Definition
from variants.chess.definition.game_rules import Rules
from variants.chess.editing.changes import change, plain_rules
from variants.chess.editing.checking import Fault, check
from variants.chess.editing.keys import sections
from variants.chess.editing.known_pieces import known_pieces
from variants.chess.editing.start import STEPS, castling_steps, editor_of
from variants.chess.formats.toml_writing import write_table
from variants.chess.pictures.figures import assign, figure_of, made, names_of
from variants.chess.pictures.move_diagram import marks

Data = dict[str, Any]
_FAIRY = "fairy-stockfish"


class Editor:
    """Edits definitions of chess-like games; ``define`` reads one."""

    def __init__(self, define: Callable[[Reader], Game]) -> None:
        self._define = define

    def form(self) -> Data:
        """Return what a form of all keys needs: their sections, known pieces, castling."""
        rules = {rule.name: rule for rule in dataclasses.fields(Rules)}
        parts = []
        for heading, rows in sections().items():
            keys = [self._key(row._asdict(), rules.get(row.key)) for row in rows]
            parts.append({"heading": heading, "keys": keys})
        known = [
            {
                "name": piece.name,
                "others": piece.others,
                "moves": piece.moves,
                "letter": piece.letter,
                "figure": piece.figure(),
            }
            for piece in known_pieces()
        ]
        return {"sections": parts, "known": known, "steps": STEPS}

    @staticmethod
    def _key(row: Data, rule: dataclasses.Field[Any] | None) -> Data:
        if rule is None:  # the kind of a value as the documentation has it
            names = re.findall("`(.+?)`", row["value"])
            kind = "choice" if names else "" if ".." in row["value"] else row["value"]
            return row | {"kind": kind, "low": 0, "high": 0, "names": names}
        low, high = rule.metadata.get("limits", (0, 0))
        names = rule.metadata.get("names", ())
        return row | {"kind": rule.metadata["kind"], "low": low, "high": high, "names": names}

    # ---- texts ---------------------------------------------------------------------------------

    def names(self, text: str) -> list[str]:
        """Return the names of the games of a file; UserError if it is not TOML."""
        return [reader.name for reader in read_text(text, "")]

    def taken(self, text: str, name: str) -> Mapping[str, Any]:
        """Return a game's table; UserError for a text that cannot be read."""
        try:
            return dict(tomllib.loads(text)[name])
        except (tomllib.TOMLDecodeError, RecursionError, ValueError, KeyError, TypeError):
            readers = read_text(text, "")  # which says what is wrong
            return next(reader.table for reader in readers if reader.name == name)

    def renamed(self, text: str, name: str, new: str, left_out: tuple[str, ...] = ()) -> str:
        """Return the definition of one game of a text under another name."""
        table = {key: v for key, v in self.taken(text, name).items() if key not in left_out}
        return write_table(new, table)

    def changed(self, text: str, name: str, wanted: Mapping[str, Any]) -> str:
        """Return a text after a change of a game; UserError if that is none."""
        table = self.taken(text, name)
        try:
            changed = change(table, wanted, check(name, table, self._define).game)
        except (KeyError, TypeError, AttributeError, IndexError):
            raise UserError("the definition cannot be changed so: see its text") from None
        return write_table(name, changed)

    # ---- what is shown -------------------------------------------------------------------------

    def shown(self, text: str, name: str, path: str = "") -> Data:
        """Return all that a page shows of a game: values, faults by key, pieces, the board.

        ``path`` is the file in whose folder a net may lie. UserError if the text cannot be read.
        """
        table = self.taken(text, name)
        checked = check(name, table, self._define, path)
        faults, game, definition = checked.faults, checked.game, checked.definition
        if not NAME.match(name):
            reason = "a game's name is lower-case letters, digits and hyphens"
            faults = [Fault("name", reason), *faults]
        found: Data = {
            "name": name,
            "table": table,
            "faults": [fault._asdict() for fault in faults],
            "rules": {},
            "pieces": [],
            "board": None,
        }
        if game is None or definition is None:
            return found
        return found | {
            "rules": plain_rules(definition),
            "pieces": _pieces(table, definition),
            "board": _board(table, game, definition),
            "royal": definition.royal,
            "pawn": definition.pawn,
            "castling": castling_steps(table),
            "family": game.family,
            "sentences": list(game.sentences()) if game.sentences and checked.playable else [],
            "ini": game.ini is not None,
            "diagram": game.diagram is not None,
        }

    def game(self, text: str, name: str) -> Game:
        """Return the game of a text; UserError for the first fault."""
        return self._define(next(r for r in read_text(text, name) if r.name == name))

    def moves(self, betza: str, letter: str, dialect: str, figure: str = "") -> str:
        """Return the diagram of a piece's moves as SVG; UserError for what is not Betza's."""
        try:
            signs = marks(betza, RADIUS, of_eight=dialect != _FAIRY)
        except ValueError as error:
            raise UserError(f"no diagram of these moves: {error}") from None
        figure = figure or made(letter, 0, False, False, frozenset())
        return draw_diagram("", figure, signs, "chequered").svg()


def _pieces(table: Mapping[str, Any], game: Definition) -> list[Data]:
    """Return the pieces with their moves as the table has them, names and pictures."""
    names, assigned = names_of(game), assign(game)
    given, values = _inner(table, "pieces"), _inner(table, "values")
    return [
        {
            "letter": letter,
            "name": names.get(letter, ""),
            "moves": given.get(letter, game.betza[letter]),
            "value": values.get(letter),
            "figure": figure_of(game, assigned, letter),
        }
        for letter in game.pieces
    ]


def _inner(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a table of a table; an empty one for what is none."""
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _board(table: Mapping[str, Any], game: Game, definition: Definition) -> Data:
    """Return the start position as a board that can be changed."""
    editor, readable = editor_of(table, game)
    assigned = assign(definition)
    signs = editor.palette()
    return {
        "files": game.files,
        "ranks": game.ranks,
        "letters": {square_name(at): sign for at, sign in editor.letters().items()},
        "walls": [square_name(at) for at, sign in editor.board.items() if sign == "*"],
        "hands": list(editor.hands()),
        "side": editor.side,
        "sides": game.sides,
        "figures": {sign: figure_of(definition, assigned, sign) for sign in signs},
        "whole": readable,
    }
