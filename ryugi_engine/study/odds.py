"""Values of pieces by odds games, in the way of H. G. Muller.

A side begins without a piece and the other without some that are worth about as much. The results
of all such games together give the values, by a logistic fit: the score depends on the sum of what
each side lacks. The unit is what a pawn is worth in the same fit.

Sources: H. G. Muller's posts at talkchess.com and chessvariants.com, 2008 to 2020, on measuring
piece values with Joker80 and Fairy-Max; L. Kaufman, "Initial Values of Pieces and Pawns", Chess
Life, January 2003; E. C. Fieller, "Some Problems in Interval Estimation",
1954, for the interval of a ratio.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import rules_of
from ryugi_engine.games.training import Trainable
from ryugi_engine.match.statistics import SIGMAS
from ryugi_engine.study.balance import Games
from ryugi_engine.study.estimates import Figure, logistic

#: Logits of a unit's odds before any game, and how sure that is: 1 / variance.
_SLOPE, _SURE = 0.5, 4.0
#: Values in units that a design believes at most: odds of more decide every game.
_MOST, _LEAST = 12.0, 0.1
#: Units by which what both sides lack may differ, in one half of the pairs and in the other. Even
#: odds tell most about the values of pieces to one another, uneven ones about the unit.
_APART = (0.75, 2.5)
#: Units that a side lacks at most where only units are left out.
_UNITS = 3
#: What a random pawn of chess's start is worth where an average one is 1: the mean of 1.1, 1.0, 0.9
#: and 0.6 for the pawns of the d, c, b and a file (Kaufman).
START_PAWN = 0.9


class Army(NamedTuple):
    """The pieces of the start that a side can lack, each by its letter."""

    kinds: tuple[str, ...]
    #: The letter of the unit: the pawn, or the most frequent piece.
    unit: str
    #: How many each side has.
    counts: tuple[Mapping[str, int], Mapping[str, int]]
    #: What the pieces' moves say that they are worth, in units.
    moves: Mapping[str, float]
    #: Whether the unit is a pawn that is spent for good, as in chess: none is held in hand.
    pawns: bool


def army_of(game: Game) -> Army | None:
    """Return a game's army; None where no piece can be left out."""
    if not game.pieces or game.placed:
        return None
    rules = rules_of(game)
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    editor = rules.editor(game.start)
    for sign in editor.letters().values():
        if sign.isalpha() and len(sign) == 1 and sign.upper() not in (game.royal, *game.neutral):
            counts[sign.islower()][sign.upper()] += 1
    both = counts[0] + counts[1]
    # a piece that only one side has, or that is its last one, may be its aim
    kinds = [kind for kind in game.pieces if counts[0][kind] and counts[1][kind]]
    if len(kinds) < 2 or (not game.royal and max(both.values()) < 2):
        return None
    unit = game.pawn if game.pawn in kinds else max(kinds, key=lambda kind: both[kind])
    values = rules.training().values if isinstance(rules, Trainable) else {}
    base = values.get(unit, 0) or 100
    moves = {kind: values.get(kind, base) / base for kind in kinds}
    others = sorted((kind for kind in kinds if kind != unit), key=lambda kind: -moves[kind])
    pawns = unit == game.pawn and not any(editor.hands())
    return Army((unit, *others), unit, counts, moves, pawns)


def design(army: Army, believed: Mapping[str, float], seed: str) -> tuple[str, str]:
    """Return what the first and the second player of a pair of odds games lack.

    ``believed`` are the values in units so far.
    """
    source = random.Random(seed)
    worth = {kind: min(_MOST, max(_LEAST, believed[kind])) for kind in army.kinds}
    most = {kind: min(counts[kind] for counts in army.counts) for kind in army.kinds}
    target = source.choice(army.kinds)
    one = target * source.randint(1, min(_UNITS, most[target]) if target == army.unit else 1)
    apart = source.choice(_APART)
    rest = len(one) * worth[target] + source.uniform(-apart, apart)
    other: list[str] = []
    while True:
        fitting = [
            kind
            for kind in army.kinds
            if kind != target and worth[kind] <= rest + 0.5 and other.count(kind) < most[kind]
        ]
        if not fitting or rest < 0.5:
            break
        kind = source.choices(fitting, [worth[one] for one in fitting])[0]
        other.append(kind)
        rest -= worth[kind]
    sides = one, "".join(sorted(other))
    return sides if source.random() < 0.5 else (sides[1], sides[0])


def start_without(game: Game, lacking: tuple[str, str], source: random.Random) -> str | None:
    """Return the start without White's and Black's pieces, random ones; None if it is none."""
    editor = rules_of(game).editor(game.start)
    for side, letters in enumerate(lacking):
        for letter in letters:
            sign = letter.lower() if side else letter
            places = sorted(at for at, piece in editor.letters().items() if piece == sign)
            if not places:
                return None
            editor.erase(square_name(source.choice(places)))
    board, *fields = editor.text().split()
    rights = fields[1] if len(fields) > 1 else ""
    # a missing rook takes its castling right along
    ways = [rights, *(rights.replace(letter, "") or "-" for letter in rights)]
    if rights[:1].isalpha():
        pairs = (rights.replace(a, "").replace(b, "") for a in rights for b in rights)
        ways += [*(pair or "-" for pair in pairs), "-"]
    for way in dict.fromkeys(ways):
        with contextlib.suppress(UserError):
            text = " ".join([board, *fields[:1], *([way] if rights else []), *fields[2:]])
            position = Position(game, text)
            return None if position.outcome() is not None else text
    return None


