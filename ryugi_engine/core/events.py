"""What a session tells whoever speaks for it, and what it does meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ryugi_engine.perft.count import Count
    from ryugi_engine.search.report import Report, Result


class Note(NamedTuple):
    """Something to tell the user."""

    text: str


class Notice(Note):
    """Something that the user should see at once, wherever the GUI can show it."""


class Detail(Note):
    """Something for a GUI's log, of no use to a person who plays."""


class Progress(NamedTuple):
    """A search's iteration."""

    report: Report


class GameOver(NamedTuple):
    """The game is over in the position to be searched.

    ``won``: whether the side to move has won or lost it; None if neither.
    """

    won: bool | None


class BestMove(NamedTuple):
    """The end of a search."""

    result: Result


class Counted(NamedTuple):
    """The end of a perft."""

    result: Count


Event = Note | Progress | GameOver | BestMove | Counted


class Task(Protocol):
    """Something long that can be ended from another thread."""

    def stop(self) -> None:
        """End soon, without waiting for it."""
