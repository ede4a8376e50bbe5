"""The numbers of a match: against published ones, against scipy and against choix."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from ryugi_engine.match.ratings import rating_lines, standings
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.match.sprt import MODELS, Sprt, _seen, _with_lead
from ryugi_engine.match.statistics import (
    Sample,
    Score,
    elo_of,
    percent,
    rounded,
    score_lines,
    score_of,
)
from ryugi_engine.match.summary import summary_data, summary_lines


def played(
    white: str, black: str, points: float, number: int = 1, pair: int | None = None
) -> FinishedGame:
    """A game worth so many points to White."""
    result = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}[points]
    return FinishedGame(
        number=number, round=1, pair=number if pair is None else pair, white=white, black=black,
        result=result, reason="checkmate", opening="", plies=10, seconds=float(number), record="",
    )  # fmt: skip


def paired(pairs: Sequence[tuple[float, float]]) -> list[FinishedGame]:
    """Pairs of games with what each game gave to A, who is White in the first."""
    games = []
    for pair, (first, second) in enumerate(pairs):
        games.append(played("A", "B", first, 2 * pair + 1, pair))
        games.append(played("B", "A", 1 - second, 2 * pair + 2, pair))
    return games


@pytest.mark.parametrize(
    ("counts", "elo", "nelo", "los", "llr"),
    [
        ((177, 1629, 3083, 1780, 221), "6.03 +/- 3.49", "10.01 +/- 5.80", "99.96 %", "2.91"),
        ((835, 6884, 13116, 7201, 852), "2.11 +/- 1.70", "3.52 +/- 2.83", "99.25 %", "2.89"),
        ((238, 2880, 5579, 3031, 290), "3.69 +/- 2.54", "6.38 +/- 4.39", "99.78 %", "2.92"),
    ],
)
def test_published_matches(
    counts: tuple[int, ...], elo: str, nelo: str, los: str, llr: str
) -> None:
    """Of fastchess, to the digit; the test is [0, 3], normalized."""
    sample = Sample(counts)
    assert str(sample.elo()) == elo
    assert str(sample.normalized_elo()) == nelo
    assert percent(sample.superiority()) == los
    test = Sprt(0, 3)
    line = test.line(test.llr(sample))
    assert line.startswith(f"LLR: {llr} (")
    assert line.endswith("(-2.94, 2.94) [0.00, 3.00]")


def test_the_block_of_a_match() -> None:
    pairs = [(1, 1), (1, 0.5), (0.5, 0.5), (1, 0), (0, 1), (0.5, 0), (1, 1)]
    score = Score.of([*paired(pairs), played("A", "C", 1, 99)], "A", "B")
    assert score == Score(wins=7, losses=3, draws=4, pairs=(0, 1, 3, 1, 2), drawn_pairs=1)
    lines = score_lines(score)
    assert lines[0].startswith("Elo: 102.11 +/- ")
    assert lines[1].endswith("DrawRatio: 42.86 %, PairsRatio: 3.00")
    assert lines[2] == "Games: 14, Wins: 7, Losses: 3, Draws: 4, Points: 9.0 (64.29 %)"
    assert lines[3] == "Ptnml(0-2): [0, 1, 3, 1, 2], WL/DD Ratio: 2.00"
    other = Score.of(paired(pairs), "B", "A")
    assert other.pairs == score.pairs[::-1]
    assert other.sample.elo().value == pytest.approx(-score.sample.elo().value)


def test_a_pair_counts_when_both_games_are_over() -> None:
    """The game that waits for its other half is in the games, not in the pairs."""
    games = paired([(1, 0.5), (1, 1)])[:3]
    score = Score.of(games, "A", "B")
    assert (score.games, score.pairs) == (3, (0, 0, 0, 1, 0))
    alone = Score.of(games[:1], "A", "B")
    assert alone.sample == Sample((0, 0, 1))
    assert len(score_lines(alone)) == 3
    assert score_lines(Score()) == [
        "Elo: -, nElo: -",
        "LOS: -, DrawRatio: -",
        "Games: 0, Wins: 0, Losses: 0, Draws: 0, Points: 0.0 (-)",
    ]


@pytest.mark.parametrize(
    ("counts", "elo", "nelo"),
    [
        ((0, 3, 0), "0.00 +/- -", "-"),
        ((0, 0, 1, 0, 0), "0.00 +/- -", "-"),
        ((0, 0, 3), "-", "-"),
        ((2, 0, 0), "-", "-"),
        ((0, 0, 0, 5, 0), "190.85 +/- -", "-"),
        ((1, 0, 0, 0, 1), "0.00 +/- -", "0.00 +/- 340.48"),
    ],
)
def test_what_cannot_be_known_is_not_told(counts: tuple[int, ...], elo: str, nelo: str) -> None:
    """Results that are all alike show no error, and a zero has no sign."""
    sample = Sample(counts)
    assert (str(sample.elo()), str(sample.normalized_elo())) == (elo, nelo)
    test = Sprt(0, 5)
    assert "nan" not in test.line(test.llr(sample))


def test_trinomial_errors() -> None:
    """By hand: 60 wins, 20 draws, 20 losses, in which a game's score has the variance 0.16."""
    sample = Sample((20, 20, 60))
    assert sample.variance == pytest.approx(0.16)
    assert sample.normalized_elo().value == pytest.approx(0.2 / 0.4 * 800 / math.log(10))
    margin = 1.959964 * 0.04
    half = (elo_of(0.7 + margin) - elo_of(0.7 - margin)) / 2
    assert sample.elo().error == pytest.approx(half, rel=1e-6)


