"""How a game is listed and drawn: keys of a definition that are no rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ryugi_engine.games.definitions import Reader
from ryugi_engine.games.game import NAMES
from ryugi_engine.games.groups import GROUPS
from ryugi_engine.games.look import BOARDS, CHEQUERED

#: Chess's figures, shogi's wedges, xiangqi's discs, janggi's octagons.
CHESS, SHOGI, XIANGQI, JANGGI = PIECE_SETS = ("chess", "shogi", "xiangqi", "janggi")
#: What the sides are called, where not White and Black, by the set of pieces.
SIDES = {SHOGI: ("Sente", "Gote"), XIANGQI: ("Red", "Black"), JANGGI: ("Blue", "Red")}
#: Maximum length of a sign and of a name.
_LONGEST_SIGN, _LONGEST_NAME = 2, 40


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
    #: What pieces are called, where that does not follow from their moves.
    names: Mapping[str, str] = {}
    #: What the sides are called.
    sides: tuple[str, str] = NAMES


#: That of a definition that asks for none.
PLAIN_APPEARANCE = Appearance()


def read_appearance(reader: Reader, letters: str) -> Appearance:
    """Return the appearance in a game's table; DefinitionError for the first fault."""
    piece_set = reader.choice("piece_set", PIECE_SETS)
    return Appearance(
        group=reader.choice("group", ("", *GROUPS)),
        about=reader.get("about", str, ""),
        board=reader.choice("board", BOARDS),
        river=reader.flag("river", False),
        piece_set=piece_set,
        signs=_read_texts(reader, "signs", letters, _LONGEST_SIGN),
        names=_read_texts(reader, "names", letters, _LONGEST_NAME),
        sides=_read_sides(reader, SIDES.get(piece_set, NAMES)),
    )


def _read_sides(reader: Reader, usual: tuple[str, str]) -> tuple[str, str]:
    sides = reader.get("sides", list, [*usual])
    if len(sides) != 2 or sides[0] == sides[1]:
        raise reader.fail("sides", "must be two names")
    for side in sides:
        if not isinstance(side, str) or not re.fullmatch(r"\w{1,20}", side):
            raise reader.fail("sides", "must be two names of up to 20 letters")
    return sides[0], sides[1]


def _read_texts(reader: Reader, table: str, letters: str, longest: int) -> dict[str, str]:
    texts = reader.get(table, dict, {})
    for letter, text in texts.items():
        key = f"{table}.{letter}"
        if len(letter) > 2 or letter.removeprefix("+").upper() not in set(letters):
            raise reader.fail(key, f"is none of the pieces {letters}")
        if not isinstance(text, str) or not text.isprintable() or not text.strip():
            raise reader.fail(key, "must be a text")
        if len(text) > longest:
            raise reader.fail(key, f"is longer than {longest} letters")
    return dict(texts)
