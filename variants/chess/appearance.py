"""How a game is listed and drawn: keys of a definition that are no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ryugi_engine.games.definitions import Reader
from ryugi_engine.games.groups import GROUPS

#: Squares of two colours, squares of one, or lines on whose crossings the pieces stand.
CHEQUERED, PLAIN, LINES = BOARDS = ("chequered", "plain", "lines")
#: Chess's figures, shogi's wedges, xiangqi's discs, janggi's octagons.
CHESS, SHOGI, XIANGQI, JANGGI = PIECE_SETS = ("chess", "shogi", "xiangqi", "janggi")
#: Maximum length of a sign.
_LONGEST_SIGN = 2


class Appearance(NamedTuple):
    """A validated appearance."""

    #: "" where the group follows from the rules.
    group: str = ""
    about: str = ""
    board: str = CHEQUERED
    river: bool = False
    piece_set: str = CHESS
    #: What stands on pieces by ``P``, ``p`` or ``+P``, where that is not the set's own sign.
    signs: Mapping[str, str] = {}


#: That of a definition that asks for none.
PLAIN_APPEARANCE = Appearance()


def read_appearance(reader: Reader, letters: str) -> Appearance:
    """Return the appearance in a game's table; DefinitionError for the first fault."""
    return Appearance(
        group=reader.choice("group", ("", *GROUPS)),
        about=reader.get("about", str, ""),
        board=reader.choice("board", BOARDS),
        river=reader.flag("river", False),
        piece_set=reader.choice("piece_set", PIECE_SETS),
        signs=_read_signs(reader, letters),
    )


def _read_signs(reader: Reader, letters: str) -> dict[str, str]:
    signs = reader.get("signs", dict, {})
    for letter, sign in signs.items():
        key = f"signs.{letter}"
        if len(letter) > 2 or letter.removeprefix("+").upper() not in set(letters):
            raise reader.fail(key, f"is none of the pieces {letters}")
        if not isinstance(sign, str) or not sign.isprintable() or not sign.strip():
            raise reader.fail(key, "must be a text")
        if len(sign) > _LONGEST_SIGN:
            raise reader.fail(key, f"is longer than {_LONGEST_SIGN} letters")
    return dict(signs)
