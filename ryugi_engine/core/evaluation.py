"""By what positions are evaluated: the options EvalFile and Use NNUE."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ryugi_engine.core.events import Event, Note
from ryugi_engine.core.options import Options
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import rules_of

if TYPE_CHECKING:
    from ryugi_engine.games.nets import Net
    from ryugi_engine.games.training import Trainable
    from ryugi_engine.search.searcher import Searcher


class Evaluation:
    """A net of the user's, in place of the one that comes with a game, or none."""

    def __init__(self, options: Options, emit: Callable[[Event], None]) -> None:
        self._options = options
        self._emit = emit
        self._net: Net | None = None
        self._told = ""

    def read(self, path: str) -> None:
        """Read a net, which :meth:`use` will take; none for "". UserError leaves all as it was."""
        from ryugi_engine.games.nets import read_net

        self._net = None if path in ("", "<empty>") else read_net(Path(path))

    def use(self, game: Game, searcher: Searcher) -> None:
        """Evaluate a game's positions as the options say; what was found before is forgotten."""
        from ryugi_engine.games.training import Trainable

        rules = rules_of(game)
        if not isinstance(rules, Trainable):
            return
        before = None if rules.net is None else rules.net.digest
        if not self._options.flag("Use NNUE"):
            rules.use_net(None)
        else:
            self._use_best(rules)
        after = None if rules.net is None else rules.net.digest
        if after != before:
            searcher.clear()
        told = ""
        if rules.net is not None:
            kind = "corrects" if rules.net.correction else "takes the place of"
            told = f"net {after} {kind} the hand-written evaluation"
        if told and told != self._told:
            self._emit(Note(told))
        self._told = told

    def _use_best(self, rules: Trainable) -> None:
        from ryugi_engine.games.nets import read_net

        if self._net is not None:
            try:
                rules.use_net(self._net)
            except UserError as error:
                self._emit(Note(f"EvalFile: {error}: it is not used"))
            else:
                return
        rules.use_net(None if rules.own_net is None else read_net(rules.own_net))
