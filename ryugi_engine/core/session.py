"""An engine without a protocol: a position, options, and searches that report by events.

Nothing is loaded before :meth:`Session.begin_loading`; what needs the kernels waits for them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ryugi_engine.core.events import Counted, Event, Note, Task
from ryugi_engine.core.jobs import Jobs
from ryugi_engine.core.options import (
    ELO,
    MAX_HASH,
    MAX_SEED,
    MAX_THREADS,
    Option,
    Options,
    has_memory,
)
from ryugi_engine.errors import UserError
from ryugi_engine.games import names
from ryugi_engine.games.groups import DEFAULT
from ryugi_engine.search.levels import FULL, ladder_of
from ryugi_engine.search.limits import Limits

if TYPE_CHECKING:
    from ryugi_engine.core.board import Board
    from ryugi_engine.core.loading import Loading
    from ryugi_engine.core.search_task import SearchTask
    from ryugi_engine.games.game import Game
    from ryugi_engine.games.position import Position
    from ryugi_engine.games.registry import Registry
    from ryugi_engine.kernel.block import Block
    from ryugi_engine.search.searcher import Searcher, Status


class Session:
    """One engine. Methods are called from one thread; events come from others too.

    A request that cannot be fulfilled is a :class:`UserError`.
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        variants_file: str = "",
        open_log: Callable[[str], None] = lambda path: None,
    ) -> None:
        """Create an engine; ``open_log`` is the callback of the option ``Debug Log File``."""
        self._emit = emit
        #: None until it is needed: GUIs measure how long the introduction takes.
        self._registry: Registry | None = None
        self._game: Game | None = None
        self.options = Options(
            Option("Debug Log File", "file", on_change=open_log),
            Option(
                "Threads", "spin", "1", 1, MAX_THREADS, protocol="uci", on_change=self._set_threads
            ),
            Option("Hash", "spin", "64", 1, MAX_HASH, protocol="uci", on_change=self._set_hash),
            Option("Clear Hash", "button", on_change=lambda _: self.new_game()),
            Option("Ponder", "check", "false", protocol="uci"),
            Option("MultiPV", "spin", "1", 1, 500),
            Option("Level", "spin", str(FULL), 1, FULL, on_change=lambda _: ladder_of(self.game)),
            Option("Level Seed", "spin", "0", 0, MAX_SEED),
            Option(
                "UCI_LimitStrength",
                "check",
                "false",
                protocol="uci",
                on_change=lambda _: ladder_of(self.game),
            ),
            Option("UCI_Elo", "spin", "1500", *ELO, protocol="uci"),
            Option("Move Overhead", "spin", "10", 0, 5000),
            Option("UCI_ShowWDL", "check", "false", protocol="uci"),
            Option("UCI_AnalyseMode", "check", "false", protocol="uci"),
            Option("UCI_Chess960", "check", "false", protocol="uci", on_change=self._set_chess960),
            self._variant_option(DEFAULT),
            Option("VariantPath", "file", on_change=lambda path: path and self.load_variants(path)),
            Option("Use NNUE", "check", "true", on_change=self._set_use_nnue),
            self._net_option(""),
        )
        self._chess960 = False
        self._jobs = Jobs(emit)
        self._search: SearchTask | None = None
        self._spare: Block | None = None
        #: Of this game, for what a weaker player does not see.
        self._seed = random.getrandbits(62)
        if variants_file:
            self.load_variants(variants_file)

    # ---- what is made when it is needed ------------------------------------------------------

    @property
    def registry(self) -> Registry:
        """The games; the first call reads those of the engine. GameError if one is faulty."""
        if self._registry is None:
            from ryugi_engine.games.registry import Registry

            self._registry = Registry()
        return self._registry

    @property
    def only_own(self) -> Game | None:
        """The game of the user's file, if it has one only."""
        return None if self._registry is None else self._registry.only_own

    @property
    def game(self) -> Game:
        """The present game."""
        if self._game is None:
            self._game = self.registry.game(self.options.text("UCI_Variant"))
        return self._game

    @cached_property
    def _loading(self) -> Loading:
        from ryugi_engine.core.loading import Loading

        return Loading(self.options, self._emit)

    @cached_property
    def _board(self) -> Board:
        from ryugi_engine.core.board import Board

        return Board(self._loading, self.game)

    # ---- the kernels -----------------------------------------------------------------------

    def begin_loading(self) -> None:
        """Load the kernels of the present game in the background.

        They are compiled there only where a game was chosen, or somebody waits for them.
        """
        self._loading.begin(self.game)

    def wait_ready(self) -> None:
        """Wait for the kernels. UserError if they cannot be loaded."""
        self._loading.wait(self.game)

    @property
    def searcher(self) -> Searcher:
        """The searcher, loaded."""
        self.wait_ready()
        assert self._loading.searcher is not None
        return self._loading.searcher

    def _with_searcher(self, action: Callable[[Searcher], None]) -> None:
        self.stop()
        self._loading.with_searcher(action)

    # ---- options and games -----------------------------------------------------------------

    @property
    def _known_names(self) -> dict[str, str]:
        """Names of games, also without reading these; empty once they are read."""
        return names.known() if self._registry is None else {}

    def _variant_option(self, default: str) -> Option:
        return Option(
            "UCI_Variant",
            "combo",
            default,
            choices=tuple(sorted(self._known_names) or self.registry.names()),
            protocol="uci",
            on_change=self._set_game,
            parse=self._game_name,
        )

    def _game_name(self, name: str) -> str:
        """Return the name of a game by an alias. UserError if it is unknown."""
        return self._known_names.get(name.lower()) or self.registry.game(name).name

    def _net_option(self, default: str) -> Option:
        return Option("EvalFile", "file", default, on_change=self._set_eval_file)

    def _set_threads(self, value: str) -> None:
        self._with_searcher(lambda s: s.set_threads(int(value)))

    def _set_hash(self, value: str) -> None:
        if not has_memory(int(value)):
            raise UserError(f"Hash: there is no memory for {value} MB")
        self._with_searcher(lambda s: s.resize(int(value)))

    def _set_use_nnue(self, value: str) -> None:
        self._loading.evaluation.use_nnue = value == "true"
        self.stop()
        self._loading.evaluate_anew()

    def _set_eval_file(self, path: str) -> None:
        self._loading.evaluation.read(path)
        self.stop()
        self._loading.evaluate_anew()

    def _set_chess960(self, value: str) -> None:
        self._chess960 = value == "true"
        self._set_game(self.options.text("UCI_Variant"))

    def _set_game(self, name: str) -> None:
        if self._registry is None and not self._chess960:
            return  # the name is known, which is all that is needed until the game is played
        game = self.registry.game(name)
        if self._chess960 and game.chess960 is not None:
            game = game.chess960()
        elif self._chess960 and not game.setup_of:
            reason = f"{game.name} is played from its own setup only: {game.no_chess960}"
            self._emit(Note(f"UCI_Chess960: {reason}"))
        self.set_game(game)

    def set_game(self, game: Game) -> None:
        """Play another game, from its start; the registry may have another one of its name."""
        if game is not self.game:
            self.stop()
            self._game = game
            self._board.change(game)
            if self._loading.begun:
                self.begin_loading()

    def set_variant(self, name: str) -> None:
        """Play another game, from its start. Raises UserError if it is unknown."""
        self.options.set("UCI_Variant", name)

    def open_with(self, name: str) -> None:
        """Begin with a game, which becomes the default of UCI_Variant; UserError if unknown."""
        self.set_variant(name)
        if self._game is not None:
            self._board.change(self._game)
        self.options.add(self._variant_option(self.options.text("UCI_Variant")))

    def open_with_net(self, path: str) -> None:
        """Begin with a net, which becomes the default of EvalFile; UserError if it is none."""
        self.options.set("EvalFile", path)
        self.options.add(self._net_option(path))

    def load_variants(self, path: str, keep: bool = False) -> list[Game]:
        """Add a user's games, as :meth:`Registry.load_file` does.

        Raises UserError with file, line and key of a fault.
        """
        games = self.registry.load_file(path, keep)
        self.options.add(self._variant_option(self.options.find("UCI_Variant").default))
        return games

    def new_game(self) -> None:
        """Clear hash table and histories; a weaker player errs in other ways than before."""
        self._seed = random.getrandbits(62)
        self._with_searcher(lambda s: s.clear())

    # ---- position --------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The present position; waits for the kernels."""
        return self._board.position

    def set_position(self, text: str | None, moves: Sequence[str] = ()) -> None:
        """Set up a position, or the start, and play moves on it.

        A faulty text leaves the position as it was; a faulty move leaves the moves before it
        played. UserError tells either.
        """
        if text is not None and text != self.game.start and self._chess960:
            rights = [*text.split(), "-", "-", "-"][2]
            if not self.game.setup_of and rights.isalpha():
                reason = f"{self.game.name} is played from its own setup only"
                raise UserError(f"UCI_Chess960 is on, but {reason}: {self.game.no_chess960}")
        from ryugi_engine.games.notation import remark_on

        self._board.set_up(text, moves)
        remark = remark_on(self.game, text)
        if remark:
            self._emit(Note(remark))

    def take_position(self, position: Position) -> None:
        """Go on from a position of this game, which no one else may change."""
        self._board.take(position)

    # ---- what takes long -------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether a search or a perft is running."""
        return self._jobs.busy

    @property
    def searching(self) -> bool:
        """Whether a search is running."""
        return self.busy and self._search is not None

    def go(
        self, limits: Limits, asked: float | None = None, *, full_strength: bool = False
    ) -> float:
        """Start a search; its end is a BestMove event. UserError for a faulty search move.

        The clock runs since ``asked``, by ``time.perf_counter``; None: from now on. It runs later
        where the search had to wait for kernels, or for the end of another job. Returns when it
        began. ``full_strength``: despite the options.
        """
        from ryugi_engine.core.search_task import SearchTask

        self.stop()
        position = self.position
        for move in limits.search_moves:
            try:
                position.parse_move(move)
            except UserError as error:
                raise UserError(f"searchmoves: {error}") from None
        searched = position.copy(self._spare)
        self._spare = searched.state
        seed = self.options.number("Level Seed") or self._seed
        search = SearchTask(self.options, self._emit, seed=seed, full_strength=full_strength)
        searcher = self.searcher
        began = time.perf_counter()
        if asked is not None:
            began = max(asked, self._loading.ready_since, self._jobs.finished)
        search.prepare(searcher, searched, limits, began)
        self._search = search
        self._jobs.start(search, "search", search.run)
        return began

    def refuse(self, limits: Limits) -> None:
        """Answer a faulty request for a search by a BestMove event without a move.

        It comes at once, or after :meth:`stop` or :meth:`ponder_hit` if ``limits`` say so.
        """
        from ryugi_engine.core.search_task import SearchTask

        self.stop()
        search = SearchTask(self.options, self._emit)
        search.prepare_refusal(limits)
        if limits.infinite or limits.ponder:
            self._search = search
            self._jobs.start(search, "search", search.run)
        else:
            search.run()

    def ponder_hit(self, limits: Limits | None = None) -> None:
        """Turn pondering into a search on the clock; ``limits`` if they have changed."""
        if self.busy and self._search is not None:
            self._search.ponder_hit(limits)

    def status(self) -> Status:
        """Return the progress of the running search."""
        return self.searcher.status()

    def count(self, depth: int) -> None:
        """Start a perft; its end is a Counted event."""
        self.stop()
        position = self.position
        from ryugi_engine.games.game import counted
        from ryugi_engine.perft.count import Perft

        def progress(done: int, total: int, nodes: int) -> None:
            self._emit(
                Note(f"perft {depth}: {done} of {counted(total, 'part')}, {counted(nodes, 'node')}")
            )

        perft = Perft(position, depth, threads=self.options.number("Threads"), progress=progress)
        self.start(perft, lambda: self._emit(Counted(perft.run())))

    def start(self, task: Task, run: Callable[[], None]) -> None:
        """Run a long task in place of a search; :meth:`stop` ends it."""
        self.stop()
        self._jobs.start(task, type(task).__name__.lower(), run)

    def signal_stop(self) -> None:
        """Ask the running job to end; do not wait for it."""
        self._jobs.signal_stop()

    def finish(self, begun_after: float = 0.0) -> bool:
        """Wait for the running job if it ends by itself, see :meth:`Jobs.finish`."""
        return self._jobs.finish(begun_after)

    def stop(self) -> None:
        """End the running job; return when it has reported."""
        self._jobs.stop()
        self._search = None
