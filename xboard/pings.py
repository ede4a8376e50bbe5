"""``ping``: answered after everything before it, the engine's move included."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.core.conversation import GuiConnection


class Pings:
    """The pings that are not answered yet."""

    def __init__(self, connection: GuiConnection, answered: Callable[[], None]) -> None:
        """``answered`` is called after each answer."""
        self._connection = connection
        self._answered = answered
        self._waiting: list[str] = []

    def keep(self, number: str) -> None:
        """Keep a ping until :meth:`answer`."""
        self._waiting.append(number)

    def answer(self) -> None:
        """Answer all pings."""
        waiting, self._waiting = self._waiting, []
        for number in waiting:
            self._connection.write(f"pong {number}")
            self._answered()
