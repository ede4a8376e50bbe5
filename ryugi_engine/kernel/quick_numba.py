"""What numba does again and again while it compiles a kernel, done once.

The machine code is the same to the byte, so this is no part of a kernel's key. Measured with
Ryugi's evaluation and move generator: a fifth of their time to compile.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.core import event, targetconfig
from numba.core.types import functions

_Function, _Config = functions.BaseFunction, targetconfig.TargetConfig
_resolve: Any = _Function.get_call_type
_equal: Any = _Config.__eq__
#: Signatures by function and types of the arguments.
_signatures: dict[tuple[Any, Any], Any] = {}


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """Return a signature, found once for the same types, of which kernels have few."""
    key = (self, args)
    if kws:
        return _resolve(self, context, args, kws)
    if key not in _signatures:
        found = _resolve(self, context, args, kws)
        if found is None:
            return None
        _signatures[key] = found
    return _signatures[key]


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Let numba work so meanwhile; one thread at a time."""
    before = event.start_event, event.end_event
    replaced: Any = event
    replaced.start_event = replaced.end_event = lambda *args, **kws: None  # nobody listens
    function: Any = _Function
    function.get_call_type = _get_call_type
    config: Any = _Config
    config.__eq__ = lambda self, other: self is other or _equal(self, other)
    try:
        yield
    finally:
        replaced.start_event, replaced.end_event = before
        function.get_call_type, config.__eq__ = _resolve, _equal
