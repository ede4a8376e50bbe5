"""What the engine announces: features, options, and the names of games in XBoard's world."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ryugi_engine import __version__
from ryugi_engine.core.options import Option, Options
from ryugi_engine.games.game import Game

#: Games that every CECP program knows itself, by our name; no setup is sent for them.
KNOWN = {"chess": "normal", "capablanca": "capablanca", "gothic": "gothic", "janus": "janus"}
#: What XBoard can show at most.
MAX_FILES, MAX_RANKS = 16, 17

#: Options of XBoard that name a game, a second engine or a match.
_TOLD = frozenset(
    """
    variant scp secondchessprogram se mm matchmode mg matchgames match tf tourneyfile lgf
    loadgamefile lpf loadpositionfile ics zp
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_FEATURES = (
    "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 san=0 sigint=0 sigterm=0",
    "feature reuse=1 analyze=1 colors=0 name=1 nps=1 debug=1 memory=1 smp=1 exclude=1 pause=1",
)


def cecp_name(game: Game) -> str:
    """The name of a game on the wire."""
    return KNOWN.get(game.name, game.name)


def find_game(name: str, games: Iterable[Game]) -> str:
    """Our name for a game of the wire; the name itself if it is not one of XBoard's own."""
    wanted = name.lower()
    return next((game.name for game in games if cecp_name(game) == wanted), wanted)


def shown_by_gui(game: Game) -> bool:
    """Whether XBoard's window is large enough for the board."""
    return game.files <= MAX_FILES and game.ranks <= MAX_RANKS


def option_name(option: Option) -> str:
    """The name of an option on the wire: python-chess and others end it at a blank."""
    return option.name.replace(" ", "")


def find_option(name: str, options: Options) -> Option:
    """The option of a name with or without blanks; UserError if there is none."""
    wanted = name.replace(" ", "").lower()
    return next((o for o in options if option_name(o).lower() == wanted), None) or options.find(
        name
    )


def option_line(option: Option, value: str) -> str:
    """``feature option="..."`` with the present value.

    Each has a line of its own: after a feature that it does not know XBoard would not survive
    an option on the same line.
    """
    kind = option.kind
    text = f"{option_name(option)} -{kind}"
    if kind == "spin":
        text += f" {value} {option.low} {option.high}"
    elif kind == "check":
        text += f" {int(value == 'true')}"
    elif kind == "combo":
        text += " " + " /// ".join(("*" if c == value else "") + c for c in option.choices)
    elif kind != "button":
        text += f" {value}"
    return f'feature option="{text}"'


def variants_line(games: Iterable[Game], default: Game, *, chess: bool = True) -> str:
    """The list of games, the default first; without chess XBoard opens that one by itself."""
    shown = [game for game in games if shown_by_gui(game)]
    shown.sort(key=lambda game: game is not default)
    names = [cecp_name(g) for g in shown if chess or g is default or g.name != "chess"]
    return f'feature variants="{",".join(names)}"'


def _parents_words() -> list[str]:
    """The command line of the program that has started the engine; [] where it cannot be read."""
    try:
        line = Path(f"/proc/{os.getppid()}/cmdline").read_bytes()
    except OSError:
        return []
    return [os.fsdecode(word) for word in line.split(b"\0") if word]


def in_xboard() -> bool:
    """Whether the GUI is XBoard: nothing in the protocol tells, so its command line has to."""
    words = _parents_words()
    return bool(words) and "xboard" in Path(words[0]).name.lower()


def opened_plainly() -> bool:
    """Whether XBoard runs with this engine alone, and has been told of no game to begin with.

    It would open chess then if it knew that the engine plays it.
    """
    named = {word.lstrip("-/").lower() for word in _parents_words()}
    return in_xboard() and not named & _TOLD


def feature_lines(
    games: Iterable[Game], default: Game, options: Options, *, chess: bool = True
) -> list[str]:
    """Everything that follows ``feature done=0``."""
    lines = [*_FEATURES, f'feature myname="ryugi-engine {__version__}"']
    lines.append(variants_line(games, default, chess=chess))
    lines += [option_line(o, options.text(o.name)) for o in options if o.protocol != "uci"]
    return lines
