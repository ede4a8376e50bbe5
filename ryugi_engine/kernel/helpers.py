"""Processes that help to compile: GUIs wait 10 or 15 seconds for an engine."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ryugi_engine.kernel import cache
from ryugi_engine.kernel.views import Values

if TYPE_CHECKING:
    import subprocess

_ROOT = Path(__file__).resolve().parents[2]
#: For so many kernels in bundles that have to be compiled another process helps.
_ALONE = 150
# whoever listens for messages about compiling hears these, too: see jit.report_to
_log = logging.getLogger("ryugi_engine.kernel.jit")
_COMPILE = """\
from ryugi_engine.kernel import jit
jit.assist({modules!r}, {made!r}, {names!r}, {number}, {count})
"""
_BEGIN = """\
import os, sys
if hasattr(os, "nice"):
    os.nice({nice})
sys.path.insert(0, {root!r})
"""
LOWEST_PRIORITY = 19


def _cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Missing(Protocol):
    """A bundle that has to be compiled, see :mod:`.bundle`."""

    name: str
    values: Values
    functions: list[Callable[..., int]]

    @property
    def extent(self) -> int:
        """Number of kernels that are compiled into it."""


def spawn(code: str, folder: Path, nice: int = 0) -> subprocess.Popen[bytes] | None:
    """Start a Python process that works for this one; None if there is none.

    ``folder`` is that of the kernels. The process has to end when its standard input does, see
    :func:`end_with_parent`: a pipe from here, which closes however this process ends.
    """
    import subprocess  # a warm start has no use for it

    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _BEGIN.format(nice=nice, root=str(_ROOT)) + code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RYUGI_CACHE_DIR": str(folder.parent)},
        )
    except OSError as error:
        _log.warning("no other process to work in: %s", error.strerror or error)
        return None


def end_with_parent() -> None:
    """End this process, from a thread, when its standard input does."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            os.read(0, 1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def start(
    missing: Iterable[Missing],
    names: Sequence[str],
    folder: Path,
    *,
    number: int = 0,
    count: int = 1,
    nice: int = 0,
) -> subprocess.Popen[bytes] | None:
    """Start process ``number`` of ``count`` that compile bundles; None if there is none."""
    modules = sorted({function.__module__ for item in missing for function in item.functions})
    made = [(item.name, item.values) for item in missing]
    code = _COMPILE.format(modules=modules, made=made, names=[*names], number=number, count=count)
    return spawn(code, folder, nice)


@contextlib.contextmanager
def running(missing: Sequence[Missing], names: Sequence[str]) -> Iterator[int]:
    """Run processes that compile bundles for targets; they end with the block, or with us.

    Yield how many processes there are with this one. The others' failures are ignored: what they
    have not compiled is compiled here.
    """
    folder = cache.place().folder
    helping = min(_cores() - 1, len(missing) - 1, sum(item.extent for item in missing) // _ALONE)
    count = 1 if folder is None else 1 + max(0, helping)
    processes = []
    try:
        for number in range(1, count):
            assert folder is not None
            processes.append(start(missing, names, folder, number=number, count=count))
        yield count
    finally:
        for process in filter(None, processes):
            process.kill()  # files are written whole or not at all
            process.communicate()
