"""The ``feature`` lines: features, options and the CECP names of games."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ryugi_engine import __version__
from ryugi_engine.core.options import Option, Options
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import CECP_NAMES

#: Games that every CECP program knows, by our name; they need no setup.
KNOWN = frozenset({*CECP_NAMES, "capablanca", "chu", "gothic", "janus"})
#: Where XBoard's own array is not the one that a game begins with.
STARTS = {"courier": "rnebmkfwbenr/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/RNEBMKFWBENR w - - 0 1"}
#: Names that XBoard finds anywhere in a game's name; those of its later variants only as a whole.
_ANYWHERE = (
    "normal", "wildcastle", "nocastle", "fischerandom", "bughouse", "crazyhouse", "losers",
    "suicide", "giveaway", "twokings", "kriegspiel", "atomic", "3check",
)  # fmt: skip
#: The largest board that XBoard can show.
MAX_FILES, MAX_RANKS = 16, 17

#: XBoard's options that name a game, a second engine or a match.
_NAMING_OPTIONS = frozenset(
    """
    variant scp secondchessprogram se mm matchmode mg matchgames match tf tourneyfile lgf
    loadgamefile lpf loadpositionfile ics zp
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_FEATURES = (
    "feature ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 san=0 sigint=0 sigterm=0",
    "feature reuse=1 analyze=1 colors=0 name=1 nps=1 debug=1 memory=1 smp=1 exclude=1 pause=1"
    " highlight=1",
)


def cecp_name(game: Game) -> str:
    """Return the CECP name of a game."""
    return CECP_NAMES.get(game.name, game.name)


def find_game(name: str, games: Iterable[Game]) -> str:
    """Return our name for a CECP name of a game; the name itself if it has no other."""
    wanted = name.lower()
    return next((game.name for game in games if cecp_name(game) == wanted), wanted)


def shown_by_gui(game: Game) -> bool:
    """Return whether XBoard can show the board."""
    return game.files <= MAX_FILES and game.ranks <= MAX_RANKS


def option_name(option: Option) -> str:
    """Return the CECP name of an option: without blanks, at which python-chess and others stop."""
    return option.name.replace(" ", "")


def find_option(name: str, options: Options) -> Option:
    """Return the option with this name, blanks ignored. Raises UserError if there is none."""
    wanted = name.replace(" ", "").lower()
    return next((o for o in options if option_name(o).lower() == wanted), None) or options.find(
        name
    )


def option_line(option: Option, value: str) -> str:
    """Return ``feature option="..."`` with the current value.

    Each option has its own line: XBoard crashes if an option follows a feature that it does not
    know on the same line.
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


def announced(catalogue: Iterable[str]) -> list[str]:
    """Return the names of a catalogue that XBoard does not mistake for another game.

    XBoard finds the names of its own oldest variants anywhere within a name.
    """
    return [n for n in catalogue if all(n == own or own not in n for own in _ANYWHERE)]


def variants_line(
    games: Iterable[Game], default: Game, catalogue: Iterable[str] = (), *, chess: bool = True
) -> str:
    """Return the list of games, the default first; without chess XBoard opens the default."""
    shown = [game for game in games if shown_by_gui(game)]
    if chess:  # with one of these XBoard would not open the default either
        twins = [game.chess960() for game in shown if game.chess960 is not None]
        shown += [game for game in twins if game.name in KNOWN]
    shown.sort(key=lambda game: game is not default)
    names = [cecp_name(g) for g in shown if chess or g is default or g.name != "chess"]
    names += [name for name in announced(catalogue) if name not in names]
    return f'feature variants="{",".join(names)}"'


def _parent_arguments() -> list[str]:
    """Return the command line of the parent process; [] if it cannot be read."""
    try:
        line = Path(f"/proc/{os.getppid()}/cmdline").read_bytes()
    except OSError:
        return []
    return [os.fsdecode(word) for word in line.split(b"\0") if word]


def in_xboard() -> bool:
    """Return whether the parent process is XBoard, by its command line."""
    arguments = _parent_arguments()
    return bool(arguments) and "xboard" in Path(arguments[0]).name.lower()


def opens_default_game() -> bool:
    """Return whether XBoard runs with this engine alone and without an option that names a game.

    XBoard would then open chess if the engine announced it.
    """
    named = {word.lstrip("-/").lower() for word in _parent_arguments()}
    return in_xboard() and not named & _NAMING_OPTIONS


def feature_lines(
    games: Iterable[Game],
    default: Game,
    options: Options,
    catalogue: Iterable[str] = (),
    *,
    chess: bool = True,
) -> list[str]:
    """Return the lines between ``feature done=0`` and ``feature done=1``."""
    lines = [*_FEATURES, f'feature myname="ryugi-engine {__version__}"']
    lines.append(variants_line(games, default, catalogue, chess=chess))
    lines += [option_line(o, options.text(o.name)) for o in options if o.protocol != "uci"]
    return lines
