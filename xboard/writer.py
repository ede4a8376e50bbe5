"""Formatters of CECP lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.notation import cecp_move

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Score

#: The largest ply of a thinking line.
DEEPEST = 127
#: Words that make XBoard end the game or drop the engine wherever they stand in a line.
_RESERVED = re.compile(
    r"draw|offer|not found|no such file|permission denied|unknown host|no remote directory"
    r"|can't alloc",
    re.IGNORECASE,
)
_REPLACEMENTS = {
    "draw": "tie",
    "offer": "proposal",
    "not found": "missing",
    "no such file": "it does not exist, no file",
    "permission denied": "no permission",
    "unknown host": "no host",
    "no remote directory": "no folder",
    "can't alloc": "no memory",
}
#: What XBoard takes for a missing feature, or for a refused move, in a line that begins "Error".
_IN_ERRORS = re.compile(r"protover|analyze|llegal|\(no matching")
#: Characters of a faulty line that an error repeats.
_REPEATED = 80


def safe_text(text: str) -> str:
    """Return a text as one line, without words that XBoard would act on."""
    text = " ".join(text.split())
    return _RESERVED.sub(lambda match: _REPLACEMENTS[match.group().lower()], text)


def error_line(reason: str, line: str) -> str:
    """Return ``Error (REASON): LINE``; what XBoard would act on in the line is left out."""
    repeated = _IN_ERRORS.sub("...", line[:_REPEATED])
    return f"Error ({safe_text(reason)}): {safe_text(repeated)}"


def protocol_move(move: str, game: Game) -> str:
    """Return a move in CECP notation."""
    return cecp_move(move, game.ranks)


def score_number(score: Score) -> int:
    """Return a score in CECP: centipawns, 100000 + N for mate in N, -100000 - N if mated."""
    if score.mate is None:
        return score.cp
    return 100_000 + score.mate if score.cp > 0 else -100_000 + score.mate


def thinking_line(report: Report, game: Game, expected: str = "") -> str:
    """Return ``ply score time nodes pv``; the time is in hundredths of a second.

    The line of a position after the opponent's ``expected`` move begins with that in parentheses.
    """
    line = f"{report.depth} {score_number(report.score)} {int(report.seconds * 100)} {report.nodes}"
    line += f" ({protocol_move(expected, game)})" if expected else ""
    line += "".join(f" {protocol_move(move, game)}" for move in report.pv)
    # XBoard reads a bound from the last character of the line
    return line + {"": "", "lowerbound": " !", "upperbound": " ?"}[report.score.bound]


def finished_line(outcome: Outcome | None, side: int) -> str:
    """Return a thinking line for a finished game, ``side`` to move.

    Its ply is the largest, for GUIs that wait for a depth (python-chess).
    """
    won = outcome is not None and outcome.result == ("1-0", "0-1")[side]
    lost = outcome is not None and outcome.result == ("0-1", "1-0")[side]
    return f"{DEEPEST} {100_000 * (won - lost)} 0 0"


def result_line(outcome: Outcome) -> str:
    """Return ``1-0 {reason}``."""
    winner = {"1-0": "White wins", "0-1": "Black wins"}.get(outcome.result, "")
    if outcome.reason in ("", "normal"):  # a game that does not say why
        text = winner or "tie"  # "draw" is an offer to XBoard
    else:
        text = f"{winner} by {outcome.reason}" if winner else outcome.reason
    return f"{outcome.result} {{{safe_text(text)}}}"
