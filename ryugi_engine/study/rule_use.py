"""Which rules matter in a game: its moves are played again without one rule each.

A rule is possible where a position has other moves without it, or the game would have been over. It
is used where the move that was played, or the game's result, would not have been without it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Outcome, Rules
from ryugi_engine.games.position import Position

#: How far a rule came in a game.
NEVER, POSSIBLE, USED = range(3)


def games_without(game: Game) -> Mapping[str, tuple[Game, Rules]]:
    """Return the game without one rule each, ready to be played; what cannot be is left out."""
    found: dict[str, tuple[Game, Rules]] = {}
    for name, other in (game.without() if game.without is not None else {}).items():
        assert isinstance(other, Game)
        with contextlib.suppress(UserError):
            rules = other.load()
            Position(other, rules=rules)
            found[name] = other, rules
    return found


def uses(
    game: Game, rules: Rules, others: Mapping[str, tuple[Game, Rules]], moves: Sequence[str]
) -> dict[str, int]:
    """Return how far each rule came in a game from the start, by its moves."""
    position = Position(game, rules=rules)
    counts, results = [], []
    for move in moves:
        counts.append(len(position.legal_codes()))
        position.push(move)
        results.append(_result(position))
    return {
        name: _use(Position(other, rules=own), moves, counts, results)
        for name, (other, own) in others.items()
    }


def _use(
    position: Position, moves: Sequence[str], counts: Sequence[int], results: Sequence[Any]
) -> int:
    found = NEVER
    for move, count, result in zip(moves, counts, results, strict=True):
        if len(position.legal_codes()) != count:
            found = POSSIBLE
        try:
            position.push(move)
        except UserError:
            return USED
        without = _result(position)
        if result is not None:
            return USED if without != result else found
        if without is not None:  # what it would be after its end nobody knows
            return POSSIBLE
    return found


def _result(position: Position) -> str | None:
    outcome: Outcome | None = position.outcome() or position.claim()
    return None if outcome is None else outcome.result
