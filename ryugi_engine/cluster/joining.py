"""A connection to a cluster: workers of our own on this machine, or a scheduler's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from ryugi_engine.cluster.address import cluster_workers
from ryugi_engine.cluster.quiet import be_quiet
from ryugi_engine.cluster.work import SlotLost
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import counted
from ryugi_engine.match.journal import aside

#: Workers that a task may take with it: in effect none is given up.
_ALLOWED_FAILURES = 1_000_000
#: Seconds until a scheduler has to answer, and between looks at its workers.
_CONNECTING, LOOK = 15.0, 1.0
#: Seconds that workers may take to start, or to come back, before the user is told.
_PATIENCE = 10.0
#: Seconds that a cluster may take to be closed.
_CLOSING = 20.0


class ClusterError(UserError):
    """Why a cluster cannot be used, in one line."""


def _distributed() -> Any:
    """Dask's package, kept quiet."""
    try:
        import dask
        import distributed
    except ImportError as error:
        if error.name not in ("dask", "distributed"):
            raise
        told = "pip install 'ryugi-engine[cluster]'"
        raise ClusterError(f"--cluster needs Dask's distributed: {told}") from None
    be_quiet()
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _ALLOWED_FAILURES,
            "distributed.nanny.pre-spawn-environ": {},  # it would be the engines' too
            "distributed.worker.memory.terminate": False,
        }
    )
    return distributed


class _Call:
    """A function's call, made where this is unpickled."""

    def __init__(self, function: Callable[..., Any], words: tuple[Any, ...]) -> None:
        self._call = function, words

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._call


class Joined:
    """A cluster that is used; its workers come and go."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._client: Any = None
        self._own: Any = None
        self._watching: asyncio.Task[None] | None = None
        #: Games or counts that each worker takes at a time, by its address.
        self.workers: dict[str, int] = {}
        self._tasks = 0

    @property
    def room(self) -> int:
        """Tasks that are done at a time; 1 where they would have to wait for a worker."""
        return max(1, sum(self.workers.values()))

    async def open(self) -> None:
        """Connect, and start our own workers; ClusterError if there is nothing to connect to."""
        distributed = _distributed()
        workers = cluster_workers(self.where)
        try:
            if workers is not None:
                self._own = await distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address=None,
                    # its HTTP server would want a known port all the same
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0", "dashboard": False},
                    silence_logs=logging.CRITICAL + 1,
                    preload=["ryugi_engine.cluster.quiet"],
                    asynchronous=True,
                    # whoever reaches a worker's port may run programs on it: other users of this
                    # machine must not
                    security=distributed.Security.temporary(),
                )
            self._client = await distributed.Client(
                self._own or self.where, asynchronous=True, timeout=_CONNECTING
            )
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            await self.close()
            said = " ".join(str(error).split()) or type(error).__name__
            raise ClusterError(f"{self.where}: {said[:300]}") from None
        except BaseException:
            await self.close()
            raise
        await self._look()
        if workers is None:
            told = counted(len(self.workers), "worker")
            aside(f"{self.where}: {told}, {counted(sum(self.workers.values()), 'slot')}")
        self._watching = asyncio.ensure_future(self._watch())

    async def _look(self) -> None:
        self.workers = dict(await self._client.scheduler.ncores())

    async def _watch(self) -> None:
        """Know the workers, and tell when none is left."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        told = False
        while True:
            with contextlib.suppress(OSError):  # who waits for a task will be told
                before = set(self.workers)
                await self._look()
                for address in sorted(before - set(self.workers)):
                    aside(f"{self.where}: worker {address} is gone; what it did is done again")
            if self.workers:
                since, told = loop.time(), False
            elif not told and loop.time() - since > _PATIENCE:
                told = True
                aside(f"{self.where}: waiting for workers")
            await asyncio.sleep(LOOK)

    async def ask(self, work: Callable[..., Any], order: Any, name: str, with_key: bool) -> Any:
        """A worker's result; what is lost with a worker is done again by another one.

        ``name`` is what the task is known by, ``with_key`` whether it is told its key.
        ClusterError if the scheduler is gone or the work itself fails.
        """
        import distributed

        while True:
            self._tasks += 1
            key = f"{name}-{self._tasks}"
            words = (order, key) if with_key else (order,)
            # as bytes it is a worker's alone: the scheduler, which reads tasks, needs none of it
            future = self._client.submit(pickle.loads, pickle.dumps(_Call(work, words)), key=key)
            try:
                return await future
            except (SlotLost, distributed.scheduler.KilledWorker) as error:
                said = " ".join(str(error).split())
                aside(f"{self.where}: {order.what} is done again: {said[:200]}")
            except CancelledError:
                raise ClusterError(f"{self.where}: the scheduler is gone") from None
            except UserError as error:
                raise ClusterError(f"{self.where}: {error}") from None
            except Exception as error:
                said = " ".join(f"{type(error).__name__}: {error}".split())
                raise ClusterError(f"{self.where}: {order.what}: {said[:500]}") from error
            finally:
                future.release()

    async def everywhere(self, function: Callable[..., Any], *words: Any) -> None:
        """Call a function on every worker, as far as they can be reached."""
        await self._patiently(self._client.run(function, *words, on_error="ignore"))

    async def _patiently(self, request: Awaitable[Any]) -> None:
        with contextlib.suppress(OSError, TimeoutError, CancelledError):
            await asyncio.wait_for(request, _CLOSING)

    def kill(self) -> None:
        """End our own workers at once; others go on until they see that nobody waits for them."""
        import psutil

        for nanny in self._own.workers.values() if self._own is not None else ():
            if nanny.pid is not None:
                with contextlib.suppress(psutil.NoSuchProcess):
                    psutil.Process(nanny.pid).kill()

    async def close(self) -> None:
        """Leave the cluster, and end our own workers."""
        if self._watching is not None:
            self._watching.cancel()
        if self._client is not None:
            await self._patiently(self._client.close())
        if self._own is not None:
            await self._patiently(self._own.close())


def folder() -> str:
    """Where relative paths of the engines' commands begin, on machines that have it."""
    return str(Path.cwd())
