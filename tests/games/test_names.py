"""The file by which the games' names are known before any game is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ryugi_engine.games import names
from ryugi_engine.games.registry import registry
from tests.support.helpers import ROOT


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a new cache folder, which is made by the first look."""
    folders = [str(ROOT / "variants"), str(ROOT / "ryugi_engine" / "games")]
    monkeypatch.setattr(names, "_folders", lambda: folders)
    monkeypatch.setenv("RYUGI_CACHE_DIR", str(tmp_path / "cache"))
    names.known.cache_clear()
    yield tmp_path / "cache" / names.NAME
    names.known.cache_clear()


def test_they_are_those_of_the_registry(kept: Path) -> None:
    known = names.known()
    assert kept.exists()
    assert known == {name: registry().game(name).name for name in known}
    assert sorted(known) == registry().names()


@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"",
        lambda content: content[:-9],
        lambda content: content.replace(b"chess standard", b"chess draughts"),
        lambda content: content + b"more\n",
        lambda content: os.urandom(500),
    ],
)
def test_a_damaged_file_is_replaced(kept: Path, change: object) -> None:
    known, whole = names.known(), kept.read_bytes()
    assert callable(change)
    kept.write_bytes(change(whole))
    names.known.cache_clear()
    assert names.known() == known
    assert kept.read_bytes() == whole
    assert list(kept.parent.iterdir()) == [kept]


def test_a_file_of_other_sources_is_replaced(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names.known()
    source = tmp_path / "games" / "inside" / "mine.toml"
    source.parent.mkdir(parents=True)
    monkeypatch.setattr(names, "_folders", lambda: [str(tmp_path / "games")])
    seen = set()
    for text in ("name", "eman", "names"):
        source.write_text(text)
        os.utime(source, (1, 1))
        assert names.read(kept) == []
        names.known.cache_clear()
        names.known()
        seen.add(kept.read_bytes())
    source.rename(source.with_name("yours.toml"))
    assert names.read(kept) == []
    assert len(seen) == 3


@pytest.mark.parametrize("blocked", ["cache", f"cache/{names.NAME}"])
def test_names_are_known_where_nothing_can_be_kept(
    kept: Path, tmp_path: Path, blocked: str
) -> None:
    """A file in place of the folder, a folder in place of the file."""
    if blocked == "cache":
        (tmp_path / "cache").write_text("")
    else:
        kept.mkdir(parents=True)
    assert "ryugi" in names.known()
    assert not kept.is_file()
