"""``show``: a position as text, or as a picture."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import colour_option, game_of, position_of, position_options, put
from ryugi_engine.output import PICTURE, output_option
from ryugi_engine.terminal.screen import in_colours


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    position_options(parser)
    output_option(parser, "--svg", PICTURE, metavar="FILE", help="write the picture to FILE")
    colour_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the board, its text and how the game has ended, if it has."""
    from ryugi_engine.games.drawing import Ink

    position = position_of(game_of(arguments, arguments.variant), arguments)
    outcome = position.outcome()
    print(position.board_text(Ink(in_colours(arguments.colour)), mark=True))
    print()
    print(f"Fen: {position.text()}")
    if outcome is not None:
        print(f"Result: {outcome.result} ({outcome.reason})")
    if arguments.svg is not None:
        put(arguments.svg, position.draw().svg(), PICTURE, "Picture")
    return 0
