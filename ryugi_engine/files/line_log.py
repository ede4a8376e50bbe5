"""Logs: files of JSON lines that one process adds to, and from which its work is resumed.

A line is on the disk before the next one is written. What a killed process has left of its last
line is cut off before the next line.
"""

from __future__ import annotations

import functools
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from ryugi_engine.errors import UserError, warn
from ryugi_engine.files import locks, reading, writing
from ryugi_engine.files.output import Kind
from ryugi_engine.settings import typed

#: Bytes of a log that is read: a few hundred thousand games.
_MAX_LOG = 1 << 30
#: Bytes of a line: a match's plan has an opening for every pair of games.
_MAX_LINE = 64 << 20

L = TypeVar("L", bound="LineLog")


class OtherRun(UserError):
    """Raised for the first line of a log that belongs to other work."""


def read_lines(path: Path, descriptor: int, name: str, add: Callable[[Any], None]) -> int:
    """Call ``add`` with each line of an open file; return how many bytes are whole lines.

    UserError names the line that is no JSON, or that ``add`` refuses, as none of ``name``; of
    other work's log ``add`` says so by OtherRun.
    """
    size = 0
    with open(descriptor, "rb", closefd=False) as handle:
        handle.seek(0)
        lines = functools.partial(handle.readline, _MAX_LINE)
        for number, line in enumerate(iter(lines, b""), start=1):
            if len(line) == _MAX_LINE:
                raise UserError(f"{path}:{number}: no {name}: the line is too long")
            if not line.endswith(b"\n"):
                break  # it was not written to its end
            try:
                add(typed.parse(line))
            except OtherRun as error:
                raise UserError(f"{path}: {error}") from None
            except UserError as error:
                raise UserError(f"{path}:{number}: no {name}: {error}") from None
            size += len(line)
            if size > _MAX_LOG:
                raise UserError(f"{path}: is larger than {_MAX_LOG >> 20} MB")
    return size


class LineLog:
    """A log that this process has locked: no other process uses it until :meth:`close`.

    The lock is one of the open file: it holds under any name of the file, and it ends with the
    process. A context manager that closes the log.
    """

    def __init__(
        self,
        path: Path,
        kind: Kind,
        held: str,
        add: Callable[[Any], None],
        *,
        create: bool = True,
        patience: float = 0.0,
    ) -> None:
        """Open, lock and read a log.

        Parameters
        ----------
        held
            The message if another process holds it.
        add
            Gets each line that is there; it raises UserError for one that does not belong there.
        create
            Whether the file is made if it is missing.
        patience
            Seconds in which lines may be collected, to be written together.

        UserError if the file cannot be used.
        """
        self.path = path.absolute()
        self._waiting: list[bytes] = []
        self._patience, self._written_at = patience, -math.inf
        with reading.naming(path):
            flags = os.O_RDWR | (os.O_CREAT if create else 0)
            self._descriptor = writing.opened_to_append(path, kind, flags)
            try:
                locks.hold(self._descriptor, path, held, warn)
                if not os.fstat(self._descriptor).st_nlink:
                    raise UserError(f"{path}: another process has just removed it")
                name = kind.name.removeprefix("the ")
                self._whole: int | None = read_lines(path, self._descriptor, name, add)
            except BaseException:
                os.close(self._descriptor)
                raise

    def write(self, entry: object) -> None:
        """Add a line; UserError if it cannot be written, and the file is unchanged then."""
        self._waiting.append(_line(entry))
        if time.monotonic() - self._written_at >= self._patience:
            self._flush()

    def _flush(self) -> None:
        data = b"".join(self._waiting)
        self._waiting.clear()
        with reading.naming(self.path):
            if self._whole is not None:  # only now: what is only read stays as it is
                os.ftruncate(self._descriptor, self._whole)
                self._whole = None
            writing.append_to(self._descriptor, data)
        self._written_at = time.monotonic()

    def read(self, add: Callable[[Any], None]) -> None:
        """Call ``add`` with each line of the file."""
        read_lines(self.path, self._descriptor, "log", add)

    def close(self) -> None:
        """Write what is left, and release the lock."""
        if self._descriptor < 0:
            return
        try:
            if self._waiting:
                self._flush()
        finally:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self: L) -> L:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close; an error that is being raised already takes precedence."""
        try:
            self.close()
        except UserError:
            if error is None or isinstance(error, KeyboardInterrupt):
                raise


def _line(entry: object) -> bytes:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
    try:
        line = text.encode()
    except UnicodeEncodeError as error:
        around = ascii(text[max(0, error.start - 20) : error.end])
        raise UserError(f"a log is UTF-8 text, in which {around} cannot be written") from None
    if len(line) > _MAX_LINE:
        raise UserError(f"a line would be more than {_MAX_LINE >> 20} MB of text")
    return line
