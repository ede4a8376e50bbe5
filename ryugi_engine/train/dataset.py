"""The dataset of a training: the positions of files, with their targets.

Files that are too large for the memory are read in parts, in another random order in each epoch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.nnue.architecture import MAX_PIECES, SCALE
from ryugi_engine.nnue.float_net import Floats
from ryugi_engine.nnue.inference import Cells, pieces_on_board
from ryugi_engine.train.positions import Records, difference, facts_of, read_facts, records
from ryugi_engine.train.record_check import check_records
from ryugi_engine.train.selfplay import MAX_CLOCK
from ryugi_engine.train.trainable_game import scale_of, training_of

#: One game in this many is for validation.
_VALIDATION_SHARE = 20
#: Records read at once, of whole games. Parts are made of them.
_CHUNK = 1 << 16
#: Records of a part at most, about 100 bytes each.
_PART = 20_000_000
#: Plies from a game's last recorded position to its result, as if for all: captures and checks.
_TO_THE_END = 8
#: How to decide whether targets look ahead: by so many positions of a file. They do if scores
#: explain less than this share of the results' variance. TD's lambda then.
_SAMPLE, _EXPLAINED, _LAMBDA = 100_000, 0.3, 0.95
_ODD = 0x9E37_79B9_7F4A_7C15


class Chunk(NamedTuple):
    """Records of a file, those of whole games."""

    file: int
    first: int
    end: int


@dataclass
class Dataset:
    """Positions in memory; chances to win are those of the side to move."""

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
    #: What is not in memory. There ``training`` has the positions of one part only.
    files: DataFiles | None = None

    @property
    def training_positions(self) -> int:
        """The number of training positions, in memory or not."""
        return len(self.training) if self.files is None else self.files.training_positions

    def parts(self, random: np.random.Generator) -> Iterator[Dataset]:
        """Yield datasets that together have every training position once."""
        if self.files is None:
            yield self
        else:
            yield from self.files.parts(random)

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


def sigmoid(centipawns: NDArray[Any], scale: int = SCALE) -> Floats:
    """Return the chances to win of evaluations in centipawns."""
    chances: Floats = (1.0 / (1.0 + np.exp(-centipawns.astype(np.float32) / scale))).astype(
        np.float32
    )
    return chances


def lambda_of(paths: Sequence[Path], scale: int) -> float:
    """Return TD's lambda that positions ask for.

    Where the search's scores hardly tell who wins, like material in crazyhouse, later ones have to.
    """
    scores, results = ([], [])
    for path in paths:
        held = records(path)
        some = held[:: max(1, len(held) // _SAMPLE)]
        scores.append(sigmoid(some["score"], scale))
        results.append((some["result"] + 1) / 2)
    score, result = np.concatenate(scores), np.concatenate(results)
    error, spread = np.mean((score - result) ** 2), np.mean((result - 0.5) ** 2)
    explained = max(0.0, 1 - float(error) / max(float(spread), 1e-6))
    return _LAMBDA if explained < _EXPLAINED else 0.0


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


def _chunks(file: int, whole: Records) -> Iterator[Chunk]:
    """Yield the chunks of a file: a chunk ends where a game does."""
    first = 0
    while first < len(whole):
        end = min(first + _CHUNK, len(whole))
        while end < len(whole) and whole["game"][end] == whole["game"][end - 1]:
            end += 1
        yield Chunk(file, first, end)
        first = end


class DataFiles:
    """Files of a game's positions, of any size."""

    def __init__(self, game: Game, paths: Sequence[Path], most: int = _PART) -> None:
        """Look at all records once. ``most`` records are in memory at a time.

        Raises UserError for unsuitable or empty files.
        """
        training = training_of(game)
        self._inputs, self._scale, self._most = training.inputs, scale_of(training), most
        for path in paths:
            check_file(game, path)
        self._records = [records(path) for path in paths]
        self._all = [chunk for n, whole in enumerate(self._records) for chunk in _chunks(n, whole)]
        self.games = self.validation_positions = self.training_positions = self.max_pieces = 0
        for chunk in self._all:
            part = self._read(chunk)
            if not len(part):
                continue
            validation = int(np.count_nonzero(is_validation(part["game"], chunk.file)))
            self.validation_positions += validation
            self.training_positions += len(part) - validation
            self.games += int(np.count_nonzero(np.diff(part["game"], prepend=part["game"][:1]))) + 1
            pieces = int(pieces_on_board(self._inputs, part["cells"]).max())
            self.max_pieces = min(MAX_PIECES, max(self.max_pieces, pieces))
        if not self.games:
            raise UserError(f"{', '.join(map(str, paths))}: no positions to train on")
        if not self.training_positions or not self.validation_positions:
            message = f"{counted(self.games, 'game')}: too few, none would be left for validation"
            raise UserError(message)

    def _read(self, chunk: Chunk) -> Records:
        """Return the records of a chunk that are learnt from."""
        part = self._records[chunk.file][chunk.first : chunk.end]
        return part[part["clock"] <= MAX_CLOCK]

    def _dataset(self, chunks: Sequence[Chunk], *, validation_only: bool = False) -> Dataset:
        """Return the positions of some chunks in memory."""
        columns: list[tuple[NDArray[Any], ...]] = []
        for chunk in chunks:
            part = self._read(chunk)
            validates = is_validation(part["game"], chunk.file)
            if validation_only:
                part, validates = part[validates], validates[validates]
            columns.append(
                (
                    np.ascontiguousarray(part["cells"]),
                    part["side"].copy(),
                    sigmoid(part["score"], self._scale),
                    ((part["result"] + 1) / 2).astype(np.float32),
                    part["game"] + (np.int64(chunk.file) << 32),
                    part["ply"].copy(),
                    validates,
                )
            )
        cells, sides, scores, results, games_of, plies, validates = (
            np.concatenate(parts) for parts in zip(*columns, strict=True)
        )
        return Dataset(
            cells, sides, scores, results, games_of, plies,
            np.flatnonzero(~validates), np.flatnonzero(validates), self.games, self.max_pieces,
        )  # fmt: skip

    def parts(self, random: np.random.Generator) -> Iterator[Dataset]:
        """Yield datasets of random chunks, each chunk once."""
        count = -(-sum(chunk.end - chunk.first for chunk in self._all) // self._most)
        for numbers in np.array_split(random.permutation(len(self._all)), count):
            if len(numbers):
                yield self._dataset([self._all[number] for number in numbers])

    def dataset(self) -> Dataset:
        """Return all positions, if they fit into memory; else those for validation and a part."""
        if sum(chunk.end - chunk.first for chunk in self._all) <= self._most:
            return self._dataset(self._all)
        validation = self._dataset(self._all, validation_only=True)
        validation.files = self
        return validation


def load(game: Game, paths: Sequence[Path], most: int = _PART) -> Dataset:
    """Return the positions of a game's files; at most about ``most`` of them are in memory.

    Raises UserError for unsuitable or empty files.
    """
    return DataFiles(game, paths, most).dataset()
