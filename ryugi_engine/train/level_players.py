"""Players of the games by which levels are measured, all in this process."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ryugi_engine.games.game import CrowdingMove, Game
from ryugi_engine.games.position import Position
from ryugi_engine.search.levels import Strength
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

RANDOM, GREEDY, FULL = "random", "greedy", "full"
#: Nodes of a move of full strength, in those of the curve at 1.
FULL_TIMES = 3
#: One of these, or a place on the curve of :func:`strength_at`, which ends near full strength.
Player = str | float
LAST = 1.125


class Pairing(NamedTuple):
    """A game to play; those of an even number and the next have the same opening."""

    first: Player
    second: Player
    number: int


def strength_at(place: float, most: int) -> Strength:
    """Return a strength on the curve from the weakest, 0, to the strongest, LAST.

    ``most``: the nodes at 1, where no noise is left. Overlooked replies and noise go before the
    nodes come: who looks far hardly overlooks what comes next.
    """
    noisy = min(place, 1.0)
    return Strength(
        max(1, round(2 * (most / 2) ** place**1.3)),
        round(0.4 * (1 - noisy) ** 5, 5),
        round(0.95 * (1 - noisy**1.5) ** 3, 4),
    )


#: Plies after which a game is a draw.
_LONGEST = 400
_HASH_MEGABYTES = 16
#: Nodes of the first search that speed is measured by.
_FIRST_NODES = 2000


class Mover(Protocol):
    """Chooses moves."""

    def begin(self, seed: int) -> None:
        """Forget the last game; ``seed`` is this one's."""

    def move(self, position: Position) -> int:
        """Return the code of a legal move."""

    def stop(self) -> None:
        """End a search soon, from another thread."""


class RandomMover:
    """Plays any legal move."""

    def begin(self, seed: int) -> None:
        """See :class:`Mover`."""
        self._source = random.Random(seed)

    def move(self, position: Position) -> int:
        """See :class:`Mover`."""
        return self._source.choice(position.legal_codes())

    def stop(self) -> None:
        """See :class:`Mover`."""


class GreedyMover(RandomMover):
    """Plays a move after which the game is won, else one after which it stands best at once."""

    def move(self, position: Position) -> int:
        """See :class:`Mover`."""
        moves = position.legal_codes()
        self._source.shuffle(moves)
        return max(moves, key=lambda move: _value_after(position, move))


def _value_after(position: Position, move: int) -> float:
    """Return how good a position is for the side to move after its move, at first sight."""
    side = position.side
    position.push(move, trial=True)
    try:
        outcome = position.outcome() if not position.has_moves() or position.game.placed else None
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1e9 if outcome.winner == side else -1e9
        value = position.evaluate()
        return value if position.side == side else -value
    finally:
        position.pop()


class SearchingMover:
    """The engine, of a strength that may be another in every game."""

    def __init__(self) -> None:
        self._searcher = Searcher(_HASH_MEGABYTES)
        #: None: full strength.
        self.strength: Strength | None = None
        self.limits = Limits()

    def begin(self, seed: int) -> None:
        """See :class:`Mover`."""
        self._seed = random.Random(seed).getrandbits(62)
        self._searcher.clear()

    def move(self, position: Position) -> int:
        """See :class:`Mover`."""
        searcher = self._searcher
        searcher.prepare(position, self.limits)
        result = searcher.run(position, _hear, self.strength, self._seed)
        return position.parse_move(result.best)

    def stop(self) -> None:
        """See :class:`Mover`."""
        self._searcher.stop()


def _hear(report: Report) -> None:
    """Take no notice."""


def nodes_in(game: Game, seconds: float) -> int:
    """Return the nodes that a search of the start takes in some processor time."""
    searcher, position = Searcher(_HASH_MEGABYTES), Position(game)
    nodes, took = _FIRST_NODES, 0.0
    while True:
        first = took == 0.0  # it pays for the memory
        searcher.clear()
        searcher.prepare(position, Limits(nodes=nodes))
        began = time.thread_time()
        searched = searcher.run(position, _hear).nodes
        took = time.thread_time() - began
        if not first and (took > seconds or searched < nodes / 2):
            return max(_FIRST_NODES, round(searched * seconds / max(took, seconds)))
        if not first:
            nodes *= 2


class Table:
    """Two players of each kind, and what they play with; a game at a time, in one thread."""

    def __init__(self, games: Sequence[Game], nodes: Sequence[int]) -> None:
        """``nodes``: those of a move at 1 on the curve in each game."""
        self._games, self._nodes = games, nodes
        self._movers = [(RandomMover(), GreedyMover(), SearchingMover()) for _ in range(2)]
        self._stopped = False

    def play(self, pairing: Pairing) -> tuple[Pairing, float] | None:
        """Play a game; return it with the first player's points, None if it was stopped."""
        which = pairing.number // 2 % len(self._games)
        game, nodes = self._games[which], self._nodes[which]
        texts = game.positions("openings") or (game.start,)
        text = random.Random(pairing.number // 2).choice(texts)
        movers = [
            self._mover(player, number, nodes)
            for number, player in enumerate((pairing.first, pairing.second))
        ]
        white = pairing.number % 2
        position = Position(game, text)
        for number, mover in enumerate(movers):
            mover.begin(2 * pairing.number + number)
        points = 0.5
        for _ in range(_LONGEST):
            outcome = position.outcome() or position.claim()
            if outcome is not None:
                if outcome.winner is not None:
                    points = float(outcome.winner == white)
                break
            move = movers[position.side ^ white].move(position)
            try:
                position.push(move)
            except CrowdingMove:  # a draw there, as in a match
                break
            if self._stopped:
                return None
        return pairing, points

    def _mover(self, player: Player, number: int, nodes: int) -> Mover:
        anything, greedy, searching = self._movers[number]
        if player == RANDOM:
            return anything
        if player == GREEDY:
            return greedy
        if isinstance(player, str):
            searching.strength, searching.limits = None, Limits(nodes=FULL_TIMES * nodes)
        else:
            searching.strength, searching.limits = strength_at(player, nodes), Limits()
        return searching

    def stop(self) -> None:
        """End the present game soon."""
        self._stopped = True
        for movers in self._movers:
            movers[-1].stop()
