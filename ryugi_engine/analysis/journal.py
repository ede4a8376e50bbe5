"""The journal of an analysis: results so far, in a file from which it can be resumed.

Its first line says how the analysis searches. The others are results. A result's key names a
position with all moves that led to it, so other changes of the record do not matter.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from ryugi_engine.analysis.search_pool import PositionResult
from ryugi_engine.errors import UserError
from ryugi_engine.files import reading
from ryugi_engine.files.line_log import LineLog, OtherRun
from ryugi_engine.files.output import ANALYSIS
from ryugi_engine.records.annotation import Evaluation
from ryugi_engine.settings import typed

_FORMAT = 1
#: What is found is seen through to the disk so often, in seconds: a killed process loses no more.
_PATIENCE = 0.2
#: Scores and counts of moves are below this.
_LIMIT = 10**6


def keys(game: str, root: str, moves: Sequence[str]) -> Iterator[str]:
    """Return the keys of a game's positions: the first one, and the one after each move."""
    digest = hashlib.sha256(f"{game}\n{root}\n".encode())
    yield digest.hexdigest()[:32]
    for move in moves:
        digest.update(f"{move} ".encode())
        yield digest.hexdigest()[:32]


@dataclass(frozen=True)
class _Line:
    """A position's line: centipawns, or moves to the mate."""

    at: str
    line: tuple[str, ...]
    cp: Annotated[int, -_LIMIT, _LIMIT] | None = None
    mate: Annotated[int, -_LIMIT, _LIMIT] | None = None


class Journal(LineLog):
    """The journal file."""

    def __init__(self, path: Path, plan: Mapping[str, Any]) -> None:
        """Open or make it; UserError if that fails, or another plan's results are in it."""
        #: By keys.
        self.results: dict[str, PositionResult] = {}
        self._head = {"analysis": dict(plan), "format": _FORMAT}
        self._begun = False
        held = "another process is at this analysis"
        super().__init__(path, ANALYSIS, held, self._take, patience=_PATIENCE)
        if not self._begun:
            self.write(self._head)

    def _take(self, entry: Any) -> None:
        if self._begun:
            one = typed.read(_Line, entry)
            if not one.line or one.cp is one.mate is None:
                raise UserError("a result has a score and a line of moves")
            self.results[one.at] = PositionResult(Evaluation(one.cp or 0, one.mate), one.line)
            return
        if not isinstance(entry, dict) or entry.get("format") != _FORMAT:
            raise UserError(f"it is not of format {_FORMAT}")
        if entry != self._head:
            held = ", ".join(f"{name} {str(one)[:40]}" for name, one in entry["analysis"].items())
            message = f"an analysis with {held} was begun here: go on with that"
            raise OtherRun(f"{message}, or delete the file")
        self._begun = True

    def add(self, key: str, result: PositionResult) -> None:
        """Append the result of the position ``key``; UserError if it cannot be written."""
        self.results[key] = result
        cp, mate = result.evaluation.centipawns, result.evaluation.mate
        score = {"cp": cp} if mate is None else {"mate": mate}
        self.write({"at": key, **score, "line": result.line})

    def remove(self) -> None:
        """Delete the file, once the analysis has been written into the record."""
        with reading.naming(self.path), contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
