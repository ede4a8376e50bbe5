"""Comparing nets, and rounds of playing, learning and comparing."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ryugi_engine.commands import cli
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.statistics import Estimate, Sample
from ryugi_engine.nnue.file_format import read_net, write_net
from ryugi_engine.train import rounds
from ryugi_engine.train.compare import Comparison, _Pair, compare
from ryugi_engine.train.datagen import generate
from ryugi_engine.train.gains import NO_GAIN, gain_of
from ryugi_engine.train.material_net import material_net
from ryugi_engine.train.player import Player
from ryugi_engine.train.positions import records
from ryugi_engine.train.rounds import Rounds
from ryugi_engine.train.settings import (
    ComparisonSettings,
    Hyperparameters,
    RoundSettings,
    SelfPlaySettings,
)
from tests.nnue.test_nets import random_net
from tests.support.effort import by_turns, turn
from tests.train.test_datagen import _OWN


def _compare(game: Game, first: Any, second: Any, **changes: Any) -> Comparison:
    wanted: dict[str, Any] = {"nodes": 60, "games": 16, "threads": 2, "equal_nodes": True}
    names = {field.name for field in fields(ComparisonSettings)}
    settings = {**wanted, **{name: changes.pop(name) for name in names & changes.keys()}}
    silent: Any = lambda line: None  # noqa: E731
    return compare(game, first, second, ComparisonSettings(**settings), report=silent, **changes)


def test_who_plays_alike_is_equal_in_every_pair(ryugi: Game) -> None:
    """What colours and openings do cancels out, and no player knows what the other one finds."""
    verdict = _compare(ryugi, None, None, threads=1)
    assert verdict.sample.counts == (0, 0, verdict.sample.size, 0, 0)
    assert verdict.sample.size >= 8
    assert not verdict.better


def test_who_knows_nothing_loses(source: random.Random) -> None:
    """A net of random numbers against the evaluation without a net, from both sides."""
    game = registry().game("chess")
    net = random_net(game, source.randrange(2**32))
    test = Sprt(0.0, 50.0, model="logistic")
    lost = _compare(game, net, None, games=60, test=test)
    assert lost.accepted == "H0"
    assert lost.elo.value < -100
    won = _compare(game, None, net, games=60, test=test, equal_nodes=False)
    assert won.accepted == "H1"
    assert won.better
    assert won.ratio != 1.0
    assert won.sample.size < 30  # the test ended it


def test_nets_of_one_shape_get_as_many_nodes(ryugi: Game, source: random.Random) -> None:
    """Their speeds are those of the games by which they are measured."""
    nets = [random_net(ryugi, source.randrange(2**32)) for _ in range(2)]
    assert _compare(ryugi, *nets, games=2, nodes=20, equal_nodes=False).ratio == 1.0
    larger = random_net(ryugi, source.randrange(2**32), nets[0].hidden_size * 4)
    assert _compare(ryugi, nets[0], larger, games=2, nodes=20, equal_nodes=False).ratio != 1.0


def test_more_nodes_win(ryugi: Game) -> None:
    """The nodes of each are its own, whoever is named first."""
    for nodes, wins in (((300, 3), True), ((3, 300), False)):
        pair = _Pair(ryugi, (None, None), nodes)
        points = [result for number in range(5) if (result := pair.play(number)) is not None]
        assert (sum(points) > 2.6 * len(points)) == wins, points
        assert (sum(points) < 1.4 * len(points)) != wins, points


def test_no_step_waits_for_a_game(tmp_path: Path, ryugi: Game) -> None:
    """However slow its moves are: these take minutes."""
    slow = SelfPlaySettings(nodes=10**7)
    path, quiet = tmp_path / "a.pos", lambda line: None
    assert generate(ryugi, path, 9, slow, threads=1, seed=1, seconds=0.2, report=quiet) == 0
    verdict = _compare(
        ryugi, random_net(ryugi, 1), None, nodes=10**7, equal_nodes=False, seconds=0.4
    )
    assert verdict.sample.size == 0
    assert not verdict.better
    assert verdict.summary() == "no game was over in the time"
    with pytest.raises(UserError, match="--hours: no game of ryugi was over"):
        Rounds(ryugi, tmp_path / "made", RoundSettings(0.001, 1, nodes=10**7), quiet).run()


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 0, 0, 3), "100 % of the points, too few games for an Elo, games: 6, "),
        ((2, 0, 0, 0, 0), "0 % of the points, too few games for an Elo, games: 4, "),
        ((0, 0, 2, 0, 0), "50 % of the points, too few games for an Elo, games: 4, "),
        ((0, 1, 0, 0, 3), "81 % of the points, too few games for an Elo, games: 8, "),
        ((1, 9, 9, 9, 2), "Elo 11.59 +/- 62.77, games: 60, "),
    ],
)
def test_few_games_say_little(counts: tuple[int, ...], words: str) -> None:
    assert Comparison(Sample(counts), "", 1.0).summary().startswith(words)


def test_what_few_games_have_gained(tmp_path: Path, ryugi: Game) -> None:
    lines: list[str] = []
    training = Rounds(ryugi, tmp_path, RoundSettings(0.5, 1), lines.append)
    for number, elo in enumerate((None, (20.0, 9.0), (math.inf, math.nan), (5.0, 2.0))):
        gain = NO_GAIN if elo is None else gain_of(Estimate(*elo))
        training.journal.setdefault("gains", []).append(gain)
        training._tell(number)
    told = [line for line in lines if line.startswith("round ")]
    assert told == [
        "round 0: no gain over the evaluation without a net so far",
        "round 1: about 20.00 +/- 9.00 Elo over the evaluation without a net so far",
        "round 2: too few games to say how much has been gained so far",
        "round 3: too few games to say how much has been gained so far",
    ]


def test_steps_get_what_is_left_of_the_time(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one step takes too long, those after it do not have: together they keep to the hours."""
    given: list[float] = []
    now = [1000.0]

    def step(result: Any, slower: float) -> Any:
        def run(*arguments: Any, seconds: float, **named: Any) -> Any:
            given.append(seconds)
            now[0] += slower * seconds
            if result is None:
                write_net(random_net(ryugi, 1), arguments[2])
            return result

        return run

    verdict = Comparison(Sample((0, 0, 5, 1, 0)), "", 1.0)
    monkeypatch.setattr(rounds, "time", SimpleNamespace(monotonic=lambda: now[0]))
    first = replace(random_net(ryugi, 2), metadata={"begun as": "chess 0123"})
    monkeypatch.setattr(rounds, "own_net", lambda game: first)
    monkeypatch.setattr(rounds, "lambda_of", lambda paths, scale: 0.0)
    monkeypatch.setattr(rounds, "generate", step(100, 1.5))
    monkeypatch.setattr(rounds, "train_net", step(None, 1.2))
    monkeypatch.setattr(rounds, "compare", step(verdict, 1.0))
    Rounds(ryugi, tmp_path, RoundSettings(1.0, 1), lambda line: None).run()
    assert len(given) == 2 + 3 * 3
    assert sum(given) <= 3600 + 1
    assert now[0] - 1000 < 1.2 * 3600


