"""Check a game in a child process, which its kernels may crash or hang."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ryugi_engine.conformance.contract import Report, examine
from ryugi_engine.conformance.tracing import Tracer
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game

#: Time limits in seconds: of a kernel's call, which takes microseconds, and of a longer step.
KERNEL_SECONDS, STEP_SECONDS = 20.0, 600.0
_LOOK = 0.2
_POSITION, _DOING = 16000, 80


class _SharedTracer(Tracer):
    """Writes to memory that outlives the process, and faults to a pipe."""

    def __init__(self, memory: Any, pipe: Connection) -> None:
        self._memory, self._pipe = memory, pipe

    def at(self, text: str) -> None:
        self._memory.position.value = text.encode()[: _POSITION - 1]

    def call(self, kernel: str) -> None:
        self._tell(kernel, 0)

    def step(self, name: str) -> None:
        self._tell(name, 1)

    def _tell(self, doing: str, long: int) -> None:
        self._memory.doing.value = doing.encode()[: _DOING - 1]
        self._memory.long.value = long
        self._memory.count.value += 1

    def fault(self, line: str) -> None:
        self._pipe.send(line)


class _Memory:
    """Memory of both processes."""

    def __init__(self, context: Any) -> None:
        self.position = context.RawArray("c", _POSITION)
        self.doing = context.RawArray("c", _DOING)
        self.count = context.RawValue("Q", 0)
        self.long = context.RawValue("i", 1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _child(
    load: Callable[[], Game], seed: int, positions: int, memory: _Memory, pipe: Connection
) -> None:
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pipe.send(examine(load(), random.Random(seed), positions, _SharedTracer(memory, pipe)))


def check(name: str, load: Callable[[], Game], seed: int, positions: int) -> Report:
    """Check the game called ``name`` in a child process, where ``load`` returns it (pickled).

    A kernel that ends the process, or does not return within :data:`KERNEL_SECONDS`, is a fault
    with its name and the position. Raises UserError if no process can be started.
    """
    context = multiprocessing.get_context("spawn")
    memory = _Memory(context)
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_child, args=(load, seed, positions, memory, there), daemon=True
    )
    try:
        process.start()
    except OSError as error:
        raise UserError(f"check: no process: {error.strerror or error}") from None
    there.close()
    faults: list[str] = []
    try:
        end = _end(process, memory, here, faults)
    finally:
        process.kill()
        process.join()
    if isinstance(end, Report):
        return end
    doing = memory.doing.value.decode(errors="ignore")
    position = memory.position.value.decode(errors="ignore")
    where = f" in {position}" if position else ""
    return Report([*faults, f"{name}: {doing or 'start'}: {end}{where}"], 0)


def _end(process: Any, memory: _Memory, pipe: Connection, faults: list[str]) -> Report | str:
    """Return the report, or how the process ended without one."""
    seen, since = -1, time.monotonic()
    while True:
        try:
            while pipe.poll(_LOOK):
                message = pipe.recv()
                if isinstance(message, Report):
                    return message
                faults.append(message)
        except (EOFError, OSError):
            process.join()
            return _death(process.exitcode)
        if memory.count.value != seen:
            seen, since = memory.count.value, time.monotonic()
        limit = STEP_SECONDS if memory.long.value else KERNEL_SECONDS
        if time.monotonic() - since > limit:
            return f"it does not end within {limit:.0f} s"


def _death(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"the process died ({signal.Signals(-code).name})"
    return f"the process ended with the exit code {code}"
