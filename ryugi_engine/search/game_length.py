"""The lengths of games, for time management: what is known of a game, and what was seen."""

from __future__ import annotations

from ryugi_engine.search.time_management import USUAL_LENGTH

#: Games that the known length counts for, and moves below which a game was broken off.
_WEIGHT, _SHORTEST = 4, 10


class GameLengths:
    """The mean length of each game, in moves of a side, over the games of this process."""

    def __init__(self) -> None:
        #: By game: the moves of the games that have ended, and their number.
        self._seen: dict[str, tuple[int, int]] = {}
        self._last = "", 0

    def moves_played(self, game: str, played: int) -> None:
        """Record that a side has made ``played`` moves; fewer than before are another game's."""
        before, moves = self._last
        if (game != before or played < moves) and moves >= _SHORTEST:
            total, games = self._seen.get(before, (0, 0))
            self._seen[before] = total + moves, games + 1
        self._last = game, played

    def mean(self, game: str, known: float) -> float:
        """Return a game's mean length; ``known`` is what its tables say, 0 if they do not."""
        total, games = self._seen.get(game, (0, 0))
        return ((known or USUAL_LENGTH) * _WEIGHT + total) / (_WEIGHT + games)
