"""SPSA finds an optimum; a tuning run is resumed from its log, after any end."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.train import search_tuning
from ryugi_engine.train.search_tuning import GameSource, Log, tune_search
from ryugi_engine.train.settings import SearchTuningSettings
from ryugi_engine.train.spsa import Spsa, Tunable
from tests.support.helpers import command

_TUNABLES = (Tunable("near", 100, 0, 1000), Tunable("far", 40, 0, 200), Tunable("small", 4, 1, 10))
_BEST = {"near": 130, "far": 20, "small": 6}


def _points(trial: tuple[dict[str, int], dict[str, int]], source: random.Random) -> int:
    """Return the score of two games that the setting nearer to the optimum wins more often."""
    plus, minus = (
        sum(((setting[name] - best) / best) ** 2 for name, best in _BEST.items())
        for setting in trial
    )
    chance = 1 / (1 + 10 ** (3 * (plus - minus)))
    return sum(2 if source.random() < chance else 0 for _ in range(2))


def _distance(values: dict[str, float]) -> float:
    return sum(((values[name] - best) / best) ** 2 for name, best in _BEST.items())


def test_it_finds_an_optimum(source: random.Random) -> None:
    spsa = Spsa(_TUNABLES, 4000, source.randrange(1 << 30), 0.01)
    before = _distance(spsa.values)
    for number in range(spsa.iterations):
        spsa.learn(number, _points(spsa.trial(number), source))
    assert _distance(spsa.values) < before / 4, spsa.values


def test_values_stay_within_their_limits() -> None:
    spsa = Spsa((Tunable("x", 2, 1, 3),), 1000, 1, 1.0)
    for number in range(1000):
        plus, minus = spsa.trial(number)
        assert {plus["x"], minus["x"]} <= {1, 2, 3}
        difference = plus["x"] - minus["x"]
        spsa.learn(number, 2 + (difference > 0) * 2 - (difference < 0) * 2)
        assert 1 <= spsa.values["x"] <= 3
    assert spsa.values["x"] > 2.9


@pytest.mark.slow
def test_a_run_is_resumed_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "log"
    arguments = ["--variant", "chess", "ryugi", "--iterations", "10", "--nodes", "200"]
    arguments += ["--threads", "1", "--parameters", "rfp_margin", "lmr_divisor"]
    settings = SearchTuningSettings(
        iterations=10, nodes=200, parameters=("rfp_margin", "lmr_divisor")
    )
    facts = search_tuning.facts_of(["chess", "ryugi"], settings, search_tuning.new_spsa(settings))
    with Log(path, facts) as log:
        for number in range(6):
            log.add(number, 4)
    with path.open("a") as file:
        file.write("[6, ")  # ended while it wrote
    # in a process of its own, because it leaves one of multiprocessing's processes running
    done = command("train", "search", *arguments, "--out", str(path))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert [number for number, _points in lines] == list(range(10))
    assert all(points in range(5) for _number, points in lines)
    spsa = search_tuning.new_spsa(settings)
    for number, points in lines:
        spsa.learn(number, points)
    summary = search_tuning.summary(spsa)  # lines about the progress may come before
    assert done.stdout.splitlines()[-len(summary) :] == summary


def test_another_runs_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    facts = {"games": ["chess"], "iterations": 10}
    with Log(path, facts) as log:
        log.add(0, 3)
        log.add(1, None)
    with Log(path, facts) as log:
        assert log.points == {0: 3, 1: None}
    with pytest.raises(UserError, match="log: its run has other iterations"):
        Log(path, {**facts, "iterations": 20})
    path.write_text(path.read_text() + "[2, 9]\n")
    with pytest.raises(UserError, match="log:4: no log of a search tuning: '9' is not"):
        Log(path, facts)
    path.write_text("something else\n")
    with pytest.raises(UserError, match="is there already and is not the log of a search tuning"):
        Log(path, facts)


def test_an_unknown_parameter_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match='"rfp_margins" is none of the parameters'):
        tune_search(
            [GameSource("chess")],
            tmp_path / "log",
            SearchTuningSettings(parameters=("rfp_margins",)),
            report=print,
        )


def test_the_summary_says_how_to_try_the_values() -> None:
    spsa = Spsa(_TUNABLES, 10, 1, 0.01)
    assert "RYUGI_TUNE" not in "".join(search_tuning.summary(spsa))
    spsa.values["far"] = 31.6
    assert search_tuning.summary(spsa)[-1] == 'RYUGI_TUNE="far=32"'
