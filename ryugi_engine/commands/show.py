"""``show``: a position as text, or as a picture."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import (
    board_options,
    game_of,
    ink_of,
    position_of,
    position_options,
    put,
)
from ryugi_engine.output import PICTURE, output_option


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    position_options(parser)
    output_option(parser, "--svg", PICTURE, metavar="FILE", help="write the picture to FILE")
    board_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the board, its text and how the game has ended, if it has."""
    position = position_of(game_of(arguments, arguments.variant), arguments)
    outcome = position.outcome()
    print(position.board_text(ink_of(arguments), mark=True))
    print()
    print(f"Fen: {position.text()}")
    if outcome is not None:
        print(f"Result: {outcome.result} ({outcome.reason})")
    if arguments.svg is not None:
        put(arguments.svg, position.draw().svg(), PICTURE, "Picture")
    return 0
