"""An engine of a match: the interface of both protocols.

Whether a move is legal is the referee's question alone: moves are texts here.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ryugi_engine.games.game import Game, Outcome
from ryugi_engine.games.position import Position
from ryugi_engine.match.engine_options import EngineOption
from ryugi_engine.match.engine_process import EngineProcess
from ryugi_engine.match.sent_position import SentPosition
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timecontrol import PlayerClock, TimeControl, Timeouts
from ryugi_engine.plain_text import plain

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
    """The match asks for what the engine, by its own options, cannot do: every game would fail."""


class GameUnknown(Unsupported):
    """The engine does not list the match's game."""


class EngineHang(EngineFailure):
    """The engine gave no answer in time, be it by its clock or where none runs."""

    reason = "stall"


class ProtocolViolation(EngineFailure):
    """The engine broke its protocol."""

    reason = "illegal move"


class FalseClaim(EngineFailure):
    """The engine claimed a wrong result, or refused a legal move."""

    reason = "false claim"


@dataclass(frozen=True)
class Answer:
    """An engine's move ("" if it gave none), its seconds, and what it thought."""

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


@dataclass
class Turn:
    """A move that is asked for: where, and under which clocks."""

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
    """A running engine. Every request raises EngineFailure if the engine fails in it."""

    def __init__(self, spec: EngineSpec, game: Game, variants_file: str, timeouts: Timeouts):
        self.spec, self.game = spec, game
        self.timeouts = timeouts
        self._variants_file = variants_file
        self._process: EngineProcess | None = None
        self._waiter: asyncio.Future[Any] | None = None
        self._wanted = ""
        #: When the start must be over, by the event loop's clock.
        self._deadline = float("inf")
        self._fault: EngineFailure | None = None
        self._reported_name = ""
        #: By the name in lower case.
        self._options: dict[str, EngineOption] = {}

    # ---- for the match ---------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the engine is called, or calls itself."""
        name = self.spec.name or self._reported_name or self.spec.argv[0].rpartition("/")[2]
        return plain(name[:_NAME_LENGTH])

    def transcript(self) -> str:
        """Return all lines since the game began."""
        return self._process.transcript.text() if self._process is not None else ""

    async def start(self) -> None:
        """Start the process and let it load the game, so that no clock runs for that."""
        spec = self.spec
        self._deadline = asyncio.get_running_loop().time() + self.timeouts.start
        try:
            self._process = await EngineProcess.open(
                spec.argv, spec.dir, self._on_line, self._on_exit
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            raise CommandNotFound(getattr(error, "strerror", None) or str(error)) from None
        await self._introduce()
        position = Position(self.game)
        await self.begin_game(position)
        control = TimeControl(2.0, 0.0)
        turn = Turn(position, (PlayerClock(control), PlayerClock(control)), SentPosition(position))
        await self._move(turn, self.timeouts.start)
        self._deadline = float("inf")

    def check_control(self, control: TimeControl) -> None:  # noqa: B027 - UCI has them all
        """Raise Unsupported if the engine cannot be given a time control."""

    def accepts_position(self, text: str) -> bool:
        """Return whether the engine can begin a game from a position text."""
        return True

    async def begin_game(self, position: Position) -> None:
        """Announce a new game from a position, and wait until the engine is ready."""
        self.process.transcript.clear()
        await self._begin(position)

    async def play(self, turn: Turn) -> Answer:
        """Ask for a move. EngineHang if there is none long after the clock has run out."""
        return await self._move(turn, turn.timeout(self.timeouts.stall))

    async def ponder(self, turn: Turn, move: str) -> None:  # noqa: B027 - not every engine does
        """Let the engine ponder on the opponent's expected move, which is legal."""

    async def end_game(self, outcome: Outcome) -> None:  # noqa: B027 - not every engine cares
        """End the game: stop pondering."""

    @property
    def reusable(self) -> bool:
        """Whether the process can play another game."""
        return self._process is not None and not self.process.ended and self._fault is None

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
    async def _introduce(self) -> None:
        """Identify the engine, set its options and choose the game."""

    @abstractmethod
    async def _begin(self, position: Position) -> None: ...

    @abstractmethod
    async def _move(self, turn: Turn, timeout: float) -> Answer: ...

    @abstractmethod
    def _handle_line(self, line: str) -> None:
        """Handle a line of the engine; may call :meth:`_resolve` or :meth:`_fail`."""

    def _on_line(self, line: str) -> None:
        if self._fault is None:
            self._handle_line(line)

    def _on_exit(self, reason: str) -> None:
        self._fail(EngineFailure(f"the engine ended: {reason}"))

    def _fail(self, failure: EngineFailure) -> None:
        """Give the engine up; whoever waits for it, now or later, gets the error."""
        self._fault = self._fault or failure
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(self._fault)

    def _add_option(self, option: EngineOption) -> None:
        """Take note of an option that the engine has."""
        self._options[option.name.lower()] = option
        if len(self._options) > _MOST_OPTIONS:
            self._fail(EngineFailure(f"more than {_MOST_OPTIONS} options"))

    def _resolve(self, wanted: str, answer: object = None) -> None:
        """Pass an answer to whoever waits for it."""
        if self._waiter is not None and not self._waiter.done() and wanted == self._wanted:
            self._waiter.set_result(answer)

    async def _wait(self, wanted: str, timeout: float, message: str) -> Any:
        """Wait for something that :meth:`_resolve` names; return the answer that comes with it.

        EngineHang with ``message`` after ``timeout`` seconds, or at the end of the time to start.
        """
        if self._fault is not None:
            raise self._fault
        loop = asyncio.get_running_loop()
        self._waiter, self._wanted = (waiter := loop.create_future()), wanted
        alarm = loop.call_at(
            min(loop.time() + timeout, self._deadline),
            lambda: self._fail(EngineHang(f"{message} in {timeout:.0f} s")),
        )
        try:
            return await waiter
        finally:
            alarm.cancel()
            self._waiter = None
            if not waiter.cancelled() and waiter.done():
                with contextlib.suppress(EngineFailure):
                    waiter.exception()
