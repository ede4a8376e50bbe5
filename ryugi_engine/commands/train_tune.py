"""``train tune``: fit the weights of a hand-crafted evaluation to positions."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.commands.common import load_variants, tell_of_compiling, whole_number
from ryugi_engine.output import WEIGHTS, output_option

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game


def tune_words(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="each names its game, and counts alike",
    )
    parser.add_argument(
        "--test",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="positions, of other games too, that only the losses are told of",
    )
    output_option(parser, "--out", WEIGHTS, required=True, metavar="TOML", help="the weights' file")
    parser.add_argument(
        "--weights", type=Path, metavar="TOML", help="to begin with (default: the engine's)"
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="weights whose names begin so"
    )
    parser.add_argument(
        "--wdl",
        type=whole_number(0, 100),
        default=100,
        metavar="PERCENT",
        help="WDL weight: share of the game's result in the target (default: 100)",
    )
    parser.add_argument(
        "--positions",
        type=whole_number(1, 10**9),
        default=200_000,
        metavar="N",
        help="of each file, evenly spread (default: 200000)",
    )
    parser.add_argument(
        "--rounds",
        type=whole_number(1, 100),
        default=8,
        metavar="N",
        help="steps at most (default: 8)",
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="threads that work at it (default: all cores)",
    )


def weights_of(game: Game, path: Path | None) -> dict[str, float] | None:
    """Return the weights of a file for a game; None without a file."""
    from ryugi_engine.games.registry import rules_of
    from ryugi_engine.train.trainable_game import tunable
    from ryugi_engine.train.weights import read_weights

    return None if path is None else read_weights(path, tunable(game, rules_of(game)).weights)


def tune(arguments: argparse.Namespace) -> int:
    """Carry out ``train tune``; return the exit code."""
    registry = load_variants(arguments)
    tell_of_compiling()
    from ryugi_engine.train import tune as tuning

    aim = tuning.Aim(
        wdl=arguments.wdl / 100,
        positions=int(arguments.positions),
        rounds=int(arguments.rounds),
        threads=int(arguments.threads),
        only=tuple(arguments.only),
    )
    with process.ending_tidily():
        tuning.tune(
            registry.game,
            aim,
            arguments.data,
            arguments.test,
            arguments.out,
            first=arguments.weights,
            tell=lambda line: print(line, flush=True),
        )
    return 0
