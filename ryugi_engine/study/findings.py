"""The first sentences of a study: what an inventor has to know, or nothing.

A finding is made only where the whole 95 % interval lies beyond its threshold. So a short study
says little, and no finding comes from chance alone more often than once in forty cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, round_percent

#: The first side's score in chess: about 54 to 56 % in databases of masters' games.
CHESS = 0.55
#: Beyond 60 or 40 % a game is unfair: pychess.org's contest for new variants asked for 40:60.
UNFAIR = 0.6
#: Of the games of the best at chess, about 60 % are drawn; four in five is more than players bear.
DRAWN = 0.8
#: Plies: 20 are fewer than a chess opening has; 300 are four times a usual game of chess.
SHORT, LONG = 20, 300
#: Of all decisions, one in four has an only move: in chess it is about one in eight.
SHARP = 0.25


class Finding(NamedTuple):
    """A sentence, and the threshold that it comes from."""

    text: str
    reason: str


def findings(study: Study) -> list[Finding]:
    """Return the findings, the most serious ones first; at least one."""
    if not study.balances:
        return [Finding("No game has ended yet.", "")]
    return [*_balance(study), *_draws(study), *_course(study)]


def _balance(study: Study) -> Iterator[Finding]:
    best = study.balances[-1]
    # the strongest play counts where it has an answer, else the strength with the most games
    for balance in (best, max(study.balances, key=lambda one: one.first.games)):
        first = balance.first
        if first.low > UNFAIR or first.high < 1 - UNFAIR:
            which = "good" if first.low > UNFAIR else "bad"
            text = f"Unfair: moving first is {which}. {study.first} scores {round_percent(first)}"
            yield Finding(
                f"{text} at {balance.nodes:,} nodes a move, in {games(first.games)}.",
                "Beyond 40:60 a game counts as unfair, as in contests for new variants.",
            )
            break
    else:
        first = best.first
        if first.low > CHESS:
            compared = "more than chess's 55 %"
        elif first.high < CHESS:
            compared = "less than chess's 55 %"
        else:
            compared = "chess has 55 %"
        yield Finding(
            f"{study.first} scores {round_percent(first)} at {best.nodes:,} nodes a move:"
            f" {compared}.",
            f"In {games(first.games)}. Beyond 40:60 it would be unfair.",
        )
    change = study.trend("first")
    if change is not None and (change.low > 0 or change.high < 0):
        way = "grows" if change.low > 0 else "shrinks"
        low, high = study.balances[0], study.balances[-1]
        yield Finding(
            f"The first side's score {way} with stronger play: from"
            f" {100 * low.first.value:.0f} % at {low.nodes:,} nodes to"
            f" {100 * high.first.value:.0f} % at {high.nodes:,}.",
            "The interval of the difference leaves out zero.",
        )


def _draws(study: Study) -> Iterator[Finding]:
    best = study.balances[-1]
    for balance in (best, max(study.balances, key=lambda one: one.first.games)):
        if balance.draws.low > DRAWN:
            yield Finding(
                f"Nearly always drawn: {round_percent(balance.draws)} at {balance.nodes:,} nodes a"
                f" move, in {games(balance.draws.games)}.",
                "Beyond 80 % a game counts as drawn: the best players of chess draw about 60 %.",
            )
            return


def _course(study: Study) -> Iterator[Finding]:
    course = study.course
    if course is None:
        return
    if course.length.high < SHORT:
        yield Finding(
            f"Short: a game has {course.length.value:.0f} plies, in {games(course.games)}.",
            f"Below {SHORT} plies a game is over before a chess opening would be.",
        )
    if course.length.low > LONG:
        yield Finding(
            f"Long: a game has {course.length.value:.0f} plies, in {games(course.games)}.",
            f"{LONG} plies are four times a usual game of chess.",
        )
    if course.only_moves.low > SHARP:
        yield Finding(
            f"Sharp: {round_percent(course.only_moves)} of the positions have an only move.",
            "All other moves lose a fifth of the expected score or more; in chess about one"
            " position in eight is so.",
        )