# ---- the sequential test ----------------------------------------------------------------------


def test_likeliest_distributions(source: random.Random) -> None:
    """No general optimizer finds a likelier one; the constraint holds."""
    from scipy import optimize  # late: it is large

    for _ in range(12):
        size = source.choice((3, 5))
        sample = Sample(tuple(source.choice((0, 1, 4, 60, 2000)) for _ in range(size - 1)) + (5,))
        lead = source.choice((0.005, -0.02, 0.1, 0.4, -0.8))
        _, scores, seen = _seen(sample)
        mine = np.array(_with_lead(scores, seen, lead))
        a, p = np.array(scores), np.array(seen)
        mean = mine @ a
        assert mine.sum() == pytest.approx(1, abs=1e-9)
        assert (mean - 0.5) / math.sqrt(mine @ (a - mean) ** 2) == pytest.approx(lead, abs=1e-6)

        def lead_of(q: np.ndarray, a: np.ndarray = a, lead: float = lead) -> float:
            variance = float(q @ a**2 - (q @ a) ** 2)
            return float(q @ a) - 0.5 - lead * math.sqrt(max(variance, 1e-30))

        for start in (p, np.full(size, 1 / size), mine):
            result = optimize.minimize(
                lambda q, p=p: -float(p @ np.log(q)),
                start,
                method="SLSQP",
                bounds=[(1e-12, 1)] * size,
                constraints=[
                    {"type": "eq", "fun": lambda q: q.sum() - 1},
                    {"type": "eq", "fun": lead_of},
                ],
                options={"maxiter": 500, "ftol": 1e-13},
            )
            if result.success and abs(lead_of(result.x)) < 1e-9:
                assert p @ np.log(mine) >= -result.fun - 1e-6, (sample, lead)


def test_a_test_errs_as_seldom_as_it_says() -> None:
    """Played out many times at both hypotheses, and as long as it was expected to take."""
    source = random.Random(1)  # one sample: of all samples some lie far from what is expected
    test = Sprt(0, 30, alpha=0.1, beta=0.1, model="logistic")
    for elo, wrong in ((0.0, "H1"), (30.0, "H0")):
        score = score_of(elo)
        errors, lengths = 0, []
        for _ in range(80):
            counts = [0, 0, 0]
            while True:
                for _ in range(10):
                    counts[source.choices((0, 1, 2), (0.75 - score, 0.5, score - 0.25))[0]] += 1
                if decision := test.accepted(test.llr(Sample(tuple(counts)))):
                    break
            errors += decision == wrong
            lengths.append(sum(counts))
        assert errors <= 20  # 8 are expected
        typical = Sample(tuple(round(1e6 * p) for p in (0.75 - score, 0.5, score - 0.25)))
        drift = test.llr(typical) / typical.size
        low, high = test.bounds
        wald = (0.9 * (high if elo else low) + 0.1 * (low if elo else high)) / drift
        assert np.mean(lengths) == pytest.approx(wald, rel=0.5)


@pytest.mark.parametrize("model", MODELS)
def test_evidence_is_always_a_number(model: str, source: random.Random) -> None:
    """Whatever the results and the hypotheses, and the same for both engines' views."""
    for _ in range(100):
        size = source.choice((3, 5))
        counts = tuple(source.choice((0, 0, 1, 7, 900, 10**6)) for _ in range(size))
        low = source.choice((-200.0, -5.0, 0.0, 0.5, 100.0, 190.0))
        test = Sprt(low, low + source.choice((0.5, 5.0, 10.0)), model=model)
        llr = test.llr(Sample(counts))
        assert math.isfinite(llr), (counts, test)
        mirror = Sprt(-test.elo1, -test.elo0, model=model).llr(Sample(counts[::-1]))
        assert mirror == pytest.approx(-llr, rel=1e-4, abs=1e-4)


def test_words_of_a_test() -> None:
    assert Sprt.read([]) == Sprt(0, 5, 0.05, 0.05, "normalized")
    words = ["elo0=-3", "elo1=1.5", "alpha=0.01", "beta=0.1", "model=logistic"]
    assert Sprt.read(words) == Sprt(-3, 1.5, 0.01, 0.1, "logistic")
    for words, told_ in (
        (["elo0"], "sprt: 'elo0' is not like elo0=0"),
        (["elo2=3"], "sprt: 'elo2=3' is not like"),
        (["elo0=x"], "sprt: elo0: 'x' is not a"),
        (["elo0=5"], "sprt: elo0=5 must be less than elo1=5"),
        (["alpha=0"], "sprt: alpha: 0 is not in"),
        (["alpha=0.6", "beta=0.5"], "sprt: alpha and beta must be"),
        (["model=bayesian"], "sprt: model 'bayesian' is none of normalized, logistic"),
        (["elo1=4", "elo1=5"], "sprt: elo1 is given twice"),
    ):
        with pytest.raises(ValueError, match=told_):
            Sprt.read(words)


