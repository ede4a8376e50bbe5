"""A checked engine: the match's own client, with every line and every search kept."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.game import Game, IllegalMove, read_move
from ryugi_engine.games.position import Position
from ryugi_engine.match.compliance.places import Place, Places
from ryugi_engine.match.compliance.uci_lines import Info, Malformed, parse_bestmove, parse_info
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.engine_options import EngineOption
from ryugi_engine.match.engine_process import Transcript
from ryugi_engine.match.spec import EngineSpec
from ryugi_engine.match.timeouts import Timeouts
from ryugi_engine.match.uci import UciEngine
from ryugi_engine.text.plain_text import plain

#: Seconds in which nothing may come that is not due.
_QUIET = 1.0
#: A move where there is none.
_NOTHING = ("(none)", "0000", "none", "NULL")
#: Lines that are kept of an engine that prints without an end.
_MOST_LINES = 200_000
#: Letters of a line that a report shows, and lines of a failed step.
_SHOWN, _KEPT = 200, 40
#: Seconds that a search without a clock may take, and that a move may be late.
_STALL, _LATE = 60.0, 30.0


class Fault(Exception):
    """A violation of the specification, as a short phrase."""


class Skip(Exception):
    """Raised to skip a step that this engine or this game does not allow; the reason."""


@dataclass(frozen=True)
class Line:
    """A line: when it came or was sent (``time.perf_counter``), ``<`` from the engine, ``>`` ours,
    ``!`` from its standard error.
    """

    when: float
    mark: str
    text: str

    @property
    def shown(self) -> str:
        """The line as a report shows it."""
        return plain(self.text[:_SHOWN])


class Log(Transcript):
    """All lines since the process was started."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

    def add(self, mark: str, line: str) -> None:
        """Keep a line."""
        self.lines.append(Line(time.perf_counter(), mark, line))


@dataclass
class Search:
    """A finished search: the request, its output, and the engine's move."""

    #: As ``--tc`` has it, or a command of the protocol.
    limits: str
    position: Position
    answer: Answer
    #: The line that ended it, and what stood in those before.
    end: Line
    infos: list[tuple[Line, Info]] = field(default_factory=list)
    #: What is wrong with one of these lines.
    malformed: str = ""

    @property
    def move(self) -> str:
        """The engine's move; "" if it gave none."""
        return self.answer.move

    @property
    def depth(self) -> int:
        """The highest depth of a principal variation."""
        return max((info.numbers.get("depth", 0) for _line, info in self.infos), default=0)


@dataclass(frozen=True)
class Settings:
    """Settings of a compliance check."""

    spec: EngineSpec
    game: Game
    places: Places
    #: Seconds that an answer may be late, and for what may take long.
    margin: float
    timeouts: Timeouts
    variants_file: str = ""


