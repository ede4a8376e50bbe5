"""A worker's slot: a process that plays a match's games one after the other, with its engines.

It gets orders by a pipe and answers each by (fault, value). When the pipe is closed, whoever
started it is gone or has no more use for it: it ends its engines and itself. Killed itself, it
leaves the engines to the worker, which knows them by their environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import sys
import traceback
from dataclasses import replace
from multiprocessing.connection import Connection

from ryugi_engine.cluster.tasks import MatchOrder
from ryugi_engine.errors import UserError
from ryugi_engine.match import descendants
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.interruption import Interrupted, unless
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import LocalRunner, StartedEngine

#: Seconds after which a slot without an order ends: its runner may have been killed.
_IDLE = 20.0


class _Slot:
    """The process's orders, and the engines that it keeps between them."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        #: Whether there is an order, or the pipe's end.
        self._readable = asyncio.Event()
        self._files = contextlib.ExitStack()
        self._runner: LocalRunner | None = None
        self._known: set[int] = set()

    async def serve(self) -> None:
        """Execute orders until the pipe is closed, or none comes for long."""
        with contextlib.suppress(TimeoutError, EOFError, ConnectionError, Interrupted):
            self._watch()
            while True:
                await asyncio.wait_for(self._readable.wait(), _IDLE)
                order = self._pipe.recv()
                self._watch()
                self._pipe.send(await unless(self._readable, self._answer(order)))
        if self._runner is not None:
            if self._readable.is_set():
                self._runner.kill()
            await self._runner.close()
        self._files.close()

    def _watch(self) -> None:
        """Wait for the next order, or the pipe's end, which comes in the middle of a game too."""
        loop = asyncio.get_running_loop()

        def note() -> None:
            # once: a second call before an order is read would look like the next order
            loop.remove_reader(self._pipe.fileno())
            self._readable.set()

        self._readable.clear()
        loop.add_reader(self._pipe.fileno(), note)

    async def _answer(self, order: MatchOrder) -> tuple[str, object]:
        """Return "" and a value, or what the user has to know."""
        try:
            return "", await self._result(order)
        except NoStart as failure:
            return "", failure
        except UserError as error:
            return str(error), None
        except OSError as error:
            return f"{error.filename or 'the slot'}: {error.strerror}", None
        except Exception:
            return traceback.format_exc().strip().splitlines()[-1], None

    async def _result(self, order: MatchOrder) -> object:
        runner = self._runner
        if runner is None:
            game, path = self._files.enter_context(order.definitions.file())
            plan = MatchPlan.from_json({**json.loads(order.plan), "variants_file": path}, game)
            runner = self._runner = LocalRunner(replace(plan, concurrency=1))
        if order.task is None:
            started = await self._started(runner, order.player)
            refused = [text for text in order.openings if not started.accepts_position(text)]
            return started.name, refused
        for player in {order.task.white, order.task.black} - self._known:
            with contextlib.suppress(NoStart):
                await self._started(runner, player)
            gc.collect()
            gc.freeze()  # as in a match without a cluster: no pause is to hit an engine's move
        played = await runner.play(order.task, lambda *move: None)
        runner.reap()
        return played

    async def _started(self, runner: LocalRunner, player: int) -> StartedEngine:
        """Start an engine; NoStart if that fails, UserError if this machine does not have it."""
        try:
            started = await runner.start_engine(player)
        except NoStart as failure:
            if failure.missing:
                raise UserError(f"'{runner.plan.engines[player].label}' {failure}") from None
            raise
        finally:
            self._known.add(player)
        return started


def main() -> None:
    """Run a slot for the worker that has started this process."""

    async def serve() -> None:
        with Connection(int(sys.argv[2])) as pipe:
            await _Slot(pipe).serve()

    with descendants.ended():
        asyncio.run(serve())
    sys.stderr.flush()
    os._exit(0)  # numba's leftovers take seconds to take apart
