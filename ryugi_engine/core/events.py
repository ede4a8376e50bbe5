"""What a session tells whoever speaks for it, and what it does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ryugi_engine.perft.count import Count
    from ryugi_engine.search.report import Report, Result


@dataclass(frozen=True)
class Note:
    """Something to tell the user."""

    text: str


@dataclass(frozen=True)
class Notice(Note):
    """Something that the user should see at once, wherever the GUI can show it."""


@dataclass(frozen=True)
class Detail(Note):
    """Something for a GUI's log, of no use to a person who plays."""


@dataclass(frozen=True)
class Progress:
    """A search's iteration."""

    report: Report


@dataclass(frozen=True)
class BestMove:
    """The end of a search, and whether the side to move had lost the game before it."""

    result: Result
    lost: bool = False


@dataclass(frozen=True)
class Counted:
    """The end of a perft."""

    count: Count


Event = Note | Progress | BestMove | Counted


class Task(Protocol):
    """Something long that can be ended from another thread."""

    def stop(self) -> None:
        """End soon, without waiting for it."""
