"""The GUI's state of the game, where it differs from the session's position.

Its turn order, its colours and the board that it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import Outcome, is_pass
from ryugi_engine.games.notation import format_board, square_name, squares_of
from xboard.gui_board import GuiBoard
from xboard.resync import Resync
from xboard.turn_order import TurnOrder

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position


class GuiState:
    """Turn order, colours and board of the GUI. Sides are 0 and 1 in its colours."""

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        self._session = session
        #: The side that the engine plays.
        self.engine_side = 1
        #: Whether the opponent is an engine: XBoard then checks claims and accepts no ``setboard``.
        self.computer = False
        self.order = TurnOrder()
        self.resync = Resync(connection)
        self._board = GuiBoard()
        self._lifted = ""  # the square of the last piece that the user has taken up

    @property
    def position(self) -> Position:
        """The session's position."""
        return self._session.position

    # ---- whose turn it is --------------------------------------------------------------------

    @property
    def side(self) -> int:
        """The side to move by the game's rules."""
        return self.order.gui_colour(self.position.side)

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine is to move in the GUI."""
        return self.order.side == self.engine_side

    @property
    def must_pass(self) -> bool:
        """Whether the side to move in the GUI has to pass by the game's rules."""
        return self.side != self.order.side

    @property
    def engine_colour(self) -> int:
        """The side of the position that the engine plays."""
        return self.order.gui_colour(self.engine_side)

    def is_pass(self, text: str, side: int) -> bool:
        """Return whether ``setboard`` with this text, ``side`` to move, means a pass.

        XBoard sends the position with the other side to move instead of a pass.
        """
        if side == self.order.side or not self._board.is_position(text):
            return False
        return self.must_pass or any(map(is_pass, self.position.legal_moves()))

    # ---- actions of the GUI ------------------------------------------------------------------

    def begin(self, gui_side: int | None) -> None:
        """Begin a game at the current position; ``gui_side`` moves first, None for the default."""
        position = self.position
        if gui_side is None:
            # GUIs let White begin; a game with a turn order of its own may have Black do so
            gui_side = 0 if position.game.corrected else position.side
        self.order.begin(gui_side)
        self.board_shown()
        self.resync.finish()

    def board_shown(self) -> None:
        """Record that the GUI shows the real board."""
        self._board.set(self.position.game, self._text())

    def before_user_move(self) -> None:
        """Exchange the colours if XBoard lets White begin where the rules let Black begin."""
        if not self.computer and self.order.at_start and self.must_pass:
            self.order.mirrored = self.position.game.corrected

    def user_moved(self, move: str, victim: str) -> None:
        """Make the user's move on the GUI's board; call it before ``order.add``.

        ``victim`` is a further square that the GUI has emptied, or "".
        """
        self._board.play(move, self.order.side, victim)

    def marks(self, square: str, moves: Sequence[str]) -> str:
        """Return XBoard's marks, a FEN of colours, for a piece or a leg that begins on a square.

        C is for squares after which another leg follows, Y for those that end the move.
        """
        game = self.position.game
        again = [move for move in moves if move.startswith(f"{self._lifted}{square},")]
        if again:
            marks = {squares_of(move)[-1]: "Y" for move in again}
        else:
            steps = [(squares_of(move), "," in move) for move in moves if "@" not in move]
            marks = {
                squares[1]: "C" if goes_on else "Y"
                for squares, goes_on in steps
                if squares and square_name(squares[0]) == square
            }
        self._lifted = square
        return format_board(marks, game.files, game.ranks)

    # ---- messages to the GUI ---------------------------------------------------------------

    def _text(self) -> str:
        position = self.position
        return self.order.gui_text(position.text(), exchanged=position.game.corrected)

    def legs(self, move: str) -> list[str]:
        """Return the lines to send for an engine move that has been made."""
        return self._board.legs(move, self.engine_side, self._text(), match=self.computer)

    def move_sent(self, count: int) -> None:
        """Record that a move was sent, ``count`` moves of the position; correct the GUI's board."""
        self.order.add(count)
        if not self.computer and (count > 1 or not self._board.shows(self._text())):
            self.correct()

    def correct(self) -> None:
        """Send the real board, with the opponent to move.

        XBoard (4.9.1) then makes its user White, against the text: an opponent who is Black
        goes on with exchanged colours.
        """
        mirrored = self.order.mirrored
        if self.engine_side == 0:
            if not self.position.game.corrected:
                return
            self.engine_side, mirrored = 1, not mirrored
        self.order.begin(0, mirrored=mirrored)
        text = self._text()
        self.resync.send_board(text, self.position.game)
        self._board.set(self.position.game, text)

    def result(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the winner's colour as XBoard calls the side."""
        return self.order.gui_result(outcome)
