"""Choice of the net by the options EvalFile and Use NNUE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.core.events import Detail, Note
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import rules_of
from ryugi_engine.nnue.origin import HYPERNET

if TYPE_CHECKING:
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.nnue.net import Net


class Evaluation:
    """The net that positions are evaluated by: a game's own, one from a file, or none."""

    def __init__(self, emit: Callable[[Note], None]) -> None:
        self._emit = emit
        #: Whether nets are used at all.
        self.use_nnue = True
        self._net: Net | None = None
        self._path = ""
        #: The own rules of the last game, and those that :meth:`rules` has returned for it.
        self._last: tuple[Rules, Trainable] | None = None
        #: What is to be said of the last game's evaluation, and what was said last.
        self._due: tuple[Note, ...] = ()
        self._reported: tuple[Note, ...] = ()

    def read(self, path: str) -> None:
        """Read a net from a file; "" is the game's own. Raises UserError, changing nothing."""
        from ryugi_engine.nnue.file_format import read_net

        self._net, self._path = (read_net(Path(path)) if path else None), path

    def rules(self, game: Game) -> Rules:
        """Return a game's rules with the chosen net; the same object as long as the net is."""
        from ryugi_engine.games.training import Trainable

        own, self._due = rules_of(game), ()
        if not isinstance(own, Trainable):
            if self._net is not None:
                self._due = (self._refusal(f"{game.name} is played without nets"),)
            return own
        rules = own
        if not self.use_nnue:
            rules = own.with_net(None)
        elif self._net is not None:
            try:
                rules = own.with_net(self._net)
            except UserError as error:
                self._due = (self._refusal(str(error)),)
        known = [own] if self._last is None or self._last[0] is not own else [own, self._last[1]]
        rules = next((same for same in known if _digest(same) == _digest(rules)), rules)
        self._last = own, rules
        self._due += self._description(game.name, rules)
        return rules

    def _refusal(self, reason: str) -> Note:
        return Note(f"EvalFile: {self._path}: {reason}: it is not used")

    def _description(self, name: str, rules: Trainable) -> tuple[Note, ...]:
        """Return what is to be said of the evaluation that a game is played by."""
        net = rules.net
        better = "'ryugi-engine train' makes one"
        if net is not None:
            found = Detail(f"net {net.digest} evaluates")
            origin = net.origin
            if not origin:
                return (found,)
            whose = "one made from its rules" if origin == HYPERNET else f"that of {origin}"
            return found, Note(f"{name} has no net of its own, {whose} evaluates: {better}")
        if not rules.needs_net or not self.use_nnue:
            return ()
        return (Note(f"{name} has no net: it is played by {rules.needs_net}; {better}"),)

    def report(self) -> None:
        """Say by what the game is played, where that has changed.

        It is called when the evaluation is about to be used: options may come in any order.
        """
        due, before, self._reported = self._due, self._reported, self._due
        for note in due:
            if note not in before:
                self._emit(note)


def _digest(rules: Trainable) -> str:
    return "" if rules.net is None else rules.net.digest
