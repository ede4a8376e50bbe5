"""The match in the background that decides whether a net made from rules is of use."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games.registry import read_definitions, registry, rules_of
from ryugi_engine.kernel import background, cache
from ryugi_engine.train import trial
from ryugi_engine.train.trainable_game import own_net
from tests.support.helpers import EngineUnderTest, copy_warm_cache, patient
from tests.support.leftovers import children

#: Who reaches the middle wins: the hypernetwork knows little of that.
_GAME = """
[race]
files = 6
ranks = 6
start = "kbrrbk/pppppp/6/6/PPPPPP/KBRRBK w - - 0 1"
promotion = "R"
royal = "-"
extinction_value = "loss"
extinction_piece_types = "K"
flag_region = "c3 d4"
flag_piece = "K"
n_move_rule = 50
pieces = { K = "WF", B = "FD", R = "R3" }
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder without verdicts."""
    (tmp_path / "cache" / "kernels").mkdir(parents=True)
    place = cache.Place(tmp_path / "cache" / "kernels", "")
    monkeypatch.setattr(cache, "place", lambda: place)
    monkeypatch.delenv(background.NAME)
    return tmp_path / "cache" / "verdicts"


def _rules(folder: Path) -> Any:
    path = folder / "race.toml"
    path.write_text(_GAME)
    (game,) = read_definitions(str(path))
    return rules_of(game)


def test_a_verdict_counts_from_the_next_start_on(tmp_path: Path, place: Path) -> None:
    rules = _rules(tmp_path)
    net = rules.net
    assert net is not None
    assert rules.trial() is not None
    assert trial.is_better(net) is None
    place.mkdir()
    for text, played in (("none\n", False), ("net\n", True), ("torn", True), ("", True)):
        (place / net.digest).write_text(text)
        again = _rules(tmp_path)
        assert (again.net is not None) == played, text
        assert (again.trial() is None) == (text in ("none\n", "net\n")), text


@pytest.mark.parametrize("worth", [True, False])
def test_the_match_is_played_and_its_result_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch, worth: bool
) -> None:
    """A few games by few nodes; a net that is turned round loses them."""
    monkeypatch.setattr(trial, "_GAMES", 16)
    monkeypatch.setattr(trial, "_NODES", 100)
    game = registry().game("nocastle")
    own = own_net(game)
    assert own is not None
    sign = 1 if worth else -1
    changed = replace(own, output_weights=sign * own.output_weights)
    trial.decide(game, changed)
    assert trial.is_better(changed) == worth


def test_the_process_ends_with_its_parent(tmp_path: Path, place: Path) -> None:
    rules = _rules(tmp_path)
    process = rules.trial()()
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(patient(60.0)) == 0
    assert not place.exists()


@pytest.mark.slow
def test_an_engine_decides_once(tmp_path: Path) -> None:
    """A user's game over UCI: the verdict is there after a while, and is not asked for again."""
    copy_warm_cache(tmp_path / "cache")
    path = tmp_path / "race.toml"
    path.write_text(_GAME)
    variables = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path / "cache")}
    del variables[background.NAME]
    engine = EngineUnderTest("--variants", str(path), "uci", env=variables).ready()
    verdicts, end = tmp_path / "cache" / "verdicts", time.monotonic() + patient(200.0)
    while not [*verdicts.glob("[0-9a-f]" * 16)]:
        assert time.monotonic() < end, "no verdict"
        time.sleep(0.2)
    (kept,) = verdicts.iterdir()
    assert kept.read_text() in ("net\n", "none\n")
    assert engine.quit() == ""
    again = EngineUnderTest("--variants", str(path), "uci", env=variables).ready()
    time.sleep(4)
    assert children(again.process.pid) == set()
    assert again.quit() == ""