@pytest.mark.slow
def test_rounds_of_a_users_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a definition to a net that the engine takes; what has been done is not done again."""
    few = partial(ComparisonSettings, nodes=50)
    monkeypatch.setattr(rounds, "ComparisonSettings", few)
    (tmp_path / "tiny.toml").write_text(_OWN)
    folder = tmp_path / "made"
    words = ["train", "--variants", str(tmp_path / "tiny.toml"), "--variant", "tiny"]
    words += ["--hours", "0.004", "--folder", str(folder), "--threads", "2"]
    assert cli.main(words) == 0
    output = capsys.readouterr().out
    assert "round 1 of 1" in output
    (learnt,) = folder.glob("round-1*.net")
    assert read_net(learnt).game == "tiny"
    journal = json.loads((folder / "journal.json").read_text())
    (entry,) = journal["rounds"]
    assert entry["positions"] == len(records(folder / "round-1.pos")) > 500
    # the net of a similar game may have been better than the evaluation without a net, too
    kept = "best" in entry or journal["gains"][0] != [*NO_GAIN]
    assert (folder / "tiny.net").exists() == kept
    before = (folder / "round-1.pos").stat().st_size
    assert cli.main(words) == 0
    assert "going on after 1 round" in capsys.readouterr().out
    assert (folder / "round-1.pos").stat().st_size == before


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("moment", by_turns(["positions: ", "epoch "], 1))
def test_a_killed_process_is_gone_on_with(tmp_path: Path, moment: str) -> None:
    """Killed while it plays or learns, the same command goes on; time and positions are kept."""
    print(turn())
    (tmp_path / "tiny.toml").write_text(_OWN)
    words = [sys.executable, "-P", "-m", "ryugi_engine", "train", "--variants", "tiny.toml"]
    words += ["--hours", "0.004", "--folder", "made", "--threads", "1"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert any(line.startswith(moment) for line in process.stdout)
        process.kill()
    held = json.loads((tmp_path / "made" / "journal.json").read_text())
    assert held["spent"] > 0
    before = (tmp_path / "made" / "round-1.pos").stat().st_size
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "round 1: learning" in done.stdout
    assert " so far\n" in done.stdout
    after = (tmp_path / "made" / "round-1.pos").stat().st_size
    assert after == before if moment == "epoch " else after >= before
    assert json.loads((tmp_path / "made" / "journal.json").read_text())["spent"] > held["spent"]


def test_an_interrupted_round_is_gone_on_with(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted in each of its steps, a round goes on there; the time that was spent counts."""
    steps: list[str] = []
    interrupted = [""]

    def step(name: str, result: Any) -> Any:
        def run(*arguments: Any, **named: Any) -> Any:
            steps.append(name)
            if name == interrupted[0]:
                raise KeyboardInterrupt
            if name == "train_net":
                write_net(random_net(ryugi, 1), arguments[2])
            return result

        return run

    class Won:
        better = True
        elo = Estimate(10.0, 3.0)

        def summary(self) -> str:
            return "Elo 10"

    monkeypatch.setattr(rounds, "own_net", lambda game: None)
    monkeypatch.setattr(rounds, "generate", step("generate", 100))
    monkeypatch.setattr(rounds, "lambda_of", lambda paths, scale: 0.5)
    monkeypatch.setattr(rounds, "train_net", step("train_net", None))
    monkeypatch.setattr(rounds, "compare", step("compare", Won()))
    lines: list[str] = []
    for name in ("generate", "train_net", "compare"):
        interrupted[0] = name
        with pytest.raises(KeyboardInterrupt):
            Rounds(ryugi, tmp_path, RoundSettings(0.5, 1), lines.append).run()
    interrupted[0] = ""
    Rounds(ryugi, tmp_path, RoundSettings(0.5, 1), lines.append).run()
    wanted = ["generate"] + ["generate", "train_net"] + ["train_net", "compare"]
    wanted += ["train_net", "compare"] + ["generate", "train_net", "compare"] + ["compare"]
    assert steps == wanted
    assert read_net(tmp_path / "ryugi.net").digest == random_net(ryugi, 1).digest
    journal = json.loads((tmp_path / "journal.json").read_text())
    assert journal["gain"] == "Elo 10"
    assert [entry["lambda"] for entry in journal["rounds"]] == [0.5, 0.0]
    assert "ryugi.net" in lines[-1]
    assert "round 1: about 10.00 +/- 3.00 Elo over the evaluation without a net so far" in lines
    assert "Elo by round" in "".join(lines)
    assert "<svg" in (tmp_path / "ryugi.svg").read_text()
    with pytest.raises(UserError, match="the folder of ryugi, not of chess"):
        Rounds(registry().game("chess"), tmp_path, RoundSettings(0.5, 1), print)
    for broken in ("{}", "[]", '{"game": "ryugi"}', "\0", '{"game": "ryugi", "rounds": ['):
        (tmp_path / "journal.json").write_text(broken)
        with pytest.raises(UserError, match=r"journal\.json: .* no(t the)? journal of"):
            Rounds(ryugi, tmp_path, RoundSettings(0.5, 1), print)


