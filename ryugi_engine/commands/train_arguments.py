"""The arguments of ``train`` and its actions."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ryugi_engine.cluster.address import cluster_option
from ryugi_engine.commands.common import variants_option, whole_number
from ryugi_engine.commands.train_tune import tune_words
from ryugi_engine.errors import UserError
from ryugi_engine.numbers import decimal
from ryugi_engine.output import (
    CHECKPOINT,
    NET,
    NEW,
    PICTURE,
    POSITIONS,
    TRAINING,
    FileName,
    output_option,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``train`` and of its actions."""
    parser.add_argument("--variant", help="without an action: the game to train a net for")
    parser.add_argument(
        "--hours", type=_hours, metavar="H", help="hours of rounds: self-play, training, comparison"
    )
    text = "output folder (default: train-GAME); resumed if it exists"
    output_option(parser, "--folder", TRAINING, metavar="DIR", help=text)
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="threads (default: all cores)",
    )
    parser.add_argument(
        "--hidden",
        type=whole_number(32, 512),
        metavar="N",
        help="hidden size of the nets, a multiple of 32 (default: 32 to 128, by the positions)",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        variants_option(sub)
        return sub

    data = action("data", "play games of self-play and append their positions to a file")
    data.add_argument("--variant", required=True, help="the game")
    text = "output file; resumed if it exists"
    output_option(data, "--out", POSITIONS, required=True, metavar="FILE", help=text)
    data.add_argument(
        "--positions",
        type=whole_number(1, 10**10),
        required=True,
        metavar="N",
        help="how many the file is to hold in the end",
    )
    data.add_argument(
        "--threads",
        type=whole_number(1, 256),
        metavar="T",
        help="games at a time (default: all cores)",
    )
    cluster_option(
        data,
        "play on workers: local:N, so many processes of this machine, or tcp://scheduler:8786,"
        " those of a Dask cluster",
    )
    data.add_argument(
        "--nodes",
        type=whole_number(1, 10**6),
        default=650,
        metavar="N",
        help="no new iteration after so many nodes of a move (default: 650)",
    )
    data.add_argument(
        "--odds",
        type=whole_number(0, 100),
        default=10,
        metavar="PERCENT",
        help="games that begin without a piece (default: 10)",
    )
    data.add_argument(
        "--seed", type=whole_number(0, 2**31), help="random openings (default: a new one a file)"
    )
    data.add_argument("--net", type=FileName, default="own", metavar="NET", help=_NET_HELP)

    net = action("net", "train a net on positions")
    net.add_argument("--variant", required=True, help="the game")
    net.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="positions, as 'train data' writes them",
    )
    output_option(net, "--out", NET, required=True, metavar="NET", help="output file: the net")
    net.add_argument(
        "--alone",
        action="store_true",
        help="replace the hand-crafted evaluation (default: correct it)",
    )
    net.add_argument(
        "--hidden",
        type=whole_number(32, 512),
        default=32,
        metavar="N",
        help="hidden size, a multiple of 32 (default: 32)",
    )
    net.add_argument(
        "--output-buckets",
        type=whole_number(1, 8),
        default=1,
        metavar="N",
        help="output buckets, chosen by the number of pieces (default: 1)",
    )
    net.add_argument(
        "--king-buckets",
        type=whole_number(0, 4),
        default=0,
        metavar="N",
        help="king buckets, with horizontal mirroring (default: 0, neither)",
    )
    net.add_argument(
        "--finetune",
        type=Path,
        metavar="NET",
        help="begin with this net of the same hidden size (default: random weights)",
    )
    net.add_argument(
        "--epochs",
        type=whole_number(1, 10_000),
        default=20,
        metavar="N",
        help="passes over the data (default: 20)",
    )
    net.add_argument(
        "--batch",
        type=whole_number(1, 1 << 20),
        default=4096,
        metavar="N",
        help="batch size, in positions (default: 4096)",
    )
    net.add_argument(
        "--learning-rate",
        type=whole_number(1, 10**6),
        default=2000,
        metavar="N",
        help="initial learning rate of AdamW, in millionths (default: 2000)",
    )
    net.add_argument(
        "--wdl",
        type=whole_number(0, 100),
        default=5,
        metavar="PERCENT",
        help="WDL weight: share of the game's result in the target (default: 5)",
    )
    net.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="threads (default: all cores)",
    )
    net.add_argument(
        "--seed",
        type=whole_number(0, 2**31),
        default=0,
        help="seed of the initial weights and the order (default: 0)",
    )
    net.add_argument("--no-mirror", action="store_true", help="do not mirror positions at random")
    text = "checkpoint, written after each epoch; resumed if it exists"
    output_option(net, "--checkpoint", CHECKPOINT, metavar="FILE", help=text)
    text = "write a chart of the losses"
    output_option(net, "--curve", PICTURE, metavar="SVG", help=text)

    compare = action("compare", "play games between two nets in equal time")
    compare.add_argument("--variant", required=True, help="the game")
    compare.add_argument(
        "--net",
        type=FileName,
        required=True,
        metavar="NET",
        help=_NET_HELP.replace(" (default: own)", ""),
    )
    compare.add_argument(
        "--against",
        type=FileName,
        default="none",
        metavar="NET",
        help="the other net, named likewise (default: none)",
    )
    compare.add_argument(
        "--weights", type=Path, metavar="FILE", help="for the hand-crafted evaluation of the first"
    )
    compare.add_argument(
        "--against-weights", type=Path, metavar="FILE", help="and of the second (default: its own)"
    )
    compare.add_argument(
        "--games",
        type=whole_number(2, 10**7),
        default=400,
        metavar="N",
        help="games in all (default: 400)",
    )
    compare.add_argument(
        "--nodes",
        type=whole_number(1, 10**7),
        default=3000,
        metavar="N",
        help="of the first net's moves, soft (default: 3000)",
    )
    compare.add_argument(
        "--equal-nodes", action="store_true", help="not in equal time: as many nodes for both"
    )
    compare.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="games at a time (default: all cores)",
    )

    judge = action("judge", "how near evaluations come to what becomes of quiet positions")
    judge.add_argument("--variant", required=True, help="the game")
    judge.add_argument("--net", type=FileName, default="own", metavar="NET", help=_NET_HELP)
    judge.add_argument(
        "--positions",
        type=whole_number(2, 10**6),
        default=1000,
        metavar="N",
        help="one of a game of self-play each (default: 1000)",
    )
    judge.add_argument(
        "--games",
        type=whole_number(1, 1000),
        default=8,
        metavar="N",
        help="that each is played out by the net (default: 8)",
    )
    judge.add_argument(
        "--nodes",
        type=whole_number(1, 10**6),
        default=650,
        metavar="N",
        help="of a move of these games, soft; half to twice as many (default: 650)",
    )
    judge.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="games at a time (default: all cores)",
    )
    judge.add_argument(
        "--seed", type=whole_number(0, 2**31), default=1, help="of the positions (default: 1)"
    )

    tune_words(
        action("tune", "fit the hand-crafted evaluation's weights to positions of any games")
    )

    show = action("show", "say what files of positions hold")
    show.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of positions")

    shuffle = action("shuffle", "write the positions of files to a new one in random order")
    shuffle.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="files of positions, of one game"
    )
    output_option(shuffle, "--out", NEW, required=True, metavar="FILE", help="the new file")
    shuffle.add_argument(
        "--seed",
        type=whole_number(0, 2**31),
        default=0,
        help="what the random order is (default: 0)",
    )


def _hours(text: str) -> float:
    try:
        return decimal(text, 0.001, 10_000)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


_NET_HELP = "a net's file, 'own' for the game's own, 'none' for none (default: own)"
