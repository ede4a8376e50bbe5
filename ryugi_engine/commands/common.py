"""What the subcommands share: games and positions by their arguments, and complaints."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.files import fault

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position
    from ryugi_engine.games.registry import Registry

#: Exit codes: wrong use or input, and a check that found a difference.
WRONG, MISMATCH = process.WRONG, 1


class CommandError(Exception):
    """What the user has to know, in one line."""


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
