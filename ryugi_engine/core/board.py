"""The position of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine.core.loading import Loading
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, IllegalMove

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position


class Board:
    """The position of a session. Methods that need kernels wait for them."""

    def __init__(self, loading: Loading, game: Game) -> None:
        self._loading = loading
        self._game = game
        self._position: Position | None = None
        # the text that it was set up with, None for the start; () for none
        self._root: tuple[str | None] | tuple[()] = ()

    def change(self, game: Game) -> None:
        """Play another game, from its start."""
        self._game = game
        self._position, self._root = None, ()

    @property
    def position(self) -> Position:
        """The position, by the present rules. UserError if the kernels cannot be loaded."""
        self._loading.wait(self._game)
        position, rules = self._position, self._loading.rules
        if position is None:
            position = self._new(None)
        elif position.rules is not rules:
            before, position = position, self._new(position.root_text)
            for move in before.moves:
                position.push(move, refereed=True)
        self._position = position
        return position

    def take(self, position: Position) -> None:
        """Go on from a position of the game."""
        self._position, self._root = position, ()

    def _new(self, text: str | None) -> Position:
        from ryugi_engine.games.position import Position

        return Position(self._game, text, self._loading.rules)

    def set_up(self, text: str | None, moves: Sequence[str] = ()) -> None:
        """Set up a position, or the start, and play moves on it.

        A faulty text leaves the position as it was; a faulty move leaves the moves before it
        played. UserError tells either.
        """
        position = self.position
        known = len(position.moves)
        # where the game goes on only the new moves need playing
        if self._root != (text,) or position.moves != list(moves[:known]):
            position, known = self._new(text), 0
            self._position, self._root = position, (text,)
        for number, move in enumerate(moves[known:], start=known + 1):
            try:
                position.push(move, refereed=True)
            except IllegalMove as error:
                raise UserError(f"move {number}: {error}") from None
