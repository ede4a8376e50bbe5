"""``Engine``: searches of positions in the own process."""

from __future__ import annotations

import contextlib
import gc
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Self, overload

from ryugi_engine.api.position import Position
from ryugi_engine.api.scores import Info, Limit, PlayResult, Score
from ryugi_engine.core.events import BestMove, Event, Note, Progress
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Report, Result

#: The options that a program may set; others are of protocols.
_OPTIONS = (
    *("Threads", "Hash", "Level", "Level Seed", "UCI_LimitStrength", "UCI_Elo"),
    *("Move Overhead", "Use NNUE", "EvalFile"),
)
#: Score in centipawns of a game that is over.
_WON = 32_000


class Engine:
    """The engine: searches one position at a time, in threads of this process.

    ``level`` is 1 to 12, 12 being full strength; it counts for :meth:`play` alone. ``threads``
    search, with a table of ``hash`` MiB. ``options`` are more of those that :attr:`options` lists.
    Raises UserError for a value that an option refuses. Use it in a ``with`` block, or
    :meth:`close` it: after that every call raises UserError. While a search runs other threads may
    call :meth:`stop`, and nothing else.

    >>> with Engine() as engine:
    ...     mate = Position("chess", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    ...     info = engine.analyse(mate, Limit(depth=3))
    >>> info.score.mate, len(info.pv)
    (1, 1)
    """

    __slots__ = ("__weakref__", "_events", "_own", "_searching")

    def __init__(
        self,
        *,
        level: int | None = None,
        threads: int = 1,
        hash: int = 16,
        options: Mapping[str, object] | None = None,
    ) -> None:
        #: What the search says; the session knows the queue alone, so that it goes with the engine.
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._own: Session | None = Session(self._events.put)
        self._searching = _Search()
        self.configure({"Threads": threads, "Hash": hash})
        self.configure({} if level is None else {"Level": level})
        self.configure(options or {})

    @property
    def _session(self) -> Session:
        if self._own is None:
            raise UserError("the engine is closed")
        return self._own

    # ---- options -----------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, str]:
        """The options with their values, as texts.

        >>> with Engine(level=3) as engine:
        ...     engine.options["Level"], engine.options["Hash"]
        ('3', '16')
        """
        options = self._session.options
        return {name: options.text(name) for name in _OPTIONS}

    def configure(self, options: Mapping[str, object]) -> None:
        """Set options, by names in any letter case. Raises UserError for an unknown name or value.

        >>> with Engine() as engine:
        ...     engine.configure({"Hash": 32, "Use NNUE": False})
        ...     engine.configure({"Level": 13})
        Traceback (most recent call last):
        ryugi_engine.errors.UserError: Level: 13 is not in 1..12
        """
        known = {name.lower() for name in _OPTIONS}
        with self._alone() as session:
            for name, value in options.items():
                if name.lower() not in known:
                    raise UserError(f"no option '{name[:60]}': there are {', '.join(_OPTIONS)}")
                text = str(value).lower() if isinstance(value, bool) else str(value)
                session.options.set(name, text)

    def new_game(self) -> None:
        """Forget all that earlier searches have found.

        >>> with Engine() as engine:
        ...     engine.new_game()
        """
        with self._alone() as session:
            session.new_game()

    # ---- searches ----------------------------------------------------------------------------

    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Sequence[int | str] = (),
    ) -> Info: ...
    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Sequence[int | str] = (),
    ) -> list[Info]: ...
    def analyse(
        self,
        position: Position,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Sequence[int | str] = (),
    ) -> Info | list[Info]:
        """Search a position at full strength, and return what was found last.

        With ``multipv`` it is a list of the best lines, best first; there are fewer where there are
        fewer moves. ``root_moves`` are the moves to search, all by default. The position may be
        changed by other threads meanwhile: a copy is searched. Raises UserError without a limit,
        and IllegalMove for a move that is not legal.

        >>> with Engine() as engine:
        ...     lines = engine.analyse(Position("shogi"), Limit(nodes=2000), multipv=2)
        >>> [line.multipv for line in lines], lines[0].score.wdl()[0] > 100
        ([1, 2], True)
        """
        with self.analysis(position, limit, multipv=multipv or 1, root_moves=root_moves) as found:
            for _ in found:
                pass
        return found.lines[0] if multipv is None else found.lines

    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Sequence[int | str] = (),
    ) -> Analysis:
        """Begin a search at full strength, whose lines are read while it runs.

        Without a ``limit`` it runs until it is stopped. Arguments and errors are those of
        :meth:`analyse`.

        >>> with Engine() as engine, engine.analysis(Position("chess")) as analysis:
        ...     for info in analysis:
        ...         if info.nodes > 1000:
        ...             analysis.stop()
        >>> analysis.lines[0].depth > 1
        True
        """
        return Analysis(self, position, limit, multipv, root_moves)

    def play(self, position: Position, limit: Limit) -> PlayResult:
        """Return the move that the engine plays at its level; None where the game is over.

        Raises UserError without a limit.

        >>> with Engine(level=1) as engine:
        ...     result = engine.play(Position("chess"), Limit(time=0.1))
        >>> result.move in Position("chess").legal_moves.uci()
        True
        """
        found = Analysis(self, position, limit, 1, (), weakened=True)
        with found:
            for _ in found:
                pass
        result = found._result
        return PlayResult(result.best or None, result.ponder or None, found.lines[0])

    def stop(self) -> None:
        """End the search that runs, if any; it returns what it has found.

        >>> with Engine() as engine:
        ...     timer = threading.Timer(0.2, engine.stop)
        ...     timer.start()
        ...     info = engine.analyse(Position("chess"), Limit(time=60))
        >>> info.time < 30
        True
        """
        session = self._session
        self._searching.stop()
        session.signal_stop()

    def close(self) -> None:
        """End the search and free the memory. To close it again does nothing.

        >>> engine = Engine()
        >>> engine.close()
        >>> engine.play(Position("chess"), Limit(nodes=100))
        Traceback (most recent call last):
        ryugi_engine.errors.UserError: the engine is closed
        """
        if self._own is not None:
            self._own.stop()
            self._own = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[Session]:
        """Yield the session, in which no search begins meanwhile; UserError while one runs."""
        session = self._session
        self._searching.begin()
        try:
            yield session
        finally:
            self._searching.end()


