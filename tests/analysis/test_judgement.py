"""Verdicts, forced wins carried over, and annotations that come out of a record as they went in."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ryugi_engine.analysis import annotate
from ryugi_engine.analysis.agreement import agreed, nearer
from ryugi_engine.analysis.judgement import (
    MoveJudgement,
    centipawn_loss,
    game_accuracies,
    judged,
    move_accuracy,
)
from ryugi_engine.analysis.search_pool import PositionResult
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.records.pgn import Record, Step, format_record, parse_records

E = Evaluation
BAD, WORSE, WORST = MoveJudgement.INACCURACY, MoveJudgement.MISTAKE, MoveJudgement.BLUNDER


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (E(0), E(-54), None),  # chances of 0.0991
        (E(0), E(-55), BAD),  # 0.1009
        (E(0), E(-110), BAD),
        (E(0), E(-111), WORSE),  # 0.2015
        (E(0), E(-168), WORSE),
        (E(0), E(-169), WORST),  # 0.3013
        (E(900), E(5000), None),
        (E(3000), E(1000), None),  # more than certain is nothing
        (E(-600), E(-700), None),
        (E(20), E(mate=-4), WORST),
        (E(-699), E(mate=-4), WORST),
        (E(-701), E(mate=-4), WORSE),
        (E(-999), E(mate=-4), WORSE),
        (E(-1000), E(mate=-4), BAD),
        (E(mate=3), E(mate=-3), WORST),
        (E(mate=3), E(0), WORST),
        (E(mate=3), E(700), WORST),
        (E(mate=3), E(701), WORSE),
        (E(mate=3), E(1000), BAD),
        (E(mate=3), E(mate=9), None),
        (E(mate=-3), E(mate=-1), None),
        (E(mate=-3), E(-900), None),
    ],
)
def test_verdicts(before: Evaluation, after: Evaluation, verdict: MoveJudgement | None) -> None:
    """White's, and Black's of the same in a mirror."""
    assert judged(before, after, 0) is verdict
    mirrored = [
        replace(e, centipawns=-e.centipawns, mate=None if e.mate is None else -e.mate)
        for e in (before, after)
    ]
    assert judged(*mirrored, 1) is verdict


def test_losses() -> None:
    assert centipawn_loss(E(50), E(-30), 0) == 80
    assert centipawn_loss(E(50), E(-30), 1) == 0
    assert centipawn_loss(E(-50), E(30), 1) == 80
    assert centipawn_loss(E(mate=2), E(400), 0) == 600
    assert centipawn_loss(E(2500), E(mate=3), 0) == 0


def test_accuracy(source: random.Random) -> None:
    """By the published curve; a game without a loss is perfect, and only who errs is less."""
    assert move_accuracy(50, 60) == move_accuracy(50, 50) == 100
    assert move_accuracy(60, 50) == pytest.approx(103.1668 * 0.64695 - 3.1669 + 1, abs=0.01)
    assert move_accuracy(100, 0) == 0
    assert game_accuracies([E(30)], []) == (None, None)
    assert game_accuracies([E(30), E(30)], [0]) == (100, None)
    even = [E(20)] * 41
    assert game_accuracies(even, [0, 1] * 20) == (100, 100)
    ply = 2 * source.randrange(20)
    accuracies = []
    for blunder in (300, 600):
        lost = [*even[: ply + 1], *[E(-blunder)] * (40 - ply)]
        white, black = game_accuracies(lost, [0, 1] * 20)
        assert black == 100
        assert white is not None
        accuracies.append(white)
    assert 60 < accuracies[1] < accuracies[0] < 90


# ---- forced wins ------------------------------------------------------------------------------


def test_wins_come_nearer() -> None:
    """White mates in 3: five plies are left with White to move."""
    left = [nearer(E(mate=3), plies, 0).mate for plies in range(6)]
    assert left == [3, 2, 2, 1, 1, 0]
    left = [nearer(E(mate=3), plies, 1).mate for plies in range(7)]
    assert left == [3, 3, 2, 2, 1, 1, 0]
    assert nearer(E(mate=-3), 1, 1) == E(mate=-2)
    assert nearer(E(35), 4, 0) == E(35)


def test_a_win_that_is_played_is_one_before_and_behind() -> None:
    moves, sides = ["a", "b", "c", "d"], [0, 1, 0, 1, 0]

    def told(evaluations: list[Evaluation], lines: str) -> tuple[list[str], list[str]]:
        results = [
            PositionResult(e, tuple(line))
            for e, line in zip(evaluations, lines.split(), strict=True)
        ]
        over = None if len(results) == len(sides) else E(mate=-1)
        both = agreed(results, moves, sides, over)
        return [str(f.evaluation) for f in both], ["".join(f.line) for f in both]

    # White sees it and plays it, Black's search does not
    win = [E(10), E(20), E(mate=2), E(30), E(40)]
    assert told(win, "ax bx cyz dx xx") == (
        ["0.10", "0.20", "#2", "#1", "0.40"],
        ["ax", "bx", "cyz", "yz", "xx"],
    )
    # White plays another move
    assert told(win, "ax bx yzc dx xx") == (
        ["0.10", "0.20", "#2", "0.30", "0.40"],
        ["ax", "bx", "yzc", "dx", "xx"],
    )
    # Black's search sees that White has found it: so did White, and Black's move before is to blame
    lost = [E(10), E(20), E(30), E(mate=4), E(40)]
    assert told(lost, "ax bx zz dx xx") == (
        ["0.10", "0.20", "#5", "#4", "#4"],
        ["ax", "bx", "cdx", "dx", "x"],
    )
    # the game ends with Black's win: its last move was one
    over = [E(10), E(20), E(30), E(40)]
    assert told(over, "ax bx cx zx") == (["0.10", "0.20", "0.30", "#-1"], ["ax", "bx", "cx", "d"])


# ---- annotations ------------------------------------------------------------------------------


def authors(source: random.Random) -> Record:
    """A record with all that an author, or another program, can write after moves."""
    words = (
        "", "", "good", "[%clk 0:01:02]", "so [%clk 0:00:09] what", "e2e4 was best.",
        "Blunder. e2e4 was best.", "[%cal Ge2e4] Mistake", "+0.44/12 0.050s", "was best.",
    )  # fmt: skip
    moves = [f"{chr(97 + i % 8)}2{chr(97 + i % 8)}4" for i in range(20)]
    steps = []
    for move in moves:
        step = Step(
            move,
            source.choice(words),
            glyphs=source.sample([1, 2, 3, 4, 5, 6, 14], source.choice([0, 0, 1, 2])),
        )
        for _ in range(source.choice([0, 0, 1, 2])):
            line = [
                Step(m, source.choice(words)) for m in source.sample(moves, source.randrange(1, 4))
            ]
            line[-1].comment = source.choice(["[%eval 0.35]", line[-1].comment])
            line[0].before = source.choice(["", "or"])
            step.variations.append(line)
        steps.append(step)
    tags = {"Event": "x", "Result": "*", "Annotator": "Ann"}
    return Record(tags, steps, comment=source.choice(words))


def findings(source: random.Random) -> PositionResult:
    mate = source.choice([None, None, source.choice([-3, -1, 1, 7])])
    line = tuple(f"{c}2{c}4" for c in source.sample("abcdefgh", source.randrange(1, 8)))
    return PositionResult(E(0 if mate else source.randrange(-999, 999), mate), line)


def analyse(record: Record, source: random.Random) -> None:
    """As the analysis writes."""
    annotate.clear(record)
    record.tags[annotate.TAG] = "test"
    for ply, step in enumerate(record.steps):
        after = findings(source).evaluation
        if source.random() < 0.5:
            annotate.write(step, after)
        else:
            verdict = source.choice(list(MoveJudgement))
            annotate.write_verdict(step, after, verdict, findings(source), ply % 2)


def again(record: Record) -> Record:
    return parse_records(format_record(record))[0]


def test_the_authors_words_are_never_touched(source: random.Random) -> None:
    """However often it is analysed, with other findings each time."""
    for _ in range(60):
        record = authors(source)
        before = format_record(record)
        seed = source.random()
        for _ in range(3):
            record = again(record)
            analyse(record, source)
        analyse(record, random.Random(seed))
        once = format_record(record)
        record = again(record)
        analyse(record, random.Random(seed))
        assert format_record(record) == once
        annotate.clear(record)
        del record.tags[annotate.TAG]
        assert format_record(record) == before
