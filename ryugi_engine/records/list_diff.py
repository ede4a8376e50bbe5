"""Differences of two lists of numbers, for pages that keep pictures as changes.

Pictures of neighbouring positions are lists of some hundred elements that differ in a few.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def list_edits(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """Return the changes in order: numbers kept, removed and inserted, then the inserted items."""
    end = _common_end(old, new)
    old, new = old[: len(old) - end], new[: len(new) - end]
    i = j = _common_start(old, new)
    begun = 0
    places: dict[int, list[int]] = {}
    for number, one in enumerate(old[i:], start=i):
        places.setdefault(one, []).append(number)

    def index_of(wanted: int, start: int) -> int:
        """Return the index in the old list from a position on, -1 if it does not occur."""
        where = places.get(wanted, ())
        at = bisect_left(where, start)
        return where[at] if at < len(where) else -1

    changes: list[int] = []
    while True:
        while i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
        if i == len(old) and j == len(new):
            return changes
        came = j
        while j < len(new) and index_of(new[j], i) < 0:
            j += 1
        went = index_of(new[j], i) if j < len(new) else len(old)
        changes += [i - begun, went - i, j - came, *new[came:j]]
        i = begun = went


def _common_start(old: Sequence[int], new: Sequence[int]) -> int:
    """Return how many items both lists begin with."""
    return next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )


def _common_end(old: Sequence[int], new: Sequence[int]) -> int:
    """Return how many items both lists end with."""
    return _common_start(old[::-1], new[::-1])
