"""``train levels``: the fit, and a table by one command that can be ended at any moment."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from ryugi_engine.commands import cli
from ryugi_engine.games.registry import registry
from ryugi_engine.match.statistics import score_of
from ryugi_engine.search.levels import FULL, read_ladder
from ryugi_engine.train import level_players
from ryugi_engine.train.level_fit import Fit
from ryugi_engine.train.levels import APART, choose
from tests.support.helpers import ROOT


def _elo(player: level_players.Player) -> float:
    """Return the true Elo of players of a made-up game."""
    others = {"random": 0.0, "greedy": 350.0, "material": 750.0, "full": 2500.0}
    return others[player] if isinstance(player, str) else 100 + 1500 * player + 800 * player**2


def test_levels_come_out_equally_far_apart(source: random.Random) -> None:
    """From games of players whose strength is known."""
    results: list[tuple[level_players.Player, level_players.Player, float]] = []
    places = [n / FULL for n in range(1, FULL)]
    for _ in range(6):
        players: list[level_players.Player] = [*places, level_players.FULL]
        movers = [(name, places[0]) for name in ("random", "greedy")] + [("material", places[2])]
        for one, other in [*movers, *pairwise(players)]:
            for _ in range(40):
                won = source.random() < score_of(_elo(one) - _elo(other))
                results.append((one, other, float(won)))
        choice = choose(Fit(results))
        places = list(choice.places)
    gaps = [_elo(high) - _elo(low) for low, high in pairwise(choice.players)]
    low, high = APART
    assert all(low < gap < high + 50 for gap in gaps), gaps
    # about as strong as the greedy mover: from -101 to 155 in 800 trials
    assert -170 < _elo(places[0]) - _elo(level_players.GREEDY) < 230


def test_games_without_openings_differ() -> None:
    """But for the two of a pair, in which the players change colours."""
    for name in ("xiangqi", "chess"):
        game = registry().game(name)
        openings = [level_players.opening_of(game, number).text() for number in range(8)]
        assert openings[::2] == openings[1::2]
        assert len(set(openings)) == 4


def test_a_table_by_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, journal = tmp_path / "gorogo.json", tmp_path / "games"
    words = ["train", "levels", "--variant", "gorogo", "--out", str(out), "--journal", str(journal)]
    assert cli.main([*words, "--games", "8", "--threads", "1"]) == 0
    assert len(read_ladder(out, own=True).rungs) == FULL
    with journal.open("a") as handle:
        handle.write('["random", 0.2')  # the process was killed here
    assert cli.main([*words, "--games", "12", "--threads", "2"]) == 0
    assert "going on after 8 games" in capsys.readouterr().out
    lines = journal.read_text().splitlines()
    assert len(lines) >= 13
    assert all(line.endswith("]") for line in lines[1:])
    before = out.read_bytes()
    words[3] = "chess"
    assert cli.main([*words, "--games", "12"]) != 0
    assert "games of gorogo, not of chess" in capsys.readouterr().err
    words[3] = "gorogo"
    text = journal.read_text()
    journal.write_text(text.replace('"nets":[""]', '"nets":["0123456789abcdef"]'))
    assert cli.main([*words, "--games", "12"]) != 0
    assert "games with another net" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_ratings_by_games_against_a_rated_engine(tmp_path: Path) -> None:
    """Levels near the opponent play it, all are rated, and a second call keeps the matches."""
    table = tmp_path / "gorogo.json"
    shutil.copy(ROOT / "variants" / "gorogo" / "levels" / "gorogo.json", table)
    command = [sys.executable, str(ROOT / "scripts" / "rate-levels")]
    command += ["--variant", "gorogo", "--table", str(table), "--tc", "1+0.01", "--games", "2"]
    opponent = ["1200", f"cmd={ROOT / 'scripts' / 'engine'} uci", "option.Level=10"]
    before = [rung.elo for rung in read_ladder(table, own=True).rungs]
    for words in (["--opponent", *opponent], []):
        subprocess.run([*command, *words], check=True, timeout=300)
        ladder, data = read_ladder(table, own=True), json.loads(table.read_text())
        assert "known rating" in ladder.scale
        assert [rung["among levels"] for rung in data["rungs"]] == before
        matches = data["card"]["rated by"]
        assert matches
        assert all(match["games"] == 2 and match["level"] > 4 for match in matches)
