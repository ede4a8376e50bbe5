"""What comments and glyphs tell programs: read, written, kept, and as python-chess reads it."""

from __future__ import annotations

import io
import math
import random

import chess.pgn
import pytest

from ryugi_engine.records.annotation import (
    Evaluation,
    clock_in,
    evaluation_in,
    prose,
    with_evaluation,
)
from ryugi_engine.records.pgn import format_record, parse_records


@pytest.mark.parametrize(
    ("comment", "evaluation", "clock", "words"),
    [
        ("[%eval 0.35]", Evaluation(35), None, ""),
        ("[%eval -1.2] [%clk 1:02:03.5] oh", Evaluation(-120), 3723.5, "oh"),
        ("so [%clk 0:00:09] [%eval #-3] it goes", Evaluation(mate=-3), 9.0, "so it goes"),
        ("[%eval #+4,18]", Evaluation(mate=4, depth=18), None, ""),
        ("[%eval 2,7][%eval 3]", Evaluation(200, depth=7), None, ""),
        ("[%eval .5]", Evaluation(50), None, ""),
        ("[%eval #0]", Evaluation(mate=0), None, ""),
        ("[%eval] [%eval x] [%clk 1:2]", None, None, "[%eval] [%eval x] [%clk 1:2]"),
        ("[%cal Ga1b2] [%eval 1.00]", Evaluation(100), None, "[%cal Ga1b2]"),
    ],
)
def test_comments_are_read(
    comment: str, evaluation: Evaluation | None, clock: float | None, words: str
) -> None:
    assert evaluation_in(comment) == evaluation
    assert clock_in(comment) == clock
    assert prose(comment) == words


def test_what_is_written_is_read(source: random.Random) -> None:
    """By us and by python-chess, also over existing ones."""
    for _ in range(300):
        mate = source.choice([None, None, source.randrange(1, 300) * source.choice([-1, 1])])
        centipawns = 0 if mate else source.randrange(-30_000, 30_000)
        evaluation = Evaluation(centipawns, mate, source.choice([None, 17]))
        clock = source.randrange(359_900) / 100
        comment = source.choice(["", "[%eval 9.99]", "[%clk 0:00:01] words", "some words"])
        comment = f"[%clk 0:{clock // 60:.0f}:{clock % 60:.2f}] {prose(comment)}"
        written = with_evaluation(comment, evaluation)
        assert evaluation_in(written) == evaluation
        assert clock_in(written) == pytest.approx(clock)
        assert prose(written) == prose(comment)
        game = chess.pgn.read_game(io.StringIO(f"1. e2e4 {{ {written} }} *"))
        assert game is not None
        node = game.next()
        assert node is not None
        output = node.eval()
        assert output is not None
        assert output.white().score() == (None if mate else centipawns)
        assert output.white().mate() == mate
        assert node.eval_depth() == evaluation.depth
        assert node.clock() == pytest.approx(clock)


def test_chances() -> None:
    """The figures of lichess's page: 50 % for neither side, symmetric, certain for who mates."""
    assert Evaluation(0).chances == 0
    assert Evaluation(100).chances == pytest.approx(2 / (1 + math.exp(-0.368208)) - 1)
    assert Evaluation(-100).chances == pytest.approx(-Evaluation(100).chances)
    assert Evaluation(5000).chances == Evaluation(1000).chances < 1
    assert (Evaluation(mate=2).chances, Evaluation(mate=-2).chances) == (1, -1)
    assert (Evaluation(mate=2).bounded, Evaluation(mate=-9).bounded) == (1000, -1000)


GAME = """[Event "x"]
[Result "*"]

{begins;} 1. e2e4! {[%eval 0.35] good;} ({or so} 1. d2d4 !? $14 {fine} 1... d7d5 ?)
1... e7e5 $4 $13 2. g1f3?! ! $132 *
"""


def test_glyphs_and_comments_are_kept() -> None:
    record = parse_records(GAME)[0]
    first, second, third = record.steps
    assert (first.move, first.glyphs, first.comment) == ("e2e4", [1], "[%eval 0.35] good;")
    varied = first.variations[0]
    assert (varied[0].before, varied[0].glyphs, varied[0].comment) == ("or so", [5, 14], "fine")
    assert varied[1].glyphs == [2]
    assert second.glyphs == [4, 13]
    assert third.glyphs == [6, 1, 132]
    assert record.comment == "begins;"
    text = format_record(record)
    assert parse_records(text)[0].steps[0].variations[0][0].before == "or so"
    assert format_record(parse_records(text)[0]) == text

    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    nodes = list(game.mainline())
    assert [node.nags for node in nodes] == [{1}, {4, 13}, {6, 1, 132}]
    other = game.variations[1]
    assert (other.nags, other.starting_comment, other.comment) == ({5, 14}, "or so", "fine")
    assert other.variations[0].nags == {2}


def test_what_is_for_programs_is_not_broken(source: random.Random) -> None:
    """Some readers take a line of a comment at a time."""
    record = parse_records("1. e2e4 *")[0]
    for _ in range(100):
        words = ["[%eval -12.34]" if source.random() < 0.5 else "word" for _ in range(30)]
        record.steps[0].comment = " ".join(words)
        text = format_record(record)
        assert text.count("[%eval -12.34]") == words.count("[%eval -12.34]")
        assert all(len(line) <= 80 for line in text.splitlines())
        assert parse_records(text)[0].steps[0].comment == " ".join(words)
