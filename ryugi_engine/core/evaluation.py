"""By what positions are evaluated: the options EvalFile and Use NNUE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.core.events import Event, Note
from ryugi_engine.core.options import Options
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import rules_of

if TYPE_CHECKING:
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.nnue.net import Net


class Evaluation:
    """A net of the user's, in place of the one that comes with a game, or none."""

    def __init__(self, options: Options, emit: Callable[[Event], None]) -> None:
        self._options = options
        self._emit = emit
        self._net: Net | None = None
        #: The own rules of the last game, and those that :meth:`rules` has returned for it.
        self._last: tuple[Rules, Trainable] | None = None
        self._told = ""

    def read(self, path: str) -> None:
        """Read a net for :meth:`rules`; none for "". A UserError leaves everything unchanged."""
        from ryugi_engine.nnue.file_format import read_net

        self._net = None if path in ("", "<empty>") else read_net(Path(path))

    def rules(self, game: Game) -> Rules:
        """Return a game's rules that evaluate as the options say.

        They are the same object as before where the net is the same.
        """
        from ryugi_engine.games.training import Trainable

        own = rules_of(game)
        if not isinstance(own, Trainable):
            return own
        rules = own
        if not self._options.flag("Use NNUE"):
            rules = own.with_net(None)
        elif self._net is not None:
            try:
                rules = own.with_net(self._net)
            except UserError as error:
                self._emit(Note(f"EvalFile: {error}: it is not used"))
        known = [own] if self._last is None or self._last[0] is not own else [own, self._last[1]]
        rules = next((same for same in known if _digest(same) == _digest(rules)), rules)
        self._last = own, rules
        self._tell(rules.net)
        return rules

    def _tell(self, net: Net | None) -> None:
        told = ""
        if net is not None:
            kind = "corrects" if net.correction else "takes the place of"
            told = f"net {net.digest} {kind} the hand-crafted evaluation"
        if told and told != self._told:
            self._emit(Note(told))
        self._told = told


def _digest(rules: Trainable) -> str:
    return "" if rules.net is None else rules.net.digest
