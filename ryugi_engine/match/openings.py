"""Start positions of a match."""

from __future__ import annotations

import random
from pathlib import Path

from ryugi_engine.files import MAX_POSITIONS, read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position


def read_openings(game: Game, path: Path | None) -> list[str]:
    """Checked position texts from a file, the game's own openings, or just the start.

    A line's part behind ``;`` and lines with ``#`` are left out. OSError, or a ValueError that
    names file and line.
    """
    if path is None:
        return list(game.positions("openings")) or [game.start]
    texts = []
    for number, line in enumerate(read_text(path, MAX_POSITIONS).splitlines(), start=1):
        text = line.split(";")[0].strip()
        if not text or text.startswith("#"):
            continue
        try:
            position = Position(game, text)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        if position.outcome() is not None:
            raise ValueError(f"{path}:{number}: the game is over in this position")
        texts.append(text)
    if not texts:
        raise ValueError(f"{path}: no positions")
    return texts


def schedule(texts: list[str], pairs: int, seed: int) -> list[str]:
    """An opening for each pair of games, in an order that the seed fixes."""
    order = list(texts)
    random.Random(seed).shuffle(order)
    return [order[pair % len(order)] for pair in range(pairs)]
