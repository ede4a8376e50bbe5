"""Training a net: gradients against differences, resuming, fine-tuning, what is refused."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ryugi_engine.commands import cli
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.nnue.architecture import SCALE
from ryugi_engine.nnue.file_format import read_net
from ryugi_engine.nnue.float_net import FEATURE_WEIGHT_LIMIT, FloatNet
from ryugi_engine.train.datagen import generate
from ryugi_engine.train.dataset import Dataset, load, sigmoid
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.gradients import Batch, Tables, adamw_step, gradients
from ryugi_engine.train.positions import records
from ryugi_engine.train.settings import Hyperparameters, SelfPlaySettings
from ryugi_engine.train.trainable_game import training_of
from ryugi_engine.train.trainer import Trainer, run

_POSITIONS = 3000


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions of fixed-node games of chess."""
    path = tmp_path_factory.mktemp("data") / "chess.pos"
    game = registry().game("chess")
    generate(
        game,
        path,
        _POSITIONS,
        SelfPlaySettings(nodes=20),
        threads=2,
        seed=1,
        report=lambda line: None,
    )
    return path


@pytest.fixture(scope="module")
def chess() -> Game:
    return registry().game("chess")


@pytest.fixture(scope="module")
def dataset(data: Path, chess: Game) -> Dataset:
    return load(chess, [data])


def _loss(net: FloatNet, dataset: Dataset, order: Any) -> float:
    """Return the summed loss by the forward pass in numpy, in 64 bits."""
    out = net.forward(dataset.cells[order], dataset.sides[order])
    chances = 1 / (1 + np.exp(-out.astype(np.float64)))
    return float(((chances - dataset.scores[order]) ** 2).sum())


@pytest.mark.parametrize("seconds", [1e-6, 0.3])
def test_training_ends_with_its_time(chess: Game, dataset: Dataset, seconds: float) -> None:
    """After a batch at least, and with a learning rate that has fallen by the time."""
    settings = Hyperparameters(hidden_size=32, epochs=10**6, batch_size=64)
    trainer = Trainer(chess, dataset, settings, 1, seconds=seconds)
    history = run(trainer, None, lambda line: None)
    assert 1 <= len(history) < 10**6
    assert trainer.over


@pytest.mark.slow
@pytest.mark.parametrize("buckets", [0, 4])
def test_gradients_are_the_slopes_of_the_loss(
    chess: Game, dataset: Dataset, source: random.Random, buckets: int
) -> None:
    net = FloatNet.random(
        training_of(chess).inputs,
        32,
        source.randrange(2**31),
        output_buckets=3,
        king_buckets=buckets,
        max_pieces=dataset.max_pieces,
    )
    net.weights.feature_weights[...] *= 3  # some activations are clipped
    net.weights.output_biases[...] += np.array([0.1, -0.2, 0.3], dtype=np.float32)
    order = np.array(source.sample(range(len(dataset.sides)), 40))
    mirrored = np.zeros(40, dtype=np.uint8)
    positions = (dataset.cells, dataset.sides, dataset.scores)
    result = net.weights.zeros()
    loss = gradients(Batch(order, mirrored, *positions), Tables.of(net), net.weights, result)
    assert loss == pytest.approx(_loss(net, dataset, order), rel=1e-4)
    for array, slopes in zip(net.weights, result, strict=True):
        steep = np.argwhere(np.abs(slopes) > 0.01).tolist()
        for at in source.sample(steep, min(4, len(steep))):
            place, kept, width = tuple(at), array[tuple(at)], 2e-3
            losses = []
            for step in (-width, 0, width):
                array[place] = kept + step
                losses.append(_loss(net, dataset, order))
            array[place] = kept
            # an activation may begin to be clipped in between: then one side has the slope
            below, above = (
                pytest.approx(float(rise) / width, rel=0.15, abs=0.01) for rise in np.diff(losses)
            )
            assert slopes[place] in (below, above)


def test_targets_look_ahead_in_the_game(dataset: Dataset) -> None:
    """As a plain recursion from each game's end has it, whatever the order of the positions."""
    wanted = np.zeros(len(dataset.sides))
    order = np.lexsort((dataset.plies, dataset.games_of))
    later = None
    for number in order[::-1]:
        score, white = float(dataset.scores[number]), dataset.sides[number] == 0
        if later is None or dataset.games_of[later] != dataset.games_of[number]:
            weight, rest = 0.9**8, float(dataset.results[number])
        else:
            weight = 0.9 ** int(dataset.plies[later] - dataset.plies[number])
            same = (dataset.sides[later] == 0) == white
            rest = wanted[later] if same else 1 - wanted[later]
        wanted[number], later = (1 - weight) * score + weight * rest, number
    assert np.allclose(dataset.targets(0.0, 0.9), wanted, atol=1e-5)
    shuffled = np.random.default_rng(1).permutation(len(order))
    names = ("sides", "scores", "results", "games_of", "plies")
    arrays = {name: getattr(dataset, name)[shuffled] for name in names}
    other = dataclasses.replace(dataset, **arrays)
    assert np.allclose(other.targets(0.0, 0.9), wanted[shuffled], atol=1e-5)
    assert np.array_equal(dataset.targets(0.0), dataset.scores)


