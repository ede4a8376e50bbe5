"""``diagram``: a chess-like game as an Interactive Diagram, for web pages."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import game_of
from ryugi_engine.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "the game, one of --variants too (default: with --variants FILE of one game that one)"
    parser.add_argument("variant", nargs="?", metavar="GAME", help=text)
    parser.add_argument(
        "--html", action="store_true", help="with the element that a web page has it in"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a game's diagram; UserError for a game that the format cannot express."""
    game = game_of(arguments, default="")
    if game.diagram is None:
        raise UserError(f"{game.name}: an Interactive Diagram cannot say this game")
    text = game.diagram()
    print(f'<div class="idiagram">\n{text}</div>' if arguments.html else text.rstrip())
    return 0
