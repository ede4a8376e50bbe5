"""How long a match waits for an engine where no clock runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ryugi_engine.settings.argument import Argument


@dataclass(frozen=True)
class Timeouts:
    """How long the runner waits for an engine where no clock runs, in seconds."""

    #: For the whole start, from the handshake to a first move: an engine may have to compile.
    #: Later it bounds each wait that has no clock, such as that for ``readyok``.
    start: Annotated[
        float,
        0.1,
        1e6,
        Argument("how long an engine may take to get ready", "SEC", "--start-timeout"),
    ] = 180.0
    #: For a move without a clock.
    stall: Annotated[
        float, 0.1, 1e6, Argument("how long a move may take where no clock runs", "SEC")
    ] = 600.0