class _Search:
    """Whether a search is on, and whether it is to end: it may be asked before it has begun."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._on = False
        self.stopped = False

    def begin(self) -> None:
        """Begin one; UserError while another is on."""
        with self._lock:
            if self._on:
                raise UserError("the engine is searching: one search at a time")
            self._on, self.stopped = True, False

    def stop(self) -> None:
        """Note that the search is to end."""
        with self._lock:
            self.stopped = self._on

    def end(self) -> None:
        """End it."""
        with self._lock:
            self._on = False


class Analysis:
    """A search that runs; iterate over it for its lines as they are found.

    :meth:`Engine.analysis` begins it. Leaving its ``with`` block, or closing the engine, ends it.

    >>> with Engine() as engine, engine.analysis(Position("chess"), Limit(depth=4)) as analysis:
    ...     depths = [info.depth for info in analysis]
    >>> depths[-1]
    4
    """

    __slots__ = ("_engine", "_limit", "_over", "_result", "_session", "_turn", "lines")

    def __init__(
        self,
        engine: Engine,
        position: Position,
        limit: Limit | None,
        multipv: int,
        root_moves: Sequence[int | str],
        *,
        weakened: bool = False,
    ) -> None:
        """Begin it; :meth:`Engine.analysis` does."""
        limits = Limits(infinite=True) if limit is None else limit._limits()
        limits = limits._replace(search_moves=tuple(position.uci(move) for move in root_moves))
        self._engine, self._turn = engine, position.turn
        #: The best lines, as they are known by now: best first.
        self.lines: list[Info] = []
        self._result = Result()
        self._session = engine._session
        engine._searching.begin()
        self._over = False
        try:
            if position.is_game_over():
                self._finish(_ended_game(position))
            else:
                self._begin(position, limits, multipv, weakened)
        except BaseException:
            self._end()
            raise

    def _begin(self, position: Position, limits: Limits, multipv: int, weakened: bool) -> None:
        session = self._session
        session.options.set("MultiPV", str(multipv))
        session.set_game(position.game._game)
        frozen = gc.get_freeze_count()
        session.wait_ready()
        if not frozen:
            gc.unfreeze()  # what the session has frozen is the program's, too
        session.take_position(position._position.copy())
        while not self._engine._events.empty():
            self._engine._events.get()
        session.go(limits, full_strength=not weakened)
        if self._engine._searching.stopped:
            session.signal_stop()

    def _finish(self, info: Info) -> None:
        self.lines = [info]
        self._end()

    def _end(self) -> None:
        if not self._over:
            self._over = True
            self._engine._searching.end()

    def __iter__(self) -> Iterator[Info]:
        fault = ""
        while not self._over:
            event = self._engine._events.get()
            if isinstance(event, Progress):
                info = self._taken(event.report)
                yield info
            elif isinstance(event, BestMove):
                self._result = event.result
                self._end()
                if fault or not self.lines:
                    raise UserError(fault or "the search has found nothing")
            elif isinstance(event, Note) and event.text.startswith("error: "):
                fault = event.text.removeprefix("error: ")

    def _taken(self, report: Report) -> Info:
        """Return a report's line, which takes its place among the best."""
        score = Score(report.score.cp, report.score.mate, self._turn)
        pv = list(report.pv)
        info = Info(report.multipv, report.depth, score, report.nodes, report.seconds, pv)
        self.lines = [*self.lines[: info.multipv - 1], info, *self.lines[info.multipv :]]
        return info

    def stop(self) -> None:
        """End the search; the iteration ends with its last lines.

        >>> with Engine() as engine, engine.analysis(Position("chess")) as analysis:
        ...     analysis.stop()
        ...     found = list(analysis)
        >>> len(found) > 0
        True
        """
        if not self._over:
            self._session.signal_stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        for _ in self:
            pass


def _ended_game(position: Position) -> Info:
    """Return the line of a position in which the game is over."""
    result = position.result()
    if result == "1/2-1/2":
        return Info(1, 0, Score(0, None, position.turn), 0, 0.0, [])
    won = (result == "1-0") == position.turn
    return Info(1, 0, Score(_WON if won else -_WON, 0, position.turn), 0, 0.0, [])
