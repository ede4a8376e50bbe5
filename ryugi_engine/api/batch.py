"""``Batch``: many positions of one game as arrays, for learners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ryugi_engine.api.action_table import ActionTable
from ryugi_engine.api.game import Game, planes_of
from ryugi_engine.api.position import Position
from ryugi_engine.errors import UserError
from ryugi_engine.games import position as inner
from ryugi_engine.games.batch import StateBatch
from ryugi_engine.games.game import IllegalMove
from ryugi_engine.kernel.abi import ONGOING, copy_state

#: Results of games for White.
_RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
#: Plies of a random game.
_LONGEST = 1000


class Batch:
    """Many positions of one game, as numpy arrays with a row for each.

    ``game`` is a :class:`Game` or its name, ``count`` the number of positions, which begin at
    ``fen``, None for the start. ``threads`` share the work of each call. Raises UserError for an
    unknown game, a wrong text, or a number below 1. One thread at a time uses a batch.

    Moves are action indices: ``game.action(text)`` and ``game.action_text(index)`` convert them.
    An array that a method returns is the caller's own.

    >>> batch = Batch("crazyhouse", 3)
    >>> batch.legal_mask().shape, batch.planes().shape
    ((3, 20865), (3, 39, 8, 8))
    >>> e4 = batch.game.action("e2e4")
    >>> batch.push([e4, e4, -1])
    >>> batch.turns()
    array([False, False,  True])
    """

    __slots__ = ("_actions", "_codes", "_counts", "_game", "_positions", "_states", "_table")

    def __init__(
        self, game: Game | str, count: int, fen: str | None = None, *, threads: int = 1
    ) -> None:
        if not isinstance(count, int) or not isinstance(threads, int) or min(count, threads) < 1:
            raise UserError("a batch has at least one position and one thread")
        self._take(Position(game, fen), count, threads)

    @classmethod
    def of(cls, positions: Iterable[Position], *, threads: int = 1) -> Self:
        """Return a batch of copies of positions, which have one game. Raises UserError otherwise.

        Its :meth:`reset` goes back to these.

        >>> position = Position("chess")
        >>> position.push("e4")
        >>> Batch.of([Position("chess"), position]).turns()
        array([ True, False])
        """
        given = list(positions)
        if not given or any(one.game != given[0].game for one in given) or threads < 1:
            raise UserError("a batch has at least one position and one thread, and one game")
        made = object.__new__(cls)
        made._fill(given, threads)
        return made

    def _take(self, position: Position, count: int, threads: int) -> None:
        self._fill([position] * count, threads)

    def _fill(self, positions: Sequence[Position], threads: int) -> None:
        self._game = positions[0].game
        #: The positions that it began with; those that are the same are one.
        self._positions = [*positions]
        copies = {id(position): position.copy() for position in positions}
        self._positions = [copies[id(position)] for position in positions]
        inside = [position._position for position in self._positions]
        self._states = StateBatch(inside[0].rules, [one.state for one in inside], threads)
        self._table = _table(self._game)
        self._actions: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self._positions)

    @property
    def game(self) -> Game:
        """The game.

        >>> Batch("shogi", 2).game.name
        'shogi'
        """
        return self._game

    def _look(self) -> NDArray[np.int32]:
        """List the moves if that is not done; return their indices, rows that end with -1."""
        if self._actions is None:
            self._codes, self._counts = self._states.list_moves()
            self._actions = self._table.rows(self._states.states, self._codes, self._counts)
        return self._actions

    # ---- moves -------------------------------------------------------------------------------

    def legal_actions(self) -> NDArray[np.int32]:
        """Return the legal moves: int32 [N, M], rows filled up with -1; M is the most of a row.

        Moves of positions where the game is over are among them if the rules know any.

        >>> actions = Batch("chess", 2).legal_actions()
        >>> actions.shape, int((actions >= 0).sum())
        ((2, 20), 40)
        """
        return self._look().copy()

    def legal_mask(self) -> NDArray[np.bool_]:
        """Return which actions are legal: bool [N, game.action_size].

        Rows of positions where the game is over are False throughout.

        >>> mask = Batch("chess", 2).legal_mask()
        >>> mask.shape, mask.dtype, int(mask.sum())
        ((2, 20481), dtype('bool'), 40)
        """
        actions = self._look()
        mask = np.zeros((len(self), self._table.space.size), dtype=np.bool_)
        rows, columns = np.nonzero((actions >= 0) & ~self.over()[:, None])
        mask[rows, actions[rows, columns]] = True
        return mask

    def push(self, actions: ArrayLike) -> None:
        """Play a move in every position: action indices, int [N]; -1 leaves a position as it is.

        Raises IllegalMove, with nothing played, if one is not legal; it names the first of them.

        >>> batch = Batch("chess", 2)
        >>> batch.push([batch.game.action("e2e4"), batch.game.action("d2d4")])
        >>> batch[1].fen()
        'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1'
        """
        legal, wanted = self._look(), np.asarray(actions)
        if wanted.shape != (len(self),) or wanted.dtype.kind not in "iu":
            raise UserError(f"{len(self)} whole numbers are needed, one for each position")
        fits = (legal == wanted[:, None]) & (legal >= 0)
        wrong = ~fits.any(axis=1) & (wanted != -1)
        if wrong.any():
            number = int(wrong.argmax())
            raise IllegalMove(f"position {number}: {self._called(int(wanted[number]))} is illegal")
        if legal.shape[1]:
            moves = self._codes[np.arange(len(self)), fits.argmax(axis=1)]
            self._states.make(np.where(wanted == -1, 0, moves).astype(np.int64))
        self._actions = None

    def _called(self, action: int) -> str:
        """Return an action with its text, for a message."""
        space = self._table.space
        return f"action {action}" + (f", {space.text(action)}," if 0 <= action < space.size else "")

    def reset(self, which: ArrayLike | None = None) -> None:
        """Set positions up again as they were in the beginning.

        ``which``: their indices, int [K], or bool [N]; None: all. Raises UserError for others.

        >>> batch = Batch("chess", 2)
        >>> batch.push([batch.game.action("e2e4")] * 2)
        >>> batch.reset([1])
        >>> batch.turns()
        array([False,  True])
        """
        numbers = np.arange(len(self))
        try:
            chosen = numbers if which is None else numbers[np.asarray(which)]
        except IndexError:
            raise UserError(f"the numbers of positions are needed, 0..{len(self) - 1}") from None
        for number in chosen.tolist():
            self._states.replace(number, self._positions[number]._position.state)
        self._actions = None

    # ---- how the games stand -----------------------------------------------------------------

    def turns(self) -> NDArray[np.bool_]:
        """Return the sides to move: bool [N], True for White.

        >>> Batch("chess", 2).turns()
        array([ True,  True])
        """
        self._look()
        white: NDArray[np.bool_] = self._states.array("sides") == 0
        return white

    def over(self) -> NDArray[np.bool_]:
        """Return where the game is over: bool [N]; draws that have to be claimed are not counted.

        >>> Batch("chess", 2).over()
        array([False, False])
        """
        over = np.zeros(len(self), dtype=np.bool_)
        over[[*self._outcomes()]] = True
        return over

    def results(self) -> NDArray[np.int8]:
        """Return White's results: int8 [N], 1 won, -1 lost, 0 drawn or not over.

        >>> Batch("chess", 1, "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").results()
        array([1], dtype=int8)
        """
        results = np.zeros(len(self), dtype=np.int8)
        for number, result in self._outcomes().items():
            results[number] = _RESULTS[result]
        return results

    def _outcomes(self) -> dict[int, str]:
        """Return the results of the games that are over, by number."""
        self._look()
        found, rules = {}, self._states.rules
        # the search sees more ends than there are: draws that can be claimed
        (ended,) = np.nonzero((self._states.array("values") != ONGOING) | (self._counts == 0))
        for number in ended.tolist():
            state = self._states.states[number]
            outcome = rules.outcome(state, bool(self._counts[number]))
            if outcome is not None:
                found[number] = outcome.result
        return found

    def planes(self) -> NDArray[np.uint8]:
        """Return the positions as planes: uint8 [N, P, ranks, files], rank 0 being White's first.

        ``game.plane_names`` says what each plane is. Planes of pieces have a 1 where one stands;
        those of numbers have the number everywhere, at most 255.

        >>> batch = Batch("chess", 1)
        >>> rooks = batch.planes()[0, batch.game.plane_names.index("R")]
        >>> rooks[0].tolist()
        [1, 0, 0, 0, 0, 0, 0, 1]
        """
        self._look()
        return planes_of(self._game._game).fill(self._states)

    def playout(
        self, *, longest: int = _LONGEST, seed: int = 0
    ) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
        """Play a random game from every position; the positions stay as they are.

        Every legal move is as likely. A game ends as in the search: by a draw that can be claimed,
        too. One of ``longest`` plies is a draw. The same seed gives the same games.

        Returns White's results, int8 [N], as :meth:`results` has them, and plies, int32 [N]. Raises
        UserError for a negative number.

        >>> results, plies = Batch("3check", 100).playout(seed=1)
        >>> results.shape, bool((results != 0).mean() > 0.5)
        ((100,), True)
        """
        if not isinstance(seed, int) or seed < 0 or not isinstance(longest, int) or longest < 0:
            raise UserError("seed and longest are whole numbers, and not negative")
        results, plies = self._states.play(longest, seed)
        return results.astype(np.int8), plies.astype(np.int32)

    def __getitem__(self, number: int) -> Position:
        """Return a copy of a position, without the moves that led to it."""
        state = self._states.states[number]
        first = self._positions[number]
        position = object.__new__(inner.Position)
        position.__dict__.update(first._position.__dict__)
        position.state = copy_state(state, huge=False)
        position.root_text = position.text()
        position.moves, position._before_nulls, position._undoable = [], [], 0
        return Position._of(self._game, position)

    def __repr__(self) -> str:
        return f"<Batch: {len(self)} positions of {self._game.name}>"


@lru_cache(maxsize=32)
def _table(game: Game) -> ActionTable:
    return ActionTable(game._rules, game._actions)
