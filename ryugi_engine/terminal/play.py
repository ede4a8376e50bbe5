"""A person against the engine in the terminal, any game."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from pathlib import Path

from ryugi_engine.core.events import BestMove, Event, Note
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import AGREED_DRAW, NAMES, IllegalMove, Outcome, counted, resignation
from ryugi_engine.games.position import Position
from ryugi_engine.match.referee import TimeControl
from ryugi_engine.records import course
from ryugi_engine.records.pgn import score_text
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import RecordFile, keep
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result, Score
from ryugi_engine.terminal import keys
from ryugi_engine.terminal.screen import CLEAR, plain, size

_HELP = """\
  a move      in the engine's notation, as 'moves' shows it
  moves [P]   the legal moves; with P those that begin so, or go from or to a square P
  place       put a piece with a cursor, where pieces turn (also: Enter)
  board       show the board again
  hint        what the engine would play
  undo        take your last move back, and the engine's answer, or how the game ended
  draw        claim a draw, or offer one
  resign      give up
  save FILE   write the game so far; 'record' goes on from there
  new         begin another game, when this one is over
  quit        leave"""
#: What can still be said when the game is over.
_AFTERWARDS = ("help", "board", "undo", "save", "new", "quit")
#: Lines around a board: a blank one, what the engine plays, the prompt.
_AROUND = 3
#: Columns of a list of moves.
_WIDTH = 78


class _Left(Exception):
    """The person leaves."""


class Play:
    """Games in a row; ``read`` gives the person's lines, EOFError at their end."""

    def __init__(
        self,
        variant: str,
        fen: str | None,
        *,
        side: int,
        control: TimeControl,
        skill: int,
        ink: Ink,
        read: Callable[[str], str],
        write: Callable[[str], None],
        save: Path | None = None,
        variants_file: str = "",
    ) -> None:
        """Prepare a game; UserError says what is wrong."""
        self._side = side
        self._control = control
        self._clock = control.base
        self._ink = ink
        self._read, self._write = read, write
        self._save = save
        self._kept: bytes | None = None  # what was written there last
        self._answers: queue.Queue[BestMove] = queue.Queue()
        #: The engine's last score, and how the game was ended where the rules would let it go on.
        self._score: Score | None = None
        self._ended: Outcome | None = None
        if save is not None and os.path.lexists(save):
            raise UserError(f"{save} is there already: choose another name")
        self._session = Session(self.hear, variants_file)
        self._session.set_variant(variant)
        self._session.set_option("Skill Level", str(skill))
        self._session.set_position(fen)
        if self.position.outcome() is not None:
            raise UserError("the game is over in this position")

    @property
    def position(self) -> Position:
        """The present position."""
        return self._session.position

    def hear(self, event: Event) -> None:
        """The session's events, from whatever thread."""
        if isinstance(event, BestMove):
            self._answers.put(event)
        elif isinstance(event, Note):
            self._write(event.text)

    # ---- the game ----------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """How the game has ended, by the rules or by a player; None while it goes on."""
        return self._ended or self.position.outcome()

    def run(self) -> Outcome | None:
        """Play until the person leaves; how the game had ended then, if it had."""
        self._write(f"You are {NAMES[self._side]}. 'help' lists what you can say.\n")
        self._show()
        try:
            while True:
                if self.outcome() is not None:
                    self._finish()
                elif self.position.side == self._side:
                    self._ask()
                else:
                    self._think()
        except _Left:
            self._keep()
            return self.outcome()
        finally:
            self._session.stop()

    def _finish(self) -> None:
        """Say how the game has ended, and wait until it goes on or another one begins."""
        outcome = self.outcome()
        assert outcome is not None
        self._keep()
        winner = {None: "", self._side: ": you win"}.get(outcome.winner, ": the engine wins")
        self._write(f"{outcome.result} ({outcome.reason}){winner}")
        while self.outcome() is not None:
            self._ask()

    def _show(self) -> None:
        _columns, height = size()
        lines = max(height - _AROUND, 1) if height else 0
        board = self.position.board_text(self._ink, mark=True, outcome=self._ended, lines=lines)
        self._write(board + "\n")

    def _search(self) -> Result:
        """What the engine finds for the side to move, in the time of the engine's."""
        control = self._control
        limits = Limits(move_time=control.per_move)
        if not control.per_move:
            clocks = (self._clock, self._clock)
            limits = Limits(time=clocks, increment=(control.increment, control.increment))
        self._session.go(limits)
        return self._answers.get().result

    def _think(self) -> None:
        began = time.perf_counter()
        found = self._search()
        if not self._control.per_move:
            left = self._clock - (time.perf_counter() - began)
            self._clock = max(left, 0.1) + self._control.increment
        if not found.best:
            raise UserError("the engine has found no move")
        self._score = found.score
        self.position.push(found.best)
        self._show()
        self._write(f"The engine plays {self.position.last_move}  ({_told(found.score)})")
        self._keep()

    def _push(self, move: str) -> None:
        try:
            self.position.push(move)
        except IllegalMove:
            self._write(f"'{move[:40]}' is no legal move: {self.position.objection(move)}")
            return
        self._show()
        self._keep()

    # ---- what the person says ----------------------------------------------------------------

    def _ask(self) -> None:
        """Read and do one thing."""
        over = self.outcome() is not None
        number = len(self.position.moves) // 2 + 1
        try:
            line = self._read("Game over> " if over else f"{number}. {NAMES[self._side]}> ").strip()
        except EOFError:
            self._write("")
            raise _Left from None
        word, _, rest = line.partition(" ")
        action = getattr(self, f"_do_{word.lower()}", None) if word.isalpha() else None
        if over and word.lower() not in _AFTERWARDS:
            self._write("The game is over: 'undo', 'save FILE', 'new', 'board' or 'quit'")
        elif not line:
            self._do_place("")
        elif action is not None:
            action(rest.strip())
        else:
            self._push(line)

    def _do_help(self, rest: str) -> None:
        self._write(_HELP)

    def _do_board(self, rest: str) -> None:
        self._show()

    def _do_quit(self, rest: str) -> None:
        raise _Left

    def _do_new(self, rest: str) -> None:
        if self.outcome() is None:
            self._write("The game is not over: 'resign' ends it")
            return
        if self._save is not None:
            self._write(f"{self._save} keeps the last game; 'save FILE' will keep this one")
        self._save, self._score, self._ended = None, None, None
        self._clock = self._control.base
        self._session.new_game()
        self._session.set_position(self.position.root_text)
        self._show()

    def _do_moves(self, rest: str) -> None:
        wanted = rest.lower()
        moves = [m for m in sorted(self.position.legal_moves()) if _concerns(m, wanted)]
        line = ""
        for move in moves:
            if len(line) + len(move) + 1 > _WIDTH:
                self._write(line)
                line = ""
            line += f"{move} "
        if line:
            self._write(line)
        self._write(counted(len(moves), "legal move") + (f" with '{rest}'" if rest else ""))

    def _do_hint(self, rest: str) -> None:
        self._write(f"The engine would play {self._search().best}")

    def _do_undo(self, rest: str) -> None:
        position = self.position
        if self._ended is not None:
            self._write(f"No longer {self._ended.result} ({self._ended.reason})")
            self._ended = None
            self._show()
            self._keep()
            return
        own = [i for i, side in enumerate(self._sides()) if side == self._side]
        if not own:
            self._write("There is no move of yours to take back")
            return
        while len(position.moves) > own[-1]:
            position.pop()
        self._show()
        self._keep()

    def _sides(self) -> list[int]:
        """Who has made each move."""
        walked = Position(self.position.game, self.position.root_text)
        sides = []
        for move in self.position.moves:
            sides.append(walked.side)
            walked.push(move, refereed=True)
        return sides

    def _do_resign(self, rest: str) -> None:
        self._ended = resignation(self._side)

    def _do_draw(self, rest: str) -> None:
        claim = self.position.claim()
        if claim is not None:
            self._ended = claim
        elif not self.position.game.draws:
            self._write(f"{self.position.game.title} has no draws")
        elif self._score and self._score.cp <= self._session.options.number("Draw Score"):
            self._ended = AGREED_DRAW
        else:
            self._write("The engine wants to play on")

    def _do_save(self, rest: str) -> None:
        if not rest:
            self._write("save needs a file's name")
            return
        wanted = Path(rest)
        if wanted != self._save:
            if os.path.lexists(wanted):
                self._write(f"{plain(rest)} is there already: choose another name")
                return
            self._save, self._kept = wanted, None
        if self._keep():
            self._write(f"Kept in {plain(rest)} from now on")

    def _keep(self) -> bool:
        """Write the game so far, if it is to be kept; whether that has worked."""
        if self._save is None:
            return False
        names = ["You", f"ryugi-engine ({self._control})"]
        if self._side:
            names.reverse()
        tags = {"White": names[0], "Black": names[1], "Event": "Play in a terminal"}
        record = course.begin(self.position.game, tags, self.position.root_text)
        playback = Playback(self.position.game, record)
        playback.branch(self.position.moves)
        ended = self.outcome()
        if ended is not None:
            course.end(record, ended)
        file = RecordFile(self._save, [record], playback, self._kept)
        try:
            keep(file, self._write)
        except UserError as error:
            self._write(f"The game could not be kept: {plain(str(error))}")
            return False
        self._kept = file.content
        return True

    # ---- the cursor --------------------------------------------------------------------------

    def _do_place(self, rest: str) -> None:
        position = self.position
        placer = position.rules.placer(position.state)
        if placer is None:
            self._write("In this game a move is typed: 'moves' lists them")
            return
        if not keys.available():
            self._write("A cursor needs a terminal; a move can be typed: 'moves P' lists some")
            return
        columns, lines = placer.least
        below = f"{placer.help}\nEnter: play it   Esc: type instead"
        room = below.count("\n") + 2  # the line of the terminal's own cursor included
        wide, high = size()
        if high and (wide < columns or high < lines + room):
            self._write(
                f"The cursor needs a terminal of {columns}x{lines + room}, this one has "
                f"{wide}x{high}; a move can be typed: 'moves P' lists some"
            )
            return
        move = ""
        with keys.Keys() as pressed:
            while True:
                _wide, high = size()
                board = placer.board_text(self._ink, max(high - room, 1) if high else 0)
                self._write(f"{CLEAR}{board}\n{below}")
                key = pressed.read()
                if key in (keys.ESCAPE, keys.CLOSED):
                    break
                if key == keys.ENTER:
                    move = placer.move()
                    break
                placer.press(key)
        if move:
            self._push(move)
        else:
            self._show()


def _told(score: Score) -> str:
    """A score in words, from the engine's side."""
    text = score_text(score.cp, score.mate)
    if score.mate is None:
        return f"{text} from its side"
    verb = "wins" if score.mate > 0 else "loses"
    return f"{text}: it {verb} in {counted(abs(score.mate), 'move')}"


def _concerns(move: str, wanted: str) -> bool:
    """Whether a move begins with some letters, or goes from or to a square."""
    name = move.lower()
    return name.startswith(wanted) or name.removesuffix("+").endswith(wanted)
