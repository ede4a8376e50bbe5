"""A rule set of Gomoku Roku as data: the variants of the rule book, and a user's own."""

from __future__ import annotations

from typing import NamedTuple

from ryugi_engine.games.definitions import Reader

#: Stones placed before the setup, cost ignored: none; White may put one; Black and White each.
NOBODY, WHITE_MAY, BOTH = "none", "white-may", "both"
_PLACEMENTS = (NOBODY, WHITE_MAY, BOTH)
#: A stone for the track and one for each of the 60 circles is more than anybody can use.
MAX_STONES = 61


class Definition(NamedTuple):
    """A validated rule set."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    about: str = ""
    stones: int = 31
    preplacement: str = NOBODY
    ninuki: bool = False
    #: Removals that win; 0: none does.
    removals_to_win: int = 0


def read_definition(reader: Reader) -> Definition:
    """Return the rule set in a table; DefinitionError for the first fault."""
    preplacement: str = reader.get("preplacement", str, NOBODY)
    if preplacement not in _PLACEMENTS:
        raise reader.fail(
            "preplacement", f"'{preplacement[:40]}' is none of {', '.join(_PLACEMENTS)}"
        )
    ninuki = reader.flag("ninuki", False)
    removals = reader.number("removals_to_win", 0, 30, 3 if ninuki else 0)
    if removals and not ninuki:
        raise reader.fail("removals_to_win", "needs ninuki = true")
    definition = Definition(
        name=reader.name,
        title=reader.get("title", str, reader.name),
        aliases=reader.aliases(),
        about=reader.get("about", str, ""),
        stones=reader.number("stones", 3, MAX_STONES, 31),
        preplacement=preplacement,
        ninuki=ninuki,
        removals_to_win=removals,
    )
    reader.finish()
    return definition
