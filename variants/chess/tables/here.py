"""What kernels are given together."""

from __future__ import annotations

from typing import Any, NamedTuple


class Here(NamedTuple):
    """A position, with the side whose moves are listed."""

    t: Any  # the view of the tables
    T: int  # their address
    S: int  # the state's address
    f: int  # the frame's word in the state
    frame: Any  # the view of the frame
    us: int


class Found(NamedTuple):
    """The moves of a piece to one square of its way."""

    number: int
    blocked: bool  # whether the piece can go no further
