"""The games that a study shows: a typical one, the sharpest and the longest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ryugi_engine.games.game import Game
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.records.pgn import Record, Step
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.webpage import page
from ryugi_engine.study.balance import Games
from ryugi_engine.study.course import expected

#: Positions in which the second-best move was looked for, without which a game is not the sharpest.
_LEAST = 3


def chosen(games: Games, slope: float) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the games to show with what they are; none twice."""
    long_enough = [game for game in games if game["moves"]]
    if not long_enough:
        return []
    ends = Counter((game["points"], game["reason"]) for game in long_enough)
    usual = ends.most_common(1)[0][0]
    lengths = sorted(map(_plies, long_enough))
    middle = lengths[len(lengths) // 2]
    typical = min(
        (game for game in long_enough if (game["points"], game["reason"]) == usual),
        key=lambda game: abs(_plies(game) - middle),
    )
    found = [("The most typical", typical)]
    wanted = (("The sharpest", lambda game: _sharpness(game, slope)), ("The longest", _plies))
    for name, key in wanted:
        rest = [game for game in long_enough if all(game is not other for _, other in found)]
        if rest:
            found.append((name, max(rest, key=key)))
    return found


def _plies(game: Mapping[str, Any]) -> int:
    return len(game["moves"].split())


def _sharpness(game: Mapping[str, Any], slope: float) -> float:
    losses = [
        expected(slope, best) - expected(slope, second) for _, best, second in game["seconds"]
    ]
    return sum(losses) / len(losses) if len(losses) >= _LEAST else -math.inf


def replay(game: Game, shown: Sequence[tuple[str, Mapping[str, Any]]], first: int) -> str:
    """Return the page on which games are replayed; ``first`` is the side that moves first."""
    return page(_playback(game, name, one, first) for name, one in shown)


def _playback(game: Game, name: str, one: Mapping[str, Any], first: int) -> Playback:
    steps = [Step(move) for move in one["moves"].split()]
    sign = -1 if first else 1
    # a score is that of the position after the move before it
    for ply, score in enumerate(one["scores"], start=int(one["opening"]) - 1):
        if 0 <= ply < len(steps):
            steps[ply].comment = f"[%eval {Evaluation(sign * int(score))}]"
    won = float(one["points"])
    results = {0.5: "1/2-1/2", float(not first): "1-0", float(bool(first)): "0-1"}
    tags = {
        "Event": name,
        "White": f"{name} game",
        "Black": f"{_plies(one)} plies",
        "Variant": game.name,
    }
    return Playback(game, Record(tags, steps, results[won]))
