"""Judge moves: winning chances lost, verdicts (inaccuracy, mistake, blunder), accuracy.

Sources: the winning chances and the accuracy of a move are those of
https://lichess.org/page/accuracy. The thresholds, the rules about forced wins and the weights of a
game's moves are lichess's. Everything is numbers in, numbers out.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from enum import Enum

from ryugi_engine.records.annotation import CERTAIN, Evaluation, winning_chances

#: Where a forced win is thrown away or allowed, so many centipawns make it a lesser fault.
_DECIDED = 700
#: Chances are from -1 to 1, their percentages from 0 to 100.
_PERCENT = 50


class MoveJudgement(Enum):
    """Verdict on a move that loses winning chances."""

    INACCURACY = "Inaccuracy"
    MISTAKE = "Mistake"
    BLUNDER = "Blunder"

    @property
    def glyph(self) -> int:
        """The verdict's numeric annotation glyph (NAG): 6 for ``?!``, 2 for ``?``, 4 for ``??``."""
        return {MoveJudgement.INACCURACY: 6, MoveJudgement.MISTAKE: 2, MoveJudgement.BLUNDER: 4}[
            self
        ]


#: Of these losses of chances on, the worst first.
_LOSSES = (
    (0.3, MoveJudgement.BLUNDER),
    (0.2, MoveJudgement.MISTAKE),
    (0.1, MoveJudgement.INACCURACY),
)


def _for_side(evaluation: Evaluation, side: int) -> Evaluation:
    if side == 0:
        return evaluation
    mate = None if evaluation.mate is None else -evaluation.mate
    return Evaluation(-evaluation.centipawns, mate)


def _of_decided(centipawns: int) -> MoveJudgement:
    """Return the judgement of a move that gave a forced win away while staying far ahead."""
    if centipawns >= CERTAIN:
        return MoveJudgement.INACCURACY
    return MoveJudgement.MISTAKE if centipawns > _DECIDED else MoveJudgement.BLUNDER


def judged(before: Evaluation, after: Evaluation, side: int) -> MoveJudgement | None:
    """Return the verdict on a move of ``side`` from the evaluations before and after it.

    None for a good move. Whether there was a better move is not considered.
    """
    had, has = _for_side(before, side), _for_side(after, side)
    if had.mate is None and has.mate is None:
        lost = winning_chances(had.bounded) - winning_chances(has.bounded)
        return next((verdict for loss, verdict in _LOSSES if lost >= loss), None)
    if had.mate is not None and had.mate > 0:
        if has.mate is None:
            return _of_decided(has.centipawns)
        return MoveJudgement.BLUNDER if has.mate < 0 else None
    if had.mate is None and has.mate is not None and has.mate < 0:
        return _of_decided(-had.centipawns)
    return None


def centipawn_loss(before: Evaluation, after: Evaluation, side: int) -> int:
    """Return the centipawns that a move has lost, 0 or more; a forced win counts as 1000."""
    lost = before.bounded - after.bounded
    return max(0, lost if side == 0 else -lost)


def move_accuracy(before: float, after: float) -> float:
    """Return a move's accuracy, 0 to 100, from the mover's winning percentage before and after."""
    if after >= before:
        return 100.0
    fitted = 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after))
    # a point more: the analysis is not perfect either
    return min(100.0, max(0.0, fitted - 3.166924740191411 + 1))


def game_accuracies(
    evaluations: Sequence[Evaluation], sides: Sequence[int]
) -> tuple[float | None, float | None]:
    """Return White's and Black's accuracy in a game; None for a side without a move.

    ``evaluations`` has all positions, one more than moves; ``sides`` has the mover of each move.
    Moves count more where the game was changing: the weighted and the harmonic mean are averaged.
    """
    percents = [_PERCENT + _PERCENT * winning_chances(e.bounded) for e in evaluations]
    window = max(2, min(8, len(sides) // 10))
    weights = []
    for ply in range(len(sides)):
        first = max(0, ply - window + 2)
        around = percents[first : first + window]
        weights.append(max(0.5, min(12.0, statistics.pstdev(around))))
    accuracies: list[float | None] = []
    for side in (0, 1):
        mine = [ply for ply, mover in enumerate(sides) if mover == side]
        if not mine:
            accuracies.append(None)
            continue
        values = []
        for ply in mine:
            before, after = percents[ply], percents[ply + 1]
            values.append(
                move_accuracy(before, after) if side == 0 else move_accuracy(-before, -after)
            )
        weighted = statistics.fmean(values, [weights[ply] for ply in mine])
        harmonic = statistics.harmonic_mean([max(1.0, value) for value in values])
        accuracies.append((weighted + harmonic) / 2)
    return accuracies[0], accuracies[1]
