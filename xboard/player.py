"""The engine as a player of a CECP game: moves, searches and announcements."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import PASS, IllegalMove, Outcome
from ryugi_engine.search.limits import Limits
from xboard import writer
from xboard.claims import OFFER, Claims, announcement
from xboard.clock import CecpClock
from xboard.excluded_moves import ExcludedMoves
from xboard.features import STARTS
from xboard.gui_state import GuiState
from xboard.pings import Pings
from xboard.thinker import Job, Thinker
from xboard.unsent_moves import UnsentMoves

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.report import Result

#: Seconds for a hint.
_HINT_SECONDS = 0.5


class Mode(enum.Enum):
    """The mode of play, as CECP defines it."""

    FORCE = "play no side"
    PLAY = "play a side"
    ANALYZE = "analyze every position"


class CecpPlayer:
    """State of a game. All methods run on the conversation's thread."""

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        self._connection = connection
        self._session = session
        self.mode = Mode.FORCE
        self.clock = CecpClock()
        self.ponder = False
        self.thinker = Thinker(connection, session, self._searched)
        self._excluded = ExcludedMoves()
        #: Why the position set up by the GUI is not valid, "" if it is.
        self.invalid = ""
        self.gui = GuiState(connection, session)
        self._claims = Claims(session.options)
        self._pings = Pings(connection, self.gui.resync.on_pong)
        self._unsent = UnsentMoves(session)
        self._paused: Callable[[], None] | None = None

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

    # ---- searching -------------------------------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        self.thinker.cancel()
        self._unsent.take_back()
        self._paused = None
        self.answer_pings()

    def go_on(self) -> None:
        """Continue in the current position as the mode requires."""
        if self.invalid:
            return
        if self.mode is Mode.ANALYZE:
            self.analyze()
        elif self.mode is Mode.PLAY and self.gui.engine_to_move:
            self._turn()

    def analyze(self) -> None:
        """Analyze the position until the next command."""
        self.halt()
        self.thinker.report = None
        moves, outcome = self._excluded.remaining(self.position), self.position.outcome()
        if moves is not None and outcome is None:
            self.thinker.start(Job.ANALYSIS, Limits(infinite=True, search_moves=tuple(moves)))
        else:
            self._connection.write(writer.finished_line(outcome, self.position.side))

    def hint(self) -> None:
        """Suggest a move to the opponent."""
        if self._unsent.ponder_move:
            self._write_hint(self._unsent.ponder_move)
        elif self.job is Job.ANALYSIS and self.thinker.best:
            self._write_hint(self.thinker.best)
        elif self.job is Job.NONE and not self.invalid and self.position.outcome() is None:
            self.thinker.start(Job.HINT, Limits(move_time=_HINT_SECONDS))

    def _write_hint(self, move: str) -> None:
        self._connection.write(f"Hint: {writer.protocol_move(move, self._session.game)}")

    def set_level(self, moves: int, base: float, increment: float) -> None:
        """Set the time control from now on (``level``)."""
        self.clock.set_level(moves, base, increment, self.gui.order.made)

    def stop_pondering(self) -> None:
        """Stop pondering, now and in later turns (``easy``)."""
        self.ponder = False
        if self.job is Job.PONDER:
            self.halt()

    def choose_moves(self, move: str, *, exclude: bool) -> None:
        """Exclude or include a root move, or ``all``."""
        if self.invalid:
            raise IllegalMove("the position is not valid")
        if self._unsent.ponder_move:
            self.halt()
        self._excluded.change(self.position, move, exclude=exclude)
        if self.job is Job.ANALYSIS or self.mode is Mode.ANALYZE:
            self.analyze()

    def _limits(self) -> Limits:
        return self.clock.limits(self.gui.engine_colour, self.gui.order.made)

    def _searched(self, job: Job, result: Result) -> None:
        if job is Job.HINT and result.best:
            self._write_hint(result.best)
        elif job is Job.MOVE:
            self._play(result)
        self.answer_pings()

    # ---- own moves -------------------------------------------------------------------------

    def _turn(self) -> None:
        """Play the engine's turn."""
        self.halt()
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            self._announce(outcome)
            # a draw that the GUI may not know: play on until it ends the game
            if not (self.gui.computer and outcome.result == "1/2-1/2" and position.legal_codes()):
                return
            if position.game.placed:
                return
        if self._claims.accepts(position):
            self._connection.write(OFFER)
        if self.gui.must_pass:
            self._send_move([PASS], 0, None)
            return
        self._think()

    def _think(self) -> None:
        moves = self._excluded.remaining(self.position) or ()
        self.thinker.start(Job.MOVE, self._limits()._replace(search_moves=tuple(moves)))

    def _play(self, result: Result) -> None:
        position = self.position
        move = result.best or next(iter(position.legal_moves()), "")
        if not move:
            return
        self._claims.add_score(result.score.cp)
        if self._claims.resigns():
            self._unsent.take_back_own()
            self._connection.write("resign")
            return
        drawn = self._claims.claims(position, result.score.cp)
        position.push(move)
        outcome = position.outcome()
        again = self.gui.side == self.gui.engine_side
        if again and outcome is None and not self.gui.computer:
            # the GUI gets only the last move of the turn, then the real board
            self._unsent.add_own()
            self.clock.spend(self.thinker.seconds)
            self._think()
            return
        drawn = drawn or self._claims.claims(position, result.score.cp)
        if position.game.draws and (drawn or self._claims.accepts(position)):
            self._connection.write(OFFER)
        self._send_move(self.gui.legs(move), self._unsent.finish_turn(), outcome)
        if self.job is Job.NONE and outcome is None:
            self._ponder(result.ponder)

    def _send_move(self, moves: list[str], count: int, outcome: Outcome | None) -> None:
        """Send a move, in legs if it has several, correct the GUI's board and announce a result."""
        self._connection.write(
            *(f"move {writer.protocol_move(move, self._session.game)}" for move in moves)
        )
        self.gui.move_sent(count)
        self._excluded.clear()
        self._claims.offered = False
        if outcome is not None:
            self._announce(outcome)

    def _ponder(self, move: str) -> None:
        """Ponder on the opponent's expected move."""
        gui = self.gui
        if not (self.ponder and move and gui.side != gui.engine_side):
            return
        if not self._unsent.play_ponder_move(move):
            return
        if gui.side == gui.engine_side:
            self.thinker.start(Job.PONDER, self._limits()._replace(ponder=True), move)
        else:  # the opponent moves again
            self._unsent.take_back()

    # ---- the end of a game -----------------------------------------------------------------

    def _announce(self, outcome: Outcome) -> None:
        gui = self.gui
        line = announcement(gui.result(outcome), self.position, gui.engine_side, gui.computer)
        if line:
            gui.resync.write(line)

    def offered_draw(self) -> None:
        """Handle a draw offer; while searching, the engine decides when it moves."""
        self._claims.offered = self._session.game.draws
        if self.job is not Job.MOVE and self._claims.accepts(self.position):
            self._connection.write(OFFER)

    # ---- the rest of the protocol that depends on the state -----------------------------------

    def ping(self, number: str) -> None:
        """Answer a ping after everything before it, the engine's move included."""
        self._pings.keep(number)
        self.answer_pings()

    def answer_pings(self) -> None:
        """Answer the pings, but not while the engine searches for its move."""
        if self.job is not Job.MOVE:
            self._pings.answer()

    def force(self) -> None:
        """Play no side (``force``); ignored when it is XBoard's reaction to a correction."""
        if not self.gui.resync.reacting:
            self.rest()

    def rest(self) -> None:
        """Play no side, and stop the search."""
        self.mode = Mode.FORCE
        self.halt()

    def pause(self) -> None:
        """Stop searching until :meth:`resume`."""
        expected = self._unsent.ponder_move
        again = {
            Job.MOVE: self._think,
            Job.ANALYSIS: self.analyze,
            Job.PONDER: lambda: self._ponder(expected),
        }.get(self.job)
        if self.job is Job.MOVE:
            self.clock.spend(self.thinker.seconds)
            self.thinker.cancel()  # not halt(): the turn's moves so far stay on the board
        else:
            self.halt()
        self._paused = again

    def resume(self) -> None:
        """Resume the paused search."""
        again, self._paused = self._paused, None
        if again is not None:
            again()
