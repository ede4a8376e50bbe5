"""How long a test may take: then it fails by SIGALRM (pytest-timeout), with all that it shows.

A test that does not return from C code is not interrupted by a signal. After twice the limit its
process prints where it stands, and ends; pytest-xdist reports that and goes on in another one.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
from collections.abc import Iterator

import pytest

from tests.support import effort

#: Limits of slow tests, and of those with larger numbers in the long run, by the limit of others.
_SLOW, _LONG_RUN = 3.0, 30.0


def limit_of(item: pytest.Item) -> float:
    """Return the seconds that a test may take; 0 if there is no limit.

    pytest's option ``--timeout`` comes before ``timeout`` of ``pyproject.toml``.
    """
    given = item.config.getoption("timeout", None)
    if given is None:
        given = item.config.getini("timeout") or 0.0
    if effort.soaking():
        return float(given) * _LONG_RUN
    return float(given) * (1.0 if item.get_closest_marker("slow") is None else _SLOW)


def mark(items: list[pytest.Item]) -> None:
    """Let pytest-timeout know each test's limit, but for those that have one of their own."""
    for item in items:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(limit_of(item)))


@contextlib.contextmanager
def watched(item: pytest.Item) -> Iterator[None]:
    """End this process where a test takes twice its limit."""
    seconds = item.get_closest_marker("timeout").args[0]  # type: ignore[union-attr]
    # standard error may be a test's own
    with os.fdopen(os.dup(2), "w") as errors:
        if seconds:
            faulthandler.dump_traceback_later(2 * seconds, exit=True, file=errors)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
