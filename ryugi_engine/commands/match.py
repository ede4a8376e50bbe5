"""``match``: games between two engines."""

from __future__ import annotations

import argparse
from pathlib import Path

from ryugi_engine import process
from ryugi_engine.commands.common import game_of, tell_of_compiling, whole_number
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its words."""
    parser.add_argument("--variant", default="ryugi", help="the game (default: ryugi)")
    parser.add_argument(
        "--engine",
        action="append",
        required=True,
        metavar="CMD",
        help="a UCI engine's command line; give it twice",
    )
    parser.add_argument("--games", type=whole_number(1, 1_000_000), default=2, metavar="N")
    parser.add_argument(
        "--tc",
        default="10+0.1",
        metavar="SEC+INC",
        help="clock, or st=SEC for a time a move (default: 10+0.1)",
    )
    parser.add_argument(
        "--time-margin",
        type=whole_number(0, 60_000),
        default=0,
        metavar="MS",
        help="how late a move may be (default: 0)",
    )
    parser.add_argument(
        "--resign", default="", metavar="MOVES:CP", help="a side so far behind for so long resigns"
    )
    parser.add_argument(
        "--draw", default="", metavar="MOVES:CP", help="two sides so even for so long agree"
    )
    parser.add_argument("--pgn-out", type=Path, metavar="FILE", help="append the games to FILE")
    parser.add_argument("--openings", type=Path, metavar="FILE", help="position texts, one a line")
    parser.add_argument(
        "--seed", type=whole_number(0, 2**31), default=0, help="order of the openings"
    )
    parser.add_argument(
        "--max-plies",
        type=whole_number(2, 100_000),
        default=1000,
        metavar="N",
        help="a longer game is a draw (default: 1000)",
    )
    parser.add_argument("--quiet", action="store_true", help="no line for every move")


def run(arguments: argparse.Namespace) -> int:
    """Play them; 1 if an engine was at fault."""
    game = game_of(arguments, arguments.variant)
    if len(arguments.engine) != 2:
        raise UserError(
            f"--engine must be given twice, not {counted(len(arguments.engine), 'time')}"
        )
    tell_of_compiling()
    from ryugi_engine.match.run import MatchError, MatchPlan, play_match

    try:
        plan = MatchPlan.read(
            game,
            engines=arguments.engine,
            games=arguments.games,
            time_control=arguments.tc,
            pgn_out=arguments.pgn_out,
            openings=arguments.openings,
            seed=arguments.seed,
            max_plies=arguments.max_plies,
            resign=arguments.resign,
            draw=arguments.draw,
            time_margin=arguments.time_margin,
            variants_file=arguments.variants,
        )
        with process.ending_tidily():
            return play_match(plan, verbose=not arguments.quiet)
    except MatchError as error:
        raise UserError(str(error)) from None
