"""The position that a session plays on: by the kernels, or by the naive rules until they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine.core.loading import Loading
from ryugi_engine.core.standin import StandIn
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, IllegalMove

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position

#: Seconds that a person who has made an illegal move may wait to be told why.
_OBJECTION_SECONDS = 2.0


class Board:
    """A game's position, its start until another is set up."""

    def __init__(self, loading: Loading, game: Game) -> None:
        self._loading = loading
        self._game = game
        self._position: Position | StandIn | None = None
        # the text that it was set up with, None for the start; () for none
        self._root: tuple[str | None] | tuple[()] = ()

    def change(self, game: Game) -> None:
        """Another game, from its start."""
        self._game = game
        self._position, self._root = None, ()

    @property
    def _come(self) -> bool:
        """Whether the kernels are there. What cannot be loaded is played by the naive rules."""
        try:
            return self._loading.arrived(self._game)
        except UserError:  # it is told whenever a move is asked for
            return False

    @property
    def loaded(self) -> Position:
        """The position by the kernels, which may have to be waited for."""
        self._loading.wait(self._game)
        from ryugi_engine.games.position import Position

        position = self._position
        if position is None:
            position = self._position = Position(self._game)
        elif isinstance(position, StandIn):
            position = self._position = played_on(position)
        return position

    @property
    def present(self) -> Position | StandIn:
        """The position, without waiting; it passes to the kernels by :meth:`settle` only."""
        if self._position is None:
            if self._come:
                return self.loaded
            self._position = StandIn(self._game)
        return self._position

    def settle(self) -> None:
        """Let the kernels take over a position of the naive rules, if they have come."""
        if isinstance(self._position, StandIn) and self._come:
            _ = self.loaded

    def set_up(self, text: str | None, moves: Sequence[str] = ()) -> None:
        """Set up a position, or the start, and play moves on it.

        A faulty text leaves the position as it was; a faulty move leaves the moves before it
        played. UserError tells either.
        """
        self.settle()
        position = self._position
        known = 0
        if (
            position is not None
            and self._root == (text,)
            and position.moves == list(moves[: len(position.moves)])
        ):
            # the game goes on: only the new moves need playing
            known = len(position.moves)
        else:
            position = self._new(text)
            self._position, self._root = position, (text,)
        for number, move in enumerate(moves[known:], start=known + 1):
            if isinstance(position, StandIn) and self._come:
                position = self.loaded
            try:
                position.push(move, refereed=True)
            except IllegalMove as error:
                raise UserError(f"move {number}: {error}") from None

    def _new(self, text: str | None) -> Position | StandIn:
        if not self._come:
            return StandIn(self._game, text)
        from ryugi_engine.games.position import Position

        return Position(self._game, text)

    def objection(self, move: str) -> str:
        """Why a move that is not legal is not; the kernels, which know best, may take a while."""
        self._loading.wait(self._game, _OBJECTION_SECONDS)
        self.settle()
        return self.present.objection(move)


def played_on(board: StandIn) -> Position:
    """The same position with the same history by the kernels, which have come."""
    from ryugi_engine.games.position import Position

    position = Position(board.game, board.root_text)
    for move in board.moves:
        position.push(move, refereed=True)
    return position
