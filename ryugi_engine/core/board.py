"""The position of a session, by the kernels, or by the reference rules until they are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine.core.fallback import FallbackPosition
from ryugi_engine.core.loading import Loading
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, IllegalMove, Rules

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position

#: Seconds that a person who has made an illegal move may wait for the reason.
_OBJECTION_SECONDS = 2.0
#: Seconds that a position text waits for the kernels in games that may have too many moves.
_CROWD_SECONDS = 2.0


class Board:
    """A game's position, its start until another is set up."""

    def __init__(self, loading: Loading, game: Game) -> None:
        self._loading = loading
        self._game = game
        self._position: Position | FallbackPosition | None = None
        # the text that it was set up with, None for the start; () for none
        self._root: tuple[str | None] | tuple[()] = ()

    def change(self, game: Game) -> None:
        """Play another game, from its start."""
        self._game = game
        self._position, self._root = None, ()

    @property
    def _come(self) -> bool:
        """Whether the kernels are there. What cannot be loaded is played by the reference rules."""
        try:
            return self._loading.arrived(self._game)
        except UserError:  # reported whenever a move is asked for
            return False

    @property
    def loaded(self) -> Position:
        """The position by the kernels, which may have to be waited for."""
        self._loading.wait(self._game)
        from ryugi_engine.games.position import Position

        position, rules = self._position, self._loading.rules
        if position is None:
            position = self._position = Position(self._game, rules=rules)
        elif isinstance(position, FallbackPosition) or position.rules is not rules:
            position = self._position = played_on(position, rules)
        return position

    @property
    def present(self) -> Position | FallbackPosition:
        """The position, without waiting; it passes to the kernels by :meth:`adopt_kernels` only."""
        if self._position is None:
            if self._come:
                return self.loaded
            self._position = FallbackPosition(self._game)
        return self._position

    def adopt_kernels(self) -> None:
        """Let the present rules take over a position of others, if the kernels have come."""
        if self._position is not None and self._come:
            _ = self.loaded

    def set_up(self, text: str | None, moves: Sequence[str] = ()) -> None:
        """Set up a position, or the start, and play moves on it.

        A faulty text leaves the position as it was; a faulty move leaves the moves before it
        played. UserError tells either.
        """
        self.adopt_kernels()
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
            if isinstance(position, FallbackPosition) and self._come:
                position = self.loaded
            try:
                position.push(move, refereed=True)
            except IllegalMove as error:
                raise UserError(f"move {number}: {error}") from None

    def _new(self, text: str | None) -> Position | FallbackPosition:
        if text is not None and self._game.most_moves:
            # only the kernels count the moves of a position with too many of them at once
            self._loading.wait(self._game, _CROWD_SECONDS)
        if not self._come:
            return FallbackPosition(self._game, text)
        from ryugi_engine.games.position import Position

        return Position(self._game, text, self._loading.rules)

    def objection(self, move: str) -> str:
        """Return why a move is illegal; waits for the kernels for a moment, which know best."""
        self._loading.wait(self._game, _OBJECTION_SECONDS)
        self.adopt_kernels()
        return self.present.objection(move)


def played_on(board: FallbackPosition | Position, rules: Rules | None) -> Position:
    """Return the same position with the same history, by the kernels' rules."""
    from ryugi_engine.games.position import Position

    position = Position(board.game, board.root_text, rules)
    for move in board.moves:
        position.push(move, refereed=True)
    return position
