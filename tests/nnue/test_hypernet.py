"""Nets that are made of definitions alone."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions, registry, rules_of
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.float_net import Weights
from ryugi_engine.nnue.origin import HYPERNET
from ryugi_engine.train.trainable_game import own_net, training_of
from tests.support.effort import effort
from tests.support.helpers import ROOT, walked
from variants.chess import catalogue
from variants.chess.family import kinship
from variants.chess.family.first_net import HYPERNET_FILE
from variants.chess.hypernet import features as F
from variants.chess.hypernet.features import features_of
from variants.chess.hypernet.hypernet import Arrays, Hypernet
from variants.chess.hypernet.training import _begun, _Trainer

HIDDEN = 4


def _features(name: str) -> Any:
    rules: Any = rules_of(registry().game(name))
    return features_of(rules.definition, rules._recording()), rules._recording()


def _random(source: random.Random, classes: tuple[str, ...]) -> Hypernet:
    """A small hypernet of random weights."""
    numbers = np.random.default_rng(source.randrange(2**32))

    def normal(*shape: int) -> Any:
        return numbers.normal(0, 0.05, (*shape, HIDDEN)).astype(np.float32)

    count = len(classes)
    arrays = Arrays(
        normal(2, F.KIND_FEATURES, F.SQUARE_FEATURES),
        normal(2, F.PLACE_FEATURES),
        normal(2, F.KIND_FEATURES, F.HAND_FEATURES),
        normal(2, count, F.CLASS_SQUARES),
        normal(2, count, F.HAND_FEATURES),
        normal(2, len(F.COUNTERS), F.LEVELS),
        normal(F.GAME_FEATURES),
        normal(),
        normal(2, 2),
        np.zeros(2, np.float32),
    )
    return Hypernet({key: number for number, key in enumerate(classes)}, arrays)


@pytest.mark.parametrize("name", ["georgian", "crazyhouse", "3check", "kingofthehill"])
def test_gradients_are_slopes(name: str, source: random.Random) -> None:
    """By differences, of a sum that weighs each weight of the game's net at random."""
    game, training = _features(name)
    net = _random(source, game.classes[1:])
    known = net.known(game)
    assert list(known).count(-1) == 1
    numbers = np.random.default_rng(source.randrange(2**32))
    made = net.float_net(game, training.inputs, known).weights
    weighed = made.map(lambda array: numbers.normal(0, 1, array.shape).astype(np.float32))
    found = net.arrays.zeros()
    net.add_gradients(game, training.inputs, known, Weights(*weighed), found)

    def total() -> float:
        weights = net.float_net(game, training.inputs, known).weights
        pairs = zip(weights, weighed, strict=True)
        return sum(float((a.astype(np.float64) * b).sum()) for a, b in pairs)

    for field, array in net.arrays._asdict().items():
        slopes, flat = getattr(found, field).reshape(-1), array.reshape(-1)
        moving = np.flatnonzero(slopes)
        for place in source.sample([*moving], min(len(moving), effort(3, 20))):
            before, step = flat[place], np.float32(0.01)
            flat[place] = before + step
            above = total()
            flat[place] = before - step
            below = total()
            flat[place] = before
            wanted = (above - below) / (2 * float(step))
            assert slopes[place] == pytest.approx(wanted, rel=0.03, abs=0.03), (field, place)


def test_it_begins_as_the_base_on_its_board() -> None:
    chess = registry().game("chess")
    net = _begun([], chess, 0)
    game, training = _features("chess")
    made = net.float_net(game, training.inputs, net.known(game)).quantised("chess", metadata={})
    own = own_net(chess)
    assert own is not None
    assert np.array_equal(made.feature_weights, own.feature_weights)
    assert np.array_equal(made.output_weights, own.output_weights)
    assert not _Trainer(net, 6, None)._first.kinds.any()  # type: ignore[arg-type]