class Checker:
    """A UCI engine that is being checked. Steps share its process until one of them fails."""

    #: The running engine.
    engine: UciEngine

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game, self.places = settings.game, settings.places
        #: Seconds that an answer may take which is due at once.
        self.margin = settings.margin
        self.searches: list[Search] = []
        self.log = Log()
        self._news = asyncio.Event()

    # ---- the process -----------------------------------------------------------------------

    async def open(self) -> None:
        """Start a process."""
        timeouts = self.settings.timeouts
        timeouts = Timeouts(timeouts.start, min(timeouts.stall, _STALL))
        self.engine = UciEngine(
            self.settings.spec, self.game, self.settings.variants_file, timeouts
        )
        self.engine.log = self.log = Log()
        self.engine.listener = self._heard
        await self.engine.open()

    async def introduced(self) -> None:
        """Start a process and let it introduce itself."""
        await self.open()
        await self.engine.handshake()

    async def get_ready(self) -> None:
        """Start a process, set the options and begin a game."""
        await self.introduced()
        await self.engine.configure()
        if self.searches:  # else the next step is the one that asks for a first move
            await self.engine.warm_up()
        await self.engine.begin_game(Position(self.game))

    @property
    def running(self) -> bool:
        """Whether there is a process that takes lines."""
        return hasattr(self, "engine") and self.engine.reusable

    async def close(self) -> None:
        """End the process, by force if need be."""
        if hasattr(self, "engine"):
            await self.engine.close(0.0)

    def _heard(self) -> None:
        if len(self.log.lines) > _MOST_LINES:
            self.engine.process.end(f"more than {_MOST_LINES} lines")
        self._news.set()

    # ---- lines -----------------------------------------------------------------------------

    def send(self, *lines: str) -> int:
        """Send lines; return the index at which their answers begin."""
        self.engine.process.send(*lines)
        return len(self.log.lines)

    def answers(self, begin: int = 0) -> list[Line]:
        """Return the engine's lines from an index on."""
        return [line for line in self.log.lines[begin:] if line.mark == "<"]

    async def look(self, begin: int, wanted: Callable[[str], bool], timeout: float) -> Line | None:
        """Return the first wanted line of the engine from an index on; None if there is none."""
        until = time.perf_counter() + timeout
        while True:
            self._news.clear()
            for line in self.answers(begin):
                if wanted(line.text):
                    return line
            begin = len(self.log.lines)
            self.check()
            left = until - time.perf_counter()
            if left <= 0:
                return None
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)

    async def ended(self, timeout: float) -> str:
        """Return why the process has ended; "" if it has not in so many seconds."""
        until = time.perf_counter() + timeout
        while not self.engine.process.ended and (left := until - time.perf_counter()) > 0:
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)
        return self.engine.process.ended

    def check(self) -> None:
        """Raise the fault that the match's client has found, if any."""
        if self.engine.fault is not None:
            raise self.engine.fault

    async def quick(self, extra: float = 1.0) -> float:
        """Wait until the engine has taken every line; return the seconds that it took."""
        began = time.perf_counter()
        await self.engine.ready(self.margin + extra)
        return time.perf_counter() - began

    def transcript(self, begin: int) -> tuple[str, ...]:
        """Return the last lines from an index on."""
        return tuple(f"{line.mark} {line.shown}" for line in self.log.lines[begin:][-_KEPT:])

    # ---- searches --------------------------------------------------------------------------

    async def search(self, place: Place, limits: str, left: float = 0.0) -> Search:
        """Ask for a move as a match does, with ``left`` seconds on the clock (0: all of them).

        ``limits`` are a time control of a match.
        """
        begin = len(self.log.lines)
        # how late it is is judged elsewhere; the first one may take long
        late = _LATE if self.searches else self.settings.timeouts.start
        control = replace(TimeControl.read(limits), margin=late)
        answer = await self.engine.play(place.turn(control, left))
        return self.searched(place, limits, begin, answer)

    async def finish(
        self, place: Place, limits: str, begin: int, timeout: float, message: str = "no answer"
    ) -> Search:
        """Wait for the end of a search that has been started in another way."""
        began = self.log.lines[begin - 1].when
        turn = place.turn(TimeControl(1.0, 0.0))
        if not self.searches:
            timeout = max(timeout, self.settings.timeouts.start)
        answer = await self.engine.answer(turn, began, timeout, message)
        return self.searched(place, limits, begin, answer)

    def searched(self, place: Place, limits: str, begin: int, answer: Answer) -> Search:
        """Record a search that has ended; Fault if its move is illegal."""
        lines = self.answers(begin)
        last = self.engine.last_line
        end = next((line for line in lines if line.text == last), Line(0.0, "<", last))
        search = Search(limits, place.position.copy(), answer, end)
        for line in lines[: lines.index(end)] if end in lines else ():
            if not line.text.startswith("info ") or line.text.split()[1:2] == ["string"]:
                continue
            try:
                search.infos.append((line, parse_info(line.text)))
            except Malformed as error:
                search.malformed = search.malformed or f"'{line.shown}': {error}"
        self.searches.append(search)
        self.judge(search)
        return search

    def judge(self, search: Search) -> None:
        """Raise Fault if the move, or the ponder move, is not legal."""
        message, position = search.end.shown, search.position
        try:
            text, ponder = parse_bestmove(search.end.text)
        except Malformed as error:
            raise Fault(f"'{message}': {error}") from None
        if not position.legal_codes():
            if text not in _NOTHING:
                raise Fault(f"'{message}' where the game is over")
            return
        trial = position.copy()
        trial.push(self.legal(position, text, message))
        if ponder and not trial.legal_codes():
            raise Fault(f"'{message}': the game is over where it would ponder")
        if ponder:
            self.legal(trial, ponder, message)

    def legal(self, position: Position, text: str, line: str) -> str:
        """Return a legal move in our notation; else raise Fault with its line."""
        try:
            move = position.move_text(position.parse_move(read_move(text)))
        except IllegalMove:
            raise Fault(f"'{line}': {text[:20]} is not legal in {position.text()}") from None
        if text.lower() == move.lower() and text != move:
            raise Fault(f"'{line}': {text[:20]} is not written {move}")
        return move

    def think(self, place: Place, go: str, line: str = "") -> int:
        """Start a search; return the index at which its answers begin."""
        turn = place.turn(TimeControl(1.0, 0.0))
        self.engine.think(line or self.engine.place(turn), go)
        return len(self.log.lines)

    async def go(self, place: Place, go: str, line: str = "") -> Search:
        """Search with the arguments of ``go``; ``line`` is another ``position`` command."""
        begin = self.think(place, go, line)
        return await self.finish(place, f"go {go}", begin, self.engine.timeouts.stall)

    async def stopped(self, place: Place, begin: int, go: str = "infinite") -> float:
        """Stop a search; return the seconds until its move came."""
        began = time.perf_counter()
        self.send("stop")
        message = f"'go {go}': no bestmove after stop"
        search = await self.finish(place, f"go {go}", begin, self.margin, message)
        return search.end.when - began

    async def quiet(self, go: str, place: Place) -> None:
        """Raise Fault if a search ends that waits for a command."""
        await asyncio.sleep(_QUIET)
        self.check()
        if not self.engine.thinking:
            line = self.engine.last_line
            raise Fault(f"'go {go}': '{line}' before its time in {place.position.text()}")

    def option(self, name: str) -> EngineOption:
        """Return an option; raise Skip if the engine does not have it."""
        if name.lower() not in self.engine.options:
            raise Skip(f"it has no option {name}")
        return self.engine.options[name.lower()]
