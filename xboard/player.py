"""The engine's part in a CECP game: whose turn it is, what it searches for, what it says.

Two orders of moves meet here. The GUI's side to move alternates strictly; the game's side to
move is the position's, which in a game with a track may stay for several turns. They differ
when a side has to pass.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.conversation import Wire
from ryugi_engine.game import PASS, Outcome
from ryugi_engine.limits import Limits
from ryugi_engine.notation import Board
from ryugi_engine.session import BestMove, Event, Progress, Session
from xboard import board, writer
from xboard.clock import Clock

if TYPE_CHECKING:
    from ryugi_engine.position import Position
    from ryugi_engine.search.report import Report, Result

#: Own moves running that have to be as bad as the option says before the engine resigns.
_RESIGN_MOVES = 3
#: Seconds for a hint.
_HINT_SECONDS = 0.5


class Mode(enum.Enum):
    """What the engine does of its own accord."""

    FORCE = "nothing"
    PLAY = "play a side"
    ANALYZE = "search every position"


class Job(enum.Enum):
    """What is being searched for."""

    NOTHING = ""
    MOVE = "a move to play"
    PONDER = "an answer to the move that the opponent is expected to make"
    ANALYSIS = "reports"
    HINT = "a move to suggest"


class IllegalMove(ValueError):
    """A move that the GUI must take back."""


class Player:
    """State of a game; all methods run on the conversation's thread but :meth:`on_event`."""

    def __init__(self, wire: Wire, session: Session) -> None:
        self._wire = wire
        self._session = session
        self.mode = Mode.FORCE
        self.clock = Clock()
        self.post = False
        self.ponder = False
        #: Whether the opponent is an engine: then XBoard judges claims, and cannot be corrected.
        self.computer = False
        self.engine_side = 1
        self.job = Job.NOTHING
        self.excluded: set[str] = set()
        #: Why moves cannot be made: the position that the GUI has set up is not valid.
        self.broken = ""
        self._serial = 0
        self._first_side = 0
        #: Moves of the position for every move of the GUI's game: 0 for a forced pass.
        self._plies: list[int] = []
        self._pondered = ""
        self._report: Report | None = None
        self._score: int | None = None
        self._hopeless = 0
        self._offered = False
        self._pongs: list[str] = []
        self._shown: Board | None = None
        self._correcting = False
        self._held: list[str] = []
        self._series = 0
        self._began = 0.0
        self._paused: Callable[[], None] | None = None

    # ---- position --------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._session.position

    @property
    def gui_side(self) -> int:
        """The side that the GUI holds to be on move."""
        return (self._first_side + len(self._plies)) % 2

    def _look(self) -> Board | None:
        """The board as it is; None where XBoard cannot show it."""
        try:
            return board.shown_by(self.position.game, self.position.text())
        except ValueError:
            return None

    def begin(self, text: str | None = None, gui_side: int | None = None) -> None:
        """Set up a position, or the start; ValueError leaves everything as it was."""
        self.halt()
        self._session.set_position(text)
        self.broken = ""
        position = self.position
        if gui_side is None:
            # GUIs let White begin; a game with a turn order of its own may have Black do so
            gui_side = 0 if board.placed(position.game) else position.side
        self._first_side = gui_side
        self._plies.clear()
        self._forget()
        self._shown = self._look()
        self._correcting = False

    def _forget(self) -> None:
        self.excluded.clear()
        self._report = None
        self._offered = False

    def begin_game(self) -> None:
        """A new game of the session's variant."""
        self.halt()
        self._session.new_game()
        self._score, self._hopeless = None, 0
        self._held.clear()
        self.begin()

    def set_board(self, text: str) -> None:
        """``setboard``: a position, or a pass of a GUI that does not know passes.

        In place of a pass XBoard sends the position with the other side on move, and it does not
        know that of a game with a turn order of its own.
        """
        fields = text.split()
        side = "wb".find(fields[1]) if len(fields) > 1 else -1
        game = self._session.game
        if side < 0 or not board.placed(game):
            self.begin(text)
            return
        if self._shown is not None and not self.broken and side != self.gui_side:
            try:
                is_pass = board.same(board.shown_by(game, text), self._shown)
            except ValueError:
                is_pass = False
            if is_pass and (self.position.side != self.gui_side or self._may_pass()):
                self.user_move(PASS)
                return
        try:
            self.begin(text, side)
        except ValueError:
            fields[1] = "wb"[1 - side]
            self.begin(" ".join(fields), side)

    def _may_pass(self) -> bool:
        return PASS in self.position.legal_moves()

    # ---- moves of the GUI ------------------------------------------------------------------

    def user_move(self, move: str) -> None:
        """A move of the opponent, or of both sides in force mode; IllegalMove says what is wrong."""
        if self.broken:
            raise IllegalMove("the position is not valid")
        if self.mode is Mode.PLAY and self.gui_side == self.engine_side:
            raise IllegalMove("it is the engine's turn")
        hit = self.job is Job.PONDER
        pondered, self._pondered = self._pondered, ""
        if hit:
            self.position.pop()
        else:
            self.halt()
        position = self.position
        side = self.gui_side
        try:
            if position.side != side:
                if move != PASS:
                    raise IllegalMove("the other side is on move again: pass")
                self._plies.append(0)
                hit = False
            else:
                try:
                    code = position.parse_move(move)
                except ValueError:
                    hit = False
                    why = "it gives no answer to the check" if position.in_check() else "no such move"
                    raise IllegalMove(why) from None
                text = position.move_text(code)
                hit = hit and text == pondered
                position.push(code)
                self._plies.append(1)
                if self._shown is not None:
                    self._shown = board.after(position.game, self._shown, text, side)
        finally:
            if not hit:
                self.halt()
        self.excluded.clear()
        self._correcting = False
        if hit and position.outcome() is None:
            self.job = Job.MOVE
            self._session.ponder_hit(self._limits())
        else:
            self.go_on()

    def undo(self, count: int) -> None:
        """Take moves of the GUI's game back; ValueError if there are not so many."""
        if len(self._plies) < count:
            raise ValueError("there is no move to take back")
        self.halt()
        for _ in range(count):
            for _ in range(self._plies.pop()):
                self.position.pop()
        self._forget()
        self._shown = self._look()
        if self.mode is Mode.ANALYZE:
            self.go_on()

    # ---- searching -------------------------------------------------------------------------

    def halt(self) -> None:
        """End the search, if there is one, without a move."""
        if self.job is not Job.NOTHING:
            self._session.stop()
            self._serial += 1  # its result is on the way and will not be wanted
            self.job = Job.NOTHING
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
        elif self.mode is Mode.PLAY and self.gui_side == self.engine_side:
            self._turn()

    def analyze(self) -> None:
        """Search the position until something else is asked for."""
        self.halt()
        self._report = None
        moves = self._root_moves()
        if moves is not None and self.position.outcome() is None:
            self._search(Job.ANALYSIS, Limits(infinite=True, search_moves=moves))

    def hint(self) -> None:
        """Suggest a move to the opponent."""
        if self._pondered:
            self._wire.write(f"Hint: {writer.wire_move(self._pondered)}")
        elif self.job is Job.ANALYSIS and self._report is not None and self._report.pv:
            self._wire.write(f"Hint: {writer.wire_move(self._report.pv[0])}")
        elif self.job is Job.NOTHING and not self.broken and self.position.outcome() is None:
            self._search(Job.HINT, Limits(move_time=_HINT_SECONDS))

    def set_level(self, moves: int, base: float, increment: float) -> None:
        """A time control from here on."""
        self.clock.set_level(moves, base, increment, len(self._plies) // 2)

    def stop_pondering(self) -> None:
        """``easy``"""
        self.ponder = False
        if self.job is Job.PONDER:
            self.halt()

    def choose_moves(self, move: str, *, exclude: bool) -> None:
        """``exclude`` and ``include``: a move of the position, or ``all``."""
        if self.broken:
            raise IllegalMove("the position is not valid")
        position = self.position
        if self._pondered:
            self.halt()
        if move.lower() == "all":
            moves = set(position.legal_moves())
        else:
            moves = {position.move_text(position.parse_move(writer.read_move(move)))}
        self.excluded = self.excluded | moves if exclude else self.excluded - moves
        if self.job is Job.ANALYSIS or self.mode is Mode.ANALYZE:
            self.analyze()

    def move_now(self) -> None:
        """``?``"""
        if self.job is Job.MOVE:
            self._session.signal_stop()

    def _root_moves(self) -> list[str] | None:
        """The moves that are not excluded: [] for all; None if there is none."""
        if not self.excluded:
            return []
        return [m for m in self.position.legal_moves() if m not in self.excluded] or None

    def _limits(self) -> Limits:
        return self.clock.limits(self.engine_side, len(self._plies) // 2)

    def _search(self, job: Job, limits: Limits) -> None:
        self.job = job
        self._session.go(limits)

    def status_line(self) -> str:
        """``stat01: time nodes ply left total move`` for ``.``"""
        status = self._session.status()
        depth = 1 if self._report is None else self._report.depth
        left = max(status.moves - status.index - 1, 0)
        line = f"stat01: {int(status.seconds * 100)} {status.nodes} {depth} {left} {status.moves}"
        best = self._report.pv[:1] if self._report is not None else []
        return line + "".join(f" {writer.wire_move(move)}" for move in best)

    def on_event(self, event: Event) -> None:
        """What the session tells; from its thread. Results are taken up by the conversation's."""
        if isinstance(event, Progress):
            self._report = event.report
            if self.job is not Job.HINT and (self.post or self.mode is Mode.ANALYZE):
                self._wire.write(writer.thinking_line(event.report))
        elif isinstance(event, BestMove):
            serial, result = self._serial, event.result
            self._wire.inbox.put(lambda: self._searched(serial, result))

    def _searched(self, serial: int, result: Result) -> None:
        if serial != self._serial:
            return
        job, self.job = self.job, Job.NOTHING
        if job is Job.HINT:
            if result.best:
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
            if board.placed(position.game):
                return
        if self._offered and position.claim() is not None:
            self._wire.write("offer draw")
        if position.side != self.engine_side:
            self._hand_over([writer.WIRE_PASS], 0, None)
            return
        self._think()

    def _think(self) -> None:
        self._began = time.perf_counter()
        moves = self._root_moves()
        limits = self._limits()
        limits.search_moves = moves or []
        self._search(Job.MOVE, limits)

    def _play(self, result: Result) -> None:
        position = self.position
        move = result.best or next(iter(position.legal_moves()), "")
        if not move:
            return
        self._score = result.score.cp
        if self._resigns():
            self._take_back_series()
            self._wire.write("resign")
            return
        before = self._shown if self._shown is not None else {}
        position.push(move)
        outcome = position.outcome()
        game = position.game
        if outcome is None and not self.computer and position.side == self.engine_side:
            # the GUI sees one move: the last of the turn, then the board as it is
            self._series += 1
            self.clock.spend(time.perf_counter() - self._began)
            self._think()
            return
        if game.draws and (self._wants_draw(result) or self._accepts_draw()):
            self._wire.write("offer draw")
        actual = self._look()
        lines = [writer.wire_move(move)]
        if actual is not None and self._shown is not None and self._series == 0:
            lines = [
                writer.wire_move(m)
                for m in board.legs(game, before, actual, move, self.engine_side)
            ]
            # in two legs XBoard takes off what it would have left
            self._shown = (
                actual
                if len(lines) > 1
                else board.after(game, before, move, self.engine_side)
            )
        count, self._series = self._series + 1, 0
        self._hand_over(lines, count, outcome)
        if self.job is Job.NOTHING and outcome is None:
            self._expect(result.ponder)

    def _hand_over(self, moves: list[str], count: int, outcome: Outcome | None) -> None:
        """Tell the GUI of a move, in legs if it has several, and of what it cannot know."""
        self._wire.write(*(f"move {move}" for move in moves))
        self._plies.append(count)
        self.excluded.clear()
        self._offered = False
        actual = self._look()
        if not self.computer and actual is not None and self._shown is not None:
            if count > 1 or not board.same(actual, self._shown):
                self._correct(actual)
        if outcome is not None:
            self._announce(outcome)

    def _correct(self, actual: Board) -> None:
        """Show the GUI the board as it is, the opponent on move."""
        fields = self.position.text().split()
        opponent = 1 - self.engine_side
        fields[1] = "wb"[opponent]
        self._wire.write("setboard " + " ".join(fields))
        self._shown = actual
        self._first_side = opponent
        self._plies.clear()
        self._correcting = True

    def _expect(self, move: str) -> None:
        """Ponder on the move that the opponent will probably make."""
        position = self.position
        if not (self.ponder and move and position.side != self.engine_side):
            return
        try:
            position.push(move)
        except ValueError:
            return
        if position.outcome() is not None or position.side != self.engine_side:
            position.pop()
            return
        self._pondered = move
        limits = self._limits()
        limits.ponder = True
        self._search(Job.PONDER, limits)

    # ---- the end of a game -----------------------------------------------------------------

    def _announce(self, outcome: Outcome) -> None:
        """Say that the game is over, in the way that does not lose it.

        In matches XBoard checks claims by its own rules, and a claim that it cannot confirm
        loses: own wins are left to the loser, who is always believed, and draws are offered by
        both sides. Where pieces are dropped it believes every claim of a win.
        """
        won = outcome.result == ("1-0", "0-1")[self.engine_side]
        if self.computer and not board.placed(self.position.game):
            if won:
                return
            if outcome.result == "1/2-1/2" and self.position.legal_codes():
                self._wire.write("offer draw")
                return
        line = writer.result_line(outcome)
        if self._correcting:
            self._held.append(line)  # XBoard hears nothing of a game until its ping is answered
        else:
            self._wire.write(line)

    def _resigns(self) -> bool:
        options = self._session.options
        limit = -options.number("Resign Score")
        hopeless = self._score is not None and self._score <= limit
        self._hopeless = self._hopeless + 1 if hopeless else 0
        return options.flag("Resign") and self._hopeless >= _RESIGN_MOVES

    def _wants_draw(self, result: Result) -> bool:
        """Whether to claim the draw that the move just made allows."""
        drawn = self.position.claim() or self.position.outcome()
        return drawn is not None and drawn.result == "1/2-1/2" and result.score.cp <= 0

    def _accepts_draw(self) -> bool:
        if not self._offered:
            return False
        if self._score is None:
            return False
        return self._score <= self._session.options.number("Draw Score")

    def offered_draw(self) -> None:
        """The opponent offers a draw; what the engine thinks of it shows in its last score."""
        self._offered = self._session.game.draws
        if self._offered and self.job is not Job.MOVE:
            outcome = self.position.outcome() or self.position.claim()
            claimable = outcome is not None and outcome.result == "1/2-1/2"
            if claimable or self._accepts_draw():
                self._wire.write("offer draw")

    # ---- the rest of the protocol that depends on the state -----------------------------------

    def ping(self, number: str) -> None:
        """Answered when everything before it has been done, the engine's move included."""
        if self.job is Job.MOVE:
            self._pongs.append(number)
            return
        self._wire.write(f"pong {number}")
        held, self._held = self._held, []
        if held:
            self._wire.write(*held)

    def _answer_pings(self) -> None:
        pongs, self._pongs = self._pongs, []
        for number in pongs:
            self.ping(number)

    def force(self) -> None:
        """Play no side; XBoard says so too, and does not mean it, when it has been corrected."""
        if self._correcting:
            return
        self.mode = Mode.FORCE
        self.halt()

    def pause(self) -> None:
        """Stop thinking until :meth:`resume`."""
        job = self.job
        again = {Job.MOVE: self._think, Job.ANALYSIS: self.analyze}.get(job)
        pondered = self._pondered
        if job is Job.PONDER:
            again = lambda: self._expect(pondered)  # noqa: E731 - as short as the other two
        if job is Job.MOVE:
            self.clock.spend(time.perf_counter() - self._began)
            self._session.stop()
            self._serial += 1
            self.job = Job.NOTHING
        else:
            self.halt()
        self._paused = again

    def resume(self) -> None:
        """Think again about what was being thought about."""
        again, self._paused = self._paused, None
        if again is not None:
            again()
