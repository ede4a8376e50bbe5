"""``bench``: a fixed set of positions, searched."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import (
    game_of,
    load_variants,
    net_option,
    rules_by,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "one game only (default: all, or with --variants FILE of one game that one)"
    parser.add_argument("--variant", metavar="GAME", help=text)
    parser.add_argument(
        "--depth", type=whole_number(1, 60), help="plies (default: each game's own)"
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=1,
        metavar="T",
        help="threads that search (default: 1)",
    )
    parser.add_argument(
        "--hash",
        type=whole_number(1, 65536),
        default=16,
        metavar="MB",
        help="transposition table, in megabytes (default: 16)",
    )
    net_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Search the bench positions; print nodes and speed."""
    registry = load_variants(arguments)
    all_of_them = arguments.variant is None and registry.only_own is None
    games = registry.games() if all_of_them else [game_of(arguments, games=registry)]
    if arguments.net and all_of_them:
        raise UserError("--net goes with --variant: a net is for one game")
    tell_of_compiling()
    from ryugi_engine.search.bench import Bench

    rules = rules_by(games[0], arguments) if arguments.net else None
    Bench(games, arguments.depth, print, arguments.threads, arguments.hash, rules).run()
    return 0
