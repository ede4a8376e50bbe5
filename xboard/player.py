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
from xboard.choice import Choice
from xboard.claims import OFFER, Claims, announcement
from xboard.clock import Clock
from xboard.correction import Correction
from xboard.order import Order
from xboard.screen import Screen
from xboard.thinker import Job, Thinker

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
        #: Whether the opponent is an engine: then XBoard judges claims, and cannot be corrected.
        self.computer = False
        self.engine_side = 1
        self.thinker = Thinker(wire, session, self._searched)
        self._choice = Choice()
        #: Why moves cannot be made: the position that the GUI has set up is not valid.
        self.broken = ""
        self.order = Order()
        self._pondered = ""
        self._claims = Claims(session.options)
        self._screen = Screen()
        self._correction = Correction(wire)
        self._pongs: list[str] = []
        self._series = 0
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

    @property
    def _side(self) -> int:
        """The side to move by the game's rules, in the GUI's colours."""
        return self.order.gui_colour(self.position.side)

    def _gui_text(self) -> str:
        position = self.position
        return self.order.gui_text(position.text(), placed=position.game.placed)

    def begin(self, text: str | None = None, gui_side: int | None = None) -> None:
        """Set up a position, or the start; UserError leaves everything as it was."""
        self.halt()
        self._session.set_position(text)
        self.broken = ""
        position = self.position
        if gui_side is None:
            # GUIs let White begin; a game with a turn order of its own may have Black do so
            gui_side = 0 if position.game.placed else position.side
        self.order.begin(gui_side)
        self._forget()
        self._correction.over()

    def _forget(self) -> None:
        self._choice.clear()
        self.thinker.report = None
        self._claims.offered = False
        self._screen.set(self.position.game, self._gui_text())

    def begin_game(self) -> None:
        """A new game of the session's variant."""
        self.halt()
        self._session.new_game()
        self._claims.reset()
        self._correction.forget()
        self.begin()

    def set_board(self, text: str) -> None:
        """``setboard``: a position, or a pass of a GUI that does not know passes.

        In place of a pass XBoard sends the position with the other side on move, and it does not
        know that of a game with a turn order of its own.
        """
        fields = text.split()
        side = "wb".find(fields[1]) if len(fields) > 1 else -1
        if side < 0 or not self._session.game.placed:
            self.begin(text)
            self.go_on()
            return
        passed = not self.broken and side != self.order.side and self._screen.is_position(text)
        if passed and (self._side != self.order.side or PASS in self.position.legal_moves()):
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
        if self.mode is Mode.PLAY and self.order.side == self.engine_side:
            raise IllegalMove("it is the engine's turn")
        hit = self.job is Job.PONDER
        pondered, self._pondered = self._pondered, ""
        if hit:
            self.position.pop()
        else:
            self.halt()
        position = self.position
        side = self.order.side
        if not self.computer and self.order.untouched and move != PASS and self._side != side:
            # XBoard lets White begin where the rules let Black: its White is Black then
            self.order.mirrored = position.game.placed
        try:
            if self._side != side:
                if move != PASS:
                    raise IllegalMove("the other side is on move again: pass")
                self.order.moved(0)
                hit = False
            else:
                try:
                    code = position.parse_move(move, refereed=True)
                except IllegalMove:
                    hit = False
                    raise IllegalMove(self._session.objection(move)) from None
                text = position.move_text(code)
                hit = hit and text == pondered
                position.push(code)
                self.order.moved(1)
                self._screen.play(text, side, victim)
        finally:
            if not hit:
                self.halt()
        self._choice.clear()
        self._correction.over()
        if hit and position.outcome() is None:
            self.thinker.ponder_hit(self._limits())
        else:
            self.go_on()

    def undo(self, count: int) -> None:
        """Take moves of the GUI's game back; UserError if there are not so many."""
        count = self.order.take_back(count)
        self.halt()
        for _ in range(count):
            self.position.pop()
        self._forget()
        if self.mode is Mode.ANALYZE:
            self.go_on()

    def take_back(self) -> None:
        """Take the opponent's last turn back and show the board: XBoard forgets at corrections."""
        position, opponent = self.position, self.order.gui_colour(1 - self.engine_side)
        if self.computer or not position.game.placed:
            raise UserError("here the GUI's own Retract Move takes back")
        if not position.moves:
            raise UserError("there is no move to take back")
        position.pop()
        while position.moves and position.side != opponent:
            position.pop()
        self.mode = Mode.PLAY
        self._forget()
        self._correct()
        self.go_on()

    # ---- searching -------------------------------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        self.thinker.cancel()
        if self._pondered:
            self.position.pop()
            self._pondered = ""
        self._take_back_series()
        self._paused = None
        self._answer_pings()

    def _take_back_series(self) -> None:
        """Moves that the GUI has not been told of were not made."""
        for _ in range(self._series):
            self.position.pop()
        self._series = 0

    def go_on(self) -> None:
        """Do what the mode asks for in the present position."""
        if self.broken:
            return
        if self.mode is Mode.ANALYZE:
            self.analyze()
        elif self.mode is Mode.PLAY and self.order.side == self.engine_side:
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
        if self._pondered:
            self._wire.write(f"Hint: {writer.wire_move(self._pondered)}")
        elif self.job is Job.ANALYSIS and self.thinker.best:
            self._wire.write(f"Hint: {writer.wire_move(self.thinker.best)}")
        elif self.job is Job.NOTHING and not self.broken and self.position.outcome() is None:
            self.thinker.start(Job.HINT, Limits(move_time=_HINT_SECONDS))

    def set_level(self, moves: int, base: float, increment: float) -> None:
        """A time control from here on."""
        self.clock.set_level(moves, base, increment, self.order.made)

    def stop_pondering(self) -> None:
        """``easy``"""
        self.ponder = False
        if self.job is Job.PONDER:
            self.halt()

    def choose_moves(self, move: str, *, exclude: bool) -> None:
        """``exclude`` and ``include``: a move of the position, or ``all``."""
        if self.broken:
            raise IllegalMove("the position is not valid")
        if self._pondered:
            self.halt()
        self._choice.change(self.position, move, exclude=exclude)
        if self.job is Job.ANALYSIS or self.mode is Mode.ANALYZE:
            self.analyze()

    def _limits(self) -> Limits:
        return self.clock.limits(self.order.gui_colour(self.engine_side), self.order.made)

    def _searched(self, job: Job, result: Result) -> None:
        if job is Job.HINT and result.best:
            self._wire.write(f"Hint: {writer.wire_move(result.best)}")
        elif job is Job.MOVE:
            self._play(result)
        self._answer_pings()

    # ---- own moves -------------------------------------------------------------------------

    def _turn(self) -> None:
        """It is the engine's turn in the GUI's order."""
        self.halt()
        position = self.position
        outcome = position.outcome()
        if outcome is not None:
            self._announce(outcome)
            # a draw that the GUI may know nothing of: the game goes on until it says otherwise
            if not (self.computer and outcome.result == "1/2-1/2" and position.legal_codes()):
                return
            if position.game.placed:
                return
        if self._claims.accepts(position):
            self._wire.write(OFFER)
        if self._side != self.engine_side:
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
            self._take_back_series()
            self._wire.write("resign")
            return
        drawn = self._claims.claims(position, result.score.cp)
        position.push(move)
        outcome = position.outcome()
        if outcome is None and not self.computer and self._side == self.engine_side:
            # the GUI sees one move: the last of the turn, then the board as it is
            self._series += 1
            self.clock.spend(self.thinker.seconds)
            self._think()
            return
        drawn = drawn or self._claims.claims(position, result.score.cp)
        if position.game.draws and (drawn or self._claims.accepts(position)):
            self._wire.write(OFFER)
        lines = self._screen.legs(move, self.engine_side, self._gui_text(), match=self.computer)
        count, self._series = self._series + 1, 0
        self._hand_over(lines, count, outcome)
        if self.job is Job.NOTHING and outcome is None:
            self._expect(result.ponder)

    def _hand_over(self, moves: list[str], count: int, outcome: Outcome | None) -> None:
        """Tell the GUI of a move, in legs if it has several, and of what it cannot know."""
        self._wire.write(*(f"move {writer.wire_move(move)}" for move in moves))
        self.order.moved(count)
        self._choice.clear()
        self._claims.offered = False
        if not self.computer and (count > 1 or not self._screen.shows(self._gui_text())):
            self._correct()
        if outcome is not None:
            self._announce(outcome)

    def _correct(self) -> None:
        """Show the GUI the board as it is, the opponent on move.

        XBoard (4.9.1) makes its user White then, whatever the text says: an opponent who is Black
        goes on with the colours exchanged.
        """
        mirrored = self.order.mirrored
        if self.engine_side == 0:
            if not self.position.game.placed:
                return
            self.engine_side, mirrored = 1, not mirrored
        self.order.begin(0, mirrored=mirrored)
        text = self._gui_text()
        self._correction.show(text, self.position.game)
        self._screen.set(self.position.game, text)

    def _expect(self, move: str) -> None:
        """Ponder on the move that the opponent will probably make."""
        position = self.position
        if not (self.ponder and move and self._side != self.engine_side):
            return
        try:
            position.push(move)
        except IllegalMove:
            return
        if position.outcome() is not None or self._side != self.engine_side:
            position.pop()
            return
        self._pondered = move
        self.thinker.start(Job.PONDER, replace(self._limits(), ponder=True))

    # ---- the end of a game -----------------------------------------------------------------

    def _announce(self, outcome: Outcome) -> None:
        outcome = self.order.gui_result(outcome)
        line = announcement(outcome, self.position, self.engine_side, self.computer)
        if line:
            self._correction.say(line)

    def offered_draw(self) -> None:
        """The opponent offers a draw; an engine that is thinking decides when it has thought."""
        self._claims.offered = self._session.game.draws
        if self.job is not Job.MOVE and self._claims.accepts(self.position):
            self._wire.write(OFFER)

    # ---- the rest of the protocol that depends on the state -----------------------------------

    def ping(self, number: str) -> None:
        """Answered when everything before it has been done, the engine's move included."""
        if self.job is Job.MOVE:
            self._pongs.append(number)
            return
        self._wire.write(f"pong {number}")
        self._correction.answered()

    def hold_ping(self, number: str, seconds: float) -> None:
        """A ping to be answered when the kernels have come, or after so many seconds."""
        self._pongs.append(number)
        self._session.call_when_loaded(seconds, lambda: self._wire.inbox.put(self._answer_pings))

    def _answer_pings(self) -> None:
        pongs, self._pongs = self._pongs, []
        for number in pongs:
            self.ping(number)

    def force(self) -> None:
        """Play no side; XBoard says so too, and does not mean it, when it has been corrected."""
        if not self._correction.reacting:
            self.rest()

    def rest(self) -> None:
        """Play no side and search nothing."""
        self.mode = Mode.FORCE
        self.halt()

    def pause(self) -> None:
        """Stop thinking until :meth:`resume`."""
        pondered = self._pondered
        again = {
            Job.MOVE: self._think,
            Job.ANALYSIS: self.analyze,
            Job.PONDER: lambda: self._expect(pondered),
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
