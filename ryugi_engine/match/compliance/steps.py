"""The steps of a compliance check, run one after another, and their results."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, IllegalMove, counted
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.connection import Connection, Gone, Line
from ryugi_engine.match.compliance.sample_positions import Place, Places
from ryugi_engine.match.compliance.second_opinion import is_legal
from ryugi_engine.match.engine import Unsupported
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timecontrol import Timeouts

#: Lines of the transcript that a failed step keeps for programs.
_KEPT = 40


class Fault(Exception):
    """A violation of the specification, as a short phrase."""


class Disagreement(Exception):
    """python-chess and our rules differ: a fault of ours, not of the engine."""


class Skip(Exception):
    """Why a step cannot be taken with this engine, or this game."""


@dataclass(frozen=True)
class StepResult:
    """The result of a step: ``ok``, ``failed`` or ``skipped``, with a message."""

    step: str
    result: str
    message: str
    #: Transcript of a step that failed.
    transcript: tuple[str, ...] = ()


@dataclass
class Search:
    """A search that has ended by the engine's move."""

    #: Arguments of UCI's ``go``, CECP's limits by semicolons.
    limits: str
    position: Position
    #: When its time began (``time.perf_counter``).
    began: float
    #: The engine's lines before the last one, and that.
    lines: list[Line]
    end: Line
    #: "" if the engine has resigned.
    move: str = ""
    ponder: str = ""

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end.when - self.began


@dataclass(frozen=True)
class Settings:
    """What an engine is checked with."""

    spec: EngineSpec
    game: Game
    places: Places
    #: Seconds that an answer may be late, and for what may take long.
    margin: float
    timeouts: Timeouts
    variants_file: str = ""


class Checker(ABC):
    """An engine that is being checked. Steps share its process until one of them fails."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.spec, self.game = settings.spec, settings.game
        self.places = settings.places
        #: Seconds that an answer may take which is due at once.
        self.margin = settings.margin
        self.start_timeout = settings.timeouts.start
        self.searches: list[Search] = []
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The running process."""
        assert self._connection is not None
        return self._connection

    @property
    def running(self) -> bool:
        """Whether there is a process that takes lines."""
        return self._connection is not None and not self._connection.gone

    async def open(self) -> None:
        """Start a process; OSError if it cannot be."""
        self._connection = await Connection.open(self.spec)

    async def close(self) -> None:
        """End the process, however."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()

    @abstractmethod
    async def get_ready(self) -> None:
        """Start a process, perform the handshake, set the options and begin a game."""

    @abstractmethod
    async def wait_idle(self) -> None:
        """Wait until the engine is idle; Fault if it moved out of turn."""

    @abstractmethod
    def search_without_end(self, place: Place) -> None:
        """Start a search that only ``quit`` or the end of the input is to end."""


@dataclass(frozen=True)
class Step:
    """A step: its name, and what it does, which returns what is good to know."""

    name: str
    take: Callable[[Any], Awaitable[str]]
    #: Whether it begins with no process, and leaves none behind.
    alone: bool = False
    #: Whether nothing can follow where it fails.
    needed: bool = False


def legal_move(position: Position, text: str, line: str) -> str:
    """Return a legal move in our notation; else raise Fault with its line."""
    try:
        move = position.move_text(position.parse_move(text))
    except IllegalMove:
        if is_legal(position, text):
            raise Disagreement(f"{text} in {position.text()} is legal by python-chess") from None
        raise Fault(f"'{line}': {text[:20]} is not legal in {position.text()}") from None
    if is_legal(position, move) is False:
        raise Disagreement(f"{move} in {position.text()} is not legal by python-chess")
    return move


async def leave(checker: Checker) -> str:
    """``quit`` ends it, at rest and in a search."""
    return await _leave(checker, silently=False)


async def end_of_input(checker: Checker) -> str:
    """The end of its input ends it, at rest and in a search."""
    return await _leave(checker, silently=True)


async def _leave(checker: Checker, *, silently: bool) -> str:
    slowest = 0.0
    for searching in (False, True):
        await checker.close()
        await checker.get_ready()
        if searching:
            checker.search_without_end(checker.places.middle)
            await asyncio.sleep(0.3)
        began = time.perf_counter()
        how = await checker.connection.leave(3.0 + checker.margin, silently=silently)
        slowest = max(slowest, time.perf_counter() - began)
        where = "while it searched" if searching else "at rest"
        if not how:
            raise Fault(f"it did not end in {3.0 + checker.margin:.1f} s, {where}")
        if how.startswith("it was ended by"):
            raise Fault(f"{how}, {where}")
    return f"after {slowest:.2f} s at most"


#: The last steps with every engine.
LAST_STEPS = (Step("quit", leave, alone=True), Step("end of input", end_of_input, alone=True))


@dataclass
class Check:
    """The course of a check."""

    checker: Checker
    steps: Sequence[Step]
    tell: Callable[[StepResult], None]
    verdicts: list[StepResult] = field(default_factory=list)

    async def run(self) -> bool:
        """Take all steps; whether none failed."""
        skip_reason = ""
        try:
            for step in self.steps:
                if skip_reason:
                    verdict = StepResult(step.name, "skipped", skip_reason)
                else:
                    verdict = await self._take(step)
                    if step.needed and verdict.result == "failed":
                        skip_reason = f"'{step.name}' failed"
                self.verdicts.append(verdict)
                self.tell(verdict)
        finally:
            await self.checker.close()
        return all(verdict.result != "failed" for verdict in self.verdicts)

    async def _take(self, step: Step) -> StepResult:
        checker = self.checker
        mark = 0
        try:
            if step.alone:
                await checker.close()
            elif not checker.running:
                await checker.close()
                await checker.get_ready()
            mark = checker.connection.length if checker.running else 0
            message = await step.take(checker)
            if not step.alone:
                await checker.wait_idle()
        except Disagreement as fault:
            raise UserError(f"{fault}; our rules differ: please report this") from None
        except Skip as skip:
            return StepResult(step.name, "skipped", str(skip))
        except (Fault, Gone, Unsupported) as fault:
            text = checker.connection.transcript(mark, _KEPT) if checker._connection else ()
            await checker.close()  # what it would say next nobody knows
            return StepResult(step.name, "failed", str(fault), text)
        except OSError as error:
            await checker.close()
            return StepResult(step.name, "failed", f"it cannot be started: {error.strerror}")
        finally:
            if step.alone:
                await checker.close()
        return StepResult(step.name, "ok", message)

    def summary(self) -> str:
        """Return how many steps were ok, failed and skipped."""
        count = {r: sum(v.result == r for v in self.verdicts) for r in ("ok", "failed", "skipped")}
        failed = [v.step for v in self.verdicts if v.result == "failed"]
        message = f"{counted(len(self.verdicts), 'step')}: {count['ok']} ok"
        message += f", {count['failed']} failed, {count['skipped']} skipped"
        return message + (f"; failed: {', '.join(failed)}" if failed else "")
