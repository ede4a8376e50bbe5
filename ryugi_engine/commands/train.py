"""``train``: learn an evaluation for a game from its own play."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.cluster.address import cluster_option
from ryugi_engine.commands.common import game_of, tell_of_compiling, whole_number
from ryugi_engine.commands.train_tune import tune, tune_words, weights_of
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.numbers import decimal

if TYPE_CHECKING:
    from collections.abc import Callable

    from ryugi_engine.games.game import Game
    from ryugi_engine.games.nets import Net
    from ryugi_engine.train.make import Source
    from ryugi_engine.train.player import Settings


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
        help="(default: all cores)",
    )
    parser.add_argument(
        "--lanes",
        type=whole_number(32, 512),
        default=32,
        metavar="N",
        help="size of the nets, a multiple of 32 (default: 32)",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")

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
    compare.add_argument("--net", required=True, metavar="NET", help=_NET_HELP)
    compare.add_argument("--against", default="none", metavar="NET", help="(default: none)")
    compare.add_argument(
        "--weights", type=Path, metavar="FILE", help="for the hand-written evaluation of the first"
    )
    compare.add_argument(
        "--against-weights", type=Path, metavar="FILE", help="and of the second (default: its own)"
    )
    compare.add_argument("--games", type=whole_number(2, 10**7), default=400, metavar="N")
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
        "--threads", type=whole_number(1, 256), default=os.cpu_count() or 1, metavar="T"
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
    judge.add_argument("--threads", type=whole_number(1, 256), default=os.cpu_count() or 1)
    judge.add_argument("--seed", type=whole_number(0, 2**31), default=1, help="(default: 1)")

    tune_words(
        action("tune", "fit the hand-written evaluation's weights to positions of any games")
    )

    show = action("show", "say what files of positions hold")
    show.add_argument("files", nargs="+", type=Path, metavar="FILE")

    shuffle = action("shuffle", "write the positions of files to a new one in random order")
    shuffle.add_argument("files", nargs="+", type=Path, metavar="FILE")
    shuffle.add_argument("--out", type=Path, required=True, metavar="FILE")
    shuffle.add_argument("--seed", type=whole_number(0, 2**31), default=0)


def _hours(text: str) -> float:
    try:
        return decimal(text, 0.001, 10_000)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


_NET_HELP = "a net's file, 'own' for the game's own, 'none' for none (default: own)"


def _chosen(game: Game, text: str) -> Net | None:
    """The net that an argument names."""
    from ryugi_engine.games.nets import read_net
    from ryugi_engine.train.subject import own_net

    if text == "none":
        return None
    return own_net(game) if text == "own" else read_net(Path(text))


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
    net = _chosen(game, arguments.net)
    try:
        with process.ending_tidily():
            make(
                game,
                arguments.out,
                int(arguments.positions),
                settings,
                threads=int(arguments.threads or os.cpu_count() or 1),
                seed=None if arguments.seed is None else int(arguments.seed),
                net=net,
                tell=_tell,
                source=_elsewhere(game, settings, net, arguments),
            )
    except KeyboardInterrupt:
        print(f"{arguments.out}: stopped; the same command goes on", file=sys.stderr)
        return process.INTERRUPTED
    return 0


def _elsewhere(
    game: Game, settings: Settings, net: Net | None, arguments: argparse.Namespace
) -> Callable[[int], Source] | None:
    """Who plays by ``--cluster``; None for threads of this process."""
    if arguments.cluster is None:
        return None
    if arguments.threads is not None:
        raise UserError("--cluster plays as many games as it has threads: leave --threads out")
    from ryugi_engine.cluster.orders import Definitions
    from ryugi_engine.cluster.selfplay import Players

    definitions = Definitions.of(game.name, arguments.variants)
    return lambda seed: Players(arguments.cluster, definitions, settings, seed, net)


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
        mirror=not arguments.no_mirror,
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


def _compare(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.variant)
    tell_of_compiling()
    from ryugi_engine.train.compare import compare

    with process.ending_tidily():
        verdict = compare(
            game,
            _chosen(game, arguments.net),
            _chosen(game, arguments.against),
            nodes=int(arguments.nodes),
            games=int(arguments.games),
            threads=int(arguments.threads),
            equal_time=not arguments.equal_nodes,
            weights=(
                weights_of(game, arguments.weights),
                weights_of(game, arguments.against_weights),
            ),
            tell=_tell,
        )
    print(verdict.told())
    return 0


def _judge(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, arguments.variant)
    net = _chosen(game, arguments.net)
    tell_of_compiling()
    from ryugi_engine.train.outcome import nearness, play_out

    with process.ending_tidily():
        played = play_out(
            game,
            net,
            positions=int(arguments.positions),
            games=int(arguments.games),
            nodes=int(arguments.nodes),
            threads=int(arguments.threads),
            seed=int(arguments.seed),
            tell=_tell,
        )
    named = {} if net is None else {f"net {net.digest}": net}
    for name, found in nearness(game, {**named, "by hand": None}, played).items():
        print(
            f"{name}: mean error of the chance to win {found.mean_error:.4f},"
            f" squared {found.mean_square:.4f}, scale {found.scale:.0f}"
        )
    return 0


def _rounds(arguments: argparse.Namespace) -> int:
    for name in ("variant", "hours"):
        if getattr(arguments, name) is None:
            raise UserError(f"train: --{name} is missing, or an action")
    game = game_of(arguments, arguments.variant)
    tell_of_compiling()
    from ryugi_engine.train.rounds import Rounds, Wish

    folder = arguments.folder or Path(f"train-{game.name}")
    wish = Wish(arguments.hours, int(arguments.threads), lanes=int(arguments.lanes))
    try:
        with process.ending_tidily():
            Rounds(game, folder, wish, _tell).run()
    except KeyboardInterrupt:
        print(f"{folder}: stopped; the same command goes on", file=sys.stderr)
        return process.INTERRUPTED
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
    actions = {
        None: _rounds,
        "data": _data,
        "net": _net,
        "compare": _compare,
        "judge": _judge,
        "tune": tune,
        "show": _show,
        "shuffle": _shuffle,
    }
    return actions[arguments.action](arguments)
