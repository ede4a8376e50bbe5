"""What a game's Rules are made on: everything that most games do alike.

A game says where its state lies, reads and writes positions and names moves::

    class BreakthroughRules(BaseRules):
        kernels = kernels(generate=..., make=..., unmake=..., evaluate=..., status=...)
        layout, frame = L.STATE, L.FRAME

        def new_state(self, text: str) -> Block: ...
        def text(self, state: Block) -> str: ...
        def move_text(self, state: Block, move: int) -> str: ...
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from ryugi_engine.games import lettered
from ryugi_engine.games.drawing import Drawing, Ink
from ryugi_engine.games.game import Game, Outcome, Placer, Prover, standing
from ryugi_engine.games.notation import Board, parse_board, squares_of
from ryugi_engine.kernel.abi import (
    DRAWN,
    H_FRAME,
    H_FRAME_WORDS,
    H_GENERATE,
    H_MAKE,
    H_MOVES,
    H_PARTS,
    H_SIDE,
    H_UNMAKE,
    NO_PARTS,
    ONGOING,
    SEARCH_PLIES,
    WON,
    Block,
    Kernels,
)
from ryugi_engine.kernel.views import Layout


class BaseRules(ABC):
    """A game's kernels and the text around them, see :class:`ryugi_engine.games.game.Rules`.

    ``layout`` declares the state block: ``header``, ``frames`` (an array of ``frame``) and
    ``moves``, and whatever else the game needs.
    """

    kernels: ClassVar[Kernels]
    layout: ClassVar[Layout]
    frame: ClassVar[Layout]
    #: Why a game has ended, for records and people: "normal" says nothing.
    ending: ClassVar[str] = "normal"

    def __init__(self, game: Game) -> None:
        self.game = game

    # ---- what every game has to say ---------------------------------------------------------

    @abstractmethod
    def new_state(self, text: str) -> Block:
        """A state block at a position; PositionError (a ValueError) if the text is wrong."""

    @abstractmethod
    def text(self, state: Block) -> str:
        """The canonical text of the current position."""

    @abstractmethod
    def move_text(self, state: Block, move: int) -> str:
        """A move of the current position in the engine's notation."""

    # ---- memory -----------------------------------------------------------------------------

    def new_block(self) -> Block:
        """An empty state: its header says where frames and lists of moves lie."""
        state = Block(self.layout.words)
        words = state.words
        words[H_FRAME] = self.layout.word("frames")
        words[H_FRAME_WORDS] = self.frame.words
        words[H_PARTS] = self.frame.word("parts") if "parts" in self.frame.fields else NO_PARTS
        words[H_MOVES] = 2 * self.layout.word("moves")
        words[H_GENERATE] = self.kernels.generate.address
        words[H_MAKE] = self.kernels.make.address
        words[H_UNMAKE] = self.kernels.unmake.address
        return state

    def current(self, state: Block) -> Any:
        """numpy's view of the current frame."""
        return self.frame.of(state, int(state.words[H_FRAME]))

    def room(self, state: Block) -> int:
        """How many more moves the state can hold, besides the search's."""
        frames = self.layout.word("frames")
        end = frames + self.layout.fields["frames"].bytes // 8
        left = (end - int(state.words[H_FRAME])) // self.frame.words - 1
        return left - SEARCH_PLIES

    def compact(self, state: Block) -> int:
        """Forget all positions but the current one, since no rule looks back; 0 moves remain."""
        frame, first = int(state.words[H_FRAME]), self.layout.word("frames")
        size = self.frame.words
        state.words[first : first + size] = state.words[frame : frame + size].copy()
        state.words[H_FRAME] = first
        return 0

    # ---- moves and results ------------------------------------------------------------------

    def normal_move(self, state: Block, text: str) -> str:
        """What a GUI sent, in the spelling of :meth:`move_text`."""
        return text.lower()

    def objection(self, state: Block, text: str) -> str:
        """Why a move that is not legal is not, in a few words."""
        return "no such move"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """The result by the kernels ``status`` and ``no_moves``."""
        value = self.kernels.status(state.address, 0)
        if value == ONGOING and not has_moves:
            value = self.kernels.no_moves(state.address)
        if value == ONGOING:
            return None
        if value == DRAWN:
            return Outcome("1/2-1/2", self.ending)
        side = int(state.words[H_SIDE])
        return Outcome("1-0" if (value == WON) == (side == 0) else "0-1", self.ending)

    def claim(self, state: Block) -> Outcome | None:
        """The draw that the side to move could claim: none."""
        return None

    # ---- pictures and helpers ---------------------------------------------------------------

    def _board(self, state: Block) -> Board:
        field = self.text(state).split(maxsplit=1)[0].split("[", maxsplit=1)[0]
        return parse_board(field, self.game.files, self.game.ranks, string.ascii_uppercase)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        """The position text's letters on squares, and whose turn it is or who has won."""
        said = standing(int(state.words[H_SIDE]), outcome)
        marked = squares_of(last_move)
        return lettered.board_text(self.game, self._board(state), marked, said, ink)

    def draw(self, state: Block, last_move: str, outcome: Outcome | None) -> Drawing:
        """The same as a picture, and whose turn it is or who has won."""
        said = standing(int(state.words[H_SIDE]), outcome)
        marked = squares_of(last_move)
        return lettered.draw(self.game, self._board(state), marked, said, self.figure)

    def figure(self, letter: str) -> str:
        """A piece's picture, White's in upper case: a disc with its letter."""
        return lettered.figure(letter)

    def squares(self, move: str) -> list[tuple[int, int]]:
        """Those that the move's text names."""
        return squares_of(move)

    def placer(self, state: Block) -> Placer | None:
        """None: moves are typed."""
        return None

    def prover(self, megabytes: int) -> Prover | None:
        """None: there is no exact search."""
        return None