# ---- ratings ----------------------------------------------------------------------------------


def tournament(
    source: random.Random, strengths: Sequence[float], rounds: int
) -> list[FinishedGame]:
    """Everybody against everybody, with random results."""
    names = [f"E{i}" for i in range(len(strengths))]
    games: list[FinishedGame] = []
    pair = 0
    for _ in range(rounds):
        for one, other in itertools.combinations(range(len(names)), 2):
            pair += 1
            for white, black in ((one, other), (other, one)):
                score = score_of(strengths[white] - strengths[black] + 20)
                drawn = min(score, 1 - score)
                weights = (score - drawn / 2, drawn, 1 - score - drawn / 2)
                points = source.choices((1.0, 0.5, 0.0), weights)[0]
                games.append(played(names[white], names[black], points, len(games) + 1, pair))
    return games


def test_ratings_are_choix_s(source: random.Random) -> None:
    import choix  # late: it is large

    strengths = [0, 40, -80, 150, 10]
    games = tournament(source, strengths, 25)
    source.shuffle(games)
    names = sorted({name for game in games for name in (game.white, game.black)})
    table = standings(names, games)
    numbers = {name: i for i, name in enumerate(names)}
    data = []
    for game in games:  # twice, so that a draw is a win for each
        white, black = numbers[game.white], numbers[game.black]
        won = round(2 * game.points(game.white))
        data += [(white, black)] * won + [(black, white)] * (2 - won)
    theirs = choix.ilsr_pairwise(len(names), data, max_iter=10_000, tol=1e-12) * 400 / math.log(10)
    theirs -= theirs.mean()
    for place in table.places:
        assert place.rating.value == pytest.approx(theirs[numbers[place.name]], abs=1e-4)
    assert [p.rating.value for p in table.places] == sorted(
        (p.rating.value for p in table.places), reverse=True
    )


def test_engines_that_cannot_be_compared() -> None:
    """Unbeaten, without a point, never met, never played; a draw is enough to compare."""
    games = [
        played("top", "A", 1, 1), played("A", "B", 1, 2), played("B", "A", 0.5, 3),
        played("B", "poor", 1, 4), played("X", "Y", 0.5, 5),
    ]  # fmt: skip
    table = standings(["poor", "B", "X", "Y", "A", "top", "idle"], games)
    assert [(p.name, rounded(p.rating.value)) for p in table.places] == [
        ("top", "-"), ("A", "95.42"), ("B", "-95.42"), ("poor", "-"),
        ("X", "-"), ("Y", "-"), ("idle", "-"),
    ]  # fmt: skip
    lines = rating_lines(table)
    assert len({len(line) for line in lines}) == 1
    assert " ".join(lines[2].split()) == "2 A 95.42 160.50 3 1.5 50.00 % 0.0/1 - 1.5/2 - - - -"
    assert len(rating_lines(standings([], []))) == 1
    assert rating_lines(standings(["alone"], []))[1].split()[:4] == ["1", "alone", "0.00", "-"]


# ---- everything together ----------------------------------------------------------------------


def test_what_a_match_says(source: random.Random) -> None:
    """Two engines' block with the test's line, or more engines' table; programs get the same."""
    games = paired([(1, 0.5), (0.5, 0.5), (1, 0), (1, 1)])
    lines = summary_lines(["A", "B"], games, "gorogo, 1+0.1", Sprt())
    assert lines[0] == lines[-1] == "-" * 50
    assert lines[1] == "Results of A vs B (gorogo, 1+0.1):"
    assert [line.split(":")[0] for line in lines[2:-1]] == [
        "Elo", "LOS", "Games", "Ptnml(0-2)", "LLR", "SPRT", "Terminations",
    ]  # fmt: skip
    assert "Terminations: checkmate 8" in lines
    data = json.loads(json.dumps(summary_data(["A", "B"], games, Sprt())))
    assert (data["games"], data["wins"], data["ptnml"]) == (8, 4, [0, 0, 2, 1, 1])
    assert f"LLR: {data['sprt']['llr']:.2f} " in "".join(lines)
    assert data["sprt"]["accepted"] == ""
    even = summary_data(["A", "B"], paired([(0.5, 0.5)]), None)
    assert even["elo"] == [0.0, None]
    json.dumps(even, allow_nan=False)

    names = ["E0", "E1", "E2"]
    games = tournament(source, [0, 50, 100], 5)
    lines = summary_lines(names, games, "chess, 1+0.1", None)
    assert lines[1] == "Results of 3 engines (chess, 1+0.1):"
    assert lines[2].startswith("Rank  Name")
    data = json.loads(json.dumps(summary_data(names, games, None), allow_nan=False))
    assert {place["name"] for place in data["ratings"]} == set(names)
    assert data["games"] == 30
