"""Summary of a match's results: lines for people, a dictionary for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ryugi_engine.games.game import counted
from ryugi_engine.match.ratings import rating_lines, standings
from ryugi_engine.match.results import FinishedGame, repeats
from ryugi_engine.match.sprt import Sprt
from ryugi_engine.match.statistics import Estimate, Score, score_lines

_RULE = "-" * 50


def terminations(games: Sequence[FinishedGame]) -> str:
    """``checkmate 7, time forfeit 1``."""
    reasons = Counter(game.reason for game in games)
    return ", ".join(f"{reason} {number}" for reason, number in reasons.most_common())


def duration(seconds: float) -> str:
    """``0:07``, ``1:02:03``: minutes and hours of a length of time."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def sprt_lines(test: Sprt, score: Score) -> list[str]:
    """Return the lines of an SPRT: its state, and its decision."""
    llr = test.llr(score.sample)
    accepted = test.accepted(llr)
    return [test.line(llr), f"SPRT: {accepted} was accepted" if accepted else "SPRT: undecided"]


def result_lines(
    names: Sequence[str], games: Sequence[FinishedGame], test: Sprt | None = None
) -> list[str]:
    """Return the figures of the results: fastchess's block for two engines, else a table."""
    if len(names) != 2:
        return rating_lines(standings(names, games))
    score = Score.of(games, *names)
    return score_lines(score) + ([] if test is None else sprt_lines(test, score))


def summary_lines(
    names: Sequence[str], games: Sequence[FinishedGame], what: str, test: Sprt | None = None
) -> list[str]:
    """Return the results between two rules, with how the games ended.

    ``names`` are all engines, also those without a game. ``what`` describes the match in
    parentheses. A test is one of the first engine against the second.
    """
    who = " vs ".join(names) if len(names) == 2 else counted(len(names), "engine")
    lines = [f"Results of {who} ({what}):", *result_lines(names, games, test)]
    if games:
        lines.append(f"Terminations: {terminations(games)}")
    if again := repeats(games):
        lines.append(
            f"Repeats: {again} of {counted(len(games), 'game')} had been played before, move for"
            " move; other openings give more games"
        )
    return [_RULE, *lines, _RULE]


def _number(number: float) -> float | None:
    """Return a number as JSON can hold it: None for nan and infinity."""
    return number if math.isfinite(number) else None


def _estimate(estimate: Estimate) -> list[float | None]:
    return [_number(estimate.value), _number(estimate.error)]


def summary_data(
    names: Sequence[str], games: Sequence[FinishedGame], test: Sprt | None = None
) -> dict[str, Any]:
    """Return the results as JSON data; an estimate is [value, error], null if not finite."""
    data: dict[str, Any] = {
        "engines": list(names),
        "games": len(games),
        "seconds": max((game.seconds for game in games), default=0.0),
        "repeats": repeats(games),
        "terminations": dict(Counter(game.reason for game in games).most_common()),
    }
    if len(names) == 2:
        score = Score.of(games, *names)
        sample = score.sample
        data |= {
            "wins": score.wins,
            "losses": score.losses,
            "draws": score.draws,
            "ptnml": list(score.pairs),
            "elo": _estimate(sample.elo()),
            "nelo": _estimate(sample.normalized_elo()),
            "los": _number(sample.superiority()),
            "draw_ratio": _number(score.draw_ratio),
            "pairs_ratio": _number(score.pairs_ratio),
        }
        if test is not None:
            llr = test.llr(sample)
            data["sprt"] = {
                "llr": llr,
                "bounds": list(test.bounds),
                "elo0": test.elo0,
                "elo1": test.elo1,
                "model": test.model,
                "accepted": test.accepted(llr),
            }
    else:
        table = standings(names, games)
        data["ratings"] = [
            {
                "name": place.name,
                "games": place.games,
                "points": place.points,
                "elo": _estimate(place.rating),
            }
            for place in table.places
        ]
        data["scores"] = [[*both, *score] for both, score in table.scores.items()]
    return data
