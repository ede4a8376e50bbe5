"""Sample positions of any game for a compliance check, from random games."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.match.sent_position import SentPosition

#: Where nobody can move and nobody has won, for games where one could wait long for that.
_STALEMATES = {"chess": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}
#: Moves that are tried in looking for a win in one.
_TRIES = 120_000
#: Moves of a game at random.
_LONGEST = 200
#: Moves that lead to the places of :attr:`Places.walks`.
_LENGTHS = (1, 2, 3, 5, 8, 13, 20, 31)


@dataclass
class Place:
    """A position for an engine, and how it is sent to it."""

    position: Position
    sent: SentPosition

    @classmethod
    def at(cls, game: Game, text: str | None = None) -> Place:
        """Return the place of a position text; None: of the start position."""
        position = Position(game, text)
        return cls(position, SentPosition(position))

    def push(self, move: str) -> None:
        """Play a move, by its text."""
        self.sent.push(self.position, move)

    def after(self, move: str) -> Place:
        """Return the place after a move."""
        sent = copy.copy(self.sent)
        sent.sides = list(sent.sides)
        other = Place(self.position.copy(), sent)
        other.push(move)
        return other

    def bare(self) -> Place:
        """Return the same position without its history."""
        return Place.at(self.position.game, self.position.text())

    @property
    def told_moves(self) -> list[str]:
        """The moves behind the text that the sent begins with."""
        return self.position.moves[self.sent.root_ply :]


@dataclass
class Places:
    """The positions of a check."""

    game: Game
    start: Place
    #: Games that go on, of few moves and of more, with a choice of moves.
    walks: list[Place] = field(default_factory=list)
    #: A position where a move wins, and one after such a move.
    winning: Place | None = None
    won: Place | None = None
    #: A drawn position without a legal move.
    drawn: Place | None = None

    @property
    def middle(self) -> Place:
        """A position in the middle of a game."""
        return self.walks[len(self.walks) // 2] if self.walks else self.start

    @classmethod
    def find(cls, game: Game, seed: int) -> Places:
        """Play at random until there is one of each, or for long enough."""
        places = cls(game, Place.at(game))
        rng = random.Random(seed)
        for length in _LENGTHS:
            place = _walk(game, length, rng)
            if place is not None:
                places.walks.append(place)
        if game.name in _STALEMATES:
            places.drawn = Place.at(game, _STALEMATES[game.name])
        tries = 0
        while tries < _TRIES and places.winning is None:
            tries += places._look_for_win(rng)
        return places

    def _look_for_win(self, rng: random.Random) -> int:
        """Play a game, and look at every move in it; how many they were."""
        place = Place.at(self.game)
        position, tries = place.position, 0
        for _ in range(_LONGEST):
            codes = position.legal_codes()
            side = position.side
            tries += len(codes)
            for code in codes:
                position.push(code)
                outcome = position.outcome()
                position.pop()
                if outcome is not None and outcome.winner == side:
                    move = position.move_text(code)
                    self.winning, self.won = place, place.after(move)
                    return tries
            place.push(position.move_text(rng.choice(codes)))
            outcome = position.outcome()
            if outcome is not None:
                if outcome.winner is None and not position.legal_codes():
                    self.drawn = self.drawn or place
                break
        return tries


def _walk(game: Game, length: int, rng: random.Random) -> Place | None:
    """Return a random unfinished game of ``length`` moves; None if some trials find none."""
    for _ in range(20):
        place = Place.at(game)
        while len(place.position.moves) < length and place.position.outcome() is None:
            place.push(rng.choice(place.position.legal_moves()))
        if place.position.outcome() is None and len(place.position.legal_codes()) > 3:
            return place
    return None
