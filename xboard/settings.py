"""CECP commands that set something and begin nothing: time, resources, what to show."""

from __future__ import annotations

from ryugi_engine.core.conversation import Speaker, Wire
from ryugi_engine.core.options import MAX_HASH, MAX_THREADS
from ryugi_engine.core.session import Session
from ryugi_engine.numbers import read_decimal
from xboard import parser
from xboard.player import Player


class Settings(Speaker):
    """The part of the conversation in which the GUI says how to play."""

    def __init__(self, wire: Wire, session: Session) -> None:
        super().__init__(wire, session)
        self._player = Player(wire, session)

    # ---- time ------------------------------------------------------------------------------

    def _do_level(self, words: list[str]) -> None:
        self._player.set_level(*parser.level(words))

    def _do_st(self, words: list[str]) -> None:
        self._player.clock.per_move = read_decimal("st", words[0] if words else "")

    def _do_sd(self, words: list[str]) -> None:
        self._player.clock.depth = max(1, parser.number(words, "sd"))

    def _do_nps(self, words: list[str]) -> None:
        self._player.clock.nodes_per_second = max(0, parser.number(words, "nps"))

    def _do_time(self, words: list[str]) -> None:
        self._player.clock.own = max(0, parser.number(words, "time")) / 100

    def _do_otim(self, words: list[str]) -> None:
        self._player.clock.other = max(0, parser.number(words, "otim")) / 100

    # ---- thinking --------------------------------------------------------------------------

    def _do_post(self, words: list[str]) -> None:
        self._player.thinker.post = True

    def _do_nopost(self, words: list[str]) -> None:
        self._player.thinker.post = False

    def _do_hard(self, words: list[str]) -> None:
        self._player.ponder = True

    def _do_easy(self, words: list[str]) -> None:
        self._player.stop_pondering()

    # ---- resources -------------------------------------------------------------------------

    def _do_memory(self, words: list[str]) -> None:
        self._resource("Hash", min(parser.number(words, "memory"), MAX_HASH))

    def _do_cores(self, words: list[str]) -> None:
        self._resource("Threads", min(parser.number(words, "cores"), MAX_THREADS))

    def _resource(self, name: str, number: int) -> None:
        """Set an option that a GUI sends before every game, if it has changed."""
        value = str(max(1, number))
        if self.session.options.text(name) != value:
            self._player.halt()
            self.set_option(name, value)