def test_a_step_of_adamw(source: random.Random) -> None:
    """The first step goes by the rate against the gradient's sign, less what decays."""
    weights = np.array([0.5, -0.5, 1.97, 0.0], dtype=np.float32)
    gradient = np.array([3.0, -0.01, -5.0, 0.0], dtype=np.float32)
    first, second = np.zeros(4, np.float32), np.zeros(4, np.float32)
    adamw_step(weights, gradient, first, second, 0.1, 1, 1.0, 0.5, FEATURE_WEIGHT_LIMIT)
    wanted = [0.5 - 0.1 - 0.1 * 0.5 * 0.5, -0.5 + 0.1 + 0.1 * 0.5 * 0.5]
    wanted += [1.97 + 0.1 - 0.1 * 0.5 * 1.97, 0.0]
    assert weights[:2] == pytest.approx(wanted[:2], abs=1e-5)
    assert weights[2] == pytest.approx(min(wanted[2], FEATURE_WEIGHT_LIMIT), abs=1e-5)
    assert weights[3] == 0
    assert not gradient.any()
    # with a larger epsilon what is rare changes less
    gradient[:] = [3.0, -0.01, 0.0, 0.0]
    weights[:], first[:], second[:] = 0.0, 0.0, 0.0
    adamw_step(weights, gradient, first, second, 0.1, 1, 1.0, 0.0, FEATURE_WEIGHT_LIMIT, 0.01)
    assert weights == pytest.approx([-0.1 * 3 / 3.01, 0.05, 0.0, 0.0], abs=1e-5)


