"""The connection to an engine that is checked: every line with its time, and waiting for some."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from ryugi_engine.match.engine_process import EngineProcess
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.plain_text import plain

#: Lines that are kept of an engine that prints without an end.
_MOST_LINES = 200_000
#: Letters of a line that a report shows.
_SHOWN = 200


class Gone(Exception):
    """The engine has ended where it should not, or gives no answer."""


@dataclass(frozen=True)
class Line:
    """A line: when it came or was sent (``time.perf_counter``), and whether it is the engine's."""

    when: float
    text: str
    theirs: bool = True


def shown(text: str) -> str:
    """Return a line of the engine as a report shows it."""
    return plain(text[:_SHOWN])


class _EngineProcess(EngineProcess):
    """An engine process whose input can be closed."""

    def end_input(self) -> None:
        """Close the engine's standard input."""
        if self._stdin is not None:
            with contextlib.suppress(OSError):
                self._stdin.close()


class Connection:
    """A running engine process, all lines to and from it, and waiting for its answers."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.gone = ""
        self._process: EngineProcess | None = None
        self._news = asyncio.Event()

    @classmethod
    async def open(cls, spec: EngineSpec) -> Connection:
        """Start the engine; OSError if it cannot be."""
        connection = cls()
        connection._process = await _EngineProcess.open(
            spec.argv, spec.dir, connection._take, connection._over
        )
        return connection

    def _take(self, line: str) -> None:
        self.lines.append(Line(time.perf_counter(), line))
        if len(self.lines) > _MOST_LINES:
            self._over(f"more than {_MOST_LINES} lines")
        self._news.set()

    def _over(self, reason: str) -> None:
        self.gone = self.gone or reason
        self._news.set()

    @property
    def length(self) -> int:
        """How many lines there are so far: where what comes next begins."""
        return len(self.lines)

    def send(self, *lines: str, reply: bool = False) -> int:
        """Send lines in one write; return the index at which their answers begin.

        ``reply``: the engine has asked for them, so that they excuse none of its output.
        """
        assert self._process is not None
        now = time.perf_counter()
        self.lines += [Line(now, line, theirs=False) for line in lines]
        if not self.gone:
            (self._process.reply if reply else self._process.send)(*lines)
        return len(self.lines)

    def answers(self, begin: int, end: int | None = None) -> list[Line]:
        """Return the engine's lines from one index to another."""
        return [line for line in self.lines[begin:end] if line.theirs]

    async def wait(
        self, begin: int, wanted: Callable[[str], bool], timeout: float, message: str
    ) -> Line:
        """Return the first wanted line of the engine from the index ``begin`` on.

        Gone if it has not come after so many seconds from now; ``message`` is what it then is:
        "no answer to 'isready'".
        """
        line = await self.look(begin, wanted, timeout)
        if line is None:
            raise Gone(f"{message} in {timeout:.1f} s")
        return line

    async def look(self, begin: int, wanted: Callable[[str], bool], timeout: float) -> Line | None:
        """Return a line like :meth:`wait`, or None in time; Gone only if the engine has ended."""
        until = time.perf_counter() + timeout
        at = begin
        while True:
            self._news.clear()
            while at < len(self.lines):
                line = self.lines[at]
                at += 1
                if line.theirs and wanted(line.text):
                    return line
            if self.gone:
                raise Gone(f"the engine ended: {self.gone}")
            left = until - time.perf_counter()
            if left <= 0:
                return None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)

    async def leave(self, timeout: float, *, silently: bool = False) -> str:
        """Send ``quit``, or close the input if ``silently``; return how it ended, "" if not yet."""
        assert isinstance(self._process, _EngineProcess)
        if silently:
            self._process.end_input()
        else:
            self.send("quit")
        until = time.perf_counter() + timeout
        while not self.gone and (left := until - time.perf_counter()) > 0:
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)
        return self.gone

    async def close(self) -> None:
        """End the process, and all that it has started."""
        if self._process is not None:
            await self._process.close(0.0)

    def transcript(self, begin: int, most: int) -> tuple[str, ...]:
        """Return the last lines from an index on, ``>`` ours and ``<`` the engine's."""
        last = self.lines[begin:][-most:]
        return tuple(f"{'<' if line.theirs else '>'} {shown(line.text)}" for line in last)
