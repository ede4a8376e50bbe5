"""The dataset of a training: the positions of files in memory, with their targets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.nnue.architecture import MAX_PIECES, SCALE
from ryugi_engine.nnue.float_net import Floats
from ryugi_engine.nnue.inference import Cells, pieces_on_board
from ryugi_engine.train.evaluate_records import evaluations
from ryugi_engine.train.positions import difference, facts_of, read_facts, records
from ryugi_engine.train.selfplay import MAX_CLOCK
from ryugi_engine.train.trainable_game import training_of

#: One game in this many is for validation.
_VALIDATION_SHARE = 20
#: Records read at once: a file may exceed the memory.
_CHUNK = 1 << 20
_ODD = 0x9E37_79B9_7F4A_7C15


@dataclass
class Dataset:
    """Positions; chances to win are those of the side to move."""

    cells: Cells  # (n, cells)
    sides: NDArray[np.uint8]  # (n,)
    scores: Floats  # (n,): chance to win by the search's score
    results: Floats  # (n,): 1, 0.5 or 0
    bases: Floats  # (n,): outputs that the net corrects, 0 if it stands alone
    training: NDArray[np.int64]  # numbers of the training positions
    validation: NDArray[np.int64]  # numbers of the validation positions, of other games
    games: int
    max_pieces: int  # on any board

    def targets(self, wdl: float) -> Floats:
        """Return the chances to predict: a mixture of result (share ``wdl``) and score."""
        mixed = (1.0 - wdl) * self.scores + wdl * self.results
        return mixed.astype(np.float32)


def sigmoid(centipawns: NDArray[Any]) -> Floats:
    """Return the chances to win of evaluations in centipawns."""
    chances: Floats = (1.0 / (1.0 + np.exp(-centipawns.astype(np.float32) / SCALE))).astype(
        np.float32
    )
    return chances


def is_validation(game: NDArray[Any], file: int) -> NDArray[np.bool_]:
    """Return whether games are for validation; depends on their numbers and the file's alone."""
    number = game.astype(np.uint64) + np.uint64(1_000_003 * (file + 1))
    mixed: NDArray[np.uint64] = number * np.uint64(_ODD)
    validation: NDArray[np.bool_] = (mixed >> np.uint64(40)) % np.uint64(_VALIDATION_SHARE) == 0
    return validation


def check_game(game: Game, path: Path) -> None:
    """Raise UserError if a file's positions have another board, pieces or rules than the game's."""
    facts, own = read_facts(path), facts_of(game, training_of(game))
    own = {name: value for name, value in own.items() if name not in ("game", "start")}
    differs = difference(facts, own)
    if differs:
        raise UserError(f"{path}: positions of {facts.get('game')}, for {game.name}: {differs}")


def load(game: Game, paths: list[Path], *, correction: bool, threads: int) -> Dataset:
    """Load the positions of a game's files. Raises UserError for unsuitable or empty files."""
    columns: list[tuple[NDArray[Any], ...]] = []
    games = 0
    for number, path in enumerate(paths):
        check_game(game, path)
        whole = records(path)
        numbers = [np.zeros(0, dtype=np.uint32)]
        for first in range(0, len(whole), _CHUNK):
            part = whole[first : first + _CHUNK]
            part = part[part["clock"] <= MAX_CLOCK]
            numbers.append(np.unique(part["game"]))
            base = np.zeros(len(part), dtype=np.float32)
            if correction:
                values = evaluations(game, None, part, threads, uncorrected=True)
                base = (values / SCALE).astype(np.float32)
            columns.append(
                (
                    np.ascontiguousarray(part["cells"]),
                    part["side"].copy(),
                    sigmoid(part["score"]),
                    ((part["result"] + 1) / 2).astype(np.float32),
                    base,
                    is_validation(part["game"], number),
                )
            )
        games += len(np.unique(np.concatenate(numbers)))
    if not games:
        raise UserError(f"{', '.join(map(str, paths))}: no positions to train on")
    cells, sides, scores, results, bases, validates = (
        np.concatenate(parts) for parts in zip(*columns, strict=True)
    )
    training, validation = np.flatnonzero(~validates), np.flatnonzero(validates)
    if not len(training) or not len(validation):
        raise UserError(f"{counted(games, 'game')}: too few, none would be left for validation")
    inputs = training_of(game).inputs
    counts = (pieces_on_board(inputs, part[0]) for part in columns if len(part[0]))
    max_pieces = min(MAX_PIECES, max(int(count.max()) for count in counts))
    return Dataset(cells, sides, scores, results, bases, training, validation, games, max_pieces)
