"""Python values over a pipe between a worker and its slot: a length, then the pickled value."""

from __future__ import annotations

import pickle
import struct
from typing import Any

_HEAD = struct.Struct("!Q")
HEAD_SIZE = _HEAD.size


def framed(value: object) -> bytes:
    """Return a value as a frame of bytes."""
    body = pickle.dumps(value)
    return _HEAD.pack(len(body)) + body


def length(head: bytes) -> int:
    """Return the number of bytes after a frame's first :data:`HEAD_SIZE`."""
    size: int = _HEAD.unpack(head)[0]
    return size


def unframed(received: bytes) -> Any:
    """Return the value of a complete frame; None if it is incomplete."""
    if len(received) < HEAD_SIZE or len(received) < HEAD_SIZE + length(received[:HEAD_SIZE]):
        return None
    return pickle.loads(received[HEAD_SIZE:])