def test_a_file_is_the_hypernet(tmp_path: Path, source: random.Random) -> None:
    net = _random(source, ("a", "b", "c"))
    net.write(tmp_path / "x.npz")
    read = Hypernet.read(tmp_path / "x.npz")
    assert read.classes == net.classes
    for field, array in net.arrays._asdict().items():
        coarse = np.abs(array).max() / 127 + 1e-3
        assert np.allclose(getattr(read.arrays, field), array, atol=coarse), field


def test_every_chess_like_game_has_a_net_that_fits() -> None:
    """Its own, or one that is made from its rules; where there is none, the reason is known."""
    without = set()
    for name in catalogue():
        rules: Any = rules_of(registry().game(name))
        if rules.net is None:
            without.add(name)
            continue
        rules.net.check()
        assert rules.net.inputs.difference(rules._recording().inputs) == ""
        own = (kinship.NETS / f"{name}.net").exists()
        assert not (own and rules.net.origin), name
    assert without <= {
        "amazons", "ataxx", "breakthrough", "clobber", "clobber10", "duck", "flipello",
        "flipello10", "flipersi", "fox-and-hounds", "isolation", "isolation7x7", "jesonmor",
        "joust", "snailtrail", "yarishogi", "torishogi", "dobutsu",
    }, without  # fmt: skip


_GAME = """
[{name}]
files = 8
ranks = 9
start = "{start} w - - 0 1"
promotion = "{queen}{knight}"
n_move_rule = 50
pieces = {{ {pieces} }}
"""


def _own(folder: Path, name: str, letters: dict[str, str], order: str) -> Any:
    """A game whose pieces have these letters, and are defined in this order."""
    betza = {"K": "K", "P": "fmWfceF", "Q": "RNN", "N": "DW", "B": "BfW", "R": "R4"}
    start = "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR"
    change = {**letters, **{a.lower(): b.lower() for a, b in letters.items()}}
    path = folder / f"{name}.toml"
    path.write_text(
        _GAME.format(
            name=name,
            start="".join(change.get(sign, sign) for sign in start),
            queen=letters.get("Q", "Q"),
            knight=letters.get("N", "N"),
            pieces=", ".join(f'{letters.get(kind, kind)} = "{betza[kind]}"' for kind in order),
        )
    )
    (game,) = read_definitions(str(path))
    return game


def test_names_and_the_order_of_letters_do_not_matter(
    tmp_path: Path, source: random.Random
) -> None:
    first = _own(tmp_path, "first", {}, "KPQNBR")
    letters = {"Q": "Z", "N": "B", "B": "N"}
    second = _own(tmp_path, "second", letters, "RBPNKQ")
    assert own_net(first).origin == own_net(second).origin == HYPERNET  # type: ignore[union-attr]
    change = {**letters, **{a.lower(): b.lower() for a, b in letters.items()}}
    for _ in range(effort(10, 100)):
        position = walked(first, source, 12)
        board, rest = position.text().split(" ", 1)
        text = "".join(change.get(sign, sign) for sign in board) + " " + rest
        assert Position(second, text).evaluate() == position.evaluate(), text


def test_the_list_of_games_with_nets_is_true() -> None:
    """What `scripts/train-nets --index` writes."""
    listed = json.loads(kinship.INDEX.read_text())
    nets = {path.stem: path for path in kinship.NETS.glob("*.net")}
    assert listed == {name: kinship.entry_of(name, read_net(path)) for name, path in nets.items()}


def test_invented_games_have_nets(tmp_path: Path) -> None:
    """Those that it has learnt from; a net fits each, and its file is small."""
    command = [sys.executable, str(ROOT / "scripts" / "random_games.py"), "12"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    path = tmp_path / "invented.toml"
    path.write_text(made.stdout)
    games = read_definitions(str(path))
    assert len(games) == 12
    for game in games:
        net = own_net(game)
        assert net is not None
        assert net.origin == HYPERNET, game.name
        net.check()
        assert training_of(game).inputs == net.inputs
    assert HYPERNET_FILE.stat().st_size < 2_000_000
