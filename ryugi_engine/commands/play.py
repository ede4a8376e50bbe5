"""``play``: a game against the engine in this terminal."""

from __future__ import annotations

import argparse

from ryugi_engine import process
from ryugi_engine.commands.common import colour_option, tell_of_compiling, whole_number
from ryugi_engine.output import NEW, output_option
from ryugi_engine.terminal.screen import ask, in_colours


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("--variant", required=True, help="the game")
    parser.add_argument("--fen", help="position (default: the start)")
    parser.add_argument("--side", choices=("w", "b"), default="w", help="your side (default: w)")
    parser.add_argument(
        "--tc",
        default="st=2",
        metavar="SEC+INC",
        help="the engine's clock, or st=SEC for a time a move (default: st=2)",
    )
    parser.add_argument(
        "--skill",
        type=whole_number(0, 20),
        default=20,
        metavar="0-20",
        help="its strength (default: 20)",
    )
    output_option(parser, "--save", NEW, metavar="FILE", help="keep the game here as it goes on")
    colour_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until the person leaves."""
    tell_of_compiling()
    from ryugi_engine.games.drawing import Ink
    from ryugi_engine.match.timecontrol import TimeControl
    from ryugi_engine.terminal.play import Play

    game = Play(
        arguments.variant,
        arguments.fen,
        side="wb".index(arguments.side),
        control=TimeControl.read(arguments.tc),
        skill=arguments.skill,
        ink=Ink(in_colours(arguments.colour)),
        read=ask,
        write=lambda text: print(text, flush=True),
        save=arguments.save,
        variants_file=arguments.variants,
    )
    with process.ending_tidily():
        game.run()
    return 0
