"""A worker's slot: a process that plays a match's games one after the other, with its engines.

It gets orders by standard input and answers each by standard output, see ``frames``. When its
input ends, whoever started it is gone or has no more use for it: it ends its engines and itself.
Killed itself, it leaves the engines to the worker, which knows them by their environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from ryugi_engine.cluster.pickle_pipe import HEAD_SIZE, framed, length
from ryugi_engine.cluster.tasks import MatchOrder, check_version
from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.match import descendants
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.engine_pool import NoStart
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.runner import LocalRunner, StartedEngine

#: Seconds after which a slot without an order ends: its runner may have been killed.
_IDLE = 20.0


class _Gone(Exception):
    """Whoever gives orders is gone."""


class _Slot:
    """The process's orders, and the engines that it keeps between them."""

    def __init__(self) -> None:
        self._orders: asyncio.Queue[MatchOrder | None] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._things = contextlib.ExitStack()
        self._runner: LocalRunner | None = None
        self._known: set[int] = set()

    async def read(self, reader: asyncio.StreamReader) -> None:
        """Read orders until the end of the input."""
        import pickle

        try:
            while True:
                head = await reader.readexactly(HEAD_SIZE)
                self._orders.put_nowait(pickle.loads(await reader.readexactly(length(head))))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.leave()

    def leave(self) -> None:
        """End the slot, also in the middle of a game."""
        self._gone.set()
        self._orders.put_nowait(None)
        if self._runner is not None:
            self._runner.kill()

    async def serve(self, out: int) -> None:
        """Execute orders until the end of the input."""
        try:
            while True:
                try:
                    order = await asyncio.wait_for(self._orders.get(), _IDLE)
                except TimeoutError:
                    return
                if order is None:
                    return
                answer = await self._answer(order)
                rest = memoryview(framed(answer))
                while rest:
                    rest = rest[os.write(out, rest) :]
        except (_Gone, BrokenPipeError):
            pass
        finally:
            if self._runner is not None:
                if self._gone.is_set():
                    self._runner.kill()
                await self._runner.close()
            self._things.close()

    async def _answer(self, order: MatchOrder) -> tuple[str, object]:
        """``done`` and a value, ``wrong`` and what the user has to know, or ``error``."""
        try:
            return "done", await self._unless_gone(self._carry_out(order))
        except NoStart as failure:
            return "done", failure
        except UserError as error:
            return "wrong", str(error)
        except OSError as error:
            return "wrong", f"{error.filename or 'the slot'}: {error.strerror}"
        except Exception:  # reported by the runner, which ends
            return "error", traceback.format_exc()

    async def _unless_gone(self, request: Coroutine[Any, Any, object]) -> object:
        task = asyncio.ensure_future(request)
        gone = asyncio.ensure_future(self._gone.wait())
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
            raise _Gone
        return task.result()

    async def _carry_out(self, order: MatchOrder) -> object:
        check_version(order.version)
        runner = self._runner
        if runner is None:
            game, path = self._things.enter_context(order.definitions.here())
            plan = MatchPlan.from_json({**json.loads(order.plan), "variants_file": path}, game)
            runner = self._runner = LocalRunner(replace(plan, concurrency=1))
        if order.task is None:
            started = await self._started(runner, order.player)
            self._known.add(order.player)
            refused = [text for text in order.openings if not started.accepts_position(text)]
            return started.name, refused
        for player in {order.task.white, order.task.black} - self._known:
            with contextlib.suppress(NoStart):
                await self._started(runner, player)
            self._known.add(player)
            gc.collect()
            gc.freeze()  # as in a match without a cluster: no pause is to hit an engine's move
        played = await runner.play(order.task, _unseen)
        runner.reap()
        return played

    async def _started(self, runner: LocalRunner, player: int) -> StartedEngine:
        """Start an engine; NoStart if that fails, UserError if this machine does not have it."""
        try:
            return await runner.start_engine(player)
        except NoStart as failure:
            if failure.missing:
                raise UserError(f"'{runner.plan.engines[player].label}' {failure}") from None
            raise


def _unseen(position: Position, answer: Answer, clocks: tuple[float, float]) -> None:
    """Ignore single moves: the runner does not need them."""


def main() -> None:
    """Run a slot for the worker that has started this process."""
    out = os.dup(1)
    os.dup2(2, 1)  # what is printed by mistake is no answer

    async def serve() -> None:
        slot = _Slot()
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, slot.leave)
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        reading = asyncio.ensure_future(slot.read(reader))
        try:
            await slot.serve(out)
        finally:
            reading.cancel()

    with descendants.ended():
        asyncio.run(serve())
    sys.stderr.flush()
    os._exit(0)  # numba's leftovers take seconds to take apart
