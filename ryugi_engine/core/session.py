"""An engine without a protocol: a position, options, and searches that report by events.

numba is not imported before :meth:`Session.begin_loading`; what needs the kernels waits for it,
but for moves whose time would be up: those follow the naive rules.
"""

from __future__ import annotations

import gc
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ryugi_engine.core.events import BestMove, Counted, Event, Note, Notice, Progress, Task
from ryugi_engine.core.options import Options, has_memory
from ryugi_engine.core.standin import Patience, StandIn
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game, GameError, counted
from ryugi_engine.games.registry import DEFAULT, Registry, rules_of
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.games.position import Position
    from ryugi_engine.search.report import Report
    from ryugi_engine.search.searcher import Searcher, Status


#: Seconds that a person who has made an illegal move may wait to be told why.
_OBJECTION_SECONDS = 2.0


class SessionError(UserError):
    """A request that cannot be fulfilled, in one line."""


class Session:
    """One engine. Methods are called from one thread; events come from others too."""

    def __init__(self, emit: Callable[[Event], None], variants_file: str = "") -> None:
        self._emit = emit
        self.registry = Registry()
        self.options = Options(self.registry.names(), DEFAULT)
        self.game: Game = self.registry.game(DEFAULT)
        self._loader: threading.Thread | None = None
        self._failure: str = ""
        self._due: list[Callable[[Searcher], None]] = []
        self._catching_up = threading.Lock()
        self._searcher: Searcher | None = None
        self._position: Position | StandIn | None = None
        self._position_root: tuple[Game, str | None] | None = None
        self._worker: threading.Thread | None = None
        self._task: Task | None = None
        self._patience: Patience | None = None
        self._random = random.Random()
        if variants_file:
            self.load_variants(variants_file)

    # ---- loading ---------------------------------------------------------------------------

    def begin_loading(self) -> None:
        """Import numba and load or compile the kernels of the present game in the background."""
        arguments = (self.game, self._loader)
        self._loader = threading.Thread(target=self._load, args=arguments, daemon=True)
        self._loader.start()

    def _load(self, game: Game, earlier: threading.Thread | None) -> None:
        if earlier is not None:
            earlier.join()
        self._failure = ""
        # A failure ends up in wait_ready(), which everything that needs the kernels goes through.
        try:
            from ryugi_engine.kernel import jit

            jit.report_to(self._tell_of_kernels)
            before = len(jit.compiled_entries)
            jit.load(game.rules_module, "ryugi_engine.search.searcher")
            rules = rules_of(game)
            for kernel in rules.kernels:
                if not kernel.late:
                    kernel.load()
            from ryugi_engine.search.searcher import Searcher

            if len(jit.compiled_entries) > before:
                self._emit(Note(f"kernels compiled and kept in {jit.kept_in()}"))
            if self._searcher is None:
                self._searcher = Searcher(
                    self.options.number("Hash"), self.options.number("Threads")
                )
            self._searcher.get_ready(rules)
            # numba leaves a heap that takes a full collection 20 ms and more, in some move's time
            gc.freeze()
        except GameError as error:
            self._failure = str(error)
        except BaseException as error:
            self._failure = f"the kernels of {game.name} could not be loaded: {error!r}"[:500]

    def _tell_of_kernels(self, text: str) -> None:
        # that it takes long concerns everybody; what becomes of single files does not
        self._emit(Notice(text) if text.startswith("compiling") else Note(text))

    def wait_ready(self, seconds: float | None = None) -> bool:
        """Whether everything is loaded, after at most ``seconds``; SessionError if that failed."""
        if self._loader is None:
            self.begin_loading()
        assert self._loader is not None
        self._loader.join(seconds)
        if self._loader.is_alive():
            return False
        if self._failure:
            raise SessionError(self._failure.replace("\n", " "))
        self._catch_up()
        return True

    def _with_searcher(self, action: Callable[[Searcher], None]) -> None:
        """Do something with the searcher: at once, or when it is loaded. GUIs do not wait."""
        self.stop()
        if self._loader is not None:  # else it will be made by the options as they are then
            self._due.append(action)
            if not self._loader.is_alive():
                self._catch_up()

    def _catch_up(self) -> None:
        with self._catching_up:  # a search that waits for the kernels may come at the same time
            due, self._due = self._due, []
            for action in due:
                if self._searcher is not None:
                    action(self._searcher)

    @property
    def searcher(self) -> Searcher:
        """The searcher, loaded."""
        self.wait_ready()
        assert self._searcher is not None
        return self._searcher

    @property
    def position(self) -> Position:
        """The present position, loaded."""
        self.wait_ready()
        from ryugi_engine.games.position import Position

        position = self._position
        if position is None or position.game is not self.game:
            position = self._position = Position(self.game)
        elif isinstance(position, StandIn):
            moves = position.moves
            position = self._position = Position(self.game, position.root_text)
            for move in moves:
                position.push(move, refereed=True)
        return position

    @property
    def board(self) -> Position | StandIn:
        """The present position, by the naive rules while the kernels are being compiled.

        It changes from these to the kernels in :meth:`settle` and :meth:`go` only.
        """
        position = self._position
        if position is None or position.game is not self.game:
            if self._arrived():
                return self.position
            position = self._position = StandIn(self.game)
        return position

    def _arrived(self) -> bool:
        """Whether the kernels are loaded; SessionError if that failed."""
        if self._loader is None:
            self.begin_loading()
        assert self._loader is not None
        return not self._loader.is_alive() and self.wait_ready()

    def settle(self) -> None:
        """Let the kernels take over a position of the naive rules, if they have come."""
        if isinstance(self._position, StandIn) and not self._failure and self._arrived():
            _ = self.position

    @property
    def loading(self) -> bool:
        """Whether the kernels are still on their way."""
        return self._loader is not None and self._loader.is_alive()

    def call_when_loaded(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something, in a thread of its own, when that is over or so many seconds are."""
        loader = self._loader

        def wait() -> None:
            if loader is not None:
                loader.join(seconds)
            action()

        threading.Thread(target=wait, daemon=True).start()

    # ---- options and games -----------------------------------------------------------------

    def load_variants(self, path: str) -> list[Game]:
        """Add a user's games; UserError names file, line and key of a fault."""
        games = self.registry.load_file(path)
        self.options.set_variants(self.registry.names())
        return games

    def set_option(self, name: str, value: str) -> None:
        """Set an option and do what follows from it; ValueError in one line if it cannot be."""
        if name.lower() == "uci_variant":
            self.set_variant(value)
            return
        if name.lower() == "variantpath" and value not in ("", "<empty>"):
            self.load_variants(value)
        option = self.options.find(name)
        if option.name == "Hash" and not has_memory(int(option.read(value))):
            raise SessionError(f"Hash: there is no memory for {value} MB")
        self.options.set(name, value)
        if option.name == "Hash":
            self._with_searcher(lambda s: s.resize(self.options.number("Hash")))
        elif option.name == "Threads":
            self._with_searcher(lambda s: s.set_threads(self.options.number("Threads")))
        elif option.name == "Clear Hash":
            self._with_searcher(lambda s: s.clear())

    def set_variant(self, name: str) -> None:
        """Play another game, from its start; UserError if it is unknown."""
        game = self.registry.game(name)
        self.options.set("UCI_Variant", name)
        if game is not self.game:
            self.stop()
            self.game = game
            self._position = None
            self._with_searcher(lambda s: s.clear())
            if self._loader is not None:
                self.begin_loading()

    def open_with(self, name: str) -> None:
        """Play a game, which is the one to begin with; UserError if it is unknown."""
        self.set_variant(name)
        self.options.set_variants(self.registry.names(), self.options.text("UCI_Variant"))

    def new_game(self) -> None:
        """Forget what earlier games taught."""
        self._with_searcher(lambda s: s.clear())

    # ---- position --------------------------------------------------------------------------

    def set_position(self, text: str | None, moves: Sequence[str] = ()) -> None:
        """Set up a position, or the start, and play moves on it.

        A faulty text leaves the position as it was; a faulty move leaves the moves before it
        played. SessionError tells either.
        """
        self.settle()
        position = self._position
        known = 0
        if (
            position is not None
            and self._position_root == (self.game, text)
            and position.moves == list(moves[: len(position.moves)])
        ):
            # the game goes on: only the new moves need playing
            known = len(position.moves)
        else:
            try:
                position = self._set_up(text)
            except ValueError as error:
                raise SessionError(str(error)) from None
            self._position = position
            self._position_root = (self.game, text)
        for number, move in enumerate(moves[known:], start=known + 1):
            if isinstance(position, StandIn) and self._arrived():
                position = self.position
            try:
                position.push(move, refereed=True)
            except ValueError as error:
                raise SessionError(f"move {number}: {error}") from None

    def _set_up(self, text: str | None) -> Position | StandIn:
        if not self._arrived():
            return StandIn(self.game, text)
        from ryugi_engine.games.position import Position

        return Position(self.game, text)

    def objection(self, move: str) -> str:
        """Why a move that is not legal is not; the kernels, which know best, may take a while."""
        self.wait_ready(_OBJECTION_SECONDS)
        self.settle()
        return self.board.objection(move)

    # ---- searching -------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a search or a perft is running."""
        return self._worker is not None and self._worker.is_alive()

    def go(self, limits: Limits) -> None:
        """Start a search; its end is a BestMove event. SessionError for a faulty search move.

        While the kernels are being compiled it waits for them, as long as the move's time allows.
        """
        self.stop()
        self.settle()
        board = self.board
        for move in limits.search_moves:
            try:
                board.parse_move(move)
            except ValueError as error:
                raise SessionError(f"searchmoves: {error}") from None
        overhead = self.options.number("Move Overhead") / 1000
        if isinstance(board, StandIn):
            patience = Patience(limits, board.side, overhead)
            self._task = self._patience = patience
            self._think(partial(self._search_late, board.copy(), patience))
        else:
            self._think(self._prepare(board.copy(), limits))

    def _think(self, find: Callable[[], BestMove]) -> None:
        def run() -> None:
            from ryugi_engine.search.report import Result

            found = BestMove(Result())
            try:
                found = find()
            except Exception as error:
                # without an answer the GUI would wait for ever; what went wrong is told
                self._emit(Note(f"error: the search failed: {error!r}"[:500]))
            finally:
                self._emit(found)

        self._worker = threading.Thread(target=run, daemon=True)
        self._worker.start()

    def _prepare(self, searched: Position, limits: Limits) -> Callable[[], BestMove]:
        """The search of a position: what is left to do in the worker's thread."""
        searcher = self.searcher
        searcher.overhead = self.options.number("Move Overhead") / 1000
        skill = self.options.number("Skill Level")
        searcher.multipv = max(self.options.number("MultiPV"), 4 if skill < 20 else 1)
        shown = self.options.number("MultiPV")
        lines: dict[int, Report] = {}

        def tell(report: Report) -> None:
            lines[report.multipv] = report
            if report.multipv <= shown:
                self._emit(Progress(report))

        searcher.prepare(searched, limits)

        def find() -> BestMove:
            from ryugi_engine.search.skill import choose

            result = searcher.run(searched, tell)
            if skill < 20 and result.best:
                result = choose(result, list(lines.values()), skill, self._random)
                line = next(line for line in lines.values() if line.pv[0] == result.best)
                if line.multipv != 1:  # the weaker move is the best that it has "seen"
                    self._emit(Progress(replace(line, multipv=1)))
            return BestMove(result, searched.in_check())

        return find

    def _search_late(self, board: StandIn, patience: Patience) -> BestMove:
        """In the worker's thread: search when the kernels come, or play by the naive rules."""
        from ryugi_engine.search.report import Result

        assert self._loader is not None
        if patience.wait(self._loader) and not self._failure:
            self._catch_up()
            from ryugi_engine.games.position import Position

            position = Position(board.game, board.root_text)
            for move in board.moves:
                position.push(move, refereed=True)
            find = self._prepare(position, patience.left())
            if patience.stopped and self._searcher is not None:
                self._searcher.stop()  # asked for while the search was being prepared
            return find()
        if self._failure:
            self._emit(Note(f"error: {self._failure}"))
        moves = patience.allowed(board.legal_moves())
        if not moves:
            over = board.outcome()
            return BestMove(Result(), over is not None and over.reason == "checkmate")
        self._emit(Note("the kernels are still being compiled: a move by the rules alone"))
        winning = board.winning_move(patience.end())
        return BestMove(Result(winning if winning in moves else self._random.choice(moves)))

    def count(self, depth: int) -> None:
        """Start a perft; its end is a Counted event."""
        self.stop()
        position = self.position
        from ryugi_engine.perft.count import Perft

        def progress(done: int, total: int, nodes: int) -> None:
            self._emit(
                Note(f"perft {depth}: {done} of {counted(total, 'part')}, {counted(nodes, 'node')}")
            )

        perft = Perft(position, depth, threads=self.options.number("Threads"), progress=progress)
        self.start(perft, lambda: self._emit(Counted(perft.run())))

    def start(self, task: Task, run: Callable[[], None]) -> None:
        """Do something long in place of a search; it ends when it is told to :meth:`stop`."""
        self.stop()
        self._task = task

        def work() -> None:
            try:
                run()
            except Exception as error:
                self._emit(Note(f"error: {type(task).__name__.lower()} failed: {error!r}"[:500]))

        self._worker = threading.Thread(target=work, daemon=True)
        self._worker.start()

    def ponder_hit(self, limits: Limits | None = None) -> None:
        """The move pondered on was played; ``limits`` if they have changed meanwhile."""
        if self.busy and self._patience is not None:
            self._patience.ponder_hit(limits)
        if self.busy and self._searcher is not None:
            self._searcher.start_clock(limits)

    def status(self) -> Status:
        """How far the running search is."""
        return self.searcher.status()

    def signal_stop(self) -> None:
        """End what is running, without waiting for it."""
        if self._searcher is not None:
            self._searcher.stop()
        if self._task is not None:
            self._task.stop()

    def stop(self) -> None:
        """End what is running and return when it has reported."""
        worker = self._worker
        while worker is not None and worker.is_alive():
            self.signal_stop()
            worker.join(0.05)
        self._worker = None
        self._task = None
        self._patience = None
