"""What a training learns from: the positions of files, in memory, with what they are to teach."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, counted
from ryugi_engine.games.nets import SCALE
from ryugi_engine.train.judge import judgements
from ryugi_engine.train.model import Floats, Pieces
from ryugi_engine.train.positions import facts_of, read_facts, records
from ryugi_engine.train.subject import training_of

#: From this clock on scores fade towards the draw that a long row of quiet moves ends in; that is
#: done outside the net.
FADING = 20
#: One game of so many is kept to validate with.
_KEPT_APART = 20
#: Records that are taken in at once: a file may be larger than the memory is free.
_AT_ONCE = 1 << 20
_ODD = 0x9E37_79B9_7F4A_7C15


@dataclass
class Material:
    """Positions by number; chances to win are those of the side to move."""

    pieces: Pieces  # (n, squares)
    sides: NDArray[np.uint8]
    scores: Floats  # the chance by the search's score
    results: Floats  # 1, 0.5 or 0
    bases: Floats  # outputs that the net corrects, 0 where it stands alone
    learnt: NDArray[np.int64]  # numbers of the positions to learn from
    validating: NDArray[np.int64]  # whole games that nothing is learnt from
    games: int
    men: int  # pieces on the fullest board

    def targets(self, result_weight: float) -> Floats:
        """What is to be predicted: a mixture of score and result."""
        mixed = (1.0 - result_weight) * self.scores + result_weight * self.results
        return mixed.astype(np.float32)


def chance(centipawns: NDArray[Any]) -> Floats:
    """The logistic function of centipawns."""
    found: Floats = (1.0 / (1.0 + np.exp(-centipawns.astype(np.float32) / SCALE))).astype(
        np.float32
    )
    return found


def kept_apart(game: NDArray[Any], file: int) -> NDArray[np.bool_]:
    """Whether a game is kept to validate with; that depends on its number and its file's alone."""
    number = game.astype(np.uint64) + np.uint64(1_000_003 * (file + 1))
    mixed: NDArray[np.uint64] = number * np.uint64(_ODD)
    kept: NDArray[np.bool_] = (mixed >> np.uint64(40)) % np.uint64(_KEPT_APART) == 0
    return kept


def same_game(game: Game, path: Path) -> None:
    """UserError if a file's positions are not of such a board and such pieces."""
    facts, own = read_facts(path), facts_of(game.name, training_of(game))
    for name in ("files", "ranks", "letters"):
        if facts[name] != own[name]:
            told = f"{facts[name]}, {game.name} has {own[name]}"
            raise UserError(f"{path}: positions of {facts['game']}: its {name} are {told}")


def gathered(game: Game, paths: list[Path], *, correction: bool, threads: int) -> Material:
    """The positions of a game's files; UserError for files of another game, or without any."""
    columns: list[tuple[NDArray[Any], ...]] = []
    games = 0
    for number, path in enumerate(paths):
        same_game(game, path)
        whole = records(path)
        seen = [np.zeros(0, dtype=np.uint32)]
        for first in range(0, len(whole), _AT_ONCE):
            held = whole[first : first + _AT_ONCE]
            held = held[held["clock"] <= FADING]
            seen.append(np.unique(held["game"]))
            base = np.zeros(len(held), dtype=np.float32)
            if correction:
                base = (judgements(game, None, held, threads, learnt=True) / SCALE).astype(
                    np.float32
                )
            columns.append(
                (
                    np.ascontiguousarray(held["pieces"]),
                    held["side"].copy(),
                    chance(held["score"]),
                    ((held["result"] + 1) / 2).astype(np.float32),
                    base,
                    kept_apart(held["game"], number),
                )
            )
        games += len(np.unique(np.concatenate(seen)))
    if not games:
        raise UserError(f"{', '.join(map(str, paths))}: no positions to learn from")
    pieces, sides, scores, results, bases, apart = (
        np.concatenate(parts) for parts in zip(*columns, strict=True)
    )
    learnt, validating = np.flatnonzero(~apart), np.flatnonzero(apart)
    if not len(learnt) or not len(validating):
        raise UserError(f"{counted(games, 'game')}: too few, none would be left to validate with")
    men = max(int(np.count_nonzero(part[0], axis=1).max()) for part in columns if len(part[0]))
    return Material(pieces, sides, scores, results, bases, learnt, validating, games, men)
