"""A game in the terminal: what it consists of, and how it is shown and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.files import output
from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import Outcome, counted
from ryugi_engine.games.position import Position
from ryugi_engine.records.autosave import Autosave
from ryugi_engine.records.pgn import score_text
from ryugi_engine.records.record_file import RecordFile
from ryugi_engine.records.san import has_san, to_san
from ryugi_engine.search.report import Score
from ryugi_engine.terminal.opponent import Opponent, engine_tags
from ryugi_engine.terminal.screen import size
from ryugi_engine.terminal.turn_clock import TurnClock
from ryugi_engine.text.plain_text import plain

#: Lines around a board: a blank one, what the engine plays, the prompt.
_AROUND = 3


class TerminalGame:
    """A game in the terminal: position, engine, board and record."""

    def __init__(
        self,
        variant: str,
        fen: str | None,
        *,
        side: int,
        control: TimeControl,
        level: int,
        ink: Ink,
        read: Callable[[str], str],
        write: Callable[[str], None],
        save: Path | None = None,
        resume: RecordFile | None = None,
        variants_file: str = "",
        turn_seconds: float = 0.0,
        net: str = "",
    ) -> None:
        """Prepare a game, or continue that of a file; UserError says what is wrong.

        ``read`` gives the person's lines, EOFError at their end.

        ``turn_seconds`` is the person's time for a turn where the rules take the turn of who
        oversteps it; 0 for none. ``net`` is a file that the engine evaluates by, "" for its own.
        """
        self._side = side
        #: Like the board itself, shown from the person's side.
        self._ink = ink._replace(turned=bool(side))
        self._read_line, self._write = read, write
        #: How the game was ended where the rules would let it go on.
        self._ended: Outcome | None = None
        self._opponent = Opponent(control, level, write, variants_file)
        self._opponent.use_net(net)
        names = ["You", str(self._opponent)]
        if side:
            names.reverse()
        tags = {"White": names[0], "Black": names[1], "Event": "Play in a terminal"}
        if resume is None:
            self._file = Autosave(tags)
        else:
            renamed = engine_tags(tags, resume.playback.record.tags)
            self._file = Autosave.resumed(resume, renamed)
        session = self._opponent.session
        session.set_variant(variant)
        losing = session.position.game.timeout_pass
        self._turn_clock = TurnClock(turn_seconds if losing else 0.0)
        if resume is None:
            session.set_position(fen)
        else:
            position = resume.playback.position
            session.set_position(position.root_text, position.moves)
        if self.position.outcome() is not None:
            raise UserError("the game is over in this position")
        self._file.keep(self.position, None, write, save, force=output.forced())

    @property
    def position(self) -> Position:
        """The current position."""
        return self._opponent.session.position

    def outcome(self) -> Outcome | None:
        """Return the outcome, by the rules or a player's decision; None if the game goes on."""
        return self._ended or self.position.outcome()

    def _look(self) -> str:
        """Return how the person's pieces look where only that distinguishes the sides."""
        if not has_san(self.position.game) or self._ink.colours:
            return ""
        looks = (
            ("outlined", "filled") if self._ink.unicode else ("capital letters", "small letters")
        )
        return f" ({looks[self._side]})"

    def _board(self) -> str:
        _columns, height = size()
        lines = max(height - _AROUND, 1) if height else 0
        return self.position.board_text(self._ink, mark=True, outcome=self._ended, lines=lines)

    def _show(self) -> None:
        self._write(self._board() + "\n")

    def _think(self) -> None:
        result = self._opponent.think()
        move = self._written(result.best)
        self.position.push(result.best)
        self._show()
        self._write(f"The engine plays {move}  ({_told(result.score)})")
        self._keep()

    def _written(self, move: str) -> str:
        """Return a legal move as it is shown."""
        return to_san(self.position, self.position.parse_move(move))

    def _sides(self) -> list[int]:
        """Return who has made each move."""
        walked = Position(self.position.game, self.position.root_text)
        sides = []
        for move in self.position.moves:
            sides.append(walked.side)
            walked.push(move, refereed=True)
        return sides

    def _keep(self, path: Path | None = None) -> bool:
        """Write the game so far, if it is to be kept; whether nothing has gone wrong."""
        try:
            self._file.keep(self.position, self.outcome(), self._write, path)
        except UserError as error:
            self._write(f"The game could not be kept: {plain(str(error))}")
            return False
        return True


def _told(score: Score) -> str:
    """Return a score in words, from the engine's side."""
    text = score_text(score.cp, score.mate)
    if score.mate is None:
        return f"{text} from its side"
    verb = "wins" if score.mate > 0 else "loses"
    return f"{text}: it {verb} in {counted(abs(score.mate), 'move')}"
