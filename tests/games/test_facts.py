"""Properties of games are looked at when games are listed, and imports that never end."""

from __future__ import annotations

import dataclasses
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.games import facts, packages
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
    **dict.fromkeys(("sentences", "ini", "diagram", "openings", "chess960"), _NO_FUNCTION),
    "name": [3, None],
    "aliases": [3, "x", [3]],
    "pieces": [*_NO_TABLE, {"P": "((("}, {"P": "fm"}, {"P": "W W"}],
    "promoted": _NO_TABLE,
    "names": _NO_TABLE,
    "move_shape": [3, None, "((", "a{99999999999}", "(" * 2000 + ")" * 2000],
    "group": [3, None, "x"],
    "look": [3, None, "lines"],
    "san": [3, None, "x"],
    "folder": [3, "here"],
    "levels": [3, "here"],
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


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("while True: pass", "its import does not end within"),
        ("import os; os._exit(3)", "its import ends the process with the exit code 3"),
        ("raise KeyboardInterrupt", "its import ends the process with the exit code 130"),
        ("import os; os.kill(os.getpid(), 11)", "its import ends the process (SIGSEGV)"),
        ("import sys; sys.exit(3)", ""),  # an error like others, which names its line
        ("games = lambda: [input()]", ""),
        ("games = lambda: 1 // 0", ""),
        ("from ryugi_engine.games import packages\ngames = packages.discover", ""),
        ("", ""),
    ],
)
def test_an_import_that_hinders_is_found_out(
    code: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(GAMES / "hex", tmp_path / "trialgame")
    with (tmp_path / "trialgame" / "__init__.py").open("a") as file:
        file.write(f"\n{code}\n")
    (tmp_path / "signal.py").write_text("import os; os._exit(4)")  # of the working folder
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RYUGI_GAMES", str(tmp_path))
    trial = packages._trial(packages._Package(tmp_path / "trialgame", own=False))
    patience = 0.1 if "while" in code else 100
    assert packages._import_fault(trial, time.monotonic() + patience).startswith(fault)
    assert trial.poll() is not None
    if not fault:
        assert trial.returncode == packages._CAME_THROUGH


def test_a_game_that_lists_games_is_left_out(tmp_path: Path) -> None:
    own = "from ryugi_engine.games.registry import Registry\n"
    environment = mistaken(tmp_path, "hex", "games = define(", f"{own}Registry()\ngames = define(")
    done = command("games", env=environment)
    assert "games cannot be listed while a game is imported (this game is" in done.stderr
    assert "chess" in done.stdout


def test_a_game_reads_and_prints_nothing_of_a_conversation(tmp_path: Path) -> None:
    environment = mistaken(tmp_path, "hex", "games = define(", 'print("heard")\ngames = define(')
    shutil.copytree(GAMES / "amazons", tmp_path / "amazons")
    with (tmp_path / "amazons" / "__init__.py").open("a") as file:
        file.write("\nimport os\nos._exit(3)\n")
    done = command("uci", env=environment, input="uci\nquit\n")
    assert "uciok" in done.stdout.splitlines()
    assert "heard" not in done.stdout
    assert "amazons: its import ends the process with the exit code 3" in done.stdout
