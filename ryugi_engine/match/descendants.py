"""End the descendants of engines with the match, whichever session and environment they have.

Sources: prctl(2), PR_SET_CHILD_SUBREAPER: orphans become children of this process, not of init;
proc(5) for everybody's parent.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterator

from ryugi_engine.errors import warn

_SUBREAPER = 36
#: Seconds that killed processes may take to be gone, and between checks of them.
_DYING, _LOOK = 5.0, 0.02


class _Adopted:
    """Whose orphans are this process's children now."""

    #: Processes that were there before, which are no engine's; None while no process is adopted.
    before: Collection[int] | None = None


@contextlib.contextmanager
def ended() -> Iterator[None]:
    """Context: at its end, kill every process started in the block; on Linux only."""
    if not sys.platform.startswith("linux"):
        yield
        return
    _Adopted.before = descendants(os.getpid())
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        _end_all(_Adopted.before)
        ctypes.CDLL(None).prctl(_SUBREAPER, 0, 0, 0, 0)
        _Adopted.before = None


def _end_all(but: Collection[int]) -> None:
    deadline = time.monotonic() + _DYING
    while left := [pid for pid in descendants(os.getpid()) if pid not in but]:
        if time.monotonic() > deadline:
            warn(f"processes that could not be ended: {', '.join(map(str, left))}")
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):  # it is still its parent's
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_LOOK)


def reap(but: Collection[int]) -> None:
    """Reap adopted processes that have ended, except those in ``but``."""
    before = _Adopted.before
    if before is None:
        return
    how = os.WEXITED | os.WNOHANG | os.WNOWAIT
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitid(os.P_ALL, 0, how)) is not None:
            if ended.si_pid in but or ended.si_pid in before:
                return  # the next time there is another one in front, or none
            os.waitpid(ended.si_pid, 0)


def descendants(root: int) -> list[int]:
    """Return a process's children, their children and so on, where /proc tells of them."""
    children: dict[int, list[int]] = {}
    with contextlib.suppress(FileNotFoundError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as handle:
                # a command's name may hold anything, parentheses too
                parent = int(handle.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    results = [root]
    for pid in results:
        results += children.get(pid, ())
    return results[1:]
