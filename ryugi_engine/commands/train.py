"""``train``: learn an evaluation for a game from its own play."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.commands.common import (
    cluster_of,
    game_of,
    load_variants,
    stopped,
    tell_of_compiling,
)
from ryugi_engine.commands.settings_arguments import settings_of
from ryugi_engine.commands.train_arguments import arguments
from ryugi_engine.commands.train_levels import train_levels
from ryugi_engine.errors import UserError
from ryugi_engine.processes import process
from ryugi_engine.train.settings import (
    ComparisonSettings,
    Hyperparameters,
    RoundSettings,
    SelfPlaySettings,
)

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game
    from ryugi_engine.nnue.net import Net

__all__ = ["arguments", "run"]


def _chosen(game: Game, text: str, fit: bool = False) -> Net | None:
    """Return the net that an argument names; with ``fit`` one of another game is made to fit."""
    from ryugi_engine.games.registry import registry, rules_of
    from ryugi_engine.nnue.file_format import read_net
    from ryugi_engine.train.material_net import material_net
    from ryugi_engine.train.trainable_game import own_net, trainable

    if text == "none":
        return None
    if text == "first":
        net = trainable(game).first_net()
        if net is None:
            raise UserError(f"{game.name}: no net can be made from its rules")
        return net
    if text == "material":
        return material_net(game)
    if text == "own":
        return own_net(game)
    net = read_net(Path(text))
    try:
        return trainable(game).adapted(net, rules_of(registry().game(net.game))) if fit else net
    except UserError as error:
        raise UserError(f"{text}: {error}") from None


def _report(line: str) -> None:
    print(line, flush=True)


def _load_kernels(game: Game) -> None:
    """Compile what self-play needs, before it begins."""
    tell_of_compiling()
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.train.numbered_games import KERNELS

    load_kernels(game, *KERNELS, own=True)


def _generate(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, default="")
    _load_kernels(game)
    from ryugi_engine.train.datagen import generate

    settings = SelfPlaySettings(**settings_of(SelfPlaySettings, arguments))
    net = _chosen(game, arguments.net)
    try:
        with process.ending_tidily(), cluster_of(arguments, game) as cluster:
            generate(
                game,
                arguments.out,
                int(arguments.positions),
                settings,
                threads=int(arguments.threads),
                seed=None if arguments.seed is None else int(arguments.seed),
                net=net,
                report=_report,
                cluster=cluster,
            )
    except KeyboardInterrupt:
        return stopped(arguments.out)
    return 0


def _net(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, default="")
    tell_of_compiling()
    from ryugi_engine.train.net_training import train_net

    settings = Hyperparameters(**settings_of(Hyperparameters, arguments))
    with process.ending_tidily():
        train_net(
            game,
            arguments.data,
            arguments.out,
            settings,
            threads=int(arguments.threads),
            finetune=_chosen(game, arguments.finetune, fit=True),
            checkpoint=arguments.checkpoint,
            curve_file=arguments.curve,
            report=_report,
        )
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    game = game_of(arguments, default="")
    _load_kernels(game)
    from ryugi_engine.train.compare import compare

    with process.ending_tidily(), cluster_of(arguments, game) as cluster:
        verdict = compare(
            game,
            _chosen(game, arguments.net),
            _chosen(game, arguments.against),
            ComparisonSettings(**settings_of(ComparisonSettings, arguments)),
            report=_report,
            cluster=cluster,
        )
    print(verdict.summary())
    return 0


def _rounds(arguments: argparse.Namespace) -> int:
    if arguments.variant is None and not arguments.variants:
        raise UserError("train: --variant is missing, or an action")
    if arguments.hours is None:
        raise UserError("train: --hours is missing, or an action")
    game = game_of(arguments, default="")
    _load_kernels(game)
    from ryugi_engine.train.rounds import Rounds

    folder = arguments.folder or Path(f"train-{game.name}")
    settings = RoundSettings(**settings_of(RoundSettings, arguments))
    try:
        with process.ending_tidily(), cluster_of(arguments, game) as cluster:
            Rounds(game, folder, settings, _report, cluster).run()
    except KeyboardInterrupt:
        return stopped(folder)
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from ryugi_engine.train.summary import summary

    games = load_variants(arguments)
    for path in arguments.files:
        for line in summary(path, games):
            print(line)
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Carry out ``train ACTION``; return the exit code."""
    actions = {
        None: _rounds,
        "generate": _generate,
        "net": _net,
        "compare": _compare,
        "levels": train_levels,
        "show": _show,
    }
    return actions[arguments.action](arguments)
