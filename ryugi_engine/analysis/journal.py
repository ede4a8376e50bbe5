"""The journal of an analysis: results so far, in a file from which it can be resumed.

Each line is a JSON object: how the analysis searches, then its results, by keys that
name a position with all that led to it. So it does not matter what else is in the record by now.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ryugi_engine import files
from ryugi_engine.analysis.search_pool import PositionResult
from ryugi_engine.errors import UserError
from ryugi_engine.output import ANALYSIS
from ryugi_engine.records.annotation import Evaluation

#: Bytes of a journal that is read: more than the positions of any record that is.
_MAX_JOURNAL = 1 << 30
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


class Journal:
    """The journal file, locked by one process at a time; a context manager."""

    def __init__(self, path: Path, plan: Mapping[str, Any]) -> None:
        """Open or make it; UserError if that fails, or another plan's findings are in it."""
        self.path = path
        #: By keys.
        self.results: dict[str, PositionResult] = {}
        self._waiting: list[str] = []
        self._written_at = -math.inf
        with files.naming(path):
            self._descriptor = files.opened_to_append(path, ANALYSIS)
        try:
            self._lock()
            self._read({"analysis": dict(plan), "format": _FORMAT})
        except BaseException:
            os.close(self._descriptor)
            raise

    def _lock(self) -> None:
        with files.naming(self.path):
            files.hold(self._descriptor, self.path, "another process is at this analysis")
        if not os.fstat(self._descriptor).st_nlink:
            raise UserError(f"{self.path}: another process has just ended this analysis")

    def _read(self, head: Mapping[str, Any]) -> None:
        with files.naming(self.path):
            raw = files.read_bytes(self.path, _MAX_JOURNAL)
        whole = raw.rfind(b"\n") + 1
        lines = raw[:whole].splitlines()
        if not raw:
            with files.naming(self.path):
                files.append(self.path, _line(head), ANALYSIS)
            return
        for number, line in enumerate(lines or [b""], start=1):
            try:
                entry = json.loads(line)
                if number > 1:
                    key, result = _finding(entry)
                    self.results[key] = result
                    continue
                held = dict(entry["analysis"])
                if entry["format"] != _FORMAT:
                    raise ValueError(f"format {entry['format']} is not {_FORMAT}")
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                message = f"no journal of an analysis: {error}"
                raise UserError(f"{self.path}:{number}: {message}") from None
            if held != head["analysis"]:
                message = ", ".join(f"{name} {str(value)[:40]}" for name, value in held.items())
                raise UserError(
                    f"{self.path}: an analysis with {message} was begun here: go on with that,"
                    " or delete the file"
                )
        if whole < len(raw):
            with files.naming(self.path):
                os.ftruncate(self._descriptor, whole)

    def add(self, key: str, result: PositionResult) -> None:
        """Append the result of the position ``key``; UserError if it cannot be written."""
        self.results[key] = result
        evaluation = result.evaluation
        score = (
            {"cp": evaluation.centipawns} if evaluation.mate is None else {"mate": evaluation.mate}
        )
        self._waiting.append(_line({"at": key, **score, "line": result.line}))
        if time.monotonic() - self._written_at > _PATIENCE:
            self._write()

    def _write(self) -> None:
        text = "".join(self._waiting)
        with files.naming(self.path):
            files.append(self.path, text, ANALYSIS)
        self._waiting.clear()  # an interrupt before this writes it twice, which does no harm
        self._written_at = time.monotonic()

    def remove(self) -> None:
        """Delete the file, once the analysis has been written into the record."""
        self._waiting.clear()
        with files.naming(self.path), contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is left; an error that is being raised already takes precedence."""
        try:
            if self._waiting:
                self._write()
        except UserError:
            if error is None or isinstance(error, KeyboardInterrupt):
                raise
        finally:
            os.close(self._descriptor)


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"


def _finding(entry: Mapping[str, Any]) -> tuple[str, PositionResult]:
    """Return a line's result; KeyError, TypeError or ValueError if it is not one."""
    if not isinstance(entry, dict):
        raise ValueError("a finding has names")
    mate = entry.get("mate")
    score = entry["cp"] if mate is None else mate
    line = entry["line"]
    if type(score) is not int or abs(score) > _LIMIT:
        raise ValueError("a score is a whole number")
    if not isinstance(line, list) or not all(isinstance(move, str) for move in line) or not line:
        raise ValueError("a line is a list of moves")
    evaluation = Evaluation(score) if mate is None else Evaluation(mate=score)
    return str(entry["at"]), PositionResult(evaluation, tuple(line))
