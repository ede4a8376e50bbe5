"""Choice of the net by the options EvalFile and Use NNUE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.core.events import Detail, Event, Note
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import rules_of

if TYPE_CHECKING:
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.nnue.net import Net


class Evaluation:
    """The net that positions are evaluated by: a game's own, one from a file, or none."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        #: Whether nets are used at all.
        self.use_nnue = True
        self._net: Net | None = None
        #: The own rules of the last game, and those that :meth:`rules` has returned for it.
        self._last: tuple[Rules, Trainable] | None = None
        self._last_message = ""

    def read(self, path: str) -> None:
        """Read a net from a file; "" is the game's own. Raises UserError, changing nothing."""
        from ryugi_engine.nnue.file_format import read_net

        self._net = read_net(Path(path)) if path else None

    def rules(self, game: Game) -> Rules:
        """Return a game's rules with the chosen net; the same object as long as the net is."""
        from ryugi_engine.games.training import Trainable

        own = rules_of(game)
        if not isinstance(own, Trainable):
            return own
        rules = own
        if not self.use_nnue:
            rules = own.with_net(None)
        elif self._net is not None:
            try:
                rules = own.with_net(self._net)
            except UserError as error:
                self._emit(Note(f"EvalFile: {error}: it is not used"))
        known = [own] if self._last is None or self._last[0] is not own else [own, self._last[1]]
        rules = next((same for same in known if _digest(same) == _digest(rules)), rules)
        self._last = own, rules
        self._report(game.name, rules)
        return rules

    def _report(self, name: str, rules: Trainable) -> None:
        """Say by what a game is played, where that has changed."""
        net, message = rules.net, ""
        if net is not None:
            kind = "corrects" if net.correction else "takes the place of"
            message = f"net {net.digest} {kind} the hand-crafted evaluation"
        elif rules.needs_net and self.use_nnue:
            message = (
                f"{name} has no net: it is played by {rules.needs_net};"
                f" 'ryugi-engine train --variant {name} --hours 1' makes one"
            )
        if message and message != self._last_message:
            self._emit(Note(message) if net is None else Detail(message))
        self._last_message = message


def _digest(rules: Trainable) -> str:
    return "" if rules.net is None else rules.net.digest
