"""The engine as a person's partner, in the terminal or on a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.events import BestMove, Detail, Event, Note, Progress
from ryugi_engine.core.options import DRAW_SCORE
from ryugi_engine.core.session import Session

if TYPE_CHECKING:
    from ryugi_engine.search.report import Report, Result


class Partner:
    """A session whose engine plays against a person; subclasses take what it finds."""

    def __init__(self, variants_file: str, tell: Callable[[str], None]) -> None:
        """``tell`` gets messages, from any thread."""
        self.session = Session(self._hear, variants_file)
        self._tell = tell
        #: What the engine thought of the position when it moved last, in centipawns.
        self.score: int | None = None

    def _hear(self, event: Event) -> None:
        if isinstance(event, Progress):
            self.take_report(event.report)
        elif isinstance(event, BestMove):
            self.take_result(event.result)
        elif isinstance(event, Note) and not isinstance(event, Detail):
            self._tell(event.text)

    def use_net(self, path: str) -> None:
        """Evaluate by the net of a file where it fits. UserError if it cannot be read."""
        self.session.options.set("EvalFile", path)

    def take_report(self, report: Report) -> None:
        """Take a line of the running search, on its thread."""

    def take_result(self, result: Result) -> None:
        """Take what a search has found, on its thread."""
        raise NotImplementedError

    def begin_anew(self) -> None:
        """Begin a new game: clear the hash table."""
        self.session.new_game()
        self.score = None

    @property
    def level(self) -> int:
        """The level that the engine plays at."""
        return self.session.options.number("Level")

    def set_level(self, level: str) -> None:
        """Play at a level from now on. Raises UserError if it is none."""
        self.session.options.set("Level", level)

    @property
    def takes_a_draw(self) -> bool:
        """Whether the engine accepts a draw: it has moved, and its score is low."""
        return self.score is not None and self.score <= DRAW_SCORE
