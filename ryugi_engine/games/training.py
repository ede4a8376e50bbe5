"""The interface of games that can be trained: recording positions, nets, weights."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol, Self, runtime_checkable

from ryugi_engine.games.game import Rules
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.kernel.views import Layout, i8, i16, u8, u16, u32
from ryugi_engine.nnue.inputs import Inputs
from ryugi_engine.nnue.net import Net

#: The start of a record. Behind it lie the position's cells, see :mod:`ryugi_engine.nnue.inputs`.
RECORD = Layout(
    "record",
    align=8,
    game=u32,  # number of the game within its file
    ply=u16,  # plies from the start of the game
    score=i16,  # centipawns for the side to move, as a search found it
    result=i8,  # the game's end for the side to move: 1 won, 0 drawn, -1 lost
    side=u8,  # to move: 0 White, 1 Black
    clock=u16,  # plies since a capture or pawn move
    rights=u8,  # castling, as the game has it
    en_passant=u8,  # square, or NO_SQUARE
)
NO_SQUARE = 255


#: How counters of pieces in hand are named: after the kind.
HAND = " in hand"


class Training(NamedTuple):
    """How positions of a game are recorded."""

    inputs: Inputs
    #: (S, R, word): write the record at a word of block R, but for game, ply, score and result.
    record: Entry
    #: (S, R, word): make that record the current position, without what led to it.
    recall: Entry
    #: (S) -> centipawns for the side to move: the evaluation as it is learnt. The game's scaling in
    #: endings and after many quiet moves is left out.
    learnt: Entry
    #: Whether a position mirrored left to right has the same value, castling aside.
    symmetric: bool = True
    #: Whether games may be decided by a score of the evaluation without a net.
    decided_by_material: bool = True
    #: Pieces on the board and in hand, at most; 0: any number.
    most_pieces: int = 0
    #: The rules, where the family tells them: texts by name.
    rules: Mapping[str, str] = MappingProxyType({})
    #: The value of each kind of piece in centipawns, 0 for a royal one; empty where they have none.
    values: Mapping[str, int] = MappingProxyType({})
    #: Evaluations and bounds of scores are so many times those of chess: the more pieces there
    #: are, the less a lead of some centipawns decides.
    magnitude: int = 1

    @property
    def words(self) -> int:
        """Words of a record."""
        return RECORD.words + (self.inputs.cells + 7) // 8


@runtime_checkable
class Trainable(Rules, Protocol):
    """Rules of a game whose positions can be recorded."""

    def training(self) -> Training:
        """Return how positions are recorded."""

    @property
    def net(self) -> Net | None:
        """The net that evaluates positions; None: none does."""

    @property
    def needs_net(self) -> str:
        """What the game is played by without a net, as a phrase, where that is poor; else ""."""

    def with_net(self, net: Net | None) -> Self:
        """Return the same rules with another net, or none; UserError if it is not for this game.

        Positions and searches of these rules keep the net that they have.
        """

    def first_net(self) -> Net | None:
        """Return the net of a game that nobody has trained; None where none would help."""

    def adapted(self, net: Net, other: Rules) -> Net:
        """Return a net of the other rules' game, made to fit; UserError if it is not one."""
