"""A connection to a cluster: workers of our own on this machine, or a scheduler's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.cluster.address import cluster_workers
from ryugi_engine.cluster.dask_logging import be_quiet
from ryugi_engine.cluster.work import NotHere, on_worker
from ryugi_engine.errors import UserError, warn
from ryugi_engine.games.game import counted
from ryugi_engine.match.interruption import Interrupted, unless

#: Workers that a task may take with it: in effect none is given up.
_ALLOWED_FAILURES = 1_000_000
#: Seconds until a scheduler has to answer, and between checks of its workers.
_CONNECTING, LOOK = 15.0, 1.0
#: Seconds that workers may take to start, or to come back, before a message.
_PATIENCE = 10.0
#: Seconds that a cluster may take to be closed.
_CLOSING = 20.0


class ClusterError(UserError):
    """Why a cluster cannot be used, in one line."""


def _distributed() -> Any:
    """Import Dask's package with its logs turned off."""
    try:
        import dask
        import distributed
    except ImportError as error:
        if error.name not in ("dask", "distributed"):
            raise
        message = "pip install 'ryugi-engine[cluster]'"
        raise ClusterError(f"--cluster needs Dask's distributed: {message}") from None
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
    """A function's call, made where this is unpickled.

    Pickled it is a worker's alone: the scheduler, which reads tasks, need not have this package.
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._call


class Connection:
    """A connection to a cluster, whose workers may come and go."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._client: Any = None
        self._own: Any = None
        self._watching: asyncio.Task[None] | None = None
        #: Games that each worker takes at a time, by its address.
        self.workers: dict[str, int] = {}
        #: Workers that cannot do what is asked for.
        self._left_out: set[str] = set()
        #: Whether none but those is there.
        self._stranded = asyncio.Event()

    @property
    def capacity(self) -> int:
        """Number of tasks that run at a time; 1 while there is no worker."""
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
                    preload=["ryugi_engine.cluster.dask_logging"],
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
            raise ClusterError(f"{self.where}: {_line(error) or type(error).__name__}") from None
        except BaseException:
            await self.close()
            raise
        await self._look()
        if workers is None:
            message = counted(len(self.workers), "worker")
            warn(f"{self.where}: {message}, {counted(sum(self.workers.values()), 'slot')}")
        self._watching = asyncio.ensure_future(self._watch())

    async def _look(self) -> None:
        known = await self._client.scheduler.ncores()
        gone = self.workers.keys() - known.keys()
        self.workers = {name: slots for name, slots in known.items() if name not in self._left_out}
        (self._stranded.set if self._left_out and not self.workers else self._stranded.clear)()
        for address in sorted(gone):
            warn(f"{self.where}: worker {address} is gone; what it did is done again")

    async def _watch(self) -> None:
        """Keep the list of workers, and report when none is left."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            with contextlib.suppress(OSError):  # whoever waits for a task gets the error
                await self._look()
            if self.workers:
                since = loop.time()
            elif loop.time() - since > _PATIENCE:
                since = float("inf")
                warn(f"{self.where}: waiting for workers")
            await asyncio.sleep(LOOK)

    async def ask(self, what: str, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function on a worker and return its result; another one repeats what is lost.

        ``what`` names the task in messages. A worker on which it fails is reported and left out
        from then on. ClusterError if the scheduler is gone, or no worker is left.
        """
        import distributed

        call = pickle.dumps(_Call(on_worker, __version__, work, *arguments))
        while True:
            while self._stranded.is_set():
                await asyncio.sleep(LOOK)
            left_out = len(self._left_out)
            future = self._client.submit(
                pickle.loads,
                call,
                key=f"{what}-{secrets.token_hex(8)}",
                workers=sorted(self.workers) if left_out else None,
            )
            try:
                return await unless(self._stranded, future)
            except Interrupted:  # it would wait for workers that are gone
                continue
            except NotHere as failure:
                self._leave_out(*failure.args)
            except distributed.scheduler.KilledWorker as error:
                warn(f"{self.where}: {what} is done again: {_line(error)}")
            except CancelledError:
                raise ClusterError(f"{self.where}: the scheduler is gone") from None
            except Exception as error:
                await self._check_package()
                # it may have run where another task has found the package missing meanwhile
                if len(self._left_out) == left_out:
                    message = f"{type(error).__name__}: {_line(error)}"
                    raise ClusterError(f"{self.where}: {what}: {message}") from error
            finally:
                future.release()

    def _leave_out(self, worker: str, reason: str) -> None:
        """Give a worker nothing more to do; ClusterError if there is no other one."""
        if worker in self._left_out:
            return
        if self._own is not None:  # all of them are this machine
            raise ClusterError(f"{self.where}: {_line(reason)}")
        self._left_out.add(worker)
        self.workers.pop(worker, None)
        warn(f"{self.where}: worker {worker} is left out: {_line(reason)}")
        if not self.workers:
            raise ClusterError(f"{self.where}: no worker is left: {_line(reason)}")

    async def _check_package(self) -> None:
        """Leave out the workers that cannot import this package."""
        results: dict[str, Any] = {}
        with contextlib.suppress(OSError, TimeoutError, CancelledError):
            request = self._client.run(pickle.loads, pickle.dumps(on_worker), on_error="return")
            results = await asyncio.wait_for(request, _CLOSING)
        for name, error in results.items():
            if isinstance(error, Exception):
                self._leave_out(name, f"{type(error).__name__}: {error}")

    async def everywhere(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function on every worker that can be reached."""
        await self._patiently(self._client.run(function, *arguments, on_error="ignore"))

    async def _patiently(self, request: Awaitable[Any]) -> None:
        with contextlib.suppress(OSError, TimeoutError, CancelledError):
            await asyncio.wait_for(request, _CLOSING)

    def kill(self) -> None:
        """End our own workers at once; others go on until they see that no one waits for them."""
        import psutil

        for nanny in self._own.workers.values() if self._own is not None else ():
            if nanny.pid is not None:
                with contextlib.suppress(psutil.NoSuchProcess):
                    psutil.Process(nanny.pid).kill()

    async def close(self) -> None:
        """Leave the cluster, and end our own workers."""
        if self._watching is not None:
            self._watching.cancel()
        for part in (self._client, self._own):
            if part is not None:
                await self._patiently(part.close())


def _line(text: object) -> str:
    return " ".join(str(text).split())[:500]
