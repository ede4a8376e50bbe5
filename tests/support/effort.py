"""How much the tests do: enough to fail when they should, or all that was ever found useful.

Some faults are rare: random tests then have a large number for ``pytest -m soak``, which is run at
night and before a release, and a small one for every other run. Tests that take the machine for
long to show what others show in part are in the long run alone.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import Any

import pytest

#: Whether this is the long run; processes of a test run tell each other by the environment.
_VARIABLE = "RYUGI_SOAK"
#: The number of the day, on which it depends what is tested by turns.
_DAY = "RYUGI_TEST_DAY"


def begin(expression: str) -> None:
    """Note which tests a run has asked for: pytest's ``-m``."""
    if "soak" in expression.replace("not soak", ""):
        os.environ[_VARIABLE] = "1"
    os.environ.setdefault(_DAY, str(datetime.date.today().toordinal()))


def soaking() -> bool:
    """Whether this is the long run."""
    return os.environ.get(_VARIABLE) == "1"


def choose(items: list[pytest.Item]) -> list[pytest.Item]:
    """Remove tests of the long run from any other one; returns those removed.

    In the long run tests with larger numbers are among those that ``-m soak`` takes.
    """
    left_out = []
    for item in items:
        if soaking() and item.get_closest_marker("more") is not None:
            item.add_marker("soak")
        elif not soaking() and item.get_closest_marker("soak") is not None:
            left_out.append(item)
    items[:] = [item for item in items if item not in left_out]
    return left_out


def effort(every_run: Any, soak: Any) -> Any:
    """Return a number, or a list, for this run; the test is marked ``more``."""
    return soak if soaking() else every_run


def by_turns(items: Sequence[Any], count: int) -> list[Any]:
    """Return so many of the items, others every day; all of them in the long run.

    The test prints ``turn()``, by which it can be repeated.
    """
    first = count * int(os.environ[_DAY])
    return effort([items[(first + number) % len(items)] for number in range(count)], [*items])


def turn() -> str:
    """Return the setting of the environment by which ``by_turns`` returns the same."""
    return f"{_DAY}={os.environ[_DAY]}"
