"""``ping``: answered after everything before it, the engine's move included."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session


class Pings:
    """The pings that are not answered yet."""

    def __init__(
        self, connection: GuiConnection, session: Session, answered: Callable[[], None]
    ) -> None:
        """``answered`` is called after each answer."""
        self._connection = connection
        self._session = session
        self._answered = answered
        self._waiting: list[str] = []

    def keep(self, number: str) -> None:
        """Keep a ping until :meth:`answer`."""
        self._waiting.append(number)

    def keep_while_loading(self, number: str, seconds: float, answer: Callable[[], None]) -> None:
        """Keep a ping until the kernels are loaded, at most ``seconds``; then call ``answer``.

        ``answer`` runs on the conversation's thread.
        """
        self.keep(number)
        self._session.call_when_loaded(seconds, lambda: self._connection.inbox.put(answer))

    def answer(self) -> None:
        """Answer all pings."""
        waiting, self._waiting = self._waiting, []
        for number in waiting:
            self._connection.write(f"pong {number}")
            self._answered()
