"""Copying and clearing whole views and fields."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.declarations import operation


@operation
def copy(target: Any, source: Any) -> Any:
    """Copy a whole view or field to another one of the same type."""


@operation
def clear(target: Any) -> Any:
    """Set a whole view or field to zero."""


@operation
def merge(target: Any, source: Any, row: Any, keep: Any, put: Any) -> Any:
    """Set ``target[i] = (source[i] & keep) | (row[i] & put)`` for every bitboard i of ``row``.

    In vector instructions. ``target`` and ``source`` are fields at the start of as many consecutive
    bitboards as ``row`` has; they may be the same field.
    """
