"""Levels: tables, what lies between them, the same errors for the same seed, and their weakness."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.commands import cli
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry
from ryugi_engine.search.levels import (
    FULL,
    NAMES,
    USUAL,
    Strength,
    ladder_of,
    level_in,
    read_ladder,
    usual_ladder,
)
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from ryugi_engine.train.level_players import GREEDY, MATERIAL, RANDOM, MaterialMover, Pairing, Table
from tests.support.effort import by_turns, effort, turn


def test_between_levels_everything_is_interpolated() -> None:
    """Elo asks for a strength between two levels; beyond the ladder for its nearest end."""
    assert len(NAMES) == FULL
    ladder = usual_ladder()
    assert ladder.level(FULL) is None
    elos = [rung.elo for rung in ladder.rungs]
    for number, (low, high) in enumerate(pairwise(elos), start=1):
        assert ladder.elo(low) == ladder.level(number)
        weak, between = ladder.level(number), ladder.elo((low + high) // 2)
        strong = ladder.rungs[number].strength
        assert weak is not None
        assert between is not None
        assert weak.nodes <= between.nodes <= strong.nodes
        assert weak.noise >= between.noise >= strong.noise
        assert weak.overlooked >= between.overlooked >= strong.overlooked
    assert ladder.elo(elos[0] - 1000) == ladder.level(1)
    # beyond it nodes grow on, up to full strength
    last, beyond = ladder.elo(elos[-1]), ladder.elo(2 * elos[-1] - elos[-2])
    assert last == ladder.rungs[-1].strength
    assert beyond is not None
    assert beyond.nodes > last.nodes
    assert beyond.noise == beyond.overlooked == 0
    assert ladder.elo(elos[-1] + 10_000) is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda data: data["rungs"].pop(), "11 levels, not 12"),
        (lambda data: data["rungs"][2].update(noise=7), "level 3: noise: 7 is not in 0..1"),
        (lambda data: data["rungs"][2].update(noise=float("nan")), "level 3: noise: nan"),
        (lambda data: data["rungs"][4].update(nodes="x"), "level 5: nodes is not a number"),
        (lambda data: data["rungs"][4].pop("elo"), "this is no table of levels"),
        (lambda data: data["rungs"].reverse(), "the Elo of its levels does not rise"),
        (lambda data: data.clear(), "this is no table of levels"),
        (None, "this is no table of levels"),
    ],
)
def test_a_damaged_table_is_one_line(change: Any, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "game.levels.json"
    data = json.loads(USUAL.read_text())
    if change is not None:
        change(data)
    path.write_text("[" * 5000 if change is None else json.dumps(data))
    with pytest.raises(UserError, match=fault) as raised:
        read_ladder(path, own=True)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)


def test_a_game_of_ones_own_has_its_table_beside_its_file(tmp_path: Path) -> None:
    """A game without a table plays by the usual one, and says so."""
    own = tmp_path / "my.toml"
    own.write_text('[mine]\ntitle = "Mine"\n' + _KNIGHTS)
    (game,) = Registry().load_file(str(own))
    assert not ladder_of(game).own
    (tmp_path / "mine.levels.json").write_text(USUAL.read_text())
    assert ladder_of(game).own


_KNIGHTS = """files = 8
ranks = 8
start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"
[mine.pieces]
K = "K"
N = "N"
"""


def test_a_level_is_read_from_a_name() -> None:
    assert level_in("ryugi-engine (level 3)") == level_in("ryugi-engine (st=2, level 3)") == 3
    for name in ("ryugi-engine", "Bob", "ryugi-engine (level 0)", "ryugi-engine (level 99)"):
        assert level_in(name) == FULL


def _moves(game: Game, strength: Strength, seed: int, plies: int = 8) -> list[str]:
    searcher, position = Searcher(2), Position(game)
    for _ in range(plies):
        searcher.prepare(position, Limits())
        position.push(searcher.run(position, lambda report: None, strength, seed).best)
        searcher.prepare(position, Limits(depth=3))
        searcher.run(position, lambda report: None)  # a hint, which changes nothing
    return position.moves


@pytest.mark.parametrize("name", ["chess", "gorogo"])
def test_the_same_seed_gives_the_same_moves(name: str) -> None:
    game = Registry().game(name)
    strength = Strength(nodes=200, noise=0.05, overlooked=0.3)
    games = [_moves(game, strength, seed) for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len(set(map(tuple, games))) > 2


def test_overlooked_replies_and_noise(ryugi: Game) -> None:
    """Who overlooks everything takes what is protected; who does not sees the mate that threatens.

    A forced end of the game is no matter of noise.
    """
    chess = Registry().game("chess")
    taken = Position(chess, "4k3/8/4p3/3r4/8/8/3Q4/4K3 w - - 0 1")
    mating = Position(chess, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")

    def best(position: Position, strength: Strength | None) -> str:
        searcher = Searcher(2)
        searcher.prepare(position, Limits(depth=2))
        return searcher.run(position, lambda report: None, strength, 1).best

    assert best(taken, Strength(10**6, 0.0, 1.0)) == "d2d5"
    assert best(taken, Strength(10**6, 0.0, 0.0)) != "d2d5"
    assert all(best(mating, Strength(1, 1.0, 1.0)) == "d1d8" for _ in range(3))


def _points(game: Game, first: Any, second: Any, games: int) -> float:
    table = Table([game], [2000])
    played = [table.play(Pairing(first, second, number)) for number in range(games)]
    return sum(result[1] for result in played if result is not None)


@pytest.mark.parametrize("name", ["chess", "gorogo"])
def test_strengths_reach_from_the_random_mover_to_far_above_the_greedy_one(name: str) -> None:
    game = Registry().game(name)
    if name == "chess":
        assert _points(game, 0.0, GREEDY, 12) <= 9
    assert _points(game, 0.0, RANDOM, 12) >= 4
    assert _points(game, 0.9, GREEDY, 8) >= 6


def test_programs_are_told_the_scale(capsys: pytest.CaptureFixture[str]) -> None:
    """``games --json`` has every game, those found by name too, with its levels' Elo."""
    assert cli.main(["games", "--json"]) == 0
    games = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
    assert {"chess", "ryugi", "gorogo", "xiangqi"} <= games.keys()
    for game in games.values():
        assert len(game["levels"]["elo"]) == FULL
        assert "Elo" in game["levels"]["scale"]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("name", by_turns(["chess", "shogi", "ryugi"], 1))
