"""What a game is. Nothing here needs numba, so that an engine can introduce itself at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ryugi_engine.abi import Block, Kernels

#: How a pass is written in records and displays; UCI writes 0000, CECP @@@@.
PASS = "pass"


@dataclass(frozen=True)
class Outcome:
    """How a game ended, or could be ended: ``result`` is 1-0, 0-1 or 1/2-1/2."""

    result: str
    reason: str
    claimed: bool = False


class Rules(Protocol):
    """A game's kernels and the text around them; made on first use, since it needs numba."""

    kernels: Kernels

    def new_state(self, text: str) -> Block:
        """A state block at a position; PositionError (a ValueError) if the text is wrong."""

    def check_text(self, text: str) -> str:
        """The canonical form of a position text; ValueError if it is wrong."""

    def text(self, state: Block) -> str:
        """The canonical text of the current position."""

    def move_text(self, state: Block, move: int) -> str:
        """A move of the current position in the engine's notation."""

    def normal_move(self, state: Block, text: str) -> str:
        """What a GUI sent, in the spelling of :meth:`move_text`."""

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """The result if the game is over without anybody's claim."""

    def claim(self, state: Block) -> Outcome | None:
        """The draw that the side to move could claim."""

    def room(self, state: Block) -> int:
        """How many more moves the state can hold."""

    def compact(self, state: Block) -> int:
        """Forget positions that no rule asks for any more; returns how many moves remain."""

    def board_text(self, state: Block) -> str:
        """The board for a terminal, White below."""


@dataclass(frozen=True)
class Game:
    """A game's name and facts. ``start`` is a canonical position text."""

    name: str
    title: str
    files: int
    ranks: int
    start: str
    load: Callable[[], Rules] = field(repr=False)
    aliases: tuple[str, ...] = ()
    #: What ``info string variant`` tells a GUI besides the size: pocket, template.
    pocket: int = 0
    template: str = "fairy"
    #: Positions that bench and openings start from.
    bench: tuple[str, ...] = ()
    bench_depth: int = 6
    openings: tuple[str, ...] = ()
