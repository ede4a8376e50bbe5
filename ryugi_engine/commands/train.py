"""``train``: learn an evaluation for a game from its own play."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ryugi_engine import process
from ryugi_engine.commands.common import game_of, tell_of_compiling, whole_number
from ryugi_engine.games.game import counted


def arguments(parser: argparse.ArgumentParser) -> None:
    """The words of ``train`` and of its actions."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")

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
        default=os.cpu_count() or 1,
        metavar="T",
        help="games at a time (default: all cores)",
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

    net = action("net", "learn a net from positions")
    net.add_argument("--variant", required=True, help="the game")
    net.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
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
    net.add_argument("--epochs", type=whole_number(1, 10_000), default=20, metavar="N")
    net.add_argument("--batch", type=whole_number(1, 1 << 20), default=4096, metavar="N")
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
        help="(default: all cores)",
    )
    net.add_argument("--seed", type=whole_number(0, 2**31), default=0)
    net.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="kept after each epoch, and gone on from"
    )
    net.add_argument("--curve", type=Path, metavar="SVG", help="write a picture of the losses")

    show = action("show", "say what files of positions hold")
    show.add_argument("files", nargs="+", type=Path, metavar="FILE")

    shuffle = action("shuffle", "write the positions of files to a new one in random order")
    shuffle.add_argument("files", nargs="+", type=Path, metavar="FILE")
    shuffle.add_argument("--out", type=Path, required=True, metavar="FILE")
    shuffle.add_argument("--seed", type=whole_number(0, 2**31), default=0)


def _tell(line: str) -> None:
    print(line, flush=True)


def _data(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.variant)
    tell_of_compiling()
    from ryugi_engine.kernel import jit

    jit.load(game.rules_module, "ryugi_engine.train.selfplay", "ryugi_engine.search.root")
    from ryugi_engine.train.make import make
    from ryugi_engine.train.player import Settings

    settings = Settings(nodes=int(arguments.nodes), odds=int(arguments.odds))
    try:
        with process.ending_tidily():
            make(
                game,
                arguments.out,
                int(arguments.positions),
                settings,
                threads=int(arguments.threads),
                seed=None if arguments.seed is None else int(arguments.seed),
                tell=_tell,
            )
    except KeyboardInterrupt:
        print(f"{arguments.out}: stopped; the same command goes on", file=sys.stderr)
        return process.INTERRUPTED
    return 0


def _net(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.variant)
    tell_of_compiling()
    from ryugi_engine.train.teach import teach
    from ryugi_engine.train.trainer import Plan

    plan = Plan(
        lanes=int(arguments.lanes),
        epochs=int(arguments.epochs),
        batch=int(arguments.batch),
        rate=arguments.rate / 1e6,
        result_weight=arguments.result_weight / 100,
        correction=not arguments.alone,
        seed=int(arguments.seed),
    )
    with process.ending_tidily():
        teach(
            game,
            arguments.data,
            arguments.out,
            plan,
            threads=int(arguments.threads),
            checkpoint=arguments.checkpoint,
            curve_file=arguments.curve,
            tell=_tell,
        )
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from ryugi_engine.train.summary import summary

    for path in arguments.files:
        for line in summary(path):
            print(line)
    return 0


def _shuffle(arguments: argparse.Namespace) -> int:
    from ryugi_engine.train.positions import shuffle

    number = shuffle(arguments.files, arguments.out, int(arguments.seed))
    print(f"{arguments.out}: {counted(number, 'position')}")
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``train ACTION``; returns the exit code."""
    actions = {"data": _data, "net": _net, "show": _show, "shuffle": _shuffle}
    return actions[arguments.action](arguments)
