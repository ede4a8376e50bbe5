"""Start positions of a match: from files of positions or of games, or those that a game brings.

Positions lie in files with one a line, or are what records (PGN) lead to after some plies.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.files import MAX_RECORDS, naming, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.records.pgn import Record, RecordError, parse_records
from ryugi_engine.records.playback import game_name
from ryugi_engine.records.san import by_xboard, engine_move

#: What stands for a set of one: the game's start position.
START = "start"


def built_in(game: Game) -> tuple[str, ...]:
    """Return the names of the sets that need no file."""
    return (START, game.name) if game.positions("openings") else (START,)


def read_openings(game: Game, source: Path | str | None, plies: int = 0) -> list[str]:
    """Checked position texts: of a file, of a built-in set, or if None the game's own.

    In a file of positions a line's part behind ``;`` and lines with ``#`` are left out. Of games
    it is the position after so many ``plies``, 0 for all of them. UserError names file and line.
    """
    if source is None:
        return list(game.positions("openings")) or [game.start]
    path = Path(source)
    if not path.exists() and str(source) in built_in(game):
        return [game.start] if source == START else list(game.positions("openings"))
    with naming(path):
        text = read_text(path, MAX_RECORDS)
    games = text.lstrip().startswith("[") or path.suffix.lower() in (".pgn", ".kif")
    texts = []
    for where, position in _played(game, path, text, plies) if games else _lines(game, path, text):
        if position.outcome() is not None:
            raise UserError(f"{where}: the game is over in this position")
        texts.append(position.text())
    if not texts:
        raise UserError(f"{path}: no {'games' if games else 'positions'}")
    return texts


def _lines(game: Game, path: Path, text: str) -> Iterator[tuple[str, Position]]:
    """Yield each position of a text with its place."""
    for number, line in enumerate(text.splitlines(), start=1):
        text = line.split(";")[0].strip()
        if not text or text.startswith("#"):
            continue
        try:
            yield f"{path}:{number}", Position(game, text)
        except UserError as error:
            raise UserError(f"{path}:{number}: {error}") from None


def _played(game: Game, path: Path, text: str, plies: int) -> Iterator[tuple[str, Position]]:
    """Yield the positions that games lead to, with their places."""
    try:
        for record in parse_records(text):
            line, _column = min(record.places.values(), default=(1, 1))
            yield f"{path}:{line}", _after(game, record, plies)
    except RecordError as error:
        raise UserError(f"{path}:{error}") from None


def _after(game: Game, record: Record, plies: int) -> Position:
    """Return the position after the first plies of a record; RecordError if they are illegal."""
    name = game_name(record)
    if "Variant" in record.tags and name.lower() not in (game.name, *game.aliases):
        message = f"a game of '{name[:40]}', not of {game.name}"
        raise RecordError(*record.place("Variant"), message)
    try:
        position = Position(game, record.tags.get("FEN"))
    except UserError as error:
        raise RecordError(*record.place("FEN"), str(error)) from None
    for step in record.steps[: plies or None]:
        try:
            move = engine_move(position, step.move, by_xboard(record.tags))
            position.push(move, refereed=True)
        except UserError as error:
            raise RecordError(*step.place, str(error)) from None
    return position


def in_order(
    texts: Sequence[str], *, seed: int = 0, order: str = "random", start: int = 1
) -> list[str]:
    """Return the openings in the order of the pairs of games, which then repeat it.

    ``random`` is what the seed makes of it; ``start``, from 1, is which of that order is the first.
    """
    texts = list(texts)
    if order == "random":
        random.Random(seed).shuffle(texts)
    begin = (start - 1) % len(texts)
    return texts[begin:] + texts[:begin]
