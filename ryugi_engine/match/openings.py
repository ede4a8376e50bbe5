"""Openings of a match: from files of positions or games, or the game's own.

Positions lie in files with one a line, or are what records (PGN) lead to after some plies.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ryugi_engine.errors import UserError, warn
from ryugi_engine.files import MAX_RECORDS, naming, read_bytes
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import read_epd, start_of
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import Record, RecordError, in_file, parse_records
from ryugi_engine.records.playback import game_name
from ryugi_engine.records.san import by_xboard, recorded_code

#: What stands for a set of one: the game's start position.
START = "start"
#: Comments, and lines that readers skip, before the first tag of a file.
_OUTSIDE = re.compile(r"(?:[\s\ufeff]++|[;%][^\r\n]*+|\{[^}]*+\})*+")


def built_in(game: Game) -> tuple[str, ...]:
    """Return the names of a game's opening sets that need no file."""
    return (START, game.name) if game.positions("openings") else (START,)


def read_openings(game: Game, source: Path | str | None, plies: int = 0) -> list[str]:
    """Checked position texts: of a file, of a built-in set, or if None the game's own.

    In a file of positions a line is FEN or EPD, whose operations are read as :func:`read_epd` does;
    lines with ``#`` are left out. Of games it is the position after so many ``plies``, 0 for all of
    them. UserError names file and line.
    """
    if source is None:
        return list(game.positions("openings")) or [game.start]
    path = Path(source)
    if not path.exists() and str(source) in built_in(game):
        return [game.start] if source == START else list(game.positions("openings"))
    with naming(path):
        text = decoded(path, read_bytes(path, MAX_RECORDS))
    games = _holds_games(path, text)
    texts = _played(game, path, text, plies) if games else _lines(game, path, text)
    found = list(texts)
    if not found:
        raise UserError(f"{path}: no {'games' if games else 'positions'}")
    return found


def _holds_games(path: Path, text: str) -> bool:
    """Return whether a file has games, and not a position a line."""
    if path.suffix.lower() in (".pgn", ".kif"):
        return True
    begin = _OUTSIDE.match(text)
    return begin is not None and text.startswith("[", begin.end())


def _start(game: Game, text: str | None) -> Position:
    """Return a game's position, read as :func:`start_of` does."""
    found, position = start_of(game, text)
    if found.name != game.name:
        raise UserError(f"a position of {found.name}, not of {game.name}")
    return position


def _checked(where: str, position: Position) -> str:
    """Return a position's text; UserError if the game is over in it."""
    if position.outcome() is not None:
        raise UserError(f"{where}: the game is over in this position")
    return position.text()


def _lines(game: Game, path: Path, text: str) -> Iterator[str]:
    """Yield the position of each line of a text; see :func:`read_epd`."""
    for number, line in enumerate(text.splitlines(), start=1):
        text = line.strip()
        if not text.split(";")[0].strip() or text.startswith(("#", "%")):
            continue
        try:
            position = _start(game, read_epd(text)[0])
        except UserError as error:
            raise UserError(f"{path}:{number}: {error}") from None
        yield _checked(f"{path}:{number}", position)


def _played(game: Game, path: Path, text: str, plies: int) -> Iterator[str]:
    """Yield the positions that games lead to.

    Games that do not get there are left out, with a line; UserError if there is no other.
    """
    with in_file(path):
        records = parse_records(text)
    faults: list[UserError] = []
    for record in records:
        try:
            with in_file(path):
                position = _after(game, record, plies)
            yield _checked(f"{path}:{record.place()[0]}", position)
        except UserError as error:
            faults.append(error)
    if records and len(faults) == len(records):
        raise faults[0]
    for fault in faults:
        warn(f"{fault} (this game is left out)")


def _after(game: Game, record: Record, plies: int) -> Position:
    """Return the position after the first plies of a record; RecordError if they are illegal."""
    name = game_name(record)
    if "Variant" in record.tags and name.lower() not in (game.name, *game.aliases):
        message = f"a game of '{name[:40]}', not of {game.name}"
        raise RecordError(*record.place("Variant"), message)
    try:
        position = _start(game, record.tags.get("FEN"))
    except UserError as error:
        raise RecordError(*record.place("FEN"), str(error)) from None
    for step in record.steps[: plies or None]:
        try:
            position.push(recorded_code(position, step.move, by_xboard(record.tags)))
        except UserError as error:
            raise RecordError(*step.place, str(error)) from None
    return position


def in_order(
    texts: Sequence[str], *, seed: int = 0, order: str = "random", start: int = 1
) -> list[str]:
    """Return the openings in the order in which pairs of games use them.

    ``order`` is ``sequential`` or ``random`` by the seed; ``start`` (from 1) is the first one used.
    """
    texts = list(texts)
    if order == "random":
        random.Random(seed).shuffle(texts)
    begin = (start - 1) % len(texts)
    return texts[begin:] + texts[:begin]
