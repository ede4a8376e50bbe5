"""An engine of a match: the interface of both protocols.

Whether a move is legal is the referee's question alone: moves are texts here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ryugi_engine.clocks.time_control import PlayerClock, TimeControl
from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.notation import squares_of
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine_options import EngineOption
from ryugi_engine.match.engine_process import EngineProcess, Transcript
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.text.plain_text import plain

#: Letters of what an engine calls itself.
_NAME_LENGTH = 100
#: Seconds beyond its clock after which an engine counts as hung.
GRACE = 5.0
#: Seconds that an engine may take for ``quit``.
_LEAVING = 3.0
#: What a mate counts in an answer's centipawns, less the moves to it.
MATE = 100_000
#: Options that an engine may have: a list without an end would fill the memory.
_MOST_OPTIONS = 10_000


class EngineFailure(Exception):
    """An engine's fault, as a short phrase; ``reason`` is the reason of the lost game."""

    reason = "crash"
    #: The transcript, where the engine itself is gone.
    transcript = ""


class CommandNotFound(EngineFailure):
    """The engine's command cannot be run."""


class Unsupported(EngineFailure):
    """The engine lacks an option or value that the match needs: every game would fail."""


class GameUnknown(Unsupported):
    """The engine does not list the match's game."""


class EngineHang(EngineFailure):
    """The engine gave no answer in time, with a clock or without one."""

    reason = "stall"


class ProtocolViolation(EngineFailure):
    """The engine broke its protocol."""

    reason = "illegal move"


class FalseClaim(EngineFailure):
    """The engine claimed a wrong result, or refused a legal move."""

    reason = "false claim"


@dataclass(frozen=True)
class Answer:
    """An engine's move ("" if none), the seconds it took, and its last search output."""

    move: str
    seconds: float
    score: str = ""
    depth: int = 0
    #: The score as a number, a mate as tens of thousands; None if the engine gave none.
    centipawns: int | None = None
    #: The answer that it expects; "" if it says none.
    ponder: str = ""
    #: Whether it gives up instead, or offers a draw with the move.
    resigns: bool = False
    offers: bool = False


class SentPosition:
    """The position text from which a game is sent, and the number of moves before it.

    An engine that has learnt a game from a table (Fairy-Stockfish) knows one castling a side, where
    a game may have several. After a castling no earlier position can occur again. So the game can
    be sent as the position after it, and no rule misses the moves before.
    """

    def __init__(self, position: Position) -> None:
        self._watched = bool(position.game.royal) and position.game.name != "chess"
        self.root = position.root_text
        #: How many moves of the game led to the root.
        self.root_ply = 0
        #: The side of each move; in some games a side has several turns running.
        self.sides: list[int] = []

    def push(self, position: Position, move: str | int) -> None:
        """Play a move, as :meth:`Position.push`; after a castling the position is sent instead."""
        castling = self._watched and isinstance(move, str) and _castles(position, move)
        side = position.side
        position.push(move)
        self.sides.append(side)
        if castling:
            self.root, self.root_ply = position.text(), len(position.moves)


def _castles(position: Position, move: str) -> bool:
    """Return whether a move is castling, which loses a right.

    The king moves two squares or more, or takes its own rook.
    """
    squares = squares_of(move)
    if len(squares) != 2 or squares[0][1] != squares[1][1]:
        return False
    game, board = position.game, position.rules.board(position.state)
    king, rook = board.get(squares[0], ""), board.get(squares[1], "")
    takes_rook = bool(rook) and king.isupper() == rook.isupper()
    if abs(squares[0][0] - squares[1][0]) < 2 and not takes_rook:
        return False
    fields = position.text().split()
    own = [c for c in fields[2] if c.isalpha() and c.isupper() == (position.side == 0)]
    return king.upper() == game.royal.upper() and bool(own)


