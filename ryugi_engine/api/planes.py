"""A position as planes: arrays of the size of the board, for learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ryugi_engine.errors import UserError
from ryugi_engine.games.batch import StateBatch
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.games.training import NO_SQUARE, Trainable, Training
from ryugi_engine.nnue.inputs import UNMOVED, WALL

_SIDES = ("White", "Black")
_RIGHTS = ("K", "Q", "k", "q")
#: Records keep a square as so many times its rank, and its file.
_RANK_STEP = 16
_LAST = ("en passant", "halfmove clock", "Black to move")


class Planes:
    """How the positions of a game become planes."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self._game, self._rules = game, rules
        self._training = _training_of(game, rules)
        self.names = tuple(self._all_names())

    def _all_names(self) -> list[str]:
        training = self._training
        if training is None:
            pieces = [*self._letters, *(letter.lower() for letter in self._letters)]
            hands = [f"{side} {letter} in hand" for letter in self._letters for side in _SIDES]
            return [*pieces, *hands, _LAST[-1]]
        inputs = training.inputs
        names = [*inputs.kinds, *(kind.lower() for kind in inputs.kinds)]
        names += ["wall"] * inputs.walls + ["unmoved"] * inputs.unmoved
        names += [f"{side} {one.name}" for one in inputs.counters for side in _SIDES]
        return [*names, *(f"castling {right}" for right in _RIGHTS), *_LAST]

    @property
    def _letters(self) -> list[str]:
        """The letters of pieces where no records know them."""
        start = self._game.start.split(maxsplit=1)[0]
        shapes = (name[0] for name in self._rules.shapes())
        found = [*self._game.pieces, *shapes, *filter(str.isalpha, start.upper())]
        return [*dict.fromkeys(found)]

    def fill(self, batch: StateBatch) -> NDArray[np.uint8]:
        """Return the planes of a batch: [position, plane, rank, file]."""
        game = self._game
        shape = (len(batch.states), len(self.names), game.ranks, game.files)
        planes = np.zeros(shape, dtype=np.uint8)
        if self._training is None:
            for number, state in enumerate(batch.states):
                self._draw(planes[number], batch, state, int(batch.array("sides")[number]))
            return planes
        heads, cells = batch.record(self._training)
        self._unpack(planes, self._training, heads, cells)
        return planes

    def _draw(self, planes: NDArray[np.uint8], batch: StateBatch, state: Any, side: int) -> None:
        """Fill in one position by its board and hands."""
        letters = {name: number for number, name in enumerate(self.names)}
        for (file, rank), letter in batch.rules.board(state).items():
            planes[letters[letter], rank, file] = 1
        for who, hand in zip(_SIDES, batch.rules.hands(state), strict=True):
            for letter, number in hand.items():
                planes[letters[f"{who} {letter} in hand"]] = min(number, 255)
        planes[-1] = side

    def _unpack(
        self, planes: NDArray[np.uint8], training: Training, heads: Any, cells: NDArray[np.uint8]
    ) -> None:
        inputs, count = training.inputs, len(planes)
        board = cells[:, : inputs.squares].reshape(count, inputs.ranks, inputs.files)
        codes = board & (UNMOVED - 1) if inputs.unmoved else board
        own = range(1, len(inputs.kinds) + 1)
        wanted = [*own, *(inputs.black + code for code in own)] + [WALL] * inputs.walls
        for plane, code in enumerate(wanted):
            planes[:, plane] = codes == code
        at = len(wanted)
        if inputs.unmoved:
            planes[:, at] = board >= UNMOVED
            at += 1
        counters = cells[:, inputs.squares :]
        planes[:, at : at + counters.shape[1]] = counters[:, :, None, None]
        at += counters.shape[1]
        for bit in range(len(_RIGHTS)):
            planes[:, at + bit] = (heads["rights"] >> bit & 1)[:, None, None]
        at += len(_RIGHTS)
        square = heads["en_passant"]
        (rows,) = np.nonzero(square != NO_SQUARE)
        rank, file = divmod(square[rows], _RANK_STEP)
        planes[rows, at, rank, file] = 1
        planes[:, at + 1] = np.minimum(heads["clock"], 255)[:, None, None]
        planes[:, at + 2] = heads["side"][:, None, None]


def _training_of(game: Game, rules: Rules) -> Training | None:
    """Return how positions are recorded; None in games of which no net can be trained."""
    if game.setup_of:  # Chess960: its positions are the game's
        rules = rules_of(registry().game(game.setup_of))
    try:
        return rules.training() if isinstance(rules, Trainable) else None
    except UserError:
        return None
