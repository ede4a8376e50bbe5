"""The pages connected to a table, and the search reports sent to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from ryugi_engine.web.thinker import Thinker

Data = dict[str, Any]
#: Seconds between two reports of a search to the pages.
_REPORT_SECONDS = 0.15


class Page(Protocol):
    """A page that is connected to the table."""

    def send(self, message: Data) -> None:
        """Send a message, from any thread; it does not wait."""


class Pages:
    """All pages. They come and go on the table's thread; messages may be sent from any."""

    def __init__(self) -> None:
        self._pages: list[Page] = []

    def __bool__(self) -> bool:
        return bool(self._pages)

    def add(self, page: Page) -> None:
        """Send all messages to this page, too, from now on."""
        self._pages.append(page)

    def remove(self, page: Page) -> None:
        """Send no more messages to this page."""
        if page in self._pages:
            self._pages.remove(page)

    def send(self, message: Data) -> None:
        """Send a message to every page."""
        for page in list(self._pages):
            page.send(message)

    def note(self, text: str) -> None:
        """Send every page a text that it shows for a few seconds."""
        self.send({"type": "note", "text": text})


class LineReports:
    """Sends pages the best lines of the running search, a few times a second at most."""

    def __init__(
        self, thinker: Thinker, pages: Pages, do: Callable[[Callable[[], None]], None]
    ) -> None:
        """``do`` does something on the table's thread."""
        self._thinker, self._pages, self._do = thinker, pages, do
        self._asked = threading.Event()
        self._sent_at = 0.0

    def ask(self) -> None:
        """Send the lines soon; from any thread."""
        if not self._asked.is_set():
            self._asked.set()
            self._do(self._send_in_time)

    def _send_in_time(self) -> None:
        if time.monotonic() - self._sent_at < _REPORT_SECONDS:
            timer = threading.Timer(_REPORT_SECONDS, lambda: self._do(self.send))
            timer.daemon = True
            timer.start()
        else:
            self.send()

    def send(self) -> None:
        """Send the lines at once."""
        self._asked.clear()
        purpose = self._thinker.purpose
        if purpose is None:
            return
        self._sent_at = time.monotonic()
        self._pages.send(
            {
                "type": "lines",
                "kind": purpose.kind,
                "line": purpose.line,
                "ply": purpose.ply,
                "lines": self._thinker.lines(),
            }
        )
