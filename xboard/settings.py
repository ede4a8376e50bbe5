"""The CECP commands for time control, thinking output and resources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ryugi_engine.core.conversation import GuiConnection, ProtocolHandler
from ryugi_engine.core.options import DRAW_SCORE, MAX_HASH, MAX_THREADS, Option
from ryugi_engine.core.session import Session
from ryugi_engine.text.numbers import read_decimal
from xboard import parser
from xboard.player import CecpPlayer
from xboard.thinker import Job


class Settings(ProtocolHandler):
    """CECP commands that change settings and start no search."""

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        super().__init__(connection, session)
        self._player = CecpPlayer(connection, session)
        take_back = self._player.take_back
        session.options.add(
            Option("Take Back", "button", protocol="xboard", on_change=lambda _: take_back()),
            Option("Resign", "check", "false", protocol="xboard"),
            Option("Resign Score", "spin", "800", 100, 10_000, protocol="xboard"),
            Option("Draw Score", "spin", str(DRAW_SCORE), -10_000, 10_000, protocol="xboard"),
        )

    # ---- time ------------------------------------------------------------------------------

    def _do_level(self, arguments: list[str]) -> None:
        self._player.set_level(*parser.level(arguments))

    def _do_st(self, arguments: list[str]) -> None:
        self._player.clock.per_move = read_decimal("st", arguments[0] if arguments else "")

    def _do_sd(self, arguments: list[str]) -> None:
        self._player.clock.depth = max(1, parser.number(arguments, "sd"))

    def _do_nps(self, arguments: list[str]) -> None:
        self._player.clock.nodes_per_second = max(0, parser.number(arguments, "nps"))

    def _do_time(self, arguments: list[str]) -> None:
        self._player.clock.own = max(0, parser.number(arguments, "time")) / 100

    def _do_otim(self, arguments: list[str]) -> None:
        self._player.clock.other = max(0, parser.number(arguments, "otim")) / 100

    # ---- thinking --------------------------------------------------------------------------

    def _do_post(self, arguments: list[str]) -> None:
        self._player.thinker.post = True

    def _do_nopost(self, arguments: list[str]) -> None:
        self._player.thinker.post = False

    def _do_hard(self, arguments: list[str]) -> None:
        self._player.ponder = True

    def _do_easy(self, arguments: list[str]) -> None:
        self._player.stop_pondering()

    # ---- resources -------------------------------------------------------------------------

    def _do_memory(self, arguments: list[str]) -> None:
        self._resource("Hash", min(parser.number(arguments, "memory"), MAX_HASH))

    def _do_cores(self, arguments: list[str]) -> None:
        self._resource("Threads", min(parser.number(arguments, "cores"), MAX_THREADS))

    def _resource(self, name: str, number: int) -> None:
        """Set an option if it has changed: GUIs send it before every game."""
        value = str(max(1, number))
        if self.session.options.text(name) != value:
            with self._interrupted():
                self.session.options.set(name, value)

    @contextmanager
    def _interrupted(self) -> Iterator[None]:
        """Search nothing inside; the search begins again, also after an error."""
        searching = self._player.job is not Job.NONE
        if searching:
            self._player.halt()
        try:
            yield
        finally:
            if searching:
                self._player.go_on()
