"""Nets that count material: what learning begins with where the game's own net plays badly."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ryugi_engine.commands import cli
from ryugi_engine.games.registry import registry
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.material_net import material_net
from ryugi_engine.train.positions import dtype
from tests.nnue.test_nets import recorded
from tests.support.helpers import walked


@pytest.mark.parametrize("name", ["chu", "chess", "ryugi", "crazyhouse", "shogi"])
def test_it_evaluates_as_the_game_does_without_a_net(name: str, source: random.Random) -> None:
    """Up to rounding, a few centipawns a piece, unless a side is far ahead.

    Pieces in hand count, too.
    """
    game = registry().game(name)
    net = material_net(game)
    held = np.zeros(60, dtype(net.inputs.cells))
    for number in range(len(held)):
        held[number] = recorded(walked(game, source, 60))
    wanted = evaluations(game, None, held).astype(np.float64)
    small = np.abs(wanted) < 2 * net.scale
    assert np.count_nonzero(small) > 30
    errors = net.evaluate(held["cells"], held["side"])[small] - wanted[small]
    assert np.sqrt(np.mean(errors**2)) < 0.06 * net.scale
    evaluated = net.evaluate(held["cells"], held["side"])
    assert evaluations(game, net, held).tolist() == evaluated.tolist()


def test_the_command_line_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--variant", "ryugi", "--games", "4", "--nodes", "20", "--threads", "1"]
    assert cli.main(["train", "compare", "--net", "material", "--equal-nodes", *words]) == 0
    assert "games: 4" in capsys.readouterr().out
