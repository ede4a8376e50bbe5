"""A thread that answers pages one after the other, while the game goes on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from ryugi_engine.web.audience import Page

Data = dict[str, Any]


class Worker:
    """Answers pages on a thread of its own."""

    def __init__(self, name: str) -> None:
        """``name`` says in messages what has failed."""
        self._name = name
        self._work: queue.SimpleQueue[tuple[Page, Callable[[], Data]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def put(self, page: Page, answer: Callable[[], Data]) -> None:
        """Send a page what ``answer`` returns, after all that was put before."""
        self._work.put((page, answer))

    def _run(self) -> None:
        while True:
            page, answer = self._work.get()
            try:
                page.send(answer())
            except Exception as error:  # the thread goes on, and the fault is seen
                page.send({"type": "error", "text": f"{self._name} has failed: {error!r}"[:500]})
