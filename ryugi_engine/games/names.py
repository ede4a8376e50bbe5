"""The names of the engine's own games in a file, by which `uci` is answered before one is read.

A build writes the file into the package, the first start into the user's cache folder. It is used
only if it is whole and made from the present sources, by a hash of their content.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.util import source_hash
from pathlib import Path

from ryugi_engine.files.cache_folder import cache_folder, keep

#: Name of the file.
NAME = "names.txt"
_PACKAGE = Path(__file__).parents[1]
#: What games are read from; pictures, nets and positions say nothing about names.
_SUFFIXES = (".py", ".toml", ".ini")


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(_SUFFIXES):
                yield entry.path
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)


def _digest(body: bytes) -> bytes:
    """Return the hash of everything that names come from, and of the names."""
    parts = [body]
    for folder in _folders():
        for path in _sources(folder):
            with open(path, "rb", buffering=0) as source:
                parts += [path.removeprefix(folder).encode(), source.read()]
    return source_hash(b"\0".join(parts)).hex().encode()


def _folders() -> list[str]:
    return [*importlib.import_module("variants").__path__, str(Path(__file__).parent)]


def _lines() -> list[str]:
    """Return a line per game, its name and its aliases; GameError if a game is faulty."""
    from ryugi_engine.games.packages import discover
    from ryugi_engine.games.registry import catalogue

    return [*(" ".join((g.name, *g.aliases)) for g in discover().games.values()), *catalogue()]


def content() -> bytes:
    """Return the file's content: the digest, then the games' lines."""
    body = "".join(f"{line}\n" for line in _lines()).encode()
    return _digest(body) + b"\n" + body


def read(path: Path) -> list[str]:
    """Return the lines of a file's games; [] if they are not those of the present sources."""
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return []
    return body.decode().splitlines() if digest == _digest(body) else []


@cache
def known() -> dict[str, str]:
    """Return each name and alias of the engine's own games with the game's name.

    It is empty with RYUGI_GAMES, whose games have to be read. GameError if a game is faulty.
    """
    if len(_folders()) > 2:
        return {}
    lines: list[str] = []
    with contextlib.suppress(OSError, RuntimeError):  # no home folder, or nothing may be written
        kept = cache_folder() / NAME
        lines = read(_PACKAGE / NAME) or read(kept)
        if not lines:
            keep(kept, content())
    return {word: line.split()[0] for line in lines or _lines() for word in line.split()}
