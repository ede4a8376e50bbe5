"""An opening of a game that has none: random first plies, balanced by a short search."""

from __future__ import annotations

import random

from ryugi_engine.games.game import CrowdingMove, Game
from ryugi_engine.games.position import Position
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

#: Plies of an opening, at least and at most.
_FEWEST, _MOST = 8, 10
#: Nodes of the search, and centipawns that a side may be ahead.
_NODES, _EVEN = 2000, 80
#: Openings that are tried; of those of the first half without an even one the best is taken.
_TRIES = 24


def random_opening(game: Game, seed: str) -> Position:
    """Return the position after random plies from the start, the same for the same seed.

    No side is ahead, or of all positions that were tried in the one where a side is least. Where
    games are over so soon the plies are fewer.
    """
    source = random.Random(f"{game.name} {seed}")
    searcher = Searcher(hash_megabytes=1)
    best, ahead = Position(game), float("inf")
    for attempt in range(_TRIES):
        if attempt == _TRIES // 2 and ahead < float("inf"):
            break
        fewest = _FEWEST if attempt < _TRIES // 2 else 1
        position = _played(game, source, source.randint(fewest, _MOST))
        if position is None:
            continue
        searcher.clear()
        searcher.prepare(position, Limits(nodes=_NODES))
        score = abs(searcher.run(position, lambda report: None).score.cp)
        if score < ahead:
            best, ahead = position, score
        if ahead <= _EVEN:
            break
    return best


def _played(game: Game, source: random.Random, plies: int) -> Position | None:
    """Return the position after random plies; None if the game is over."""
    position = Position(game)
    try:
        for _ in range(plies):
            if position.outcome() is not None:
                return None
            position.push(source.choice(position.legal_codes()))
    except CrowdingMove:
        return None
    return position if position.outcome() is None else None
