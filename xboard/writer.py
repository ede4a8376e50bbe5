"""Writing CECP lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ryugi_engine.games.game import PASS, Outcome

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Score

WIRE_PASS = "@@@@"
#: The greatest ply of a thinking line.
DEEPEST = 127
#: Anywhere in a line these make XBoard end the game or give the engine up for dead.
_POISON = re.compile(
    r"draw|offer|not found|no such file|permission denied|unknown host|no remote directory"
    r"|can't alloc",
    re.IGNORECASE,
)
_HARMLESS = {
    "draw": "tie",
    "offer": "proposal",
    "not found": "missing",
    "no such file": "it does not exist, no file",
    "permission denied": "no permission",
    "unknown host": "no host",
    "no remote directory": "no folder",
    "can't alloc": "no memory",
}


def harmless(text: str) -> str:
    """A text in one line, without the words that XBoard acts on wherever they stand."""
    text = " ".join(text.split())
    return _POISON.sub(lambda match: _HARMLESS[match.group().lower()], text)


def wire_move(move: str) -> str:
    """A move as CECP writes it."""
    return WIRE_PASS if move == PASS else move


def score(found: Score) -> int:
    """Centipawns; mate in N as 100000 + N, being mated as -100000 - N."""
    if found.mate is None:
        return found.cp
    return 100_000 + found.mate if found.cp > 0 else -100_000 + found.mate


def thinking_line(report: Report) -> str:
    """``ply score time nodes pv``, the time in hundredths of a second."""
    line = f"{report.depth} {score(report.score)} {int(report.seconds * 100)} {report.nodes}"
    line += "".join(f" {wire_move(move)}" for move in report.pv)
    # an open bound: XBoard reads the last character of the line
    return line + {"": "", "lowerbound": " !", "upperbound": " ?"}[report.score.bound]


def finished_line(outcome: Outcome | None, side: int) -> str:
    """A thinking line for a position with nothing to search, ``side`` to move.

    Its ply is the deepest: a GUI that waits for a depth (python-chess does) has it.
    """
    won = outcome is not None and outcome.result == ("1-0", "0-1")[side]
    lost = outcome is not None and outcome.result == ("0-1", "1-0")[side]
    return f"{DEEPEST} {100_000 * (won - lost)} 0 0"


def result_line(outcome: Outcome) -> str:
    """``1-0 {reason}``."""
    winner = {"1-0": "White wins", "0-1": "Black wins"}.get(outcome.result, "")
    if outcome.reason in ("", "normal"):  # a game that does not say why
        words = winner or "tie"  # "draw" is an offer to XBoard
    else:
        words = f"{winner} by {outcome.reason}" if winner else outcome.reason
    return f"{outcome.result} {{{harmless(words)}}}"
