"""Python values over a pipe between a worker and its slot: a length, then the pickled value."""

from __future__ import annotations

import pickle
import struct
from typing import Any

_HEAD = struct.Struct("!Q")
HEAD_SIZE = _HEAD.size


def framed(value: object) -> bytes:
    """A value as it is sent."""
    body = pickle.dumps(value)
    return _HEAD.pack(len(body)) + body


def length(head: bytes) -> int:
    """Bytes that follow a frame's first :data:`HEAD_SIZE`."""
    size: int = _HEAD.unpack(head)[0]
    return size


def unframed(received: bytes) -> Any:
    """The value of a frame that is there as a whole; None while it is not."""
    if len(received) < HEAD_SIZE or len(received) < HEAD_SIZE + length(received[:HEAD_SIZE]):
        return None
    return pickle.loads(received[HEAD_SIZE:])