def test_it_learns_and_becomes_the_same_in_integers(
    chess: Game, data: Path, source: random.Random
) -> None:
    """That more men are better it finds out, for positions not seen; rounding costs little.

    So few games do not do for other games: positions are kept apart here instead.
    """
    dataset = load(chess, [data])
    men = [((dataset.cells > 0) & (dataset.cells // 16 == side)).sum(axis=1) for side in (0, 1)]
    ahead = np.where(dataset.sides == 0, men[0] - men[1].astype(int), men[1] - men[0].astype(int))
    dataset.scores = sigmoid(300 * ahead)
    shuffled = np.random.default_rng(1).permutation(len(ahead))
    dataset.validation, dataset.training = shuffled[:300], shuffled[300:]
    plan = Hyperparameters(
        output_buckets=2, epochs=12, batch_size=128, learning_rate=0.005, wdl=0.0
    )
    trainer = Trainer(chess, dataset, plan, threads=2)
    run(trainer, None, lambda line: None)
    apart = dataset.scores[dataset.validation]
    knowing_nothing = float(np.mean((apart - 0.5) ** 2))
    assert trainer.history[-1]["score"] < 0.5 * knowing_nothing, trainer.history
    net = trainer.quantised({})
    assert trainer.rounding_error(net) < 10
    some = source.sample(range(len(dataset.sides)), 60)
    pieces, sides = dataset.cells[some], dataset.sides[some]
    plain = net.evaluate(pieces, sides)
    exact = trainer.net.forward(pieces, sides) * SCALE
    assert np.abs(exact - plain).max() < 40
    # and the kernel says so too
    held = records(data)
    held = held[held["clock"] <= 20][:500]
    wanted = net.evaluate(held["cells"], held["side"])
    assert np.array_equal(evaluations(chess, net, held, threads=2), wanted)


def test_games_are_kept_apart_whole(chess: Game, data: Path, dataset: Dataset) -> None:
    held = records(data)
    games = held["game"][held["clock"] <= 20]
    assert not set(games[dataset.training]) & set(games[dataset.validation])
    share = len(dataset.validation) / len(games)
    assert 0.01 < share < 0.2


@pytest.fixture
def streamed(chess: Game, data: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    """The same positions, of which only a third is in memory."""
    monkeypatch.setattr("ryugi_engine.train.dataset._CHUNK", 100)
    return load(chess, [data], most=_POSITIONS // 3)


def test_positions_that_exceed_the_memory_come_in_parts(
    dataset: Dataset, streamed: Dataset, source: random.Random
) -> None:
    """Each epoch has all of them, whole games, in another order."""

    def of(data: Dataset, numbers: Any) -> list[tuple[Any, ...]]:
        columns = (data.games_of, data.plies, data.scores, data.results, data.sides)
        return [*zip(*(column[numbers].tolist() for column in columns), strict=True)]

    assert len(streamed.training) == 0
    assert of(streamed, streamed.validation) == of(dataset, dataset.validation)
    assert streamed.training_positions == dataset.training_positions == len(dataset.training)
    assert (streamed.games, streamed.max_pieces) == (dataset.games, dataset.max_pieces)
    orders = []
    for seed in (source.randrange(2**31) for _ in range(2)):
        parts = [*streamed.parts(np.random.default_rng(seed))]
        assert len(parts) > 2
        assert max(len(part.sides) for part in parts) < _POSITIONS / 2
        games = [set(part.games_of.tolist()) for part in parts]
        assert sum(map(len, games)) == dataset.games
        orders.append([row for part in parts for row in of(part, part.training)])
        assert sorted(orders[-1]) == sorted(of(dataset, dataset.training))
    assert orders[0] != orders[1]


@pytest.mark.parametrize("kind", ["dataset", "streamed"])
def test_it_goes_on_where_it_was(
    chess: Game, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    dataset: Dataset = request.getfixturevalue(kind)
    plan = Hyperparameters(epochs=4, batch_size=256)
    whole = Trainer(chess, dataset, plan, threads=1)
    run(whole, None, lambda line: None)

    class Ended(Exception):
        pass

    def end(line: str) -> None:
        if line.startswith("epoch 2"):
            raise Ended

    checkpoint = tmp_path / "x.ckpt"
    with pytest.raises(Ended):
        run(Trainer(chess, dataset, plan, threads=1), checkpoint, end)
    lines: list[str] = []
    again = Trainer(chess, dataset, plan, threads=1)
    run(again, checkpoint, lines.append)
    assert "resumed after epoch 2" in lines[0]
    assert len(lines) == 3
    assert again.history == whole.history
    for array, wanted in zip(again.net.weights, whole.net.weights, strict=True):
        assert np.array_equal(array, wanted)
    other = Trainer(chess, dataset, dataclasses.replace(plan, learning_rate=0.1), threads=1)
    with pytest.raises(UserError, match="a checkpoint of another training"):
        other.resume(checkpoint)
    raw = checkpoint.read_bytes()
    for damaged in (raw[:-2000], b"", b"PK" + raw[5:]):
        checkpoint.write_bytes(damaged)
        with pytest.raises(UserError, match=r"x\.ckpt: "):
            again.resume(checkpoint)


def _line(capsys: pytest.CaptureFixture[str]) -> str:
    output = capsys.readouterr().err.splitlines()
    return output[-1]


@pytest.mark.slow
def test_the_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], chess: Game
) -> None:
    out, picture = tmp_path / "my.net", tmp_path / "losses.svg"
    words = ["train", "net", "--variant", "chess", "--data", str(data), "--out", str(out)]
    assert cli.main([*words, "--epochs", "2", "--curve", str(picture)]) == 0
    net = read_net(out)
    assert net.metadata["epochs"] == 2
    assert "loss to score" in net.metadata
    output = capsys.readouterr().out
    assert f"net {net.digest}" in output
    assert picture.read_text().startswith("<svg")
    further = [*words, "--epochs", "1", "--finetune", str(out), "--king-buckets", "2"]
    further[further.index("--out") + 1] = str(tmp_path / "further.net")
    assert cli.main([*further, "--learning-rate", "0.000001"]) == 0
    again = read_net(tmp_path / "further.net")
    assert (again.king_buckets, again.metadata["finetuned"]) == (2, f"chess {net.digest}")
    assert (
        np.abs(again.feature_weights[: len(net.feature_weights)] - net.feature_weights).max() <= 1
    )
    capsys.readouterr()
    further[further.index("--out") + 1] = str(tmp_path / "wide.net")
    assert cli.main([*further, "--hidden", "64"]) == 0
    assert read_net(tmp_path / "wide.net").hidden_size == 64
    capsys.readouterr()
    further[further.index("--finetune") + 1] = str(tmp_path / "wide.net")
    further[further.index("--out") + 1] = str(tmp_path / "wider.net")
    assert cli.main([*further, "--hidden", "96"]) == 2
    assert "--finetune: a net of hidden size 64 cannot become one of 96" in _line(capsys)
    before = out.read_bytes()
    assert cli.main([*words, "--hidden", "33"]) == 2
    assert "--hidden: a multiple of 32, not 33" in _line(capsys)
    words[3] = "ryugi"
    assert cli.main(words) == 2
    assert "positions of chess, for ryugi: its files is 8, not 10" in _line(capsys)
    words[3:6] = ["chess", "--data", str(picture)]
    assert cli.main(words) == 2
    assert "losses.svg: this is no file of positions" in _line(capsys)
    words[5] = str(data)
    words[7] = str(tmp_path / "none" / "my.net")
    assert cli.main(words) == 2
    assert "there is no folder" in _line(capsys)
    assert out.read_bytes() == before


def test_too_few_games(tmp_path: Path, chess: Game) -> None:
    path = tmp_path / "few.pos"
    generate(chess, path, 1, SelfPlaySettings(nodes=1), threads=1, seed=1, report=lambda line: None)
    with pytest.raises(UserError, match=r"too few|no positions"):
        load(chess, [path])


def test_it_goes_on_from_a_net(chess: Game, dataset: Dataset) -> None:
    """A float net made from a quantised one is that net, with more buckets too."""
    training = training_of(chess)
    some = dataset.cells[:200], dataset.sides[:200].astype(np.int64)
    start = FloatNet.random(training.inputs, 32, 5, max_pieces=dataset.max_pieces)
    plain = start.quantised("chess", metadata={})
    wanted = plain.evaluate(*some)
    for outputs, kings in ((1, 0), (8, 0), (4, 3)):
        buckets = {"hidden_size": 32, "output_buckets": outputs, "king_buckets": kings}
        float_net = FloatNet.of(plain, training.inputs, **buckets, max_pieces=dataset.max_pieces)
        net = float_net.quantised("chess", metadata={})
        assert (net.output_buckets, net.king_buckets) == (outputs, max(kings, 1))
        # a net with horizontal mirroring sees other boards than one without
        assert np.array_equal(net.evaluate(*some), wanted) == (kings == 0)
        again = FloatNet.of(net, training.inputs, **buckets)
        assert np.array_equal(again.feature_weights, float_net.feature_weights)
    with pytest.raises(UserError, match="a net of 4 output buckets and 3 king buckets cannot"):
        FloatNet.of(net, training.inputs, hidden_size=32, output_buckets=1, king_buckets=3)
    other = training_of(registry().game("ryugi"))
    with pytest.raises(UserError, match="a net of chess: board 8x8, not 10x8"):
        FloatNet.of(plain, other.inputs, hidden_size=32, output_buckets=1, king_buckets=0)


@pytest.mark.parametrize("buckets", [0, 1, 3])
def test_a_mirror_turns_files_round(chess: Game, source: random.Random, buckets: int) -> None:
    """What is learnt from a board in the mirror is what the mirrored board would teach."""
    training = training_of(chess)
    choice = [0] * 9 + [1, 5, 17, 20]
    pieces = np.array([source.choice(choice) for _ in range(64)], dtype=np.uint8)
    pieces[source.sample(range(64), 2)] = 2, 18
    mirrored = pieces.reshape(8, 8)[:, ::-1].reshape(1, 64).copy()
    net = FloatNet.random(training.inputs, 32, 1, king_buckets=buckets)
    # to both sides of 0: with many pieces all neurons would be at their limit, in any position
    noise = np.random.default_rng(2).uniform(-0.1, 0.1, net.feature_weights.shape)
    net.weights.feature_weights[...] += noise.astype(np.float32)
    results = []
    for board, flip in ((pieces.reshape(1, 64), 1), (mirrored, 0)):
        slopes = net.weights.zeros()
        nothing = np.zeros(1, dtype=np.float32)
        batch = Batch(
            np.zeros(1, dtype=np.int64),
            np.array([flip], dtype=np.uint8),
            board,
            np.zeros(1, dtype=np.uint8),
            nothing,
        )
        loss = gradients(batch, Tables.of(net), net.weights, slopes)
        results.append((loss, slopes))
    assert results[0][0] == pytest.approx(results[1][0], rel=1e-5)
    for one, other in zip(results[0][1], results[1][1], strict=True):
        assert np.allclose(one, other, atol=1e-6)
    assert not np.array_equal(pieces, mirrored[0])
    values = [net.forward(b.reshape(1, 64), np.zeros(1, int)) for b in (pieces, mirrored)]
    assert np.allclose(*values, atol=1e-5) == (buckets > 0)
