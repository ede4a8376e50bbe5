"""The first sentences of a study: what an inventor has to know.

A finding is made only where the whole 95 % interval lies beyond its threshold. So a short study
says little, and chance alone makes a finding in less than one case of forty. What a game is like is
told last, in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import NormalDist
from typing import NamedTuple

from ryugi_engine.games.position import Position
from ryugi_engine.match.statistics import SIGMAS
from ryugi_engine.records.san import to_san
from ryugi_engine.study.balance import Balance
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.study import Study
from ryugi_engine.study.wording import games, listed, number, points, round_percent
from ryugi_engine.study.yardstick import CHESS

#: Beyond 60 or 40 % a game is unfair: pychess.org's contest for new variants asked for 40:60.
UNFAIR = 0.6
#: Of the games of the best at chess, about 60 % are drawn; four in five is more than players bear.
DRAWN = 0.8
#: Plies: 20 are fewer than a chess opening has; 300 are four times a usual game of chess.
SHORT, LONG = 20, 300
#: Positions with an only move: more than twice as many as in the engine's own games of chess.
SHARP = 0.1
#: Games that the opening decides: one in four leaves too few to the players.
EARLY = 0.25
#: Units below which a piece is useless: half a pawn is about what a single move is worth.
USELESS = 0.5
#: Share of a kind that never moves, beyond which it is idle.
IDLE = 0.8
#: A rule that fewer games use than one in twenty could be left out.
SELDOM = 0.05
#: Width of an interval up to which the strongest play has an answer; else most games have it.
SURE = 0.2
#: Width of an interval from which on its value says nothing.
VAGUE = 0.3
#: Games of each strength without which nothing is said of a trend.
TREND = 10
#: Rules that end games which lead nowhere: that they are seldom needed is no fault.
_SAFEGUARDS = (
    "the result of stalemate",
    "repetition",
    "the draw after many moves without progress",
)


class Finding(NamedTuple):
    """A sentence, and the threshold that it comes from."""

    text: str
    reason: str


def findings(study: Study) -> list[Finding]:
    """Return the findings, the most serious ones first; at least one."""
    if not study.balances:
        return [Finding("No game has ended yet.", "")]
    found = (_unfair, _draws, _pieces, _rules, _course, _first_move, _fair, _trend, _facts)
    return [finding for part in found for finding in part(study)]


def _strongest(
    study: Study, beyond: Callable[[float], bool], of: Callable[[Balance], Figure]
) -> Balance | None:
    """Return the strongest play whose whole interval is beyond a threshold; None without any.

    Stronger play must not contradict: its interval reaches beyond, and so does its value, unless it
    has too few games for one.
    """
    for balance in reversed(study.balances):
        figure = of(balance)
        if beyond(figure.low) and beyond(figure.high):
            return balance
        vague = figure.high - figure.low > VAGUE
        if not (beyond(figure.value) or (vague and (beyond(figure.low) or beyond(figure.high)))):
            return None
    return None


def _unfairly(study: Study) -> Balance | None:
    """Return the strongest play that shows the game to be unfair."""
    return _strongest(study, lambda part: part > UNFAIR, lambda one: one.first) or _strongest(
        study, lambda part: part < 1 - UNFAIR, lambda one: one.first
    )


def _unfair(study: Study) -> Iterator[Finding]:
    balance = _unfairly(study)
    if balance is not None:
        first = balance.first
        which = "an advantage" if first.low > UNFAIR else "a disadvantage"
        yield Finding(
            f"Unfair: moving first is {which}. {study.first} scores {round_percent(first)} at"
            f" {balance.nodes:,} nodes a move.{_compared(study, balance)}",
            f"In {games(first.games)}.{_others(study, balance)} Beyond 40:60 a game counts as"
            " unfair, as in contests for new variants.",
        )


def _compared(study: Study, balance: Balance) -> str:
    """Say what chess has at the same strength, unless the game is chess."""
    if study.game.name == CHESS.name:
        return ""
    strength = study.plan.nodes.index(balance.nodes)
    first, draws = (100 * part[strength] for part in (CHESS.first, CHESS.draws))
    return (
        f" Chess, studied alike: {first:.0f}\N{NO-BREAK SPACE}%,"
        f" and {draws:.0f}\N{NO-BREAK SPACE}% drawn."
    )


def _others(study: Study, shown: Balance) -> str:
    """Return the scores of the other strengths as a sentence; "" without any."""
    rest = [one for one in study.balances if one is not shown]
    if not rest:
        return ""
    nodes = listed([f"{one.nodes:,}" for one in rest])
    return f" At {nodes} nodes: {listed([round_percent(one.first) for one in rest])}."


def _is_sure(balance: Balance) -> bool:
    return balance.first.high - balance.first.low < SURE


def _fair(study: Study) -> Iterator[Finding]:
    best = next((one for one in reversed(study.balances) if _is_sure(one)), None) or max(
        study.balances, key=lambda one: one.first.games
    )
    if _unfairly(study) is not None:
        return
    first = best.first
    settled = first.low >= 1 - UNFAIR and first.high <= UNFAIR
    verdict = "Fair" if settled else "Fairness is not settled"
    if settled and _unfair_move(study) is not None:
        verdict = "Fair on average over first moves"
    yield Finding(
        f"{verdict}: {study.first} scores"
        f" {round_percent(first)} at {best.nodes:,} nodes a move, and"
        f" {round_percent(best.draws)} of the games are drawn.{_compared(study, best)}",
        f"In {games(first.games)}.{_others(study, best)} Fair is a range between 40 and 60 %,"
        " as in contests for new variants.",
    )


def _unfair_move(study: Study) -> Figure | None:
    """Return the best first move's score if it is unfair by itself; None if not shown.

    The best of several is partly luck: its interval is Bonferroni's, for all of them together.
    """
    if not study.first_moves or _unfairly(study) is not None:
        return None
    figure, number = study.first_moves[0].score, len(study.first_moves)
    wider = NormalDist().inv_cdf(1 - 0.025 / number) / SIGMAS
    low = figure.value - (figure.value - figure.low) * wider
    high = min(1.0, figure.value + (figure.high - figure.value) * wider)
    return figure._replace(low=low, high=high) if low > UNFAIR else None


def _first_move(study: Study) -> Iterator[Finding]:
    """Name a first move that is unfair by itself: who knows it will choose it."""
    figure = _unfair_move(study)
    if figure is not None:
        start = Position(study.game)
        move = to_san(start, start.parse_move(study.first_moves[0].move))
        yield Finding(
            f"Unfair with the first move {move}: {study.first} scores {round_percent(figure)}."
            " Who knows it will choose it.",
            f"In {games(figure.games)}. It is the best of {len(study.first_moves)} first moves,"
            " which is partly luck: the range is wider for that.",
        )


def _trend(study: Study) -> Iterator[Finding]:
    low, high = study.balances[0], study.balances[-1]
    for of, what in (("first", "The first side's score"), ("draws", "The share of draws")):
        change = study.trend(of)
        if change is None or change.games < TREND:
            continue
        if change.low > 0 or change.high < 0:
            way = "grows" if change.low > 0 else "shrinks"
            before, after = getattr(low, of).value, getattr(high, of).value
            yield Finding(
                f"{what} {way} with stronger play: from {100 * before:.0f} % at"
                f" {low.nodes:,} nodes a move to {100 * after:.0f} % at {high.nodes:,}.",
                f"The change is {points(change)}, too much for chance.",
            )


def _draws(study: Study) -> Iterator[Finding]:
    balance = _strongest(study, lambda part: part > DRAWN, lambda one: one.draws)
    if balance is not None:
        yield Finding(
            f"Nearly always drawn: {round_percent(balance.draws)} at {balance.nodes:,} nodes a"
            " move.",
            f"In {games(balance.draws.games)}. Beyond 80 % a game counts as drawn: the best"
            " players of chess draw about 60 %.",
        )


def _pieces(study: Study) -> Iterator[Finding]:
    unit = study.game.called(study.army.unit).lower() if study.army is not None else ""
    for piece in study.pieces:
        value = piece.value
        if value is not None and piece.sign != study.army_unit and value.high < USELESS:
            yield Finding(
                f"The {piece.name.lower()} is useless: it is worth {number(value)} {unit}s.",
                f"By {games(value.games)} in which a side lacks it. Less than half a {unit} is what"
                " a single move is worth.",
            )
        elif piece.at_home is not None and piece.at_home.low > IDLE:
            dropped = study.course is not None and study.course.drops.value > 0
            if piece.sign != study.game.royal and not dropped:
                yield Finding(
                    f"The {piece.name.lower()} is idle: {round_percent(piece.at_home)} of them"
                    " never move.",
                    f"In {games(piece.at_home.games)}. Beyond 80 % a piece counts as idle.",
                )


def _rules(study: Study) -> Iterator[Finding]:
    for rule in study.rules:
        if rule.name in _SAFEGUARDS or rule.used.high >= SELDOM:
            continue
        used = round(rule.used.value * rule.used.games)
        how = "never matters" if not used else "hardly ever matters"
        yield Finding(
            f"A rule {how}: {rule.name}. It was used in {used} of {games(rule.used.games)}.",
            f"At most {100 * rule.used.high:.1f} % of games use it. A rule that fewer than one in"
            " twenty games use could be left out.",
        )


def _course(study: Study) -> Iterator[Finding]:
    course = study.course
    if course is None:
        return
    length = f"a game has {course.length.value:.0f} moves on average, both sides' together"
    if course.length.high < SHORT:
        yield Finding(
            f"Short: {length}.",
            f"In {games(course.games)}. A game of chess is still in its opening after {SHORT}.",
        )
    if course.length.low > LONG:
        yield Finding(
            f"Long: {length}.",
            f"In {games(course.games)}. {LONG} are four times a usual game of chess.",
        )
    if course.only_moves.low > SHARP:
        yield Finding(
            f"Sharp: {round_percent(course.only_moves)} of the positions have an only move.",
            "All other moves lose a fifth of the expected score or more. Beyond 10 % a game counts"
            f" as sharp: in chess, studied alike, it is {100 * CHESS.only_moves:.0f} %.",
        )
    if course.decided.low > EARLY:
        yield Finding(
            f"Decided early: after the opening one side expects 80 % or more in"
            f" {round_percent(course.decided)} of the games.",
            f"In {games(course.games)}. Beyond a quarter the opening decides too much.",
        )


def _facts(study: Study) -> Iterator[Finding]:
    course = study.course
    if course is None:
        return
    yield Finding(
        f"Half of the games have up to {course.quantiles[1]} moves, both sides' together. A"
        f" position has {course.branching.value:.0f} legal moves on average.",
        f"In {games(course.games)} of the two stronger kinds.",
    )
