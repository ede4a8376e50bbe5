"""Make the results of neighbouring positions agree about forced wins.

A search may find a forced win that the search of the next position misses, or the reverse. If the
game's move begins that win, it is a win in both positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ryugi_engine.analysis.search_pool import PositionResult
from ryugi_engine.records.annotation import Evaluation


def winner_of(evaluation: Evaluation) -> int | None:
    """Return the side with a forced win: 0 White, 1 Black, None for neither."""
    if not evaluation.mate:
        return None
    return 0 if evaluation.mate > 0 else 1


def nearer(evaluation: Evaluation, plies: int, side: int) -> Evaluation:
    """Return the evaluation ``plies`` later, with ``side`` to move: a mate is nearer by them."""
    winner = winner_of(evaluation)
    if evaluation.mate is None or winner is None:
        return evaluation
    left = 2 * abs(evaluation.mate) - (winner == side) - plies
    moves = max(0, (left + 1) // 2)
    return Evaluation(mate=moves if winner == 0 else -moves)


def agreed(
    results: Sequence[PositionResult],
    moves: Sequence[str],
    sides: Sequence[int],
    ended: Evaluation | None,
) -> list[PositionResult]:
    """Return a game's results with forced wins carried over the moves that were played.

    ``sides`` has the side to move of each position. If the game is over after the last move,
    ``ended`` is the evaluation of that position, which ``results`` then lacks.
    """
    known = list(results)
    for ply in reversed(range(len(moves))):
        side = sides[ply]
        over = ply + 1 == len(known)
        after = ended if over else known[ply + 1].evaluation
        if after is None or winner_of(after) != side or winner_of(known[ply].evaluation) == side:
            continue
        count = 1 if over else abs(after.mate or 0) + 1
        rest = () if over else known[ply + 1].line
        evaluation = Evaluation(mate=count if side == 0 else -count)
        known[ply] = PositionResult(evaluation, (moves[ply], *rest))
    for ply, move in enumerate(moves[: len(known) - 1]):
        here, then = known[ply], known[ply + 1]
        winner = winner_of(here.evaluation)
        if winner is None or here.line[0] != move or then.evaluation.mate is not None:
            continue
        evaluation = nearer(here.evaluation, 1, sides[ply])
        if evaluation.mate:
            known[ply + 1] = replace(then, evaluation=evaluation, line=here.line[1:] or then.line)
    return known
