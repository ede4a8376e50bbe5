"""Properties of games are looked at when games are listed."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games import facts
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from tests.simple_game.test_games import GAMES
from tests.simple_game.test_mistakes import mistaken
from tests.support.helpers import command

_NO_NUMBER: list[Any] = ["x", -1, 1.5, True, None, 1 << 70]
_NO_TEXT: list[Any] = [3, None, "a\nb", "x" * 5000]
_NO_FUNCTION: list[Any] = [3, "x"]
_NO_TABLE: list[Any] = [3, "P", ["P"], {"PP": ""}, {"p": ""}, {3: ""}, {"P": 3}]
#: Values that a property must not have.
WRONG: dict[str, list[Any]] = {
    **dict.fromkeys(facts.RANGES, _NO_NUMBER),
    **{name: ["x", 1, None] for name in facts.FLAGS},
    **dict.fromkeys((*facts.TEXTS, "start"), _NO_TEXT),
    **{name: [3, None, "?", "p"] for name in ("royal", "pawn", "promotes", "neutral")},
    **{name: [*_NO_FUNCTION, None] for name in ("load", "reference")},
    **dict.fromkeys(
        ("sentences", "ini", "toml", "diagram", "openings", "chess960", "mistakes", "without"),
        _NO_FUNCTION,
    ),
    "name": [3, None],
    "aliases": [3, "x", [3]],
    "pieces": [*_NO_TABLE, {"P": "((("}, {"P": "fm"}, {"P": "W W"}],
    "promoted": _NO_TABLE,
    "turned": [*_NO_TABLE, {"+P": "((("}],
    "names": _NO_TABLE,
    "move_shape": [3, None, "((", "a{99999999999}", "(" * 2000 + ")" * 2000],
    "group": [3, None, "x"],
    "look": [3, None, "lines"],
    "san": [3, None, "x"],
    "folder": [3, "here"],
    "levels": [3, "here"],
    "net": [3, "here"],
    "sides": [3, ("White",), ("", "Black")],
}


def test_every_property_is_looked_at() -> None:
    assert set(WRONG) == {field.name for field in dataclasses.fields(Game)}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_property_is_named(name: str) -> None:
    game = registry().game("chess")
    for value in WRONG[name]:
        fault = facts.fault_of(dataclasses.replace(game, **{name: value}))
        assert fault.startswith(f"{name}: "), value
        assert "\n" not in fault
        assert len(fault) < 200


def test_the_line_of_a_wrong_property_is_named(tmp_path: Path) -> None:
    """The others are used, and so are the protocols."""
    environment = mistaken(
        tmp_path, "hex", "    bench_depth=4,", "    beam=-3,\n    bench_depth=4,"
    )
    shutil.copytree(GAMES / "amazons", tmp_path / "amazons")
    line = (tmp_path / "hex" / "__init__.py").read_text().splitlines().index("games = define(") + 1
    done = command("games", env=environment)
    fault = f"hex: __init__.py:{line}: beam: -3 is not in 0..100000 (this game is left out)"
    assert fault in done.stderr
    assert "amazons" in done.stdout


def test_a_game_reads_and_prints_nothing_of_a_conversation(tmp_path: Path) -> None:
    """One that ends the process by an error is left out."""
    environment = mistaken(tmp_path, "hex", "games = define(", 'print("heard")\ngames = define(')
    shutil.copytree(GAMES / "amazons", tmp_path / "amazons")
    with (tmp_path / "amazons" / "__init__.py").open("a") as file:
        file.write("\nimport sys\nsys.exit(3)\n")
    done = command("uci", env=environment, input="uci\nquit\n")
    assert "uciok" in done.stdout.splitlines()
    assert "heard" not in done.stdout
    assert "SystemExit: 3 (this game is left out)" in done.stdout
