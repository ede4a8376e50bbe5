"""Worker pools: results as they come, errors, stopping, and items taken when they are needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from ryugi_engine.worker_pool import WorkerPool
from tests.support.helpers import patient


class _Doubler:
    """Doubles numbers, waits at zero until it is stopped, and fails at negative ones."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def double(self, number: int) -> int | None:
        if number < 0:
            raise ValueError(f"{number} is negative")
        if number == 0:
            assert self.stopped.wait(patient(60))
            return None
        return 2 * number

    def stop(self) -> None:
        self.stopped.set()


def _wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + patient(20)
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_every_item_is_worked_on_once() -> None:
    with WorkerPool([_Doubler() for _ in range(3)], _Doubler.double) as pool:
        results = [r for r in pool.results(range(1, 1000)) if r is not None]
    assert sorted(results) == list(range(2, 2000, 2))


@pytest.mark.parametrize("bad", [[-1], [1, 2, -1, 3]])
def test_a_worker_s_error_is_raised(bad: list[int]) -> None:
    workers = [_Doubler(), _Doubler()]
    pool = WorkerPool(workers, _Doubler.double)
    with pytest.raises(ValueError, match="-1 is negative"), pool:
        list(pool.results(bad))
    assert all(worker.stopped.is_set() for worker in workers)


def test_an_error_of_the_items_is_raised() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"), WorkerPool([_Doubler()], _Doubler.double) as pool:
        list(pool.results(items()))


def test_without_results_the_caller_still_has_its_turn() -> None:
    threads = threading.active_count()
    with WorkerPool([_Doubler(), _Doubler()], _Doubler.double) as pool:
        assert next(pool.results([0, 0])) is None
        assert not pool.stopping
    assert pool.stopping
    _wait(lambda: threading.active_count() <= threads)


def test_workers_do_not_run_ahead_for_ever() -> None:
    """Whoever takes no results is waited for, and a stop ends that."""
    threads = threading.active_count()
    numbers = count(1)
    with WorkerPool([_Doubler()], _Doubler.double) as pool:
        assert next(pool.results(numbers)) == 2
        _wait(pool._results.full)
        assert next(numbers) < 100
    _wait(lambda: threading.active_count() <= threads)
