"""Events of a session, which protocols report, and the interface of its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from ryugi_engine.perft.count import Count
    from ryugi_engine.search.report import Report, Result


class Note(NamedTuple):
    """A message for the user."""

    text: str


class Notice(Note):
    """A message that the user should see at once, in a window if the GUI has one."""


class Detail(Note):
    """A message for a GUI's log."""


class Progress(NamedTuple):
    """The report of a search iteration."""

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
    """A long-running task that another thread can stop."""

    @property
    def bounded(self) -> bool:
        """Whether the task ends by itself, as far as its limits say."""

    def stop(self) -> None:
        """Ask the task to end; do not wait for it."""
