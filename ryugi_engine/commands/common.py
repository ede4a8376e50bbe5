"""What commands share: kinds of arguments, games and positions by them, and complaints."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.files import fault
from ryugi_engine.numbers import NumberError, whole
from ryugi_engine.terminal.screen import COLOURS

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position
    from ryugi_engine.games.registry import Registry

#: Exit codes: wrong use or input, and a check that found a difference.
WRONG, MISMATCH = process.WRONG, 1


class CommandError(Exception):
    """What the user has to know, in one line."""


# ---- kinds of arguments -----------------------------------------------------------------------


def whole_number(low: int, high: int) -> type:
    """The type of an argument that is a whole number from ``low`` to ``high``."""

    class Whole(int):
        def __new__(cls, text: str) -> Whole:
            try:
                return super().__new__(cls, whole(text, low, high))
            except NumberError as error:
                raise argparse.ArgumentTypeError(str(error)) from None

    return Whole


def position_options(parser: argparse.ArgumentParser, required: bool = False) -> None:
    """The options that :func:`game_of` and :func:`position_of` read."""
    default = None if required else "ryugi"
    text = "the game" if required else "the game (default: ryugi)"
    parser.add_argument("--variant", default=default, required=required, help=text)
    parser.add_argument("--fen", help="position (default: the start)")
    parser.add_argument(
        "--moves", nargs="+", default=[], metavar="MOVE", help="moves to play first"
    )


def colour_option(parser: argparse.ArgumentParser) -> None:
    """Whether a board is shown in colours."""
    parser.add_argument(
        "--colour",
        "--color",
        choices=COLOURS,
        default="auto",
        help="colours in the terminal: auto, always or never (default: auto)",
    )


# ---- games and positions ----------------------------------------------------------------------


def load_variants(arguments: argparse.Namespace) -> Registry:
    """All games, those of ``--variants`` too."""
    from ryugi_engine.games.registry import registry

    games = registry()
    if arguments.variants:
        try:
            games.load_file(arguments.variants)
        except OSError as error:
            raise CommandError(fault(arguments.variants, error)) from None
        except ValueError as error:
            raise CommandError(str(error)) from None
    return games


def game_of(arguments: argparse.Namespace, name: str) -> Game:
    """A game by its name."""
    from ryugi_engine.games.registry import UnknownGame

    try:
        return load_variants(arguments).game(name)
    except UnknownGame as error:
        raise CommandError(str(error)) from None


def tell_of_compiling() -> None:
    """From now on the user is told when kernels are compiled."""
    from ryugi_engine.kernel import jit

    jit.report_to(lambda text: print(text, file=sys.stderr))


def position_of(game: Game, arguments: argparse.Namespace) -> Position:
    """The position of ``--fen`` and ``--moves``."""
    tell_of_compiling()
    from ryugi_engine.games.position import Position

    try:
        position = Position(game, arguments.fen)
        for move in arguments.moves:
            position.push(move, refereed=True)
    except ValueError as error:
        raise CommandError(str(error)) from None
    return position
