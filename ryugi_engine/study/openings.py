"""First moves by their scores, and the lines that are played most."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, NamedTuple

from ryugi_engine.study.balance import Games
from ryugi_engine.study.estimates import Figure, score

#: Plies of the tree, its branches at each ply, and games without which a branch is left out.
_PLIES, _BRANCHES, _LEAST = 6, 4, 5
#: First moves that are shown.
_FIRST = 24


class First(NamedTuple):
    """A first move: its score for the side that plays it, and its share of the games."""

    move: str
    score: Figure


class Branch(NamedTuple):
    """A move of the tree with what follows it."""

    move: str
    games: int
    #: The first side's score.
    score: Figure
    following: tuple[Branch, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "move": self.move,
            "score": self.score.to_json(),
            "following": [branch.to_json() for branch in self.following],
        }


def first_moves(games: Games) -> list[First]:
    """Return the first moves, those with the best lower bound of their score first."""
    points: dict[str, list[float]] = defaultdict(list)
    for game in games:
        move, _, _ = game["moves"].partition(" ")
        if move:
            points[move].append(float(game["points"]))
    found = [First(move, score(results)) for move, results in points.items()]
    found.sort(key=lambda one: -one.score.low)
    return found[:_FIRST]


def tree(games: Games) -> tuple[Branch, ...]:
    """Return the lines that are played most, from the start."""
    lines = [(game["moves"].split()[:_PLIES], float(game["points"])) for game in games]
    return _grown([line for line in lines if line[0]])


def _grown(lines: list[tuple[list[str], float]]) -> tuple[Branch, ...]:
    counts = Counter(moves[0] for moves, _ in lines)
    found = []
    for move, count in counts.most_common(_BRANCHES):
        if count < _LEAST:
            continue
        those = [(moves[1:], points) for moves, points in lines if moves[0] == move]
        figure = score([points for _, points in those])
        found.append(Branch(move, count, figure, _grown([line for line in those if line[0]])))
    return tuple(found)
