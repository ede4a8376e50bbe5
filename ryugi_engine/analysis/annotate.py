"""Write an analysis into a record, and remove it again.

Three things are the engine's: ``[%eval ...]`` in a comment; after a move that lost chances a
sentence with its glyph; and a variation. The sentence is like ``Blunder. e2e4 was best.`` and the
variation begins with its move. It ends in an ``[%eval ...]`` and has no other comment. The
sentence's first word and the glyph are left out where the author has judged the move himself. All
else is the author's, and is left alone. So is everything in a record without the tag of an
analysis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ryugi_engine.analysis.agreement import nearer
from ryugi_engine.analysis.judgement import MoveJudgement
from ryugi_engine.analysis.search_pool import LONGEST_LINE, PositionResult
from ryugi_engine.records.annotation import SIGNS, Evaluation, with_evaluation, without_evaluation
from ryugi_engine.records.pgn import Record, Step

#: The tag of an analysed record: the engine's version, and how it has searched.
TAG = "RyugiAnalysis"
_WORDS = {verdict.value: verdict for verdict in MoveJudgement}
_SENTENCE = re.compile(
    rf"(\[%eval [^][\s]+\])\s(?:(?P<word>{'|'.join(_WORDS)})\.\s)?(?P<best>\S+) was best\.(?=\s|$)"
)
_ONLY_EVALUATION = re.compile(r"\[%eval [^][\s]+\]")


def _is_line(variation: Sequence[Step], best: str) -> bool:
    """Return whether a variation was written by :func:`better_line`."""
    *begin, last = variation
    return (
        best in (variation[0].move, variation[0].written)
        and _ONLY_EVALUATION.fullmatch(last.comment) is not None
        and not any(step.comment for step in begin)
        and not any(step.glyphs or step.variations or step.before for step in variation)
    )


def _clear_step(step: Step) -> None:
    match = _SENTENCE.search(step.comment)
    if match is None:
        return
    lines = [line for line in step.variations if _is_line(line, match["best"])]
    if match["word"] is None and not lines:
        return  # somebody has written this
    if lines:
        step.variations = [line for line in step.variations if line is not lines[-1]]
    if match["word"] is not None:
        glyph = _WORDS[match["word"]].glyph
        step.glyphs = [other for other in step.glyphs if other != glyph]
    begin, end = step.comment[: match.end(1)], step.comment[match.end() :]
    step.comment = f"{begin}{end}"


def clear(record: Record) -> None:
    """Remove an earlier analysis from a record, and other programs' evaluations."""
    ours = TAG in record.tags
    record.comment = without_evaluation(record.comment)
    for step in record.steps:
        if ours:
            _clear_step(step)
        step.comment = without_evaluation(step.comment)


def better_line(
    result: PositionResult, side: int, written: Sequence[str] | None = None
) -> list[Step]:
    """Return a result's principal variation as steps of a record; ``side`` is to move.

    ``written`` are its moves in the record's notation, by default the engine's.
    """
    moves = zip(result.line, written or result.line, strict=True)
    steps = [Step(move, written=text) for move, text in moves][:LONGEST_LINE]
    end = nearer(result.evaluation, len(steps), side)
    steps[-1].comment = with_evaluation("", end)
    return steps


def write_start(record: Record, evaluation: Evaluation) -> None:
    """Write the start position's evaluation before the first move."""
    record.comment = with_evaluation(record.comment, evaluation)


def write(step: Step, evaluation: Evaluation) -> None:
    """Write an evaluation into a move's comment."""
    message = step.comment
    step.comment = with_evaluation(message, evaluation)
    if _SENTENCE.match(step.comment):  # the author's words would pass for ours
        step.comment = f"{without_evaluation(message)} {with_evaluation('', evaluation)}"


def write_verdict(
    step: Step,
    evaluation: Evaluation,
    verdict: MoveJudgement,
    result: PositionResult,
    side: int,
    written: Sequence[str] | None = None,
) -> None:
    """Write evaluation, glyph, sentence and better line to a move of ``side``.

    ``written`` as for :func:`better_line`.
    """
    judged = any(glyph in SIGNS for glyph in step.glyphs)
    if not judged:
        step.glyphs.append(verdict.glyph)
    word = "" if judged else f"{verdict.value}. "
    sentence = f"{word}{(written or result.line)[0]} was best. {step.comment}"
    step.comment = with_evaluation(sentence, evaluation)
    step.variations.append(better_line(result, side, written))
