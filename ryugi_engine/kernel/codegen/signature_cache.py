"""Signatures that numba would find again and again while it compiles kernels, found once.

The machine code is the same to the byte, so this is no part of a kernel's key. It saves a seventh
of the time that Ryugi's evaluation and move generator take to compile. In untried versions numba's
own method is left alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numba
from numba.core.types import functions

#: Major and minor numbers of the first version that works, and of the first that is untried.
TRIED = (0, 61), (0, 69)
_Function: Any = functions.BaseFunction
_resolve: Any = _Function.get_call_type
#: Signatures by function and types of the arguments.
_signatures: dict[tuple[Any, Any], Any] = {}


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return a signature, found once for the same types, of which kernels have few."""
    found = None if kws else _signatures.get((self, args))
    if found is None:
        found = _resolve(self, context, args, kws)
        if found is not None and not kws:
            _signatures[self, args] = found
    return found


@contextlib.contextmanager
def signatures_kept() -> Iterator[None]:
    """Context in which numba keeps signatures; for one thread at a time."""
    low, high = TRIED
    if low <= numba.version_info.short < high:
        _Function.get_call_type = _get_call_type
    try:
        yield
    finally:
        _Function.get_call_type = _resolve