def test_who_hangs_nothing_beats_the_lowest_levels_and_loses_to_the_fourth(name: str) -> None:
    """A player that looks two plies ahead and counts material, in the same games in every run.

    The bounds are those of a beginner's ladder. Of 20 games the levels have 1 to 4.5 points, 5.5
    to 8.5, and 14 and more.
    """
    print(turn())
    game = Registry().game(name)
    ladder = ladder_of(game)
    bounds = [(1, 0.0, 12), (2, 0.0, 8), (4, 1.0, 12)]
    for level, wanted, least in effort([(1, 0.0, 2), (4, 1.0, 2)], bounds):
        table, strength = Table([game], [2000]), ladder.level(level)
        assert strength is not None
        number = found = 0
        while found < least:  # within 6 games of the short run, and 20 of the long one
            assert number < effort(6, 20), (level, found)
            result = table.play(Pairing(strength, MATERIAL, number))
            found += result is not None and result[1] == wanted
            number += 1


def test_the_material_mover_takes_what_is_not_defended_and_sees_recaptures() -> None:
    chess = Registry().game("chess")
    mover = MaterialMover()
    for text, wanted in {
        "4k3/8/4p3/3r4/8/8/3Q4/4K3 w - - 0 1": False,  # the rook is defended
        "4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1": True,
    }.items():
        position = Position(chess, text)
        mover.begin(1)
        assert (position.move_text(mover.move(position)) == "d2d5") == wanted
    position = Position(chess, "6k1/5ppp/8/8/8/8/q7/3R3K w - - 0 1")
    assert position.move_text(mover.move(position)) == "d1d8"
