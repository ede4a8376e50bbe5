"""A running game: its record, its players and its clocks."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from ryugi_engine.clocks.game_clock import GameClock
from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import AGREED_DRAW, NAMES, Game, Outcome, resignation
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.records import editing
from ryugi_engine.records.annotation import clock_in, with_clock
from ryugi_engine.records.comments import with_words
from ryugi_engine.records.pgn import UNFINISHED, Step
from ryugi_engine.records.playback import Playback
from ryugi_engine.search.levels import FULL, level_in
from ryugi_engine.web.record_folder import NO_FILE, GameFile

#: Characters of a comment, and glyphs that a page may set.
MAX_COMMENT = 4000
GLYPHS = range(1, 140)
_ENGINE = "ryugi-engine"
UNTIMED = TimeControl.read("inf")


@dataclass(frozen=True)
class Player:
    """Who moves a side's pieces: the engine at some level, or a person."""

    engine: bool = False
    level: int = FULL

    @property
    def name(self) -> str:
        """The player's name in the record."""
        if not self.engine:
            return "?"
        return _ENGINE if self.level == FULL else f"{_ENGINE} (level {self.level})"


PEOPLE = (Player(), Player())


class LiveGame:
    """A running game. Impossible changes raise UserError; callers change a :meth:`copy`."""

    def __init__(
        self,
        playback: Playback,
        players: tuple[Player, Player] = PEOPLE,
        control: TimeControl = UNTIMED,
        file: GameFile = NO_FILE,
        study: bool = False,
    ) -> None:
        self.playback = playback
        #: Whether the game is looked at, not played: pages may show evaluations unasked.
        self.study = study
        #: The time control as it was typed.
        self.written = _written(control)
        #: Whether the engine waits in a game that it plays with itself.
        self.paused = False
        #: Where the game is kept.
        self.file = file
        self.players = players
        self.clock = GameClock(control)
        for side in (0, 1):
            left = self._recorded_clock(side)
            if left is not None and self.clock.timed and not control.per_move:
                self.clock.set(side, left)

    @classmethod
    def begin(
        cls,
        game: Game,
        fen: str | None,
        players: tuple[Player, Player],
        control: TimeControl,
        names: tuple[str, str] = ("", ""),
        file: GameFile = NO_FILE,
        written: str = "",
    ) -> LiveGame:
        """Return a new game from a position text; ``written`` is the time control as typed."""
        tags = {"Event": "Play on a page"}
        for side, player in enumerate(players):
            usual = "You" if players[1 - side].engine and not player.engine else player.name
            tags[NAMES[side]] = names[side] or usual
        if control != UNTIMED:
            tags["TimeControl"] = str(control)
        begun = cls(Playback(game, editing.begin(game, tags, fen)), players, control, file)
        begun.written = written or begun.written
        return begun

    def copy(self) -> LiveGame:
        """Return an independent copy."""
        other = copy.copy(self)
        other.playback, other.clock = self.playback.copy(), self.clock.copy()
        return other

    @classmethod
    def resumed(cls, playback: Playback, file: GameFile = NO_FILE) -> LiveGame:
        """Continue a record; the engine plays the side of its name, if only one side has it."""
        tags = playback.record.tags
        names = [tags.get(name, "") for name in NAMES]
        engines = [name.startswith(_ENGINE) for name in names]
        players = PEOPLE
        if engines.count(True) == 1:
            players = Player(engines[0], level_in(names[0])), Player(engines[1], level_in(names[1]))
        try:
            control = TimeControl.read(tags.get("TimeControl", "inf"))
        except UserError:  # "-", or another program's way to say it
            control = UNTIMED
        return cls(playback, players, control, file, study=players == PEOPLE)

    def _recorded_clock(self, side: int) -> float | None:
        position = self.playback.position
        steps = self.playback.record.steps
        for ply in range(len(steps), max(len(steps) - 2, 0), -1):
            mover = (position.side + len(steps) - ply + 1) % 2
            if mover == side:
                return clock_in(steps[ply - 1].comment)
        return None

    # ---- how it stands ---------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The rules' game."""
        return self.playback.game

    @property
    def side(self) -> int:
        """Side to move at the end of the game."""
        return self.playback.position.side

    def outcome(self) -> Outcome | None:
        """Return the outcome; None if the game goes on."""
        return self.playback.outcome()

    @property
    def engine_moves(self) -> bool:
        """Whether the engine is to move."""
        return self.players[self.side].engine and self.outcome() is None and not self.paused

    def state(self) -> dict[str, Any]:
        """Return the game's state as plain data for a page."""
        position, outcome = self.playback.position, self.outcome()
        game = self.game
        claim = None if outcome is not None else position.claim()
        clock = self.clock
        return shown(position, outcome is not None) | {
            "game": game.name,
            "title": game.title,
            "placed": game.placed,
            "draws": game.draws,
            "neutral": game.neutral,
            "wide": game.files > 26,
            "players": [{"engine": p.engine, "level": p.level} for p in self.players],
            "names": [self.playback.record.tags.get(name, "?") for name in NAMES],
            "control": self.written,
            "study": self.study,
            "paused": self.paused,
            "pocket": game.pocket,
            "ply": len(position.moves),
            "result": "" if outcome is None else outcome.result,
            "reason": "" if outcome is None else outcome.reason,
            "ended_by_player": outcome is not None and position.outcome() is None,
            "claim": None if claim is None else claim.reason,
            "clocks": [clock.left(0), clock.left(1)] if clock.timed else None,
            "running": clock.running,
            "file": "" if self.file.path is None else self.file.path.name,
        }

    # ---- the game goes on ------------------------------------------------------------------

    def push(self, move: str) -> None:
        """Play a move of the side to move at the end of the game."""
        self._play(lambda: editing.add_moves(self.playback, [move]))

    def lose_turn(self) -> None:
        """Play the pass of the side to move, whose time is over."""
        self._play(lambda: editing.lose_turn(self.playback))
        self.home()

    def _play(self, play: Any) -> None:
        if self.outcome() is not None:
            raise UserError("the game is over")
        side, running = self.side, self.clock.running is not None
        play()
        self.clock.stop()
        if running:
            left = self.clock.moved(side)
            if not self.clock.control.per_move:
                step = self.playback.record.steps[-1]
                step.comment = with_clock(step.comment, left)

    def run_clock(self) -> None:
        """Start the clock of the side to move; not if the game is over, paused, or has no move."""
        if self.outcome() is None and self.playback.record.steps and not self.paused:
            self.clock.start(self.side)
        else:
            self.clock.stop()

    def end(self, outcome: Outcome) -> None:
        """End the game by an outcome outside the rules, such as a resignation."""
        if self.outcome() is not None:
            raise UserError("the game is over")
        self.clock.stop()
        editing.end(self.playback.record, outcome)

    def resign(self) -> None:
        """Resign for the person's side; for the side to move if both are persons."""
        side = self.side
        if self.players[side].engine:
            side = 1 - side
        if self.players[side].engine:
            raise UserError("the engine plays both sides")
        self.end(resignation(side))

    def forfeit(self, side: int) -> None:
        """End the game of a side whose time is over: it loses if the other side can still win."""
        self.end(self.playback.position.time_over(side))

    def agree(self) -> None:
        """End the game by agreement."""
        if not self.game.draws:
            raise UserError(f"{self.game.title} has no draws")
        self.end(AGREED_DRAW)

    def undo(self) -> None:
        """Take back a resignation or agreed draw, else the moves since a person's last one."""
        record = self.playback.record
        ended = record.result != UNFINISHED and self.playback.position.outcome() is None
        editing.undo(self.playback)
        persons = [not player.engine for player in self.players]
        while not ended and any(persons) and not persons[self.side] and record.steps:
            editing.undo(self.playback)
        self.home()

    # ---- variations and comments -----------------------------------------------------------

    def position_at(self, line: int, ply: int) -> Position:
        """Return a copy of the position at a ply of a line; 0 is the game's own line."""
        position = self._at(line, ply).position.copy()
        self.home()
        return position

    def _at(self, line: int, ply: int) -> Playback:
        """Move the playback to a ply of a line; :meth:`home` moves it back."""
        try:
            self.playback.choose(line)
            if not 0 <= ply <= len(self.playback.steps):
                raise UserError(f"the line has no ply {ply}")
            self.playback.to(ply)
        except UserError:
            self.home()
            raise
        return self.playback

    def home(self) -> None:
        """Move the playback to the end of the game's own line."""
        self.playback.choose(0)
        self.playback.to(len(self.playback.record.steps))

    def branch(self, line: int, ply: int, move: str) -> tuple[int, int]:
        """Play a move from any position, as a variation; return its line and ply."""
        playback = self._at(line, ply)
        try:
            if playback.at_end:
                raise UserError("the board stands at the end of the game")
            editing.play(playback, move)
            step, ply = playback.steps[playback.ply - 1], playback.ply
            return self._line_of(step), ply
        finally:
            self.home()

    def _line_of(self, wanted: Step) -> int:
        """Return the number of the line that holds a step, as a record counts them."""
        lines = [self.playback.record.steps]
        lines += [steps for _way, steps in self.playback.record.variations()]
        return next(
            number for number, steps in enumerate(lines) if any(one is wanted for one in steps)
        )

    def annotate(self, line: int, ply: int, comment: str, glyph: int) -> None:
        """Replace the comment of a position, and the glyph of the move to it; 0: no glyph."""
        if len(comment) > MAX_COMMENT or (glyph and glyph not in GLYPHS):
            raise UserError(f"a comment has at most {MAX_COMMENT} characters")
        playback = self._at(line, ply)
        try:
            holder = playback.steps[ply - 1] if ply else playback.record
            holder.comment = with_words(holder.comment, comment)
            if isinstance(holder, Step):
                holder.glyphs = [glyph] if glyph else []
        finally:
            self.home()

    def remove_variation(self, line: int) -> None:
        """Remove a variation."""
        for way, steps in self.playback.record.variations():
            line -= 1
            if line == 0:
                home: list[Step] = self.playback.record.steps
                for ply, number in zip(way[:-2:2], way[1:-2:2], strict=True):
                    home = home[ply].variations[number]
                variations = home[way[-2]].variations
                variations[:] = [one for one in variations if one is not steps]
                return
        raise UserError("there is no such variation")


def shown(position: Position, over: bool) -> dict[str, Any]:
    """Return what a page needs to play from a position."""
    board = position.rules.board(position.state)
    return {
        "turn": position.side,
        "moves": [] if over else position.legal_moves(),
        "letters": {square_name(at): letter for at, letter in board.items()},
        "hands": [dict(hand) for hand in position.rules.hands(position.state)],
        "last": position.last_move,
    }


def _written(control: TimeControl) -> str:
    """Return a time control as people write it, ``3:00+2``."""
    text = str(control)
    seconds, plus, rest = text.partition("+")
    if not plus or not seconds.isdecimal() or int(seconds) < 60:
        return text
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}+{rest}"
