"""The pages that watch a table, and what they are shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

from ryugi_engine.records.playback import Playback
from ryugi_engine.web.live_page import LivePage
from ryugi_engine.web.mailbox import Mailbox

Data = dict[str, Any]
#: Seconds between two reports of a search to the pages.
_REPORT_SECONDS = 0.15


class Page(Protocol):
    """A page that is connected to the table."""

    def send(self, message: Data) -> None:
        """Send a message, from any thread; it does not wait."""


class Audience:
    """All pages. They come and go on the table's thread; messages may be sent from any."""

    def __init__(self) -> None:
        self._pages: list[Page] = []
        #: The data of the game that is shown; None before the first one.
        self._shown: LivePage | None = None

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

    # ---- the game --------------------------------------------------------------------------

    def show(self, playback: Playback, state: Data) -> None:
        """Show every page a game."""
        self._shown = LivePage(playback)
        self.send(self._everything(state))

    def show_again(self, page: Page, state: Data) -> None:
        """Show one page the game that the others see."""
        page.send(self._everything(state))

    def _everything(self, state: Data) -> Data:
        assert self._shown is not None
        return {"type": "all", "page": self._shown.everything(), "state": state}

    def show_state(self, playback: Playback, state: Data) -> None:
        """Show how the game stands, whose moves are the same."""
        if self._shown is not None:
            self._shown.follow(playback)
        self.send({"type": "state", "state": state})

    def show_move(self, playback: Playback, state: Data) -> None:
        """Show the game's last move, all that is new."""
        assert self._shown is not None
        self._shown.follow(playback)
        self.send({"type": "step", "step": self._shown.last_step(), "state": state})


class LineReports:
    """Sends pages the best lines of the running search, a few times a second at most."""

    def __init__(self, lines: Callable[[], Data | None], audience: Audience, box: Mailbox) -> None:
        """``lines`` returns the message to send, None where no search runs."""
        self._lines, self._audience, self._box = lines, audience, box
        self._asked = threading.Event()
        self._sent_at = 0.0

    def ask(self) -> None:
        """Send the lines soon; from any thread."""
        if not self._asked.is_set():
            self._asked.set()
            self._box.put(self._send_in_time)

    def _send_in_time(self) -> None:
        if time.monotonic() - self._sent_at < _REPORT_SECONDS:
            timer = threading.Timer(_REPORT_SECONDS, lambda: self._box.put(self.send))
            timer.daemon = True
            timer.start()
        else:
            self.send()

    def send(self) -> None:
        """Send the lines at once."""
        self._asked.clear()
        message = self._lines()
        if message is not None:
            self._sent_at = time.monotonic()
            self._audience.send(message)
