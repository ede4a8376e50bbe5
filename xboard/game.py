"""The game as the GUI plays it: its positions, and the moves that it sends and takes back."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import PASS, IllegalMove
from xboard.claims import Claims
from xboard.clock import CecpClock
from xboard.excluded_moves import ExcludedMoves
from xboard.features import STARTS
from xboard.gui_state import GuiState
from xboard.thinker import Job, Thinker
from xboard.unsent_moves import UnsentMoves

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.limits import Limits
    from ryugi_engine.search.report import Result


class Mode(enum.Enum):
    """The mode of play, as CECP defines it."""

    FORCE = "play no side"
    PLAY = "play a side"
    ANALYZE = "analyze every position"


class CecpGame:
    """State of a game. All methods run on the conversation's thread."""

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        self._connection = connection
        self._session = session
        self.mode = Mode.FORCE
        self.clock = CecpClock()
        self.thinker = Thinker(connection, session, self._searched)
        self._excluded = ExcludedMoves()
        #: Why the position set up by the GUI is not valid, "" if it is.
        self.invalid = ""
        self.gui = GuiState(connection, session)
        self._claims = Claims(session.options)
        self._unsent = UnsentMoves(session)

    # ---- the engine's part, see CecpPlayer --------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Continue in the current position as the mode requires."""
        raise NotImplementedError

    def _searched(self, job: Job, result: Result) -> None:
        raise NotImplementedError

    def _limits(self) -> Limits:
        return self.clock.limits(self.gui.engine_colour, self.gui.order.made)

    # ---- position --------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The session's position."""
        return self._session.position

    @property
    def job(self) -> Job:
        """The purpose of the running search."""
        return self.thinker.job

    def begin(self, text: str | None = None, gui_side: int | None = None) -> None:
        """Set up a position, or the start. A UserError leaves everything unchanged."""
        self.halt()
        self._session.set_position(text)
        self.invalid = ""
        self.gui.begin(gui_side)
        self._reset()

    def _reset(self) -> None:
        self._excluded.clear()
        self.thinker.report = None
        self._claims.offered = False

    def begin_game(self) -> None:
        """Begin a new game of the session's variant."""
        self.halt()
        self._session.new_game()
        self._claims.reset()
        self.gui.resync.drop_held_lines()
        self.begin(STARTS.get(self._session.game.name))

    def set_board(self, text: str) -> None:
        """Handle ``setboard``: a position, or a pass of a GUI that has no passes.

        In games with an own turn order XBoard does not know the side to move.
        """
        fields = text.split()
        side = "wb".find(fields[1]) if len(fields) > 1 else -1
        if side < 0 or not self._session.game.corrected:
            self.begin(text)
            self.go_on()
            return
        if not self.invalid and self.gui.is_pass(text, side):
            self.user_move(PASS)
            return
        try:
            self.begin(text, side)
        except UserError:
            fields[1] = "wb"[1 - side]
            self.begin(" ".join(fields), side)
        self.go_on()

    # ---- moves of the GUI ------------------------------------------------------------------

    def user_move(self, move: str, victim: str = "") -> None:
        """Make a move of the opponent, or of either side in force mode.

        ``victim`` is a square that the GUI has emptied besides. Raises IllegalMove.
        """
        if self.invalid:
            raise IllegalMove("the position is not valid")
        gui = self.gui
        if self.mode is Mode.PLAY and gui.engine_to_move:
            raise IllegalMove("it is the engine's turn")
        hit = self.job is Job.PONDER
        expected = self._unsent.ponder_move
        if hit:
            self._unsent.take_back()  # the search goes on
        else:
            self.halt()
        position = self.position
        if move != PASS:
            gui.before_user_move()
        try:
            if gui.must_pass:
                if move != PASS:
                    raise IllegalMove("the other side is on move again: pass")
                gui.order.add(0)
                hit = False
            else:
                try:
                    code = position.parse_move(move, refereed=True)
                except IllegalMove:
                    hit = False
                    raise IllegalMove(position.objection(move)) from None
                text = position.move_text(code)
                hit = hit and text == expected
                position.push(code)
                gui.user_moved(text, victim)
                gui.order.add(1)
        finally:
            if not hit:
                self.halt()
        self._excluded.clear()
        gui.resync.finish()
        if hit and position.outcome() is None:
            self.thinker.ponder_hit(self._limits())
        else:
            self.go_on()

    def marks(self, square: str) -> str:
        """Return XBoard's marks for a piece that the user lifts, see ``GuiState.marks``."""
        position, expected = self.position, self._unsent.ponder_move
        if expected:
            position.pop()  # the search has a position of its own
        moves = position.legal_moves()
        if expected:
            position.push(expected)
        return self.gui.marks(square, moves)

    def undo(self, count: int) -> None:
        """Take back moves of the GUI's game. Raises UserError if there are fewer."""
        count = self.gui.order.take_back(count)
        self.halt()
        for _ in range(count):
            self.position.pop()
        self.gui.board_shown()
        self._reset()
        if self.mode is Mode.ANALYZE:
            self.go_on()

    def take_back(self) -> None:
        """Take back the opponent's last turn, which XBoard cannot after a correction."""
        position, opponent = self.position, 1 - self.gui.engine_colour
        if self.gui.computer or not position.game.corrected:
            raise UserError("here the GUI's own Retract Move takes back")
        if not position.moves:
            raise UserError("there is no move to take back")
        self.halt()
        position.pop()
        while position.moves and position.side != opponent:
            position.pop()
        self.mode = Mode.PLAY
        self._reset()
        self.gui.correct()
