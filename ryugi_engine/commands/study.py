"""``study``: find out by self-play whether a game is fair, drawn, sharp, and what matters in it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ryugi_engine.commands.common import (
    cluster_of,
    cluster_option,
    decimal_number,
    game_of,
    stopped,
    tell_of_compiling,
    whole_number,
)
from ryugi_engine.files.output import FIGURES_OF_STUDY, PAGE, STUDY, output_option
from ryugi_engine.processes import process
from ryugi_engine.settings.argument import all_cores


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "the game, one of --variants too (default: with --variants FILE of one game that one)"
    parser.add_argument("variant", nargs="?", metavar="GAME", help=text)
    text = "hours in all; with --journal those of earlier calls count (default: 0.5)"
    parser.add_argument(
        "--hours", type=decimal_number(0.001, 10_000), default=0.5, metavar="H", help=text
    )
    text = "rounds of games in all, at most; a round has some games of each kind"
    parser.add_argument("--rounds", type=whole_number(1, 10**6), metavar="N", help=text)
    text = "nodes of a move at the three strengths, the weakest first (default: 500 5000 50000, or"
    text += " fewer where the time is short)"
    nodes = whole_number(1, 10**9)
    parser.add_argument("--nodes", type=nodes, nargs=3, metavar="N", help=text)
    text = "seed of the openings of a new study (default: 0)"
    parser.add_argument("--seed", type=whole_number(0, 2**31), default=0, metavar="N", help=text)
    text = "games at a time (default: all cores)"
    parser.add_argument(
        "--threads", type=whole_number(1, 256), default=all_cores(), metavar="T", help=text
    )
    text = "web page with the figures (default: study-GAME.html)"
    output_option(parser, "--out", PAGE, metavar="FILE", help=text)
    text = "write the figures as JSON, too"
    output_option(parser, "--json", FIGURES_OF_STUDY, metavar="FILE", help=text)
    text = "file that keeps the games; one that is there is resumed (default: the page's name with"
    text += " .games)"
    output_option(parser, "--journal", STUDY, metavar="FILE", help=text)
    cluster_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``study``; return the exit code."""
    game = game_of(arguments, default="")
    out = arguments.out or Path(f"study-{game.name}.html")
    journal = arguments.journal or out.with_suffix(".games")
    PAGE.check(out)
    STUDY.check(journal)
    tell_of_compiling()
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.study.player import KERNELS
    from ryugi_engine.study.run import Settings, study

    load_kernels(game, *KERNELS, own=True)
    settings = Settings(
        hours=arguments.hours,
        rounds=arguments.rounds,
        processes=int(arguments.threads),
        seed=int(arguments.seed),
        nodes=_nodes(arguments.nodes),
        page=out,
        journal=journal,
        json=arguments.json,
        variants=os.path.abspath(arguments.variants) if arguments.variants else "",
    )
    try:
        with process.ending_tidily(), cluster_of(arguments, game) as cluster:
            study(game, settings, lambda line: print(line, flush=True), cluster)
    except KeyboardInterrupt:
        return stopped(journal)
    return 0


def _nodes(given: list[int] | None) -> tuple[int, int, int] | None:
    """Return the nodes of the strengths, the weakest first."""
    if given is None:
        return None
    low, middle, high = sorted(map(int, given))
    return low, middle, high
