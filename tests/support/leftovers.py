"""Processes that a test leaves running: they are killed with it, and the failure is its own."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
#: Ignored by Python itself, which restores them in the processes that it starts.
_PYTHONS = (signal.SIGPIPE, getattr(signal, "SIGXFSZ", None))


def default_signals_for_children() -> None:
    """Let children be interrupted though this process is not, as under nohup or after ``&``.

    What is ignored is inherited, what is handled is not.
    """
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN and number not in _PYTHONS:
            signal.signal(number, lambda number, frame: None)


def adopt_orphans() -> None:
    """Make this process the parent of those whose parents have ended, where Linux lets it."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(parent: int | str = "self") -> set[int]:
    """Return a process's children, ended ones that no one has waited for included."""
    result: set[int] = set()
    for path in Path(f"/proc/{parent}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            result.update(map(int, path.read_text().split()))
    return result


def _reap(pid: int, started: Iterable[subprocess.Popen[bytes]]) -> bool:
    """Take the exit status of a child; return whether it has ended."""
    for process in started:
        if process.pid == pid:
            return process.poll() is not None
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def end_children(
    before: set[int], started: Iterable[subprocess.Popen[bytes]], patience: float
) -> list[str]:
    """Wait for all children but those of ``before``; kill what still runs after ``patience``.

    Orphans become children when their parents are killed, and are killed next. Closes the pipes
    of the ``started`` ones. Returns the command lines of those that it had to kill.
    """
    killed: dict[int, str] = {}
    end = time.monotonic() + patience
    while running := [pid for pid in children() - before if not _reap(pid, started)]:
        if time.monotonic() >= end:
            for pid in running:
                with contextlib.suppress(OSError):
                    words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
                    killed.setdefault(pid, words.decode(errors="replace").strip())
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.005)
    for process in started:
        if process.poll() is not None:
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what no one reads any more
                        pipe.close()
    return list(killed.values())
