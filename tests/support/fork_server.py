"""Run command lines in copies of a process that has imported the engine already.

A start costs a third of a second, most of it for imports; the tests make a thousand. Starts
themselves, and what an environment changes, are tested by processes of their own.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

_ROOT = Path(__file__).resolve().parent.parent.parent
#: Bytes of a request at most: the command line, the working folder, the name of the test.
_REQUEST = 1 << 17
#: Variables that differ from test to test and mean nothing to modules that are imported.
_FREE = ("PYTEST_CURRENT_TEST", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")


# ---- the server: one thread, which forks --------------------------------------------------------


def _preload() -> None:
    """Import what most command lines need; no kernel is loaded, and no thread started."""
    from ryugi_engine.commands import command_line
    from ryugi_engine.games.registry import registry

    command_line.parser()
    for game in registry().games():
        importlib.import_module(game.rules_module)
    for name in ("core.conversation", "search.searcher", "commands.serve", "games.position"):
        importlib.import_module(f"ryugi_engine.{name}")
    for name in ("uci.protocol", "xboard.protocol"):
        importlib.import_module(name)


def _become(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the process that was asked for, from its first line to its end."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, max(streams) + 64)
        os.chdir(request["folder"])
        for name in _FREE:
            os.environ.pop(name, None)
        os.environ.update(request["variables"])
        sys.argv = [str(_ROOT / "ryugi_engine" / "__main__.py"), *request["arguments"]]
        from ryugi_engine.__main__ import main

        main()
    except BaseException:
        traceback.print_exc()
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
    os._exit(1)


def _serve(requests: socket.socket) -> None:
    """Start a process for each request; report its number, and how it has ended."""
    _preload()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    reports: dict[int, int] = {}
    selector = selectors.DefaultSelector()
    selector.register(requests, selectors.EVENT_READ)
    selector.register(woken, selectors.EVENT_READ)
    while True:
        ready = {key.fd for key, _ in selector.select()}
        if woken in ready:
            os.read(woken, 4096)
            while reports:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                report = reports.pop(pid)
                with contextlib.suppress(OSError):  # no one waits any more
                    os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(report)
        if requests.fileno() in ready:
            data, handles, _flags, _address = socket.recv_fds(requests, _REQUEST, 4)
            if not data:
                os._exit(0)
            *streams, report = handles
            pid = os.fork()
            if not pid:
                _become(json.loads(data), streams)
            reports[pid] = report
            os.write(report, f"{pid}\n".encode())
            for stream in streams:
                os.close(stream)


# ---- the tests' side ----------------------------------------------------------------------------


class ForkedProcess:
    """A process of the server's, as ``subprocess.Popen`` has it."""

    def __init__(
        self,
        server: ForkServer,
        arguments: tuple[str, ...],
        folder: Path,
        environment: Mapping[str, str],
    ) -> None:
        ours, theirs = [], []
        for number in range(3):
            read, write = os.pipe()
            theirs.append(write if number else read)
            ours.append(read if number else write)
        status, report = os.pipe()
        server.ask(arguments, folder, environment, [*theirs, report])
        for handle in (*theirs, report):
            os.close(handle)
        self._status: IO[str] = os.fdopen(status)
        self.pid = int(self._status.readline())
        self.returncode: int | None = None
        self.stdin: IO[bytes] = os.fdopen(ours[0], "wb")
        self.stdout: IO[bytes] = os.fdopen(ours[1], "rb")
        self.stderr: IO[bytes] = os.fdopen(ours[2], "rb")
        self._lock = threading.Lock()
        server.running.add(self)
        self._server = server

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; returns the exit code, as ``subprocess`` counts them."""
        with self._lock:
            if self.returncode is None:
                with selectors.DefaultSelector() as selector:
                    selector.register(self._status, selectors.EVENT_READ)
                    if not selector.select(timeout):
                        raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
                self.returncode = int(self._status.readline() or -signal.SIGKILL)
                self._status.close()
                self._server.running.discard(self)
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit code, None as long as there is none."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, said: bytes, timeout: float) -> tuple[bytes, bytes]:
        """Write all input and read all output, until the end."""
        read: dict[str, bytes] = {}

        def drain(name: str, stream: IO[bytes]) -> None:
            read[name] = stream.read()
            stream.close()

        threads = [
            threading.Thread(target=drain, args=(name, stream), daemon=True)
            for name, stream in (("out", self.stdout), ("err", self.stderr))
        ]
        for thread in threads:
            thread.start()
        with contextlib.suppress(BrokenPipeError):
            self.stdin.write(said)
            self.stdin.flush()
        with contextlib.suppress(BrokenPipeError):
            self.stdin.close()
        end = time.monotonic() + timeout
        try:
            for thread in threads:
                thread.join(max(end - time.monotonic(), 0.0))
            self.wait(max(end - time.monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return read["out"], read["err"]


class ForkServer:
    """The server of this test process."""

    def __init__(self) -> None:
        self.running: set[ForkedProcess] = set()
        self._environment = self._fixed(os.environ)
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            code = f"from tests.support import fork_server as f; f.main({theirs.fileno()})"
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )

    @staticmethod
    def _fixed(environment: Mapping[str, str]) -> dict[str, str]:
        return {name: text for name, text in environment.items() if name not in _FREE}

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Return whether an environment is the server's: modules may depend on it."""
        return self._fixed(environment) == self._environment

    def ask(
        self,
        arguments: tuple[str, ...],
        folder: Path,
        environment: Mapping[str, str],
        handles: list[int],
    ) -> None:
        """Send a request."""
        variables = {name: environment[name] for name in _FREE if name in environment}
        request = {"arguments": arguments, "folder": str(folder), "variables": variables}
        socket.send_fds(self._requests, [json.dumps(request).encode()], handles)

    def end_all(self, patience: float = 0.0, *, but: Collection[ForkedProcess] = ()) -> list[int]:
        """Kill what is running after ``patience``; return the numbers of those processes."""
        end = time.monotonic() + patience
        for process in self.running - set(but):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(end - time.monotonic(), 0.0))
        left = [process for process in self.running - set(but) if process.poll() is None]
        for process in left:
            process.kill()
            process.wait(60)
        return [process.pid for process in left]


#: The server, where there is one: None before a test run's first test, and on other systems.
server: ForkServer | None = None


def start() -> None:
    """Start the server of this process."""
    global server  # noqa: PLW0603
    if sys.platform == "linux" and server is None:
        server = ForkServer()


def main(handle: int) -> None:
    """Be the server; requests come by a socket."""
    _serve(socket.socket(fileno=handle))
