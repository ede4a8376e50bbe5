"""``train show``: describe files of positions in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.games.registry import Registry
from ryugi_engine.games.training import Training
from ryugi_engine.nnue.inference import pieces_on_board
from ryugi_engine.train.positions import difference, facts_of, inputs_of, read_facts, records
from ryugi_engine.train.record_check import check_records
from ryugi_engine.train.trainable_game import training_of

#: What is looked at of a large file: so many of its records, evenly spread.
_SAMPLE = 1_000_000


def _training_of(facts: Mapping[str, Any], games: Registry) -> Training | None:
    """Return how positions of a file's game are recorded; None for a game that is not known."""
    try:
        game = games.game(str(facts.get("game")))
        training = training_of(game)
    except UserError:
        return None
    return None if difference(facts, facts_of(game, training)) else training


def summary(path: Path, games: Registry) -> Iterator[str]:
    """Return the lines of ``train show``; UserError if the file holds no positions."""
    facts = read_facts(path)
    check_records(path, _training_of(facts, games))
    held = records(path)
    yield f"{path}: {facts.get('game')}, {counted(len(held), 'position')}"
    entries = {k: v for k, v in facts.items() if k not in ("format", "game")}
    yield "  " + ", ".join(f"{name} {value}" for name, value in entries.items())
    if not len(held):
        return
    number = int(held["game"].max()) + 1
    yield f"  up to {counted(number, 'game')}, {len(held) / number:.1f} a game"
    some = held[:: max(1, len(held) // _SAMPLE)]
    results = [100 * float(np.mean(some["result"] == value)) for value in (1, 0, -1)]
    yield "  to move won {:.1f} %, drawn {:.1f} %, lost {:.1f} %".format(*results)
    scores = some["score"].astype(np.float64)
    within = float(np.mean(np.abs(scores) < 100))
    spread = f"mean {scores.mean():.1f}, deviation {scores.std():.0f}"
    yield f"  scores: {spread}, {within:.0%} within 100"
    pieces = pieces_on_board(inputs_of(path), some["cells"])
    yield f"  pieces: {pieces.min()} to {pieces.max()}, {pieces.mean():.1f} on average"
