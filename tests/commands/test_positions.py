"""The command that makes openings and bench positions, for every kind of game."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from tests.match.test_openings import OWN
from tests.support.books import texts_in
from tests.support.helpers import SUPPORT, command, completed

QUICK = ("--openings", "3", "--depth", "2", "--seconds", "0.02", "--balance", "2000")


def test_a_game_of_a_file(tmp_path: Path) -> None:
    """Openings on standard output, or in a file that a match reads."""
    definitions, book = tmp_path / "own.toml", tmp_path / "own.epd"
    definitions.write_text(OWN)
    games = Registry()
    games.load_file(str(definitions))
    done = command("--variants", str(definitions), "positions", *QUICK)
    assert done.returncode == 0, done.stderr
    head, *texts = done.stdout.splitlines()
    assert "ryugi-engine positions own --openings 3 --plies 8 " in head
    assert len(set(texts)) == 3
    for text in texts:
        position = Position(games.game("own"), text)
        assert position.outcome() is None
        assert position.text() == text
    done = command("--variants", str(definitions), "positions", "own", *QUICK, "--out", str(book))
    assert (done.returncode, done.stdout) == (0, f"Openings: {book}\n"), done.stderr
    assert len(texts_in(games.game("own"), book)) == 3


def test_what_stands_there_is_kept(tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("mine\n")
    done = command("positions", "chess", *QUICK, "--out", str(book))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert book.read_text() == "mine\n"


def test_there_are_too_few() -> None:
    """Of games that are over, and of positions that are found already."""
    done = command("positions", "chess", *QUICK, "--plies", "0")
    assert done.returncode == 2
    assert "chess: 1 opening, then 200 games in a row that gave none" in done.stderr


@pytest.mark.slow
def test_a_game_with_a_folder(tmp_path: Path) -> None:
    """Both files in the folder; bench positions that are there stay."""
    shutil.copytree(SUPPORT / "games" / "breakthrough", tmp_path / "breakthrough")
    for kind in ("openings", "bench"):
        shutil.rmtree(tmp_path / "breakthrough" / kind)
    files = [
        tmp_path / "breakthrough" / kind / "breakthrough.epd" for kind in ("openings", "bench")
    ]
    environment = {**os.environ, "RYUGI_GAMES": str(tmp_path)}
    words = [sys.executable, "-m", "ryugi_engine", "positions", "breakthrough", *QUICK]
    done = completed(words, env=environment)
    assert done.returncode == 0, done.stderr
    assert [len(path.read_text().splitlines()) for path in files] == [4, 5]
    bench = files[1].read_text()
    done = completed([*words, "--seed", "2"], env=environment)
    assert done.returncode == 0, done.stderr
    assert files[1].read_text() == bench
    assert "--seed 2" in files[0].read_text()


def test_openings_of_the_catalogue_are_files_of_the_command() -> None:
    """So that they may be made again, without --force."""
    from ryugi_engine.files.output import OPENINGS

    for game in registry().games():
        path = game.data_file("openings")
        if path is not None and path.exists():
            assert OPENINGS.check(path), path
