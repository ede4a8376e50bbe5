"""SIGINT and SIGTERM in a match: the first ends it with its table, a second one at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: Exit codes as shells have them, and what the output says; fastchess and cutechess-cli exit with
#: 0 or 1.
_EXITS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}


class Interrupted(Exception):
    """Raised when an event, such as a signal, has ended a request."""


class Interruption:
    """Watches for a signal that asks the match to end; create it in a running event loop."""

    def __init__(self, kill: Callable[[], None]) -> None:
        """``kill`` is called at a second signal."""
        self._kill = kill
        self._signal: signal.Signals | None = None
        self.requested = asyncio.Event()
        for number in _SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._on_signal, number)

    def _on_signal(self, number: signal.Signals) -> None:
        if self._signal is None:
            self._signal = number
            self.requested.set()
        else:
            self._kill()

    @property
    def exit_code(self) -> int | None:
        """Exit code of an interrupted match; None if no signal has come."""
        return None if self._signal is None else _EXITS[self._signal][0]

    @property
    def message(self) -> str:
        """``interrupted`` or ``terminated``; "" if no signal has come."""
        return "" if self._signal is None else _EXITS[self._signal][1]


async def unless(event: asyncio.Event, request: Awaitable[T]) -> T:
    """Await a request and return its result; cancel it and raise Interrupted at an event."""
    task = asyncio.ensure_future(request)
    interrupted = asyncio.ensure_future(event.wait())
    await asyncio.wait({task, interrupted}, return_when=asyncio.FIRST_COMPLETED)
    interrupted.cancel()
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        raise Interrupted
    return task.result()


@contextlib.contextmanager
def signals_restored() -> Iterator[Callable[[], None]]:
    """Context: at its end, restore the handlers of both signals.

    The value is a function after whose call they are ignored instead: a third Ctrl-C is not to
    interrupt the end of an interrupted match.
    """
    handlers = [signal.getsignal(number) or signal.SIG_DFL for number in _SIGNALS]
    waker = signal.set_wakeup_fd(-1)  # no other handler may act on a signal meanwhile

    def ignore() -> None:
        handlers[:] = [signal.SIG_IGN] * len(_SIGNALS)

    try:
        yield ignore
    finally:
        for number, handler in zip(_SIGNALS, handlers, strict=True):
            signal.signal(number, handler)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
