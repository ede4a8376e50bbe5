"""A check of a game in a process of its own, which the game's kernels may end, or never leave."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from ryugi_engine.conformance.contract import Report, examine
from ryugi_engine.conformance.witness import Witness
from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import Registry, registry

#: Seconds for one call of a kernel, which takes microseconds, and for what takes long.
KERNEL_SECONDS, STEP_SECONDS = 20.0, 600.0
_LOOK = 0.2
_POSITION, _DOING = 16000, 80


class _Shared(Witness):
    """Writes what it is told to memory that outlives the process, and faults to a pipe."""

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
    """What both processes see."""

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
    name: str, variants: str, seed: int, positions: int, memory: _Memory, pipe: Connection
) -> None:
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from ryugi_engine.kernel import jit

    jit.report_to(lambda text: print(text, file=sys.stderr))
    games: Registry = registry()
    if variants:
        games.load_file(variants)
    witness = _Shared(memory, pipe)
    pipe.send(examine(games.game(name), random.Random(seed), positions, witness))


def check(name: str, variants: str, seed: int, positions: int) -> Report:
    """Check a game in a process of its own; ``variants`` is a file of definitions, or "".

    A kernel that ends the process, or does not return within :data:`KERNEL_SECONDS`, is a fault
    with its name and the position. UserError if no process can be started.
    """
    context = multiprocessing.get_context("spawn")
    memory = _Memory(context)
    here, there = context.Pipe(duplex=False)
    process = context.Process(
        target=_child, args=(name, variants, seed, positions, memory, there), daemon=True
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
