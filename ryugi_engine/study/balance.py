"""How fair a game is: the first side's score and the draws, at each strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ryugi_engine.study.estimates import Figure, difference, score, share
from ryugi_engine.study.plan import Plan

Games = Sequence[Mapping[str, Any]]


class Balance(NamedTuple):
    """The results of the games at one strength."""

    nodes: int
    #: The score of the side that moves first.
    first: Figure
    wins: Figure
    draws: Figure
    losses: Figure

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"nodes": self.nodes} | {
            name: figure.to_json() for name, figure in zip(self._fields[1:], self[1:], strict=True)
        }


def balance_of(nodes: int, games: Games) -> Balance:
    """Return the balance of some games."""
    points = [float(game["points"]) for game in games]
    wins, draws, losses = (share(points.count(worth), len(points)) for worth in (1.0, 0.5, 0.0))
    return Balance(nodes, score(points), wins, draws, losses)


def balances(plan: Plan, by_strength: Sequence[Games]) -> list[Balance]:
    """Return the balance at each strength that has games, the weakest first."""
    return [
        balance_of(nodes, games)
        for nodes, games in zip(plan.nodes, by_strength, strict=True)
        if games
    ]


def trend(found: Sequence[Balance], of: str) -> Figure | None:
    """Return the strongest play's figure ``of`` minus the weakest's; None with one strength."""
    if len(found) < 2:
        return None
    return difference(getattr(found[-1], of), getattr(found[0], of))
