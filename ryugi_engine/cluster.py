"""Work on the workers of a Dask cluster; nothing else speaks with Dask.

A unit of work is a call of a function with plain data. If its worker dies another one repeats it.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import pickle
import secrets
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from typing import Any

from ryugi_engine import __version__
from ryugi_engine.errors import UserError, warn
from ryugi_engine.games.sent_game import NotHere, SentGame

#: Seconds until a scheduler answers, its first worker is there, and a cluster is closed.
_CONNECTING, _ARRIVING, _CLOSING = 15.0, 30.0, 20.0
#: Seconds between checks of the workers, and of whether a unit is still wanted.
LOOK = 1.0
#: Seconds that a unit should take, and how many times the items of the last one it may have.
_UNIT_SECONDS, _GROWTH = 5.0, 4
# what a worker evaluates: the scheduler, which reads tasks, need not have this package
_VERSION = "__import__('ryugi_engine').__version__"
_UNIT = "__import__('ryugi_engine.cluster', fromlist=['do']).do(unit)"


def do(unit: bytes) -> bytes:
    """Do a unit, pickled (game, function, arguments); return (seconds, value) or its error."""
    from distributed import get_worker

    worker, began = get_worker(), time.monotonic()
    sent, function, arguments = pickle.loads(unit)
    outcome: Any
    try:
        game = sent.load(worker.local_directory)  # Dask removes it, also after a kill
        value = function(game, *arguments)
        outcome = time.monotonic() - began, value
    except (NotHere, OSError, ImportError) as error:
        outcome = NotHere(worker.address, str(error))
    except UserError as error:
        outcome = error
    except Exception as error:  # a fault of ours
        outcome = UserError(f"worker {worker.address}: {type(error).__name__}: {error}")
    return pickle.dumps(outcome)


@contextlib.contextmanager
def while_wanted(stop: Callable[[], Any]) -> Iterator[None]:
    """Context of a unit's work: a thread calls ``stop`` when its program is gone, or cancels it."""
    from distributed import get_worker

    worker, ended = get_worker(), threading.Event()
    tasks, key = worker.state.tasks, worker.get_current_task()

    def watch() -> None:
        while not ended.wait(LOOK / 2):
            if key not in tasks or tasks[key].state == "cancelled":
                with contextlib.suppress(RuntimeError):  # its event loop has just ended
                    stop()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def dask_setup(worker: object) -> None:
    """Turn off Dask's logs and warnings; called by our own workers, too, before they begin."""
    if worker is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is for the program
    packages = ("distributed", "dask", "tornado", "asyncio", "bokeh")
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] in packages:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module=rf"({'|'.join(packages)})(\.|$)")


def unit_size(items: int, seconds: float, wanted: float = _UNIT_SECONDS) -> int:
    """Return how many items take the wanted seconds, by the last unit's items and seconds."""
    return max(1, min(_GROWTH * items, int(items * wanted / max(seconds, 1e-3))))