def test_what_is_learnt_grows_with_the_positions(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wider nets, and the newest positions, as far as these are not too many."""
    taught: list[tuple[list[str], Hyperparameters]] = []
    made = iter((400, 2_000_000, 5_000_000, 14_000_000, 190_000_000))

    def train_net(
        game: Game, data: list[Path], out: Path, settings: Hyperparameters, **named: Any
    ) -> None:
        taught.append(([path.name for path in data], settings))
        write_net(random_net(ryugi, 1), out)

    class Lost:
        better = False
        elo = Estimate(-10.0, 3.0)

        def summary(self) -> str:
            return ""

    monkeypatch.setattr(rounds, "generate", lambda *arguments, **named: next(made))
    monkeypatch.setattr(rounds, "own_net", lambda game: None)
    monkeypatch.setattr(rounds, "lambda_of", lambda paths, scale: 0.0)
    monkeypatch.setattr(rounds, "train_net", train_net)
    monkeypatch.setattr(rounds, "compare", lambda *arguments, **named: Lost())
    Rounds(ryugi, tmp_path, RoundSettings(2, 1), lambda line: None).run()
    results = [(data, settings.hidden_size, settings.output_buckets) for data, settings in taught]
    first, second, third = "round-1.pos", "round-2.pos", "round-3.pos"
    assert results == [
        ([first], 32, 1),
        ([second, first], 64, 4),
        ([third, second, first], 64, 8),
        (["round-4.pos", third, second, first], 128, 8),
        (["round-5.pos"], 128, 8),
    ]
    weights = [settings.wdl for _data, settings in taught]
    assert weights == sorted(weights)
    assert weights[0] < weights[-1]
    taught.clear()
    made = iter((20_000_000,))
    Rounds(ryugi, tmp_path / "mine", RoundSettings(0.1, 1, hidden_size=96), lambda line: None).run()
    assert [settings.hidden_size for _data, settings in taught] == [96]


@pytest.mark.parametrize(("better", "score"), [(True, 0.6), (False, 0.4), (False, 0.2)])
def test_what_is_learnt_begins_as_the_net_of_a_similar_game(
    tmp_path: Path, ryugi: Game, monkeypatch: pytest.MonkeyPatch, better: bool, score: float
) -> None:
    """It plays the first games if it is better than the evaluation without a net.

    With less than a quarter of the points learning begins as material instead.
    """
    first = replace(random_net(ryugi, 2), metadata={"begun as": "chess 0123"})
    begun: list[Any] = []
    teachers: list[Any] = []
    epsilons: set[float] = set()
    epochs: set[int] = set()

    def generate(*arguments: Any, net: Any, **named: Any) -> int:
        teachers.append(net)
        return 100

    def train_net(
        game: Game, data: Any, out: Path, settings: Any, *, finetune: Any, **_: Any
    ) -> None:
        begun.append(finetune)
        epsilons.add(settings.epsilon)
        epochs.add(settings.epochs)
        write_net(random_net(ryugi, 3), out)

    elo = Estimate(10.0, 3.0)
    sample = SimpleNamespace(score=score)
    verdict = SimpleNamespace(better=better, elo=elo, sample=sample, summary=lambda: f"Elo {elo}")
    monkeypatch.setattr(rounds, "own_net", lambda game: first)
    monkeypatch.setattr(rounds, "lambda_of", lambda paths, scale: 0.0)
    monkeypatch.setattr(rounds, "generate", generate)
    monkeypatch.setattr(rounds, "train_net", train_net)
    monkeypatch.setattr(rounds, "compare", lambda *arguments, **named: verdict)
    Rounds(ryugi, tmp_path, RoundSettings(0.5, 1), lambda line: None).run()
    digests = [None if net is None else net.digest for net in (*teachers, *begun)]
    learnt = random_net(ryugi, 3).digest
    if better:
        assert digests == [first.digest, learnt, first.digest, learnt]
    else:
        begins = first.digest if score > 0.25 else material_net(ryugi).digest
        assert digests == [None, None, begins, begins]
    assert epsilons == ({5e-4} if score < 0.25 else {1e-8})
    assert epochs == ({30} if score < 0.25 else {4})


def test_no_game_is_void_where_the_start_seems_decided(ryugi: Game) -> None:
    """As by a net of chess in horde: there would never be a game."""
    for even, kept in ((1000, True), (0, False)):
        player = Player(ryugi, SelfPlaySettings(nodes=20), 1, random_net(ryugi, 7), even=even)
        assert (int(player.seen["even"]) == even) == kept
    assert any(player.play(number) for number in range(3))
