"""The engine's part in a CECP game: whose turn it is, what it searches for, what it says."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ryugi_engine.core.conversation import Wire
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import PASS, IllegalMove, Outcome
from ryugi_engine.search.limits import Limits
from xboard import writer
from xboard.ahead import Ahead
from xboard.choice import Choice
from xboard.claims import OFFER, Claims, announcement
from xboard.clock import Clock
from xboard.pings import Pings
from xboard.thinker import Job, Thinker
from xboard.view import View

if TYPE_CHECKING:
    from ryugi_engine.core.standin import StandIn
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.report import Result

#: Seconds for a hint.
_HINT_SECONDS = 0.5


class Mode(enum.Enum):
    """What the engine does of its own accord."""

    FORCE = "nothing"
    PLAY = "play a side"
    ANALYZE = "search every position"


class Player:
    """State of a game; all methods run on the conversation's thread."""

    def __init__(self, wire: Wire, session: Session) -> None:
        self._wire = wire
        self._session = session
        self.mode = Mode.FORCE
        self.clock = Clock()
        self.ponder = False
        self.thinker = Thinker(wire, session, self._searched)
        self._choice = Choice()
        #: Why moves cannot be made: the position that the GUI has set up is not valid.
        self.broken = ""
        self.view = View(wire, session)
        self._claims = Claims(session.options)
        self._pings = Pings(wire, session, self.view.correction.answered)
        self._ahead = Ahead(session)
        self._paused: Callable[[], None] | None = None

    # ---- position --------------------------------------------------------------------------

    @property
    def position(self) -> Position | StandIn:
        """The position on the board."""
        return self._session.board

    @property
    def job(self) -> Job:
        """What is being searched for."""
        return self.thinker.job

    def begin(self, text: str | None = None, gui_side: int | None = None) -> None:
        """Set up a position, or the start; UserError leaves everything as it was."""
        self.halt()
        self._session.set_position(text)
        self.broken = ""
        self.view.begin(gui_side)
        self._forget()

    def _forget(self) -> None:
        self._choice.clear()
        self.thinker.report = None
        self._claims.offered = False

    def begin_game(self) -> None:
        """A new game of the session's variant."""
        self.halt()
        self._session.new_game()
        self._claims.reset()
        self.view.correction.forget()
        self.begin()

    def set_board(self, text: str) -> None:
        """``setboard``: a position, or a pass of a GUI that does not know passes.

        Which side is on move XBoard does not know in a game with a turn order of its own.
        """
        fields = text.split()
        side = "wb".find(fields[1]) if len(fields) > 1 else -1
        if side < 0 or not self._session.game.placed:
            self.begin(text)
            self.go_on()
            return
        if not self.broken and self.view.is_pass(text, side):
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
        """A move of the opponent, or of any side in force mode; IllegalMove says what is wrong.

        ``victim`` is a square that the GUI has emptied besides.
        """
        if self.broken:
            raise IllegalMove("the position is not valid")
        view = self.view
        if self.mode is Mode.PLAY and view.engines_turn:
            raise IllegalMove("it is the engine's turn")
        hit = self.job is Job.PONDER
        expected = self._ahead.expected
        if hit:
            self._ahead.take_back()  # the search of it goes on
        else:
            self.halt()
        position = self.position
        if move != PASS:
            view.first_move()
        try:
            if view.must_pass:
                if move != PASS:
                    raise IllegalMove("the other side is on move again: pass")
                view.order.moved(0)
                hit = False
            else:
                try:
                    code = position.parse_move(move, refereed=True)
                except IllegalMove:
                    hit = False
                    raise IllegalMove(self._session.objection(move)) from None
                text = position.move_text(code)
                hit = hit and text == expected
                position.push(code)
                view.played(text, victim)
                view.order.moved(1)
        finally:
            if not hit:
                self.halt()
        self._choice.clear()
        view.correction.over()
        if hit and position.outcome() is None:
            self.thinker.ponder_hit(self._limits())
        else:
            self.go_on()

    def undo(self, count: int) -> None:
        """Take moves of the GUI's game back; UserError if there are not so many."""
        count = self.view.order.take_back(count)
        self.halt()
        for _ in range(count):
            self.position.pop()
        self.view.shown()
        self._forget()
        if self.mode is Mode.ANALYZE:
            self.go_on()

    def take_back(self) -> None:
        """Take the opponent's last turn back and show the board: XBoard forgets at corrections."""
        position, opponent = self.position, 1 - self.view.engines_colour
        if self.view.computer or not position.game.placed:
            raise UserError("here the GUI's own Retract Move takes back")
        if not position.moves:
            raise UserError("there is no move to take back")
        position.pop()
        while position.moves and position.side != opponent:
            position.pop()
        self.mode = Mode.PLAY
        self._forget()
        self.view.correct()
        self.go_on()

    # ---- searching -------------------------------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        self.thinker.cancel()
        self._ahead.take_back()
        self._paused = None
        self.answer_pings()

    def go_on(self) -> None:
        """Do what the mode asks for in the present position."""
        if self.broken:
            return
        if self.mode is Mode.ANALYZE:
            self.analyze()
        elif self.mode is Mode.PLAY and self.view.engines_turn:
            self._turn()

    def analyze(self) -> None:
        """Search the position until something else is asked for."""
        self.halt()
        self.thinker.report = None
        moves, outcome = self._choice.moves(self.position), self.position.outcome()
        if moves is not None and outcome is None:
            self.thinker.start(Job.ANALYSIS, Limits(infinite=True, search_moves=tuple(moves)))
        else:
            self._wire.write(writer.finished_line(outcome, self.position.side))

    def hint(self) -> None:
        """Suggest a move to the opponent."""
        if self._ahead.expected:
            self._wire.write(f"Hint: {writer.wire_move(self._ahead.expected)}")
        elif self.job is Job.ANALYSIS and self.thinker.best:
            self._wire.write(f"Hint: {writer.wire_move(self.thinker.best)}")
        elif self.job is Job.NOTHING and not self.broken and self.position.outcome() is None:
            self.thinker.start(Job.HINT, Limits(move_time=_HINT_SECONDS))

    def set_level(self, moves: int, base: float, increment: float) -> None:
        """A time control from here on."""
        self.clock.set_level(moves, base, increment, self.view.order.made)

    def stop_pondering(self) -> None:
        """``easy``"""
        self.ponder = False
        if self.job is Job.PONDER:
            self.halt()

    def choose_moves(self, move: str, *, exclude: bool) -> None:
        """``exclude`` and ``include``: a move of the position, or ``all``."""
        if self.broken:
            raise IllegalMove("the position is not valid")
        if self._ahead.expected:
            self.halt()
        self._choice.change(self.position, move, exclude=exclude)
        if self.job is Job.ANALYSIS or self.mode is Mode.ANALYZE:
            self.analyze()

    def _limits(self) -> Limits:
        return self.clock.limits(self.view.engines_colour, self.view.order.made)

    def _searched(self, job: Job, result: Result) -> None:
        if job is Job.HINT and result.best:
            self._wire.write(f"Hint: {writer.wire_move(result.best)}")
        elif job is Job.MOVE:
            self._play(result)
        self.answer_pings()

    # ---- own moves -------------------------------------------------------------------------

    def _turn(self) -> None:
        """It is the engine's turn in the GUI's order."""
        self.halt()
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            self._announce(outcome)
            # a draw that the GUI may know nothing of: the game goes on until it says otherwise
            if not (self.view.computer and outcome.result == "1/2-1/2" and position.legal_codes()):
                return
            if position.game.placed:
                return
        if self._claims.accepts(position):
            self._wire.write(OFFER)
        if self.view.must_pass:
            self._hand_over([PASS], 0, None)
            return
        self._think()

    def _think(self) -> None:
        moves = self._choice.moves(self.position) or ()
        self.thinker.start(Job.MOVE, replace(self._limits(), search_moves=tuple(moves)))

    def _play(self, result: Result) -> None:
        position = self.position
        move = result.best or next(iter(position.legal_moves()), "")
        if not move:
            return
        self._claims.found(result.score.cp)
        if self._claims.resigns():
            self._ahead.take_back_own()
            self._wire.write("resign")
            return
        drawn = self._claims.claims(position, result.score.cp)
        position.push(move)
        outcome = position.outcome()
        again = self.view.side == self.view.engine_side
        if again and outcome is None and not self.view.computer:
            # the GUI sees one move: the last of the turn, then the board as it is
            self._ahead.own()
            self.clock.spend(self.thinker.seconds)
            self._think()
            return
        drawn = drawn or self._claims.claims(position, result.score.cp)
        if position.game.draws and (drawn or self._claims.accepts(position)):
            self._wire.write(OFFER)
        self._hand_over(self.view.legs(move), self._ahead.turn(), outcome)
        if self.job is Job.NOTHING and outcome is None:
            self._expect(result.ponder)

    def _hand_over(self, moves: list[str], count: int, outcome: Outcome | None) -> None:
        """Tell the GUI of a move, in legs if it has several, and of what it cannot know."""
        self._wire.write(*(f"move {writer.wire_move(move)}" for move in moves))
        self.view.told(count)
        self._choice.clear()
        self._claims.offered = False
        if outcome is not None:
            self._announce(outcome)

    def _expect(self, move: str) -> None:
        """Ponder on the move that the opponent will probably make."""
        view = self.view
        if not (self.ponder and move and view.side != view.engine_side):
            return
        if not self._ahead.expect(move):
            return
        if view.side == view.engine_side:
            self.thinker.start(Job.PONDER, replace(self._limits(), ponder=True))
        else:  # the opponent has another turn
            self._ahead.take_back()

    # ---- the end of a game -----------------------------------------------------------------

    def _announce(self, outcome: Outcome) -> None:
        view = self.view
        line = announcement(view.result(outcome), self.position, view.engine_side, view.computer)
        if line:
            view.correction.say(line)

    def offered_draw(self) -> None:
        """The opponent offers a draw; an engine that is thinking decides when it has thought."""
        self._claims.offered = self._session.game.draws
        if self.job is not Job.MOVE and self._claims.accepts(self.position):
            self._wire.write(OFFER)

    # ---- the rest of the protocol that depends on the state -----------------------------------

    def ping(self, number: str) -> None:
        """Answered when everything before it has been done, the engine's move included."""
        self._pings.keep(number)
        self.answer_pings()

    def hold_ping(self, number: str, seconds: float) -> None:
        """A ping to be answered when the kernels have come, or after so many seconds."""
        self._pings.keep_while_loading(number, seconds, self.answer_pings)

    def answer_pings(self) -> None:
        """Answer the pings that wait, but not while the engine thinks about its move."""
        if self.job is not Job.MOVE:
            self._pings.answer()

    def force(self) -> None:
        """Play no side; XBoard says so too, and does not mean it, when it has been corrected."""
        if not self.view.correction.reacting:
            self.rest()

    def rest(self) -> None:
        """Play no side and search nothing."""
        self.mode = Mode.FORCE
        self.halt()

    def pause(self) -> None:
        """Stop thinking until :meth:`resume`."""
        expected = self._ahead.expected
        again = {
            Job.MOVE: self._think,
            Job.ANALYSIS: self.analyze,
            Job.PONDER: lambda: self._expect(expected),
        }.get(self.job)
        if self.job is Job.MOVE:
            self.clock.spend(self.thinker.seconds)
            self.thinker.cancel()  # and no more: the moves of the turn so far stay made
        else:
            self.halt()
        self._paused = again

    def resume(self) -> None:
        """Think again about what was being thought about."""
        again, self._paused = self._paused, None
        if again is not None:
            again()
