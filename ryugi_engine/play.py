"""A person against the engine in the terminal, any game."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from pathlib import Path

from ryugi_engine import keys, recording
from ryugi_engine.drawing import Ink
from ryugi_engine.game import Outcome, resignation
from ryugi_engine.limits import Limits
from ryugi_engine.match.referee import TimeControl
from ryugi_engine.playback import Playback
from ryugi_engine.position import Position
from ryugi_engine.recording import RecordFile, RecordingError
from ryugi_engine.session import BestMove, Event, Note, Progress, Session
from ryugi_engine.terminal import CLEAR

_NAMES = ("White", "Black")
_HELP = """\
  a move      in the engine's notation, as 'moves' shows it
  moves [P]   the legal moves; with P those that begin so, or go from or to a square P
  place       put a piece with a cursor, where pieces turn (also: Enter)
  board       show the board again
  hint        what the engine would play
  undo        take your last move back, and the engine's answer
  draw        claim a draw, or offer one
  resign      give up
  save FILE   write the game so far; 'record' goes on from there
  quit        leave"""
#: Columns of a list of moves.
_WIDTH = 78


class PlayError(Exception):
    """Why no game can be played so, in one line."""


class _Over(Exception):
    """The person leaves, or the game has ended."""

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__()
        self.outcome = outcome


class Play:
    """One game; ``read`` gives the person's lines, EOFError at their end."""

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
        """Prepare a game; PlayError says what is wrong."""
        self._side = side
        self._control = control
        self._clock = control.base
        self._ink = ink
        self._read, self._write = read, write
        self._save = save
        self._answers: queue.Queue[BestMove] = queue.Queue()
        self._score: int | None = None
        if save is not None and save.exists():
            raise PlayError(f"{save} is there already: choose another name")
        try:
            self._session = Session(self.hear, variants_file)
            self._session.set_variant(variant)
            self._session.set_option("Skill Level", str(skill))
            self._session.set_position(fen)
        except ValueError as error:
            raise PlayError(str(error)) from None
        if self.position.outcome() is not None:
            raise PlayError("the game is over in this position")

    @property
    def position(self) -> Position:
        """The present position."""
        return self._session.position

    def hear(self, event: Event) -> None:
        """The session's events, from whatever thread."""
        if isinstance(event, BestMove):
            self._answers.put(event)
        elif isinstance(event, Progress) and event.report.multipv == 1:
            self._score = event.report.score.cp
        elif isinstance(event, Note):
            self._write(event.text)

    # ---- the game ----------------------------------------------------------------------------

    def run(self) -> Outcome | None:
        """Play to the end; None if the person has left before."""
        self._write(f"You are {_NAMES[self._side]}. 'help' lists what you can say.\n")
        self._show()
        try:
            while True:
                outcome = self.position.outcome()
                if outcome is not None:
                    raise _Over(outcome)
                if self.position.side == self._side:
                    self._ask()
                else:
                    self._think()
        except _Over as over:
            if over.outcome is not None:
                self._write(f"{over.outcome.result} ({over.outcome.reason})")
            self._keep(over.outcome)
            return over.outcome
        finally:
            self._session.stop()

    def _show(self) -> None:
        self._write(self.position.board_text(self._ink, mark=True) + "\n")

    def _search(self) -> str:
        """The move that the engine finds for the side to move, in the time of the engine's."""
        control = self._control
        limits = Limits(move_time=control.per_move)
        if not control.per_move:
            clocks = (self._clock, self._clock)
            limits = Limits(time=clocks, increment=(control.increment, control.increment))
        self._session.go(limits)
        return self._answers.get().result.best

    def _think(self) -> None:
        began = time.perf_counter()
        move = self._search()
        if not self._control.per_move:
            left = self._clock - (time.perf_counter() - began)
            self._clock = max(left, 0.1) + self._control.increment
        if not move:
            raise PlayError("the engine has found no move")
        self.position.push(move)
        self._show()
        told = "" if self._score is None else f"  ({self._score / 100:+.2f} from its side)"
        self._write(f"The engine plays {self.position.last_move}{told}")
        self._keep(None)

    def _push(self, move: str) -> None:
        try:
            self.position.push(move)
        except ValueError:
            self._write(f"'{move[:40]}' is no legal move: {self.position.objection(move)}")
            return
        self._show()
        self._keep(None)

    # ---- what the person says ----------------------------------------------------------------

    def _ask(self) -> None:
        """Read and do one thing."""
        number = len(self.position.moves) // 2 + 1
        try:
            line = self._read(f"{number}. {_NAMES[self._side]}> ").strip()
        except EOFError:
            self._write("")
            raise _Over(None) from None
        word, _, rest = line.partition(" ")
        action = getattr(self, f"_do_{word.lower()}", None) if word.isalpha() else None
        if not line:
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
        raise _Over(None)

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
        self._write(f"{len(moves)} legal moves" + (f" with '{rest}'" if rest else ""))

    def _do_hint(self, rest: str) -> None:
        self._write(f"The engine would play {self._search()}")

    def _do_undo(self, rest: str) -> None:
        position = self.position
        own = [i for i, side in enumerate(self._sides()) if side == self._side]
        if not own:
            self._write("There is no move of yours to take back")
            return
        while len(position.moves) > own[-1]:
            position.pop()
        self._show()
        self._keep(None)

    def _sides(self) -> list[int]:
        """Who has made each move."""
        walked = Position(self.position.game, self.position.root_text)
        sides = []
        for move in self.position.moves:
            sides.append(walked.side)
            walked.push(move, refereed=True)
        return sides

    def _do_resign(self, rest: str) -> None:
        raise _Over(resignation(self._side))

    def _do_draw(self, rest: str) -> None:
        claim = self.position.claim()
        if claim is not None:
            raise _Over(claim)
        if not self.position.game.draws:
            self._write(f"{self.position.game.title} has no draws")
        elif self._score is not None and self._score <= self._session.options.number("Draw Score"):
            raise _Over(Outcome("1/2-1/2", "draw agreed"))
        else:
            self._write("The engine wants to play on")

    def _do_save(self, rest: str) -> None:
        if not rest:
            self._write("save needs a file's name")
            return
        before, self._save = self._save, Path(rest)
        if self._save.exists() and self._save != before:
            self._write(f"{rest} is there already: choose another name")
            self._save = before
            return
        self._keep(None)
        self._write(f"Kept in {rest} from now on")

    def _keep(self, outcome: Outcome | None) -> None:
        """Write the game so far, if it is to be kept."""
        if self._save is None:
            return
        names = ["You", f"ryugi-engine ({self._control})"]
        if self._side:
            names.reverse()
        tags = {"White": names[0], "Black": names[1], "Event": "Play in a terminal"}
        record = recording.fresh(self.position.game, tags, self.position.root_text)
        playback = Playback(self.position.game, record)
        playback.branch(self.position.moves)
        ended = outcome or self.position.outcome()
        if ended is not None:
            recording.end(record, ended)
        try:
            RecordFile(self._save, [record], playback).save()
        except RecordingError as error:
            self._write(f"The game could not be kept: {error}")

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
        move = ""
        with keys.Keys() as pressed:
            while True:
                board = placer.board_text(self._ink)
                self._write(f"{CLEAR}{board}\n{placer.help}\nEnter: play it   Esc: type instead")
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


def _concerns(move: str, wanted: str) -> bool:
    """Whether a move begins with some letters, or goes from or to a square."""
    name = move.lower()
    return name.startswith(wanted) or name.removesuffix("+").endswith(wanted)