@dataclass
class Turn:
    """A request for a move: the position and the clocks."""

    position: Position
    #: White's and Black's.
    clocks: Sequence[PlayerClock]
    #: How the game so far is sent to an engine.
    sent: SentPosition

    @property
    def control(self) -> TimeControl:
        """The time control of the side to move."""
        return self.clocks[self.position.side].control

    def timeout(self, stall: float) -> float:
        """Return the seconds to wait for the move."""
        clock = self.clocks[self.position.side]
        if clock.control.endless:
            return stall
        return max(clock.left, 0.0) + clock.control.margin + GRACE


class Engine(ABC):
    """A running engine. Every request raises EngineFailure if the engine fails in it.

    A match starts one and lets it play; the compliance check takes its steps one by one.
    """

    def __init__(self, spec: EngineSpec, game: Game, variants_file: str, timeouts: Timeouts):
        self.spec, self.game = spec, game
        self.timeouts = timeouts
        self._variants_file = variants_file
        self._process: EngineProcess | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._wanted = ""
        #: When the start must be over, by the event loop's clock.
        self._deadline = float("inf")
        self._reported_name = ""
        #: What has gone wrong for good.
        self.fault: EngineFailure | None = None
        #: The options that it has, by the name in lower case.
        self.options: dict[str, EngineOption] = {}
        #: Whether a search goes on: a move at another time is a fault.
        self.thinking = False
        #: The last search's move as the protocol has it, when it came, and its line.
        self._best: tuple[Any, float, str] = ("", 0.0, "")
        #: Every line in both directions.
        self.log = Transcript()
        #: Called after each line and each fault.
        self.listener: Callable[[], None] = lambda: None

    # ---- for the match ---------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The engine's name: the user's, else the engine's own."""
        name = self.spec.name or self._reported_name or self.spec.argv[0].rpartition("/")[2]
        return plain(name[:_NAME_LENGTH])

    def transcript(self) -> str:
        """Return all lines since the game began."""
        return self.log.text()

    async def open(self) -> None:
        """Start the process."""
        spec = self.spec
        self._deadline = asyncio.get_running_loop().time() + self.timeouts.start
        try:
            self._process = await EngineProcess.open(
                spec.argv, spec.dir, self._on_line, self._on_exit, self.log
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            raise CommandNotFound(getattr(error, "strerror", None) or str(error)) from None

    async def start(self) -> None:
        """Start the process and let it load the game before any clock runs."""
        await self.open()
        await self.handshake()
        await self.configure()
        await self.warm_up()

    async def warm_up(self) -> None:
        """Begin a game and ask for a move, which may take as long as a start."""
        position = Position(self.game)
        await self.begin_game(position)
        control = TimeControl(2.0, 0.0)
        turn = Turn(position, (PlayerClock(control), PlayerClock(control)), SentPosition(position))
        await self._move(turn, self.timeouts.start)
        self._deadline = float("inf")

    def check_control(self, control: TimeControl) -> None:  # noqa: B027 - UCI has them all
        """Raise Unsupported if the engine cannot be given a time control."""

    @property
    def takes_positions(self) -> bool:
        """Whether the engine can begin a game at another position than the start."""
        return True

    async def begin_game(self, position: Position) -> None:
        """Announce a new game from a position, and wait until the engine is ready."""
        self.log.clear()
        await self._begin(position)

    async def play(self, turn: Turn) -> Answer:
        """Ask for a move. EngineHang if none comes long after the time is over."""
        return await self._move(turn, turn.timeout(self.timeouts.stall))

    async def answer(
        self, turn: Turn, began: float, timeout: float, message: str = "no answer"
    ) -> Answer:
        """Return the move of the search that goes on or has just ended, which began at a time.

        EngineHang with ``message`` if it does not come in ``timeout`` seconds.
        """
        if self.thinking:
            await self._wait("move", timeout, message)
        best, ended, _line = self._best
        return self._read_answer(best, max(ended - began, 0.0), turn.position)

    @property
    def last_line(self) -> str:
        """The line that ended the last search."""
        return self._best[2]

    async def ponder(self, turn: Turn, move: str) -> None:  # noqa: B027 - not every engine does
        """Let the engine ponder on the opponent's expected move, which is legal."""

    async def end_game(self, outcome: Outcome) -> None:  # noqa: B027 - not every engine cares
        """End the game: stop pondering."""

    @property
    def reusable(self) -> bool:
        """Whether the process can play another game."""
        return self._process is not None and not self.process.ended and self.fault is None

    async def close(self, timeout: float = _LEAVING) -> None:
        """End the process."""
        if self._process is not None:
            if timeout and not self.process.ended:
                self.process.send("quit")
            await self.process.close(timeout)

    def kill(self) -> None:
        """End the process at once, without waiting for its end."""
        if self._process is not None:
            self.process.kill()

    # ---- for the protocols -----------------------------------------------------------------

    @property
    def process(self) -> EngineProcess:
        """The process, which has been started."""
        assert self._process is not None
        return self._process

    @abstractmethod
    async def handshake(self) -> None:
        """Exchange the protocol's first lines and read the engine's options."""

    @abstractmethod
    async def configure(self) -> None:
        """Set its options and choose the game; Unsupported if it has not got them."""

    @abstractmethod
    async def ready(self, timeout: float = 0.0) -> None:
        """Wait ``timeout`` seconds for the engine to take all lines; 0: as for a start."""

    @abstractmethod
    async def _begin(self, position: Position) -> None: ...

    @abstractmethod
    async def _move(self, turn: Turn, timeout: float) -> Answer: ...

    @abstractmethod
    def _read_answer(self, best: Any, seconds: float, position: Position) -> Answer:
        """Return the answer that a move is, as the protocol has it."""

    @abstractmethod
    def _handle_line(self, line: str) -> None:
        """Handle a line of the engine; may call :meth:`_resolve` or :meth:`_fail`."""

    def _on_line(self, line: str) -> None:
        if self.fault is None:
            self._handle_line(line)
        self.listener()

    def _on_exit(self, reason: str) -> None:
        self._fail(EngineFailure(f"the engine ended: {reason}"))

    def _fail(self, failure: EngineFailure) -> None:
        """Give the engine up; whoever waits for it, now or later, gets the error."""
        self.fault = self.fault or failure
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(self.fault)
        self.listener()

    def _moved(self, best: Any, line: str) -> None:
        """End the search by its move."""
        self.thinking = False
        self._best = best, time.perf_counter(), line
        self._resolve("move")

    def _add_option(self, option: EngineOption) -> None:
        """Take note of an option that the engine has."""
        self.options[option.name.lower()] = option
        if len(self.options) > _MOST_OPTIONS:
            self._fail(EngineFailure(f"more than {_MOST_OPTIONS} options"))

    def _resolve(self, wanted: str) -> None:
        """Wake whoever waits for this."""
        if self._waiter is not None and not self._waiter.done() and wanted == self._wanted:
            self._waiter.set_result(None)

    async def _wait(self, wanted: str, timeout: float, message: str) -> None:
        """Wait for something that :meth:`_resolve` names.

        EngineHang with ``message`` after ``timeout`` seconds, or at the end of the time to start.
        """
        if self.fault is not None:
            raise self.fault
        loop = asyncio.get_running_loop()
        self._waiter, self._wanted = (waiter := loop.create_future()), wanted
        alarm = loop.call_at(
            min(loop.time() + timeout, self._deadline),
            lambda: self._fail(EngineHang(f"{message} in {timeout:.0f} s")),
        )
        try:
            await waiter
        finally:
            alarm.cancel()
            self._waiter = None
            if not waiter.cancelled() and waiter.done():
                with contextlib.suppress(EngineFailure):
                    waiter.exception()
