"""One game between two engines, judged by our rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ryugi_engine.game import Game, Outcome
from ryugi_engine.match.engine import Answer, EngineFailure, EngineHang, EngineProcess
from ryugi_engine.position import IllegalMove, Position

_WINS = ("1-0", "0-1")
#: Reasons that end a game by fault of an engine.
FAULTS = ("illegal move", "time forfeit", "crash")


@dataclass(frozen=True)
class TimeControl:
    """Seconds for the game and for each move."""

    base: float
    increment: float

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """From ``10+0.1``; ValueError if it is not like that."""
        head, _, tail = text.partition("+")
        try:
            base, increment = float(head), float(tail or 0)
        except ValueError:
            raise ValueError(f"time control '{text[:40]}' is not like 10+0.1") from None
        if not (0 < base <= 1e6 and 0 <= increment <= 1e5):
            raise ValueError(f"time control '{text[:40]}': the time must be above zero")
        return cls(base, increment)

    def __str__(self) -> str:
        return f"{self.base:g}+{self.increment:g}"


@dataclass
class PlayedGame:
    """A finished game."""

    root_text: str
    moves: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    outcome: Outcome = field(default_factory=lambda: Outcome("*", "unterminated"))
    #: Whether the engines have to be started again before the next game.
    broken: bool = False
    #: Details of a fault, for the record: which move, what the engine said last.
    detail: str = ""


def play_game(
    game: Game,
    engines: Sequence[EngineProcess],
    control: TimeControl,
    root_text: str,
    max_plies: int,
    on_move: Callable[[Position, Answer, tuple[float, float]], None],
) -> PlayedGame:
    """Play a game; ``engines`` are White and Black. Draws that can be claimed are claimed."""
    position = Position(game, root_text)
    played = PlayedGame(position.root_text)
    clocks = [control.base, control.base]
    token = object()
    while True:
        outcome = position.outcome() or position.claim()
        if outcome is not None:
            played.outcome = outcome
            return played
        if len(position.moves) >= max_plies:
            played.outcome = Outcome("1/2-1/2", f"adjudication after {max_plies} plies")
            return played
        side = position.side
        loss = _WINS[1 - side]
        try:
            answer = engines[side].play(position, (clocks[0], clocks[1]), control.increment, token)
        except EngineFailure as error:
            hung = isinstance(error, EngineHang)
            played.outcome = Outcome(loss, "time forfeit" if hung else "crash")
            played.detail = str(error)
            played.broken = True
            return played
        clocks[side] -= answer.seconds
        if clocks[side] < 0:
            played.outcome = Outcome(loss, "time forfeit")
            played.detail = f"{-clocks[side] * 1000:.0f} ms too late"
            return played
        clocks[side] += control.increment
        try:
            position.push(answer.move)
        except IllegalMove as error:
            played.outcome = Outcome(loss, "illegal move")
            played.detail = str(error)
            return played
        played.moves.append(position.moves[-1])
        played.answers.append(answer)
        on_move(position, answer, (clocks[0], clocks[1]))
