"""An engine process: asyncio subprocess with lines in and out, and its transcript.

However much an engine prints, only a limited part is kept; its descendants end with it.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import os
import secrets
import signal
import time
from collections.abc import Callable, Sequence

from ryugi_engine.files import reading

#: Bytes of a line that are read; the rest of it is thrown away.
_LONGEST_LINE = 1 << 16
#: Bytes that an engine may print between two of our lines: no engine needs more than that.
FLOOD = 64 << 20
#: Characters of a game's transcript that are kept from its beginning, and from its end.
_KEPT = 1 << 20
#: Bytes of a line that the transcript keeps.
_KEPT_LINE = 2000
#: Seconds that a killed process may take to be gone: one that waits for a disk can.
_DYING = 5.0
#: Seconds after the end of its output in which a process that ends is gone, also on a busy machine.
_EXITING = 2.0
#: What marks the processes of an engine, those that it starts too.
_MARK = "RYUGI_MATCH_ENGINE"


class Transcript:
    """The lines of a game in both directions: the first and the last megabyte of them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all lines."""
        self._first: list[str] = []
        self._last: collections.deque[str] = collections.deque()
        self._first_size = self._last_size = self._lost = 0

    def add(self, mark: str, line: str) -> None:
        """Keep a line: ``>`` ours, ``<`` the engine's, ``!`` from its standard error."""
        entry = f"{time.time():.3f} {mark} {line[:_KEPT_LINE]}\n"
        if self._first_size < _KEPT:
            self._first.append(entry)
            self._first_size += len(entry)
            return
        self._last.append(entry)
        self._last_size += len(entry)
        while self._last_size > _KEPT:
            self._last_size -= len(self._last.popleft())
            self._lost += 1

    def text(self) -> str:
        """Return the lines with their times."""
        gap = [f"... {self._lost} more ...\n"] if self._lost else []
        return "".join([*self._first, *gap, *self._last])


class EngineProcess(asyncio.SubprocessProtocol):
    """A running process."""

    def __init__(
        self,
        on_line: Callable[[str], None],
        on_end: Callable[[str], None],
        transcript: Transcript,
        mark: str,
    ) -> None:
        self._on_line, self._on_end = on_line, on_end
        self._mark = mark
        self._transcript = transcript
        self._transport: asyncio.SubprocessTransport | None = None
        self._stdin: asyncio.WriteTransport | None = None
        self._rest = {1: b"", 2: b""}
        self._skipping = {1: False, 2: False}
        self._printed = 0
        self._ended = ""
        self._gone = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(
        cls,
        argv: Sequence[str],
        folder: str,
        on_line: Callable[[str], None],
        on_end: Callable[[str], None],
        transcript: Transcript,
    ) -> EngineProcess:
        """Start a command in a folder; OSError if there is no such thing.

        ``on_line`` gets each line of its standard output, ``on_end`` once why no more will come,
        ``transcript`` every line in both directions.
        """
        mark = secrets.token_hex(8)
        argv = [argv[0] if not folder else _found(argv[0], folder), *argv[1:]]
        for argument in argv:
            reading.check_name(argument)
        _transport, process = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(on_line, on_end, transcript, mark),
            *argv,
            cwd=folder or None,
            env={**os.environ, _MARK: mark},
            process_group=0,
        )
        return process

    # ---- asyncio's side --------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport of the started process."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Cut the output into lines."""
        if self._ended:
            return
        self._printed += len(data)
        if self._printed > FLOOD:
            self.end(f"more than {FLOOD >> 20} MB of output for nothing")
            self.kill()
            return
        *lines, rest = (self._rest[fd] + data).split(b"\n")
        for raw in lines:
            if self._skipping[fd]:
                self._skipping[fd] = False
                continue
            line = raw[:_LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
            if fd == 2:
                self._transcript.add("!", line)
            elif line:
                self._transcript.add("<", line)
                self._on_line(line)
        if len(rest) > _LONGEST_LINE:
            if not self._skipping[fd]:
                self._transcript.add("<!"[fd - 1], rest[:_KEPT_LINE].decode("utf-8", "replace"))
            self._skipping[fd] = True
            rest = b""
        self._rest[fd] = rest

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """End the engine when its output is closed."""
        if fd == 1 and not self._ended:
            # how the process ended is known a moment later, if that is why
            asyncio.get_running_loop().call_later(_EXITING, self._closed)

    def _closed(self) -> None:
        assert self._transport is not None
        if self._transport.get_returncode() is None:
            self.end("its output was closed")

    def process_exited(self) -> None:
        """Note the exit; the last output may still come."""
        if not self._gone.done():
            self._gone.set_result(None)
        asyncio.get_running_loop().call_later(0.02, self._exited)

    def _exited(self) -> None:
        assert self._transport is not None
        code = self._transport.get_returncode() or 0
        self.end(f"it was ended by {_signal_name(-code)}" if code < 0 else f"exit code {code}")

    # ---- our side --------------------------------------------------------------------------

    def send(self, *lines: str) -> None:
        """Write lines in one go; from now on the engine may print as much again."""
        self._printed = 0
        self.reply(*lines)

    def reply(self, *lines: str) -> None:
        """Write lines that the engine itself has asked for: they excuse none of its output."""
        assert self._stdin is not None
        for line in lines:
            self._transcript.add(">", line)
        if not self._ended and not self._stdin.is_closing():
            self._stdin.write("".join(f"{line}\n" for line in lines).encode())

    def end(self, reason: str) -> None:
        """Stop taking lines, for the given reason."""
        if not self._ended:
            self._ended = reason
            self._on_end(reason)

    @property
    def ended(self) -> str:
        """Why no more lines will come; "" while some may."""
        return self._ended

    def kill(self) -> None:
        """End the process and those of its group at once."""
        assert self._transport is not None
        pid = self._transport.get_pid()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(pid, signal.SIGKILL)
            else:  # not a POSIX system
                self._transport.kill()

    def _kill_descendants(self) -> None:
        """End what the engine has started and left in a session of its own, where /proc tells."""
        wanted = f"{_MARK}={self._mark}".encode()
        with contextlib.suppress(FileNotFoundError):
            for entry in os.scandir("/proc"):
                if not entry.name.isdigit():
                    continue
                with contextlib.suppress(OSError):  # another user's, or gone meanwhile
                    with open(f"/proc/{entry.name}/environ", "rb", buffering=0) as handle:
                        environment = handle.read(1 << 20)
                    if wanted in environment.split(b"\0"):
                        os.kill(int(entry.name), signal.SIGKILL)

    def end_input(self) -> None:
        """Close the engine's standard input."""
        if self._stdin is not None:
            with contextlib.suppress(OSError):
                self._stdin.close()

    async def close(self, timeout: float) -> None:
        """Wait up to ``timeout`` seconds for the process to end, then kill what is left of it."""
        assert self._transport is not None
        try:
            if timeout:
                self.end_input()
            await asyncio.wait({self._gone}, timeout=timeout)
        finally:
            self.end("closed")
            self.kill()
            self._kill_descendants()
        await asyncio.wait({self._gone}, timeout=_DYING)
        if self._gone.done():  # else it would look for the exit code, and take it from asyncio
            self._transport.close()


def _found(word: str, folder: str) -> str:
    """Return a command with its path resolved from the folder that it is started in."""
    return os.path.abspath(os.path.join(folder, word)) if "/" in word else word


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
