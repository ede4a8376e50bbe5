"""One game between two engines, judged by our rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ryugi_engine.clocks.time_control import PlayerClock, TimeControl
from ryugi_engine.games.game import (
    AGREED_DRAW,
    CrowdingMove,
    Game,
    IllegalMove,
    Outcome,
    counted,
    resignation,
)
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine import Answer, Engine, EngineFailure, EngineHang, SentPosition, Turn
from ryugi_engine.match.openings import Opening
from ryugi_engine.match.referee import NEVER, WINS, Adjudication

#: Called after each move with the position, the answer, and both clocks' seconds.
OnMove = Callable[[Position, Answer, tuple[float, float]], None]


@dataclass
class PlayedGame:
    """A finished game."""

    opening: Opening
    #: The engines' moves.
    moves: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    outcome: Outcome = field(default_factory=lambda: Outcome("*", "unterminated"))
    #: The sides whose engines cannot play on.
    broken: set[int] = field(default_factory=set)
    #: Turns that White and Black have lost on time, where that does not lose the game.
    lost_turns: list[int] = field(default_factory=lambda: [0, 0])
    #: Details of a fault, for the record: which move, the engine's last line.
    detail: str = ""

    def lose(self, side: int, reason: str, detail: str) -> PlayedGame:
        """Let a side lose by its fault."""
        return self.end(Outcome(WINS[1 - side], reason), detail)

    def end(self, outcome: Outcome, detail: str) -> PlayedGame:
        """Let the game have an outcome, with details for the record."""
        self.outcome, self.detail = outcome, detail
        return self


def forfeited(opening: Opening, failures: Sequence[EngineFailure | None]) -> PlayedGame:
    """Return a game that ended before its first move by failures of engines."""
    played = PlayedGame(opening)
    for side, failure in enumerate(failures):
        if failure is not None:
            played.broken.add(side)
            played.lose(side, failure.reason, str(failure))
    if len(played.broken) == 2:
        played.outcome = Outcome("1/2-1/2", "crash")
        played.detail = "; ".join(str(failure) for failure in failures)
    return played


async def both(requests: Sequence[object]) -> list[EngineFailure | None]:
    """Await requests to both engines; return each one's EngineFailure, or None."""
    result = await asyncio.gather(*requests, return_exceptions=True)  # type: ignore[call-overload]
    failures: list[EngineFailure | None] = []
    for one in result:
        if isinstance(one, BaseException) and not isinstance(one, EngineFailure):
            raise one
        failures.append(one if isinstance(one, EngineFailure) else None)
    return failures


class _Table:
    """A game that is being played."""

    def __init__(
        self, position: Position, engines: Sequence[Engine], controls: Sequence[TimeControl]
    ) -> None:
        self.position, self.engines = position, engines
        self.clocks = [PlayerClock(control) for control in controls]
        self.sent = SentPosition(position)
        self.answers: list[tuple[int, Answer]] = []
        #: Answers since a capture or a pawn's move.
        self.quiet = 0
        self._pawns = bool(position.game.pawn)

    @property
    def turn(self) -> Turn:
        return Turn(self.position, self.clocks, self.sent)

    def left(self) -> tuple[float, float]:
        return self.clocks[0].left, self.clocks[1].left

    def push(self, move: str | int, side: int, answer: Answer) -> None:
        self.sent.push(self.position, move)
        self.answers.append((side, answer))
        self.quiet += 1

    def forget_noise(self) -> None:
        """Restart the count of quiet moves where the game's halfmove clock does."""
        if self._pawns:
            fields = self.position.text().split()
            if len(fields) > 4 and fields[4] == "0":
                self.quiet = 0

    async def let_ponder(self, side: int, answer: Answer) -> None:
        """Let the side that has moved ponder, if it is to and names an expected move."""
        position = self.position
        if not (answer.ponder and self.engines[side].spec.ponder and position.side != side):
            return
        trial = position.copy()
        try:
            trial.push(answer.ponder)
        except IllegalMove:
            return
        move = trial.last_move
        if trial.side == side and trial.outcome() is None:
            await self.engines[side].ponder(self.turn, move)


async def play_game(
    game: Game,
    engines: Sequence[Engine],
    controls: Sequence[TimeControl],
    opening: Opening,
    max_plies: int,
    on_move: OnMove,
    adjudication: Adjudication = NEVER,
) -> PlayedGame:
    """Play a game; ``engines`` are White and Black. Draws that can be claimed are claimed.

    The engines are told the opening's moves.
    """
    position = Position(game, opening.root)
    played = PlayedGame(opening)
    failures = await both([engine.begin_game(position) for engine in engines])
    if any(failures):
        return forfeited(opening, failures)
    table = _Table(position, engines, controls)
    for move in opening.moves:
        table.sent.push(position, move)
    outcome = position.outcome() or position.claim()
    while outcome is None:
        if len(played.moves) >= max_plies:
            message = f"adjudication after {counted(max_plies, 'ply', 'plies')}"
            outcome = Outcome("1/2-1/2", message)
            break
        outcome = await _ply(table, played, on_move, adjudication)
    played.outcome = outcome
    failures = await both([engine.end_game(outcome) for engine in engines])
    played.broken |= {side for side, failure in enumerate(failures) if failure is not None}
    return played


async def _ply(
    table: _Table, played: PlayedGame, on_move: OnMove, adjudication: Adjudication
) -> Outcome | None:
    """Ask for a move and make it; how the game has ended, if it has."""
    position = table.position
    game, side = position.game, position.side
    clock = table.clocks[side]
    try:
        answer = await table.engines[side].play(table.turn)
    except EngineFailure as error:
        hung = isinstance(error, EngineHang) and not clock.control.endless
        played.broken.add(side)
        if hung:
            return played.end(position.time_over(side), str(error)).outcome
        return played.lose(side, error.reason, str(error)).outcome
    if answer.resigns:
        return resignation(side)
    late = not clock.run(answer.seconds)
    if late and not game.timeout_pass:
        message = f"{-clock.left * 1000:.0f} ms too late"
        return played.end(position.time_over(side), message).outcome
    clock.moved()
    try:
        if late:
            # by this game's rules the turn is lost, not the game
            played.lost_turns[side] += 1
            table.push(game.timeout_pass, side, answer)
        else:
            table.push(answer.move, side, answer)
    except CrowdingMove as error:
        return Outcome("1/2-1/2", f"adjudication: {error}")
    except IllegalMove as error:
        return played.lose(side, "illegal move", str(error)).outcome
    played.moves.append(position.moves[-1])
    played.answers.append(answer)
    on_move(position, answer, table.left())
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    if adjudication.draw_moves:
        table.forget_noise()
    outcome = adjudication.outcome(game, table.answers, table.quiet) or position.claim()
    if outcome is None and answer.offers and game.draws and _agreed(table):
        outcome = AGREED_DRAW
    if outcome is None:
        await table.let_ponder(side, answer)
    return outcome


def _agreed(table: _Table) -> bool:
    """Return whether both sides' last moves came with the offer of a draw."""
    return len(table.answers) > 1 and all(answer.offers for _side, answer in table.answers[-2:])
