"""``BaseRules``: what most games' Rules have in common.

A game adds the layouts of its state, reads and writes positions and names moves::

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
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ryugi_engine.games import lettered
from ryugi_engine.games.board_editor import BoardEditor
from ryugi_engine.games.drawing import Drawing, Ink
from ryugi_engine.games.editor import Editor
from ryugi_engine.games.game import (
    Game,
    MoveParts,
    Outcome,
    PieceShape,
    Prover,
    TablebasePosition,
    turn_or_result,
)
from ryugi_engine.games.notation import (
    Board,
    parse_board,
    parse_holdings,
    split_holdings,
    squares_of,
)
from ryugi_engine.kernel.abi import (
    DRAWN,
    HEADER,
    NO_CORRECTION_KEYS,
    ONGOING,
    SEARCH_PLIES,
    WON,
    Kernels,
)
from ryugi_engine.kernel.block import Block
from ryugi_engine.kernel.jit import Entry
from ryugi_engine.kernel.views import Layout

if TYPE_CHECKING:
    import subprocess


class BaseRules(ABC):
    """Base class of games' rules, see :class:`ryugi_engine.games.game.Rules`.

    ``layout`` declares the state block: ``header``, ``frames`` (an array of ``frame``) and
    ``moves``, and other fields of the game.
    """

    kernels: Kernels
    layout: ClassVar[Layout]
    frame: ClassVar[Layout]
    #: Reason of a game's end, for records and displays; "normal" is not shown.
    ending: ClassVar[str] = "normal"
    #: Why no net can be trained, as a phrase, see :class:`ryugi_engine.games.training.Trainable`.
    not_trainable: ClassVar[str] = "chess-like games' can"
    #: What a game without a net is played by, as a phrase, where that is poor; else "".
    needs_net: ClassVar[str] = ""

    def __init__(self, game: Game) -> None:
        self.game = game

    def trial(self) -> Callable[[], subprocess.Popen[bytes] | None] | None:
        """Return what decides in the background how to evaluate; None if that is known."""
        return None

    # ---- what every game defines -----------------------------------------------------------

    @abstractmethod
    def new_state(self, text: str) -> Block:
        """Return a new state block at a position; PositionError if the text is wrong."""

    @abstractmethod
    def text(self, state: Block) -> str:
        """Return the canonical text of the current position."""

    @abstractmethod
    def move_text(self, state: Block, move: int) -> str:
        """Return a move code of the current position in the engine's notation."""

    # ---- memory -----------------------------------------------------------------------------

    def entries(self) -> Sequence[Entry]:
        """Return the entries that are needed to play, besides those of the rules' module."""
        return [*self.kernels]

    def new_block(self) -> Block:
        """Return an empty state block whose header names frames, move buffer and entries."""
        # of its megabytes a few kilobytes are used, as long as it is not searched
        state = Block(self.layout.words, huge=False)
        header = HEADER.of(state)
        header["frame"] = self.layout.word("frames")
        header["frame_words"] = self.frame.words
        header["correction_keys"] = (
            self.frame.word("correction_keys")
            if "correction_keys" in self.frame.fields
            else NO_CORRECTION_KEYS
        )
        header["moves"] = 2 * self.layout.word("moves")
        for name in ("generate", "make", "unmake"):
            header[name] = getattr(self.kernels, name).address
        return state

    def current(self, state: Block) -> Any:
        """Return a numpy record of the current frame."""
        return self.frame.of(state, int(HEADER.of(state)["frame"]))

    def capacity(self, state: Block) -> int:
        """Return how many moves can still be made, leaving room for a search's line."""
        frames = self.layout.word("frames")
        end = frames + self.layout.fields["frames"].bytes // 8
        left = (end - int(HEADER.of(state)["frame"])) // self.frame.words - 1
        return left - SEARCH_PLIES

    def compact(self, state: Block) -> int:
        """Drop all positions but the current one; return 0, the number of moves to unmake."""
        frame, first = int(HEADER.of(state)["frame"]), self.layout.word("frames")
        size = self.frame.words
        state.words[first : first + size] = state.words[frame : frame + size].copy()
        HEADER.of(state)["frame"] = first
        return 0

    def in_check(self, state: Block) -> bool:
        """Return whether the side to move must answer a threat."""
        return bool(HEADER.of(state)["check"])

    # ---- moves and results ------------------------------------------------------------------

    def normal_move(self, state: Block, text: str) -> str:
        """Return a GUI's move text in the spelling of :meth:`move_text`: lower case."""
        return text.lower()

    def objection(self, state: Block, text: str) -> str:
        """Return why a move is illegal, in a few words."""
        return "no such move"

    def outcome(self, state: Block, has_moves: bool) -> Outcome | None:
        """Return the result by entries ``status`` and ``no_moves``; None if the game goes on."""
        value = self.kernels.status(state.address, 0)
        if value == ONGOING and not has_moves:
            value = self.kernels.no_moves(state.address)
        if value == ONGOING:
            return None
        if value == DRAWN:
            return Outcome("1/2-1/2", self.ending)
        side = int(HEADER.of(state)["side"])
        return Outcome("1-0" if (value == WON) == (side == 0) else "0-1", self.ending)

    def claim(self, state: Block) -> Outcome | None:
        """Return None: there are no draws to claim."""
        return None

    def can_win(self, state: Block, side: int) -> bool:
        """Return True: no position is known in which a side cannot win."""
        return True

    # ---- pictures and helpers ---------------------------------------------------------------

    def board(self, state: Block) -> Board:
        """Return the pieces of the position text: letter by (file, rank), White's in upper case."""
        field = self.text(state).split(maxsplit=1)[0].split("[", maxsplit=1)[0]
        return parse_board(field, self.game.files, self.game.ranks, string.ascii_uppercase)

    def board_text(
        self, state: Block, last_move: str, outcome: Outcome | None, ink: Ink, lines: int
    ) -> str:
        """Return the board as framed letters, with a status line and the pieces in hand."""
        status = turn_or_result(int(HEADER.of(state)["side"]), outcome, self.game.sides)
        marked = squares_of(last_move)
        text = lettered.board_text(self.game, self.board(state), marked, status, ink, self.sign)
        held = self._held(state)
        return (
            text if held is None else f"{text}\n{lettered.hands_text(held, ink, self.game.sides)}"
        )

    def draw(
        self, state: Block, last_move: str, outcome: Outcome | None, hands: bool = True
    ) -> Drawing:
        """Return the board as a picture, with a status line and, if ``hands``, those in hand."""
        status = turn_or_result(int(HEADER.of(state)["side"]), outcome, self.game.sides)
        marked = squares_of(last_move)
        held = self._held(state) if hands else None
        return lettered.draw(self.game, self.board(state), marked, status, self.figure, held)

    def editor(self, text: str) -> Editor:
        """Return an editor of ``board[hands] side ...``, with this class's pictures."""
        return BoardEditor(self.game, self.places(), self.figure, text)

    def sign(self, letter: str) -> str:
        """Return a piece's Unicode sign, or its letter if it has none; White's in upper case."""
        return lettered.letter_sign(letter)

    def lettered_figure(self, letter: str) -> str:
        """Return the picture of :meth:`figure`: the figures of most games have no other script."""
        return self.figure(letter)

    def figure(self, letter: str) -> str:
        """Return a piece's picture: a disc with its letter, White's in upper case."""
        return lettered.figure(letter, self.game.neutral)

    def places(self) -> list[tuple[int, int]]:
        """Return the board's places: all squares."""
        return [(file, rank) for rank in range(self.game.ranks) for file in range(self.game.files)]

    def hands(self, state: Block) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return each side's pieces in hand by the brackets of the position text."""
        found: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for letter, count in (self._held(state) or {}).items():
            found[letter.islower()][letter.upper()] = count
        return found

    def _held(self, state: Block) -> Mapping[str, int] | None:
        """Return the pieces in hand, White's in upper case; None in a game without hands."""
        board = self.text(state).split(maxsplit=1)[0]
        if "[" not in board:
            return None
        return parse_holdings(split_holdings(board)[1], string.ascii_uppercase)

    def move_parts(self) -> MoveParts:
        """Return every piece as a promotion, or with drops; walls and legs as the game has them."""
        game = self.game
        promotions = ("", *(letter.lower() for letter in game.pieces))
        return MoveParts(promotions, tuple(game.pieces), third=bool(game.wall or game.legs))

    def shapes(self) -> Mapping[str, PieceShape]:
        """Return no shapes: every piece covers one square."""
        return {}

    def squares(self, move: str) -> list[tuple[int, int]]:
        """Return the squares that the move's text names."""
        return squares_of(move)

    def prover(self, megabytes: float) -> Prover | None:
        """Return None: there is no exact solver."""
        return None

    def tablebase_position(self, state: Block) -> TablebasePosition | None:
        """Return None: there is no tablebase."""
        return None
