"""The arguments of ``train`` and its actions."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ryugi_engine.commands.common import cluster_option, variants_option, whole_number
from ryugi_engine.commands.settings_arguments import add_settings
from ryugi_engine.files.output import (
    CHECKPOINT,
    LEVEL_GAMES,
    LEVELS,
    NET,
    PICTURE,
    POSITIONS,
    TRAINING,
    FileName,
    output_option,
)
from ryugi_engine.train.settings import (
    ComparisonSettings,
    Hyperparameters,
    LevelSettings,
    RoundSettings,
    SelfPlaySettings,
)

_GAME = "the game (default: with --variants FILE of one game that one)"
_NET = (
    "a net's file, 'own' for the game's own, 'first' for one made from its rules, 'material' for"
    " one that counts material, or 'none'"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``train`` and of its actions."""
    text = f"without an action: {_GAME}"
    parser.add_argument("--variant", metavar="GAME", help=text)
    text = "output folder (default: train-GAME); resumed if it exists"
    output_option(parser, "--folder", TRAINING, metavar="DIR", help=text)
    add_settings(parser, RoundSettings)
    cluster_option(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, text: str, *, variant: bool = True) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        variants_option(sub)
        if variant:
            sub.add_argument("--variant", metavar="GAME", default=argparse.SUPPRESS, help=_GAME)
        return sub

    _generate(action("generate", "play games of self-play and append their positions to a file"))
    _net(action("net", "train a net on positions"))
    _compare(action("compare", "play games between two nets in equal time"))
    text = "find the strengths of a game's levels by games between them"
    _levels(action("levels", text, variant=False))
    show = action("show", "describe files of positions", variant=False)
    show.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of positions")


def _generate(parser: argparse.ArgumentParser) -> None:
    text = "output file; resumed if it exists"
    output_option(parser, "--out", POSITIONS, required=True, metavar="FILE", help=text)
    parser.add_argument(
        "--positions",
        type=whole_number(1, 10**10),
        required=True,
        metavar="N",
        help="total number of positions in the file",
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="games at a time (default: all cores)",
    )
    cluster_option(parser, default=argparse.SUPPRESS)
    add_settings(parser, SelfPlaySettings)
    text = "seed of the openings (default: a new one for each file)"
    parser.add_argument("--seed", type=whole_number(0, 2**31), metavar="N", help=text)
    text = f"{_NET} (default: own)"
    parser.add_argument("--net", type=FileName, default="own", metavar="NET", help=text)


def _net(parser: argparse.ArgumentParser) -> None:
    text = "positions, as 'train generate' writes them"
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE", help=text)
    output_option(parser, "--out", NET, required=True, metavar="NET", help="output file: the net")
    add_settings(parser, Hyperparameters)
    text = f"start from {_NET}, random weights; its hidden size divides --hidden (default: none)"
    parser.add_argument("--finetune", type=FileName, default="none", metavar="NET", help=text)
    add_settings(parser, RoundSettings, "threads")
    text = "checkpoint, written after each epoch; resumed if it exists"
    output_option(parser, "--checkpoint", CHECKPOINT, metavar="FILE", help=text)
    text = "write a chart of the losses"
    output_option(parser, "--curve", PICTURE, metavar="SVG", help=text)


def _compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--net", type=FileName, required=True, metavar="NET", help=_NET)
    text = "the other net, named likewise (default: none)"
    parser.add_argument("--against", type=FileName, default="none", metavar="NET", help=text)
    cluster_option(parser, default=argparse.SUPPRESS)
    add_settings(parser, ComparisonSettings)


def _levels(parser: argparse.ArgumentParser) -> None:
    text = "the game; several share one table (default: with --variants FILE of one game that one)"
    parser.add_argument(
        "--variant", nargs="+", metavar="GAME", default=argparse.SUPPRESS, help=text
    )
    text = "output file: the table (default: where the engine looks for the game's)"
    output_option(parser, "--out", LEVELS, metavar="FILE", help=text)
    text = "the games so far (default: levels-GAME.games here); resumed if the file exists"
    output_option(parser, "--journal", LEVEL_GAMES, metavar="FILE", help=text)
    add_settings(parser, LevelSettings)
