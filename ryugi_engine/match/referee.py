"""One game between two engines, judged by our rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import AGREED_DRAW, Game, Outcome, counted, resignation
from ryugi_engine.games.position import IllegalMove, Position
from ryugi_engine.match.engine import Answer, EngineFailure, EngineHang, EngineProcess
from ryugi_engine.numbers import decimal

_WINS = ("1-0", "0-1")
#: Reasons that end a game by fault of an engine.
FAULTS = ("illegal move", "time forfeit", "crash")


#: Seconds that a clock can begin with, and that a move can have or add.
_SHORTEST, MAX_BASE, MAX_MOVE_TIME = 0.001, 1_000_000, 100_000


@dataclass(frozen=True)
class TimeControl:
    """Seconds for the game and for each move."""

    base: float
    increment: float
    #: Seconds for each move in place of a clock; 0: a clock runs.
    per_move: float = 0.0
    #: Seconds that a clock may be overdrawn before the game is lost.
    margin: float = 0.0

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """From ``10+0.1``, or ``st=0.5`` for a time a move; UserError if it is not like that."""

        def seconds(word: str, low: float, high: float, like: str) -> float:
            try:
                number = decimal(word, -1e300, 1e300)
            except ValueError:
                raise UserError(f"time control '{text[:40]}' is not like {like}") from None
            if not low <= number <= high:
                told = f"{word[:20]} is not in {low:g}..{high:g} seconds"
                raise UserError(f"time control '{text[:40]}': {told}")
            return number

        if text.startswith("st="):
            per_move = seconds(text[3:], _SHORTEST, MAX_MOVE_TIME, "st=0.5")
            return cls(per_move, 0.0, per_move)
        head, _, tail = text.partition("+")
        base = seconds(head, _SHORTEST, MAX_BASE, "10+0.1")
        return cls(base, seconds(tail or "0", 0.0, MAX_MOVE_TIME, "10+0.1"))

    def __str__(self) -> str:
        if self.per_move:
            return f"st={self.per_move:g}"
        return f"{self.base:g}+{self.increment:g}"


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended before its end, by what both engines say of it.

    ``resign_score`` centipawns behind for ``resign_moves`` moves running of the side behind
    resigns for it; both sides within ``draw_score`` for ``draw_moves`` moves each agree on a
    draw, where the game knows draws. 0 moves: never.
    """

    resign_moves: int = 0
    resign_score: int = 0
    draw_moves: int = 0
    draw_score: int = 0

    def outcome(self, game: Game, answers: Sequence[tuple[int, Answer]]) -> Outcome | None:
        """The result that the answers, each with its side, amount to."""
        if self.resign_moves and answers:
            side = answers[-1][0]
            last = [answer for who, answer in answers if who == side][-self.resign_moves :]
            if len(last) == self.resign_moves and all(
                answer.centipawns is not None and answer.centipawns <= -self.resign_score
                for answer in last
            ):
                return resignation(side)
        if self.draw_moves and game.draws:
            last = [answer for _who, answer in answers[-2 * self.draw_moves :]]
            if len(last) == 2 * self.draw_moves and all(
                answer.centipawns is not None and abs(answer.centipawns) <= self.draw_score
                for answer in last
            ):
                return AGREED_DRAW
        return None


@dataclass
class PlayedGame:
    """A finished game."""

    root_text: str
    moves: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    outcome: Outcome = field(default_factory=lambda: Outcome("*", "unterminated"))
    #: Whether the engines have to be started again before the next game.
    broken: bool = False
    #: Turns that White and Black have lost on time, where that does not lose the game.
    lost_turns: list[int] = field(default_factory=lambda: [0, 0])
    #: Details of a fault, for the record: which move, what the engine said last.
    detail: str = ""


NEVER = Adjudication()


def play_game(
    game: Game,
    engines: Sequence[EngineProcess],
    control: TimeControl,
    root_text: str,
    max_plies: int,
    on_move: Callable[[Position, Answer, tuple[float, float]], None],
    adjudication: Adjudication = NEVER,
) -> PlayedGame:
    """Play a game; ``engines`` are White and Black. Draws that can be claimed are claimed."""
    position = Position(game, root_text)
    played = PlayedGame(position.root_text)
    clocks = [control.base, control.base]
    token = object()
    said: list[tuple[int, Answer]] = []
    begun: set[int] = set()
    while True:
        outcome = position.outcome() or position.claim()
        if outcome is not None:
            played.outcome = outcome
            return played
        if len(position.moves) >= max_plies:
            played.outcome = Outcome(
                "1/2-1/2", f"adjudication after {counted(max_plies, 'ply', 'plies')}"
            )
            return played
        side = position.side
        loss = _WINS[1 - side]
        try:
            if side not in begun:
                engines[side].begin_game(position, token)
                begun.add(side)
            answer = engines[side].play(
                position, (clocks[0], clocks[1]), control.increment, token, control.per_move
            )
        except EngineFailure as error:
            hung = isinstance(error, EngineHang)
            played.outcome = Outcome(loss, "time forfeit" if hung else "crash")
            played.detail = str(error)
            played.broken = True
            return played
        clocks[side] -= answer.seconds
        late = clocks[side] < -control.margin
        if late and not game.timeout_pass:
            played.outcome = Outcome(loss, "time forfeit")
            played.detail = f"{-clocks[side] * 1000:.0f} ms too late"
            return played
        clocks[side] = control.per_move or max(clocks[side], 0.0) + control.increment
        try:
            if late:
                # by this game's rules the turn is lost, not the game
                played.lost_turns[side] += 1
                position.push(game.timeout_pass)
            else:
                position.push(answer.move)
        except IllegalMove as error:
            played.outcome = Outcome(loss, "illegal move")
            played.detail = str(error)
            return played
        played.moves.append(position.moves[-1])
        played.answers.append(answer)
        on_move(position, answer, (clocks[0], clocks[1]))
        said.append((side, answer))
        if position.outcome() is None:
            ended = adjudication.outcome(game, said)
            if ended is not None:
                played.outcome = ended
                return played
