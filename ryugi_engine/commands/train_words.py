"""The words of ``train`` and its actions."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ryugi_engine.cluster.address import cluster_option
from ryugi_engine.commands.common import variants_option, whole_number
from ryugi_engine.commands.train_tune import tune_words
from ryugi_engine.errors import UserError
from ryugi_engine.numbers import decimal


def arguments(parser: argparse.ArgumentParser) -> None:
    """The words of ``train`` and of its actions."""
    parser.add_argument("--variant", help="without an action: the game to make a net for")
    parser.add_argument(
        "--hours", type=_hours, metavar="H", help="for so long: rounds of play and learning"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="what is made (default: train-GAME); resumed"
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="threads that work at it (default: all cores)",
    )
    parser.add_argument(
        "--lanes",
        type=whole_number(32, 512),
        metavar="N",
        help="size of the nets, a multiple of 32 (default: 32 to 128, as there are positions)",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        variants_option(sub)
        return sub

    data = action("data", "play games and append their positions to a file")
    data.add_argument("--variant", required=True, help="the game")
    data.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="if it is there, it is gone on with"
    )
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
    data.add_argument("--net", default="own", metavar="NET", help=_NET_HELP)

    net = action("net", "learn a net from positions")
    net.add_argument("--variant", required=True, help="the game")
    net.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="positions, as 'train data' writes them",
    )
    net.add_argument("--out", type=Path, required=True, metavar="NET", help="the net's file")
    net.add_argument(
        "--alone",
        action="store_true",
        help="it takes the place of the hand-written evaluation (default: it corrects that)",
    )
    net.add_argument(
        "--lanes",
        type=whole_number(32, 512),
        default=32,
        metavar="N",
        help="its size, a multiple of 32 (default: 32)",
    )
    net.add_argument(
        "--stages",
        type=whole_number(1, 8),
        default=1,
        metavar="N",
        help="outputs of their own for so many numbers of pieces left (default: 1)",
    )
    net.add_argument(
        "--king-buckets",
        type=whole_number(0, 4),
        default=0,
        metavar="N",
        help="see a board from the king's side of it, by so many places of the king (default: 0,"
        " whatever the king does)",
    )
    net.add_argument(
        "--start",
        type=Path,
        metavar="NET",
        help="go on from this net of as many lanes, with a lower --rate (default: from nothing)",
    )
    net.add_argument(
        "--epochs",
        type=whole_number(1, 10_000),
        default=20,
        metavar="N",
        help="how often each position is learnt from (default: 20)",
    )
    net.add_argument(
        "--batch",
        type=whole_number(1, 1 << 20),
        default=4096,
        metavar="N",
        help="positions between two steps (default: 4096)",
    )
    net.add_argument(
        "--rate",
        type=whole_number(1, 10**6),
        default=2000,
        metavar="N",
        help="learning rate at first, in millionths (default: 2000)",
    )
    net.add_argument(
        "--result-weight",
        type=whole_number(0, 100),
        default=5,
        metavar="PERCENT",
        help="how much the games' results count beside the scores (default: 5)",
    )
    net.add_argument(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="T",
        help="threads that work at it (default: all cores)",
    )
    net.add_argument(
        "--seed",
        type=whole_number(0, 2**31),
        default=0,
        help="of the first weights and the order (default: 0)",
    )
    net.add_argument(
        "--no-mirror",
        action="store_true",
        help="learn from positions as they are (default: or in a mirror, by chance)",
    )
    net.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="kept after each epoch, and gone on from"
    )
    net.add_argument("--curve", type=Path, metavar="SVG", help="write a picture of the losses")

    compare = action("compare", "play games between two nets in equal time")
    compare.add_argument("--variant", required=True, help="the game")
    compare.add_argument(
        "--net", required=True, metavar="NET", help=_NET_HELP.replace(" (default: own)", "")
    )
    compare.add_argument(
        "--against",
        default="none",
        metavar="NET",
        help="the other net, named likewise (default: none)",
    )
    compare.add_argument(
        "--weights", type=Path, metavar="FILE", help="for the hand-written evaluation of the first"
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
    judge.add_argument("--net", default="own", metavar="NET", help=_NET_HELP)
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
        action("tune", "fit the hand-written evaluation's weights to positions of any games")
    )

    show = action("show", "say what files of positions hold")
    show.add_argument("files", nargs="+", type=Path, metavar="FILE", help="files of positions")

    shuffle = action("shuffle", "write the positions of files to a new one in random order")
    shuffle.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="files of positions, of one game"
    )
    shuffle.add_argument("--out", type=Path, required=True, metavar="FILE", help="the new file")
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
