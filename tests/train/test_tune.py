"""Fitting the hand-crafted evaluation's weights: that they are found, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from ryugi_engine import cli
from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import registry
from ryugi_engine.games.training import Tunable
from ryugi_engine.train.compare import compare
from ryugi_engine.train.datagen import generate
from ryugi_engine.train.evaluate_records import values
from ryugi_engine.train.positions import Writer, read_facts, records
from ryugi_engine.train.settings import ComparisonSettings, SelfPlaySettings, TuningSettings
from ryugi_engine.train.trainable_game import rules_with
from ryugi_engine.train.tune import Tuner
from ryugi_engine.train.weights import read_weights, written

#: By how much a few weights differ in truth, where positions are judged by others' scores.
_MOVED = {"tempo": 15.0, "pawn_advance_end": -40.0, "diag_middle": 3.0, "danger_diag": 14.0}


def _own() -> dict[str, float]:
    return dict(cast(Tunable, rules_with(registry().game("chess"), None)).weights)


def _truth() -> dict[str, float]:
    return {name: value + _MOVED.get(name, 0.0) for name, value in _own().items()}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Positions of hasty games of chess, with the scores of an evaluation with other weights."""
    folder = tmp_path_factory.mktemp("data")
    game = registry().game("chess")
    quiet: Any = lambda line: None  # noqa: E731
    generate(
        game, folder / "made.pos", 4000, SelfPlaySettings(nodes=20), threads=1, seed=1, report=quiet
    )
    held = np.array(records(folder / "made.pos"))
    held = held[held["clock"] <= 20]
    judge = rules_with(game, None, _truth())
    held["score"] = np.clip(values(game, judge, held, uncorrected=True), -2500, 2500)
    facts = read_facts(folder / "made.pos")
    with Writer(folder / "chess.pos", facts, {}) as writer:
        writer.add(held.tobytes())
    return folder / "chess.pos"


def _tuner(data: Path, **changes: Any) -> Tuner:
    settings = TuningSettings(**{"wdl": 0.0, "rounds": 6, "hold": 0.0, **changes})
    return Tuner(registry().game, settings, [data], [data], lambda line: None)


def test_it_finds_the_weights_that_scores_were_made_with(data: Path) -> None:
    tuner = _tuner(data, only=tuple(_MOVED))
    own, truth = _own(), _truth()
    lines = tuner.run()
    for name, moved in _MOVED.items():
        assert abs(tuner.weights[name] - truth[name]) < 0.3 * abs(moved), (name, tuner.weights)
    assert {n: v for n, v in tuner.weights.items() if n not in _MOVED} == {
        n: v for n, v in own.items() if n not in _MOVED
    }
    assert len(lines) == 2
    before, after = (float(lines[0].split(" loss ")[1].split(",")[0].split()[i]) for i in (0, 2))
    assert after < 0.1 * before


def test_a_weights_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    own = {"tempo": 12.0, "value_square": 0.9, "danger": 200.0}
    path = tmp_path / "w.toml"
    path.write_text(written({**own, "tempo": -17.26}, ["how it was made"]))
    assert path.read_text().startswith("# ryugi-engine weights\n# how it was made\n")
    assert read_weights(path, own) == {**own, "tempo": -17.3}
    path.write_text("tempo = 3")
    assert read_weights(path, own) == {**own, "tempo": 3.0}
    for text, fault in (
        ("tempi = 3", "there is no weight tempi"),
        ("tempo = 'x'", "tempo is a number between"),
        ("tempo = true", "tempo is a number between"),
        ("tempo = nan", "tempo is a number between"),
        ("tempo = 1e9", "tempo is a number between"),
        ("tempo 3", r"w\.toml: "),
    ):
        path.write_text(text)
        with pytest.raises(UserError, match=fault):
            read_weights(path, own)
    with pytest.raises(UserError, match=r"none\.toml"):
        read_weights(tmp_path / "none.toml", own)


def test_who_weighs_badly_loses(tmp_path: Path) -> None:
    """Each player has weights of its own."""
    game = registry().game("chess")
    bad = {**_own(), "value_leap": -80.0, "value_ortho": -80.0, "value_diag": -80.0}
    for weights, wins in (((bad, None), False), ((None, bad), True)):
        settings = ComparisonSettings(nodes=60, games=16, threads=2)
        verdict = compare(game, None, None, settings, weights=weights, report=lambda line: None)
        assert (verdict.elo.value > 100) == wins
        assert (verdict.elo.value < -100) != wins


def test_the_command(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "w.toml"
    words = ["train", "tune", "--data", str(data), "--out", str(out)]
    assert cli.main([*words, "--rounds", "1", "--only", "tempo", "--test", str(data)]) == 0
    output = capsys.readouterr().out
    assert "chess.pos: chess, " in output
    assert "only to test with" in output
    assert "of games kept apart" in output
    assert read_weights(out, _own())["tempo"] != 12.0
    compared = ["train", "compare", "--variant", "chess", "--net", "none", "--weights", str(out)]
    assert cli.main([*compared, "--games", "2", "--nodes", "30"]) == 0
    assert "Elo" in capsys.readouterr().out
    before = out.read_bytes()
    for more, fault in (
        (["--only", "nothing"], "no weight begins with nothing"),
        (["--weights", str(data)], "chess.pos"),
        (["--out", str(tmp_path / "none" / "w.toml")], "there is no folder"),
        (["--test", str(out)], "w.toml: is the same file as"),
    ):
        assert cli.main([*words, "--rounds", "1", *more]) == 2
        assert fault in capsys.readouterr().err
    assert out.read_bytes() == before
