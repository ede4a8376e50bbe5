"""Sample positions of any game for a compliance check, from random games."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field

from ryugi_engine.clocks.time_control import PlayerClock, TimeControl
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import SentPosition, Turn

#: Positions where no side can move and none has won, for games where one could wait long for that.
_STALEMATES = {"chess": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}
#: Moves that are tried in looking for a win in one.
_TRIES = 120_000
#: Moves of a game at random.
_LONGEST = 200
#: Moves that lead to the places of :attr:`Places.walks`.
_LENGTHS = (1, 2, 3, 5, 8, 13, 20, 31)
#: Seconds of the opponent's clock.
_OTHER = 600.0


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

    def after(self, move: str) -> Place:
        """Return the place after a move."""
        sent = copy.copy(self.sent)
        sent.sides = list(sent.sides)
        other = Place(self.position.copy(), sent)
        sent.push(other.position, move)
        return other

    def replies(self, side: int | None = None) -> list[Place]:
        """Return the places after each legal move where the game goes on, with a side to move."""
        places = [self.after(move) for move in self.position.legal_moves()]
        places = [place for place in places if place.position.outcome() is None]
        return [place for place in places if side in (None, place.position.side)]

    def bare(self) -> Place:
        """Return the same position without its history."""
        return Place.at(self.position.game, self.position.text())

    def turn(self, control: TimeControl, left: float = 0.0) -> Turn:
        """Return the request for a move, with so many seconds on the clock (0: all of them)."""
        own, other = PlayerClock(control), PlayerClock(TimeControl(_OTHER, control.increment))
        own.left = left or own.left
        clocks = (own, other) if self.position.side == 0 else (other, own)
        return Turn(self.position, clocks, self.sent)


@dataclass
class Places:
    """The positions of a check."""

    start: Place
    #: Games that go on, of few moves and of more, with a choice of moves.
    walks: list[Place] = field(default_factory=list)
    #: A position where a move wins, and one after this move.
    winning: Place | None = None
    won: Place | None = None
    #: A drawn position without a legal move.
    drawn: Place | None = None

    @property
    def middle(self) -> Place:
        """A position in the middle of a game."""
        return self.walks[len(self.walks) // 2] if self.walks else self.start

    @property
    def both_sides(self) -> tuple[Place, Place, Place]:
        """The start, the middle, and a position with the other side to move than there."""
        side = self.middle.position.side
        others = [place for place in self.walks if place.position.side != side]
        return self.start, self.middle, others[0] if others else self.start

    @classmethod
    def find(cls, game: Game, seed: int) -> Places:
        """Play random games until each kind of position is found, or the limit is reached."""
        places = cls(Place.at(game))
        rng = random.Random(seed)
        walks = (_walk(game, length, rng) for length in _LENGTHS)
        places.walks = [place for place in walks if place is not None]
        if game.name in _STALEMATES:
            places.drawn = Place.at(game, _STALEMATES[game.name])
        tries = 0
        while tries < _TRIES and places.winning is None:
            tries += places._look_for_win(rng)
        return places

    def _look_for_win(self, rng: random.Random) -> int:
        """Play a game and examine every position; return the number of moves."""
        place = Place.at(self.start.position.game)
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
                    self.winning, self.won = place, place.after(position.move_text(code))
                    return tries
            place.sent.push(position, position.move_text(rng.choice(codes)))
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
            place.sent.push(place.position, rng.choice(place.position.legal_moves()))
        if place.position.outcome() is None and len(place.position.legal_codes()) > 3:
            return place
    return None
