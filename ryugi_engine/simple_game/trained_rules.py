"""``TrainedRules``: rules of a simple game that declares the inputs of a net."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import ClassVar, Self

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.training import Training
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net
from ryugi_engine.simple_game.inputs import letters_of
from ryugi_engine.simple_game.nnue import net_block
from ryugi_engine.simple_game.rules import SimpleRules


class TrainedRules(SimpleRules):
    """See :class:`ryugi_engine.games.training.Trainable`; the template adds the entries."""

    #: The entries of :class:`ryugi_engine.games.training.Training`.
    record: ClassVar[Entry]
    recall: ClassVar[Entry]
    learnt: ClassVar[Entry]
    #: The piece code of each bitboard of a frame, 0 for none.
    planes: ClassVar[list[int]]

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._use_net(None)

    def _use_net(self, net: Net | None) -> None:
        block = None
        if net is not None:
            block = net_block(net, self.game.name, self.training().inputs, self.planes)
        self._net, self._block = net, block

    def new_state(self, text: str) -> Block:
        state = super().new_state(text)
        if self._block is not None:
            self.layout.of(state)["net"] = self._block.address
            state.keeps = self._block
        return state

    def training(self) -> Training:
        """Return how positions are recorded."""
        kind = type(self)
        letters = letters_of(self.definition.inputs, self.definition.fields)
        inputs = replace(Inputs.of_letters(self.game.files, self.game.ranks, letters), king=0)
        return Training(inputs, kind.record, kind.recall, kind.learnt)

    @property
    def net(self) -> Net | None:
        """The net that evaluates positions, None: none does."""
        return self._net

    def with_net(self, net: Net | None) -> Self:
        """Return equal rules with another net, or none; UserError if it does not fit."""
        other = copy.copy(self)
        other._use_net(net)
        return other

    def first_net(self) -> Net | None:
        """Return None: nets of other games do not help."""
        return None

    def adapted(self, net: Net, other: Rules) -> Net:
        """Return a net of the game's inputs; UserError if it has others."""
        difference = self.training().inputs.difference(net.inputs)
        if difference:
            raise UserError(f"a net of {net.game}, {difference}")
        return net
