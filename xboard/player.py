"""The engine as a player of a CECP game: moves, searches and announcements.

Two states decide what a command does: the mode of play, and the job of the running search. The
tables at the end, :data:`_GO_ON` and :data:`_AT_WORK`, have what differs by them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import PASS, IllegalMove, Outcome
from ryugi_engine.search.limits import Limits
from xboard import writer
from xboard.claims import OFFER, announcement
from xboard.game import CecpGame, Mode
from xboard.thinker import Job

if TYPE_CHECKING:
    from ryugi_engine.search.report import Result

#: Seconds for a hint.
_HINT_SECONDS = 0.5


class CecpPlayer(CecpGame):
    """The engine's part in a game. All methods run on the conversation's thread."""

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        super().__init__(connection, session)
        self.ponder = False
        #: Pings that are not answered yet.
        self._pings: list[str] = []
        self._paused: Callable[[], None] | None = None

    # ---- searching -------------------------------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        self.thinker.cancel()
        self._unsent.take_back()
        self._paused = None
        self.answer_pings()

    def go_on(self) -> None:
        """Continue in the current position as the mode requires."""
        if not self.invalid:
            _GO_ON[self.mode](self)

    def _play_on(self) -> None:
        if self.gui.engine_to_move:
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
        _AT_WORK[self.job].hint(self)

    def _search_hint(self) -> None:
        if not self.invalid and self.position.outcome() is None:
            self.thinker.start(Job.HINT, Limits(move_time=_HINT_SECONDS))

    def _write_hint(self, move: str) -> None:
        if move:
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

    def _searched(self, job: Job, result: Result) -> None:
        _AT_WORK[job].finish(self, result)
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
        self._pings.append(number)
        self.answer_pings()

    def answer_pings(self) -> None:
        """Answer the pings, but not while the engine searches for its move."""
        if self.job is Job.MOVE:
            return
        waiting, self._pings = self._pings, []
        for number in waiting:
            self._connection.write(f"pong {number}")
            self.gui.resync.on_pong()

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
        self._paused = _AT_WORK[self.job].pause(self)

    def _pause_move(self) -> Callable[[], None]:
        self.clock.spend(self.thinker.seconds)
        self.thinker.cancel()  # not halt(): the turn's moves so far stay on the board
        return self._think

    def _pause_pondering(self) -> Callable[[], None]:
        expected = self._unsent.ponder_move
        self.halt()
        return lambda: self._ponder(expected)

    def _pause_analysis(self) -> Callable[[], None]:
        self.halt()
        return self.analyze

    def resume(self) -> None:
        """Resume the paused search."""
        again, self._paused = self._paused, None
        if again is not None:
            again()


class _AtWork(NamedTuple):
    """What the player does while a search has a job."""

    #: With the search's result.
    finish: Callable[[CecpPlayer, Result], None] = lambda player, result: None
    #: When the opponent asks for a hint.
    hint: Callable[[CecpPlayer], None] = lambda player: None
    #: When the game is paused; returns what resumes it.
    pause: Callable[[CecpPlayer], Callable[[], None] | None] = lambda player: player.halt()


_AT_WORK = {
    Job.NONE: _AtWork(hint=CecpPlayer._search_hint),
    Job.HINT: _AtWork(finish=lambda player, result: player._write_hint(result.best)),
    Job.MOVE: _AtWork(finish=CecpPlayer._play, pause=CecpPlayer._pause_move),
    Job.PONDER: _AtWork(
        hint=lambda player: player._write_hint(player._unsent.ponder_move),
        pause=CecpPlayer._pause_pondering,
    ),
    Job.ANALYSIS: _AtWork(
        hint=lambda player: player._write_hint(player.thinker.best),
        pause=CecpPlayer._pause_analysis,
    ),
}
_GO_ON: dict[Mode, Callable[[CecpPlayer], None]] = {
    Mode.FORCE: lambda player: None,
    Mode.PLAY: CecpPlayer._play_on,
    Mode.ANALYZE: CecpPlayer.analyze,
}