def _rows(army: Army, games: Games) -> tuple[Any, Any, Any]:
    """Return rows of a fit, results and the numbers of pairs."""
    rows, points, pairs = [], [], []
    for game in games:
        first, second = (Counter(side) for side in game["lacking"])
        rows.append([1.0, *(float(second[kind] - first[kind]) for kind in army.kinds)])
        points.append(float(game["points"]))
        pairs.append(int(game["pair"]))
    return np.array(rows).reshape(-1, 1 + len(army.kinds)), np.array(points), pairs


def believed(army: Army, games: Games) -> dict[str, float]:
    """Return values in units by some games and by what the moves say, for the next design."""
    prior = [0.0, *(_SLOPE * army.moves[kind] for kind in army.kinds)]
    sure = [_SURE, *(_SURE / (_SLOPE * (0.5 + army.moves[kind])) ** 2 for kind in army.kinds)]
    fit = logistic(*_rows(army, games)[:2], prior, sure)
    unit = max(float(fit.coefficients[1]), 0.05)
    return {
        kind: float(value) / unit
        for kind, value in zip(army.kinds, fit.coefficients[1:], strict=True)
    }


def values_of(army: Army, games: Games) -> dict[str, Figure]:
    """Return the values in units by games alone; those in which a piece was lacking count."""
    rows, points, pairs = _rows(army, games)
    count = {
        kind: int(np.count_nonzero(rows[:, 1 + number])) if len(games) else 0
        for number, kind in enumerate(army.kinds)
    }
    unknown = {kind: Figure(math.nan, -math.inf, math.inf, count[kind]) for kind in army.kinds}
    if not len(games) or not count[army.unit]:
        return unknown
    # a hint of a prior keeps what was always won or lost finite
    fit = logistic(rows, points, None, np.full(rows.shape[1], 0.01), pairs)
    return {
        kind: _ratio(fit.coefficients, fit.covariance, 1 + number, count[kind])
        if count[kind]
        else unknown[kind]
        for number, kind in enumerate(army.kinds)
    }


def _ratio(values: Any, covariance: Any, at: int, games: int) -> Figure:
    """Return a coefficient in units of the first piece's, with Fieller's interval."""
    unit, value = float(values[1]), float(values[at])
    square = SIGMAS**2
    a = unit**2 - square * float(covariance[1, 1])
    b = unit * value - square * float(covariance[1, at])
    c = value**2 - square * float(covariance[at, at])
    if a <= 0 or unit <= 0:  # the unit itself may be worth nothing
        return Figure(value / unit if unit > 0 else math.nan, -math.inf, math.inf, games)
    if at == 1:
        spread = SIGMAS * math.sqrt(float(covariance[1, 1])) / unit
        return Figure(1.0, 1.0 - spread, 1.0 + spread, games)
    spread = math.sqrt(max(0.0, b**2 - a * c)) / a
    return Figure(value / unit, b / a - spread, b / a + spread, games)


def scores_without(army: Army, games: Games) -> dict[str, Figure]:
    """Return by kind the score of a side that lacks one such piece and nothing else, by the fit."""
    if not len(games):
        return {}
    rows, points, pairs = _rows(army, games)
    fit = logistic(rows, points, None, np.full(rows.shape[1], 0.01), pairs)
    found = {}
    for number, kind in enumerate(army.kinds, start=1):
        value = -float(fit.coefficients[number])
        spread = SIGMAS * math.sqrt(float(fit.covariance[number, number]))
        some, low, high = (1 / (1 + math.exp(-x)) for x in (value, value - spread, value + spread))
        found[kind] = Figure(some, low, high, int(np.count_nonzero(rows[:, number])))
    return found


def by_net(game: Game, army: Army) -> dict[str, float]:
    """Return what the game's evaluation gives for each piece at the start, in units.

    The mean over both sides and all pieces of a kind; {} where it does not follow material.
    """
    found: dict[str, list[float]] = {kind: [] for kind in army.kinds}
    source = random.Random(0)
    for kind in army.kinds:
        for _ in range(max(army.counts[0][kind], army.counts[1][kind])):
            texts = [start_without(game, pair, source) for pair in ((kind, ""), ("", kind))]
            if None in texts:
                continue
            positions = [Position(game, text) for text in texts]
            scores = [position.evaluate() * (-1) ** position.side for position in positions]
            found[kind].append((scores[1] - scores[0]) / 2)
    mean = {kind: sum(values) / len(values) for kind, values in found.items() if values}
    unit = mean.get(army.unit, 0.0)
    return {kind: value / unit for kind, value in mean.items()} if unit > 0 else {}


def sequence_of(games: Sequence[Mapping[str, Any]], before: int) -> list[Mapping[str, Any]]:
    """Return the odds games of pairs before a number."""
    return [game for game in games if int(game["pair"]) < before]
