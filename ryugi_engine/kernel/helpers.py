"""Processes that help to compile: GUIs wait 10 or 15 seconds for an engine."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from ryugi_engine.kernel import cache
from ryugi_engine.kernel.views import Values

_ROOT = Path(__file__).resolve().parents[2]
#: For so many kernels in bundles that have to be compiled another process helps.
_ALONE = 150
# whoever listens for messages about compiling hears these, too: see jit.report_to
_log = logging.getLogger("ryugi_engine.kernel.jit")
_CODE = """\
import sys
sys.path.insert(0, {root!r})
from ryugi_engine.kernel import jit
jit.assist({modules!r}, {made!r}, {late}, {names!r}, {number}, {count})
"""


def _cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Bundle(Protocol):
    """A bundle, see :mod:`.bundle`."""

    name: str
    values: Values

    @property
    def extent(self) -> int:
        """Number of kernels that are compiled into it."""


@contextlib.contextmanager
def running(
    modules: Sequence[str], missing: Sequence[_Bundle], late: bool, names: Sequence[str] = ()
) -> Iterator[int]:
    """Run processes that compile into the same folder; they end with the block, or with us.

    See ``jit.assist`` for the arguments; ``missing`` bundles have to be compiled. Yield how many
    processes there are with this one. The others' failures are ignored: what they have not compiled
    is compiled here.
    """
    folder = cache.place().folder
    helping = min(_cores() - 1, len(missing) - 1, sum(item.extent for item in missing) // _ALONE)
    count = 1 if folder is None else 1 + max(0, helping)
    made = [(item.name, item.values) for item in missing if item.values]
    with contextlib.ExitStack() as processes:
        for number in range(1, count):
            assert folder is not None
            code = _CODE.format(
                root=str(_ROOT), modules=[*modules], made=made, late=late, names=[*names],
                number=number, count=count,
            )  # fmt: skip
            processes.enter_context(_helper(code, folder.parent))
        yield count


@contextlib.contextmanager
def _helper(code: str, folder: Path) -> Iterator[None]:
    import subprocess  # a warm start has no use for it

    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "RYUGI_CACHE_DIR": str(folder)},
        )
    except OSError as error:
        _log.warning("no other process to compile with: %s", error.strerror or error)
        yield
        return
    try:
        yield
    finally:
        process.kill()  # files are written whole or not at all
        process.communicate()
