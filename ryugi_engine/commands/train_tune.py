"""``train tune``: fit the weights of a hand-crafted evaluation to positions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine import process
from ryugi_engine.commands.common import load_variants, tell_of_compiling
from ryugi_engine.commands.settings_arguments import settings_of
from ryugi_engine.train.settings import TuningSettings

if TYPE_CHECKING:
    from ryugi_engine.games.game import Game


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

    values = settings_of(TuningSettings, arguments)
    with process.ending_tidily():
        tuning.tune(
            registry.game,
            TuningSettings(**values, only=tuple(arguments.only)),
            arguments.data,
            arguments.test,
            arguments.out,
            first=arguments.weights,
            report=lambda line: print(line, flush=True),
        )
    return 0