class Cluster:
    """The workers of ``--cluster``, which may come and go."""

    def __init__(self, where: str, game: SentGame) -> None:
        """``where`` is ``local:N`` or a scheduler's address; all units are about one game."""
        self._where, self._game = where, game
        self._own: Any = None
        self._client: Any = None
        self._closed = threading.Event()
        self._workers: dict[str, int] = {}  # units that each does at a time, by its address
        self._checked: dict[str, str] = {}  # why some of them get no units; "" for the others
        self._stranded = ""  # why none of them gets any

    def open(self) -> None:
        """Connect, or start our own workers; UserError if there are none. Then close it too."""
        try:
            import dask
            import distributed
        except ImportError:
            raise UserError("--cluster needs Dask: pip install 'ryugi-engine[cluster]'") from None
        dask_setup(None)
        dask.config.set({"distributed.nanny.pre-spawn-environ": {}})  # it would be the engines' too
        try:
            if self._where.startswith("local:"):
                self._own = distributed.LocalCluster(
                    n_workers=int(self._where[6:]),
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address=None,
                    # its HTTP server would want a known port all the same
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0", "dashboard": False},
                    silence_logs=logging.CRITICAL + 1,
                    preload=["ryugi_engine.cluster"],
                    # other users of this machine must not run programs on its workers
                    security=distributed.Security.temporary(),
                )
            where = self._own or self._where
            self._client = distributed.Client(where, timeout=_CONNECTING, set_as_default=False)
            with contextlib.suppress(TimeoutError):
                self._client.wait_for_workers(1, timeout=_ARRIVING)
            self._look()
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            raise self._fault(str(error) or type(error).__name__) from None
        if not self._workers:
            raise self._fault(self._stranded or f"no worker has come within {_ARRIVING:.0f} s")
        if self._own is None:
            warn(f"{self._where}: workers: {len(self._workers)}, units at a time: {self.slots}")
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def slots(self) -> int:
        """Number of units that are done at a time; 1 while there is no worker."""
        return max(1, sum(self._workers.values()))

    def ask(self, stop: threading.Event, function: Callable[..., Any], *arguments: Any) -> Any:
        """Have ``function(local game, *arguments)`` called; return its seconds and its value.

        A worker that cannot do it gets no more units. CancelledError after ``stop``; UserError if
        the function raises it, the scheduler is gone, or no worker is left.
        """
        call = {"unit": pickle.dumps((self._game, function, arguments))}
        while not stop.wait(0 if self._workers else LOOK):
            if self._stranded:
                raise self._fault(self._stranded)
            workers = sorted(self._workers)
            if not workers:
                continue
            key = f"{function.__name__}-{secrets.token_hex(8)}"
            done, outcome = threading.Event(), None
            future = self._client.submit(eval, _UNIT, call, key=key, workers=workers, retries=3)
            # not result(timeout=): its time-outs may raise UnboundLocalError
            future.add_done_callback(lambda _, done=done: done.set())
            try:
                # Dask would keep it for workers that are gone, when others have come
                while not (stop.is_set() or self._workers.keys().isdisjoint(workers)):
                    if done.wait(LOOK):
                        outcome = pickle.loads(future.result())
                        break
            except CancelledError:
                raise self._fault("the scheduler is gone") from None
            except Exception as error:
                raise self._fault(f"{type(error).__name__}: {error}") from None
            finally:
                future.release()
            if isinstance(outcome, NotHere):
                self._leave_out(*outcome.args)
            elif isinstance(outcome, UserError):
                raise outcome
            elif outcome:
                return outcome
        raise CancelledError

    def results(
        self, function: Callable[..., Any], common: Any, items: Iterable[Any]
    ) -> Generator[tuple[Any, Any] | None, None, None]:
        """Yield each item with its result as they come, and None after a second without one.

        ``function(local game, common, items)`` does some of them. Close this: it ends what is left.
        """
        remaining, size, stop = iter(items), 1, threading.Event()
        pending: dict[Future[Any], list[Any]] = {}
        with ThreadPoolExecutor(1000) as threads, contextlib.ExitStack() as end:
            end.callback(stop.set)
            while True:
                while len(pending) < 2 * self.slots:  # no worker waits for its next one
                    if not (part := list(itertools.islice(remaining, size))):
                        break
                    pending[threads.submit(self.ask, stop, function, common, part)] = part
                if not pending:
                    return
                done, _ = wait(pending, LOOK, FIRST_COMPLETED)
                if not done:
                    yield None
                for answer in done:
                    part = pending.pop(answer)
                    seconds, values = answer.result()
                    size = unit_size(len(part), seconds)
                    yield from zip(part, values, strict=True)

    def _fault(self, reason: str) -> UserError:
        return UserError(f"{self._where}: {reason}")

    def _leave_out(self, worker: str, reason: str) -> None:
        """Give a worker no more units; UserError if all of them are this machine."""
        if self._own is not None:
            raise self._fault(reason)
        if not self._checked.get(worker):
            warn(f"{self._where}: worker {worker} is left out: {reason}")
        self._checked[worker] = reason
        self._workers = {name: n for name, n in self._workers.items() if name != worker}

    def _look(self) -> None:
        """Update the list of workers; check new ones."""
        known = self._client.nthreads()
        new = sorted(known.keys() - self._checked.keys())
        found = self._client.run(eval, _VERSION, workers=new, on_error="return") if new else {}
        for worker, version in found.items():
            self._checked[worker] = ""
            if version != __version__:
                self._leave_out(worker, f"version {__version__} is needed, not {version!r}")
        for worker in sorted(self._workers.keys() - known.keys()):
            warn(f"{self._where}: worker {worker} is gone; what it did is done again")
        self._workers = {name: n for name, n in known.items() if self._checked.get(name) == ""}
        faults = [self._checked.get(name) for name in known]
        self._stranded = f"no worker is left: {faults[-1]}" if faults and all(faults) else ""

    def _watch(self) -> None:
        while not self._closed.wait(LOOK):
            with contextlib.suppress(Exception):  # whoever waits for a unit gets it
                self._look()

    def close(self) -> None:
        """Leave the cluster, and end our own workers."""
        self._closed.set()
        for part in [part for part in (self._client, self._own) if part is not None]:
            with contextlib.suppress(OSError, TimeoutError, CancelledError):
                part.close(timeout=_CLOSING)
