"""Players of the games by which levels are measured, all in this process."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import numpy as np

from ryugi_engine.games.game import CrowdingMove, Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.training import RECORD, Trainable
from ryugi_engine.kernel.abi import TACTICAL, list_moves
from ryugi_engine.kernel.block import Block
from ryugi_engine.nnue.inputs import UNMOVED
from ryugi_engine.search.levels import Strength
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.random_opening import random_opening
from ryugi_engine.search.report import Report
from ryugi_engine.search.searcher import Searcher

RANDOM, GREEDY, MATERIAL, FULL = "random", "greedy", "material", "full"
#: Players that are the same in all games, however strong the engine becomes.
ANCHORS = (RANDOM, GREEDY, MATERIAL)
#: Nodes of a move of full strength, in those of the curve at 1.
FULL_TIMES = 3
#: One of these, or a place on the curve of :func:`strength_at`, which ends near full strength.
Player = str | float
#: Also a strength that a table has.
Contestant = Player | Strength
LAST = 1.125


class Pairing(NamedTuple):
    """A game to play; those of an even number and the next have the same opening."""

    first: Contestant
    second: Contestant
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
    with _pushed(position, move):
        outcome = position.outcome() if not position.has_moves() or position.game.placed else None
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1e9 if outcome.winner == side else -1e9
        value = position.evaluate()
        return value if position.side == side else -value


class MaterialMover(RandomMover):
    """Looks two plies deep and counts material: any move that is best after the best reply."""

    def begin(self, seed: int) -> None:
        """See :class:`Mover`."""
        super().begin(seed)
        self._lead: Callable[[Position], int] | None = None

    def move(self, position: Position) -> int:
        """See :class:`Mover`."""
        moves = position.legal_codes()
        self._source.shuffle(moves)
        lead = self._lead = self._lead or _lead_of(position.rules)
        worths = {move: _worth_after(position, move, lead) for move in moves}
        best = sorted(moves, key=worths.__getitem__, reverse=True)
        return next((move for move in best if not _loses_at_once(position, move)), best[0])


def _worth_after(position: Position, move: int, lead: Callable[[Position], int]) -> float:
    """Return White's or Black's lead after a move of theirs and the reply that takes most."""
    side, sign = position.side, -1 if position.side else 1
    with _pushed(position, move):
        outcome = position.outcome()
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1e9 if outcome.winner == side else -1e9
        worth = sign * lead(position)
        if position.side != side:
            for reply in list_moves(position.kernels.generate, position.state, TACTICAL):
                with _pushed(position, reply):
                    worth = min(worth, sign * lead(position))
        return worth


def _lead_of(rules: Any) -> Callable[[Position], int]:
    """Return what tells White's lead in material, in hand too: 0 where pieces have no values."""
    if not isinstance(rules, Trainable) or not rules.training().values:
        return lambda position: 0
    training = rules.training()
    inputs, record = training.inputs, Block(training.words)
    values = [training.values[kind] for kind in inputs.kinds]
    worth = np.zeros((inputs.cells, 256), dtype=np.int64)
    for code, value in enumerate(values, start=1):
        for first in (code, code | UNMOVED):
            worth[: inputs.squares, first] = value
            worth[: inputs.squares, first + inputs.black] = -value
    held = {f"{kind} in hand": value for kind, value in zip(inputs.kinds, values, strict=True)}
    for number, counter in enumerate(inputs.counters):
        for side, sign in enumerate((1, -1)):
            each = sign * held.get(counter.name, 0)
            worth[inputs.cell(number, side)] = each * np.arange(256)
    cells = record.words.view(np.uint8)[8 * RECORD.words :][: inputs.cells]
    every = np.arange(inputs.cells)

    def lead(position: Position) -> int:
        training.record(position.state.address, record.address, 0)
        return int(worth[every, cells].sum())

    return lead


def _loses_at_once(position: Position, move: int) -> bool:
    """Return whether a reply to a move wins the game."""
    side = position.side
    with _pushed(position, move):
        if position.side == side or position.outcome() is not None:
            return False
        for reply in position.legal_codes():
            with _pushed(position, reply):
                outcome = position.outcome()
            if outcome is not None and outcome.winner == 1 - side:
                return True
        return False


@contextmanager
def _pushed(position: Position, move: int) -> Iterator[None]:
    """Play a move for as long as the context lasts."""
    position.push(move, trial=True)
    try:
        yield
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


def opening_of(game: Game, number: int) -> Position:
    """Return the opening of a game by its number, which is that of an even one and the next."""
    texts = game.positions("openings")
    if texts:
        return Position(game, random.Random(number // 2).choice(texts))
    return random_opening(game, str(number // 2))


class Table:
    """Two players of each kind, and what they play with; a game at a time, in one thread."""

    def __init__(self, games: Sequence[Game], nodes: Sequence[int]) -> None:
        """``nodes``: those of a move at 1 on the curve in each game."""
        self._games, self._nodes = games, nodes
        self._movers: list[Mapping[str, Mover]] = [
            {RANDOM: RandomMover(), GREEDY: GreedyMover(), MATERIAL: MaterialMover()}
            for _ in range(2)
        ]
        self._searching = SearchingMover(), SearchingMover()
        self._stopped = False

    def play(self, pairing: Pairing) -> tuple[Pairing, float] | None:
        """Play a game; return it with the first player's points, None if it was stopped."""
        which = pairing.number // 2 % len(self._games)
        game, nodes = self._games[which], self._nodes[which]
        position = opening_of(game, pairing.number)
        movers = [
            self._mover(player, number, nodes)
            for number, player in enumerate((pairing.first, pairing.second))
        ]
        white = pairing.number % 2
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

    def _mover(self, player: Contestant, number: int, nodes: int) -> Mover:
        if isinstance(player, str) and player != FULL:
            return self._movers[number][player]
        searching = self._searching[number]
        searching.strength, searching.limits = None, Limits()
        if isinstance(player, Strength):
            searching.strength = player
        elif isinstance(player, float):
            searching.strength = strength_at(player, nodes)
        else:
            searching.limits = Limits(nodes=FULL_TIMES * nodes)
        return searching

    def stop(self) -> None:
        """End the present game soon."""
        self._stopped = True
        for mover in self._searching:
            mover.stop()
