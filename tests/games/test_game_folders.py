"""The folders that RYUGI_GAMES names: games in them, and messages about the rest."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.support.helpers import ROOT, command

BREAKTHROUGH = ROOT / "tests" / "support" / "by_hand" / "breakthrough"


def _environment(*folders: Path) -> dict[str, str]:
    named = os.pathsep.join(map(str, folders))
    return {**os.environ, "RYUGI_GAMES": named, "PYTHONDONTWRITEBYTECODE": "1"}


def _package(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(text)
    return folder


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with one game that is whole."""
    folder = tmp_path / "games"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(BREAKTHROUGH, folder / "breakthrough", ignore=ignored)
    return folder


def _listed(*folders: Path) -> tuple[list[str], list[str]]:
    """The games' names, and the lines of standard error."""
    done = command("games", env=_environment(*folders))
    assert done.returncode == 0, done.stderr
    # the catalogue's Breakthrough has a line about it, a folder's has none
    lines = [one for one in done.stdout.splitlines() if not one.endswith("the other side wins")]
    names = [re.split("[:,]", line[2:])[0] for line in lines]
    assert "ryugi" in names
    return names, done.stderr.splitlines()


def test_only_packages_are_looked_at(games: Path) -> None:
    """Whatever else lies there is neither run nor spoken of."""
    (games / "brute.py").write_text("raise ValueError('run')\n")
    (games / "notes.py").write_text("x = 1\n")
    (games / "README.md").write_text("notes\n")
    (games / "empty").mkdir()
    (games / "tools").mkdir()
    (games / "tools" / "make.py").write_text("raise ValueError('run')\n")
    names, output = _listed(games)
    assert "breakthrough" in names
    assert output == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def games(:\n", "SyntaxError: "),
        ("import nothing_like_it\n", "__init__.py:1: ModuleNotFoundError: "),
        ("def games():\n    return [1 // 0]\n", "__init__.py:2: ZeroDivisionError: "),
        ("raise SystemExit(3)\n", "__init__.py:1: SystemExit: 3"),
        ("x = 1\n", "the package has no function games()"),
        ("def games():\n    return []\n", "games() must give a list of at least one Game"),
    ],
)
def test_a_broken_game_is_left_out_and_the_others_go_on(text: str, told: str, games: Path) -> None:
    foo = _package(games / "foo", text)
    names, output = _listed(games)
    assert "breakthrough" in names
    assert len(output) == 1
    assert output[0].startswith(f"ryugi-engine: {foo}: {told}")
    assert output[0].endswith(" (this game is left out)")


def test_both_protocols_say_it(games: Path) -> None:
    foo = _package(games / "foo", "x = 1\n")
    line = f"error: {foo}: the package has no function games() (this game is left out)"
    for protocol, words, output in (
        ("uci", "uci\nquit\n", f"info string {line}"),
        ("xboard", "protover 2\nquit\n", f"telluser ryugi-engine: {line}"),
    ):
        done = command(protocol, env=_environment(games), input=words)
        assert done.returncode == 0
        assert done.stderr == ""
        assert done.stdout.splitlines().count(output) == 1
        assert "breakthrough" in done.stdout


def test_folders_that_hold_no_game_are_named(games: Path, tmp_path: Path) -> None:
    nowhere, bare = tmp_path / "nowhere", tmp_path / "bare"
    bare.mkdir()
    names, output = _listed(nowhere, games / "breakthrough", bare)
    assert "breakthrough" not in names
    assert output == [
        f"ryugi-engine: RYUGI_GAMES: {nowhere}: there is no such folder",
        f"ryugi-engine: RYUGI_GAMES: {games / 'breakthrough'} is a game itself: name the folder"
        " that it lies in",
        f"ryugi-engine: RYUGI_GAMES: {bare} holds no game: no folder in it has an __init__.py",
    ]


def test_folders_of_one_name_are_named(games: Path, tmp_path: Path) -> None:
    """Of the engine's own, of another folder's; and a name that no package can have."""
    own = _package(games / "gorogo", "raise ValueError('run')\n")
    other = _package(tmp_path / "more" / "breakthrough", "raise ValueError('run')\n")
    odd = _package(tmp_path / "more" / "my-game", "raise ValueError('run')\n")
    names, output = _listed(games, tmp_path / "more", games)
    assert names.count("breakthrough") == names.count("gorogo") == 1
    assert output == [
        f"ryugi-engine: {own}: left out, {ROOT / 'variants' / 'gorogo'} has that name already",
        f"ryugi-engine: {other}: left out, {games / 'breakthrough'} has that name already",
        f"ryugi-engine: {odd}: left out, a package's name is letters, digits and _",
    ]
