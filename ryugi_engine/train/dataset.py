"""The dataset of a training: the positions of files in memory, with their targets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.nnue.architecture import MAX_PIECES, SCALE
from ryugi_engine.nnue.float_net import Floats
from ryugi_engine.nnue.inference import Cells, pieces_on_board
from ryugi_engine.train.positions import difference, facts_of, read_facts, records
from ryugi_engine.train.record_check import check_records
from ryugi_engine.train.selfplay import MAX_CLOCK
from ryugi_engine.train.trainable_game import training_of

#: One game in this many is for validation.
_VALIDATION_SHARE = 20
#: Records read at once: a file may exceed the memory.
_CHUNK = 1 << 20
#: Plies from a game's last recorded position to its result, as if for all: captures and checks.
_TO_THE_END = 8
_ODD = 0x9E37_79B9_7F4A_7C15


@dataclass
class Dataset:
    """Positions; chances to win are those of the side to move."""

    cells: Cells  # (n, cells)
    sides: NDArray[np.uint8]  # (n,)
    scores: Floats  # (n,): chance to win by the search's score
    results: Floats  # (n,): 1, 0.5 or 0
    games_of: NDArray[np.int64]  # (n,): of the game, another one in each file
    plies: NDArray[np.uint16]  # (n,): from the start of the game
    training: NDArray[np.int64]  # numbers of the training positions
    validation: NDArray[np.int64]  # numbers of the validation positions, of other games
    games: int
    max_pieces: int  # on any board

    def targets(self, wdl: float, td_lambda: float = 0.0) -> Floats:
        """Return the chances to predict: a mixture of result (share ``wdl``) and scores.

        A position's own score has the weight 1 - ``td_lambda`` ** n, with n plies to the next
        recorded position. The rest of the game has the other share. The result follows the last
        position. Source: R. Sutton 1988 (TD(lambda)).
        """
        scores = self.scores
        if td_lambda:
            scores = self._returns(td_lambda)
        mixed = (1.0 - wdl) * scores + wdl * self.results
        return mixed.astype(np.float32)

    def _returns(self, td_lambda: float) -> Floats:
        """Return what the games' scores from each position on come to, and at last the result."""
        order = np.lexsort((self.plies, self.games_of))
        black, plies = self.sides[order] == 1, self.plies[order].astype(np.int64)
        scores, results = self.scores[order], self.results[order]
        values = np.where(black, 1 - scores, scores)
        ends = np.flatnonzero(np.diff(self.games_of[order], append=-1))
        left = np.repeat(ends, np.diff(ends, prepend=-1)) - np.arange(len(order))
        weights = td_lambda ** np.diff(plies, append=0).astype(np.float32)
        weights[ends] = td_lambda**_TO_THE_END
        values[ends] *= 1 - weights[ends]
        values[ends] += weights[ends] * np.where(black, 1 - results, results)[ends]
        by_left = np.argsort(left, kind="stable")
        bounds = np.cumsum(np.bincount(left))
        for first, last in pairwise(bounds):
            at = by_left[first:last]
            values[at] += weights[at] * (values[at + 1] - values[at])
        returns = np.empty_like(values)
        returns[order] = np.where(black, 1 - values, values)
        return returns


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


def check_file(game: Game, path: Path) -> None:
    """Raise UserError if a file's positions are damaged, or not of the game's board and rules."""
    training = training_of(game)
    facts, own = read_facts(path), facts_of(game, training)
    own = {name: value for name, value in own.items() if name not in ("game", "start")}
    differs = difference(facts, own)
    if differs:
        raise UserError(f"{path}: positions of {facts.get('game')}, for {game.name}: {differs}")
    check_records(path, training)


def load(game: Game, paths: list[Path]) -> Dataset:
    """Load the positions of a game's files. Raises UserError for unsuitable or empty files."""
    columns: list[tuple[NDArray[Any], ...]] = []
    games = 0
    for number, path in enumerate(paths):
        check_file(game, path)
        whole = records(path)
        numbers = [np.zeros(0, dtype=np.uint32)]
        for first in range(0, len(whole), _CHUNK):
            part = whole[first : first + _CHUNK]
            part = part[part["clock"] <= MAX_CLOCK]
            numbers.append(np.unique(part["game"]))
            columns.append(
                (
                    np.ascontiguousarray(part["cells"]),
                    part["side"].copy(),
                    sigmoid(part["score"]),
                    ((part["result"] + 1) / 2).astype(np.float32),
                    part["game"] + (np.int64(number) << 32),
                    part["ply"].copy(),
                    is_validation(part["game"], number),
                )
            )
        games += len(np.unique(np.concatenate(numbers)))
    if not games:
        raise UserError(f"{', '.join(map(str, paths))}: no positions to train on")
    cells, sides, scores, results, games_of, plies, validates = (
        np.concatenate(parts) for parts in zip(*columns, strict=True)
    )
    training, validation = np.flatnonzero(~validates), np.flatnonzero(validates)
    if not len(training) or not len(validation):
        raise UserError(f"{counted(games, 'game')}: too few, none would be left for validation")
    inputs = training_of(game).inputs
    counts = (pieces_on_board(inputs, part[0]) for part in columns if len(part[0]))
    max_pieces = min(MAX_PIECES, max(int(count.max()) for count in counts))
    return Dataset(
        cells, sides, scores, results, games_of, plies, training, validation, games,
        max_pieces,
    )  # fmt: skip
