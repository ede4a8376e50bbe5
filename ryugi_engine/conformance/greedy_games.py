"""Games between a player who moves to high scores and one who moves to low ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.games.game import CrowdingMove, Game, counted
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import LOST, WON

#: Decided games, and how many of them the low scores have to win: a useless evaluation does that in
#: one of 10,000 checks. Games in all, plies of each, random ones among them.
_DECIDED, _FAULTY = 40, 32
_GAMES, _PLIES, _RANDOM = 60, 200, 3
#: Moves that are compared, drawn at random: a player who errs now and then is not misled always.
_COMPARED = 16
_CERTAIN = 1 << 40


def evaluation_faults(game: Game, source: random.Random, tracer: Tracer) -> Iterator[str]:
    """Yield a fault if low scores win nearly all games: the evaluation has the wrong sign."""
    high = low = 0
    for number in range(_GAMES):
        winner = _winner(game, number % 2, source, tracer)
        high += winner == 1
        low += winner == 0
        if high > _DECIDED - _FAULTY or high + low == _DECIDED:
            break
    if low >= _FAULTY:
        games = counted(high + low, "game")
        yield f"evaluate: who moves to low scores has won {low} of {games} against high scores"


def _winner(game: Game, high: int, source: random.Random, tracer: Tracer) -> int | None:
    """Return 1 if the side that prefers high scores wins, 0 if it loses, None if neither wins."""
    position = tracer.position(game, game.start)
    for ply in range(_PLIES):
        outcome = position.outcome()
        if outcome is not None:
            return None if outcome.winner is None else int(outcome.winner == high)
        tracer.at(position.text())
        codes = position.legal_codes()
        if len(codes) > _COMPARED:
            codes = source.sample(codes, _COMPARED)
        source.shuffle(codes)
        sign = 1 if position.side == high else -1
        try:
            position.push(codes[0] if ply < _RANDOM else max(codes, key=_Score(position, sign)))
        except CrowdingMove:
            return None
    return None


class _Score:
    """The score of a move in a position, times ``sign``; a won game is best for either."""

    def __init__(self, position: Position, sign: int) -> None:
        self._position, self._sign = position, sign

    def __call__(self, code: int) -> int:
        position, kernels = self._position, self._position.kernels
        address, side = position.state.address, position.side
        kernels.make(address, code)
        same = 1 if int(position.header["side"]) == side else -1
        status = kernels.status(address, 1)
        if status in (LOST, WON):
            score = same * (_CERTAIN if status == WON else -_CERTAIN)
        else:
            score = self._sign * same * kernels.evaluate(address)
        kernels.unmake(address)
        return score
