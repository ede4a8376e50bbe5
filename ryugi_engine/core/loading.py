"""Load the kernels and create the searcher in a background thread."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ryugi_engine.core.evaluation import Evaluation
from ryugi_engine.core.events import Detail, Event, Note, Notice
from ryugi_engine.core.options import Options
from ryugi_engine.errors import GameError, UserError
from ryugi_engine.files.reading import fault
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import load_kernels

if TYPE_CHECKING:
    from ryugi_engine.search.searcher import Searcher


class Loading:
    """Kernels, rules and searcher; numba is imported by :meth:`begin`, not before."""

    def __init__(self, options: Options, emit: Callable[[Event], None]) -> None:
        """Prepare to load; the searcher will take its size from ``options``."""
        self._options = options
        self._emit = emit
        self._thread: threading.Thread | None = None
        self.evaluation = Evaluation(emit)
        #: Why it could not be done, "" if it could or is not known yet.
        self.failure = ""
        #: The searcher, None until it has come.
        self.searcher: Searcher | None = None
        #: The rules that are played by, as the options say; None until they have come.
        self.rules: Rules | None = None
        self._game: Game | None = None
        # that the game is chosen, or somebody waits for its kernels: nothing is compiled before
        self._asked = threading.Event()
        self._changed = threading.Condition()
        #: When a searcher or another game's rules came last, by ``time.perf_counter``.
        self.ready_since = 0.0
        # whether the thread is at work
        self._busy = False
        # rules that have been loaded and are not played by yet
        self._loaded: Rules | None = None
        self._due: list[Callable[[Searcher], None]] = []

    # ---- the thread --------------------------------------------------------------------------

    def begin(self, game: Game) -> None:
        """Import numba and load or compile the kernels of a game in the background.

        Nothing happens for the game of the call before, unless that has failed.
        """
        if game is self._game and not self.failure:
            return
        if self._game is not None:
            self._asked.set()
        self._game = game
        thread = threading.Thread(target=self._load, args=(game, self._thread), daemon=True)
        self._thread, self._busy, self.failure = thread, True, ""
        thread.start()

    def _load(self, game: Game, earlier: threading.Thread | None) -> None:
        if earlier is not None:
            earlier.join()
        failure = self._try_to_load(game)
        with self._changed:
            if self._thread is threading.current_thread():  # else another game was chosen
                self.failure, self._busy = failure, False
                self._changed.notify_all()

    def _try_to_load(self, game: Game) -> str:
        """Load everything for a game; return why it has failed, or ""."""
        # A failure ends up in wait(), which everything that needs the kernels goes through.
        try:
            # first what all games need: GUIs choose another game meanwhile
            from ryugi_engine.games.position import Position
            from ryugi_engine.kernel import background, bundle, jit
            from ryugi_engine.search.searcher import Searcher

            jit.report_to(self._report_kernels)
            before = len(bundle.compiled)
            wanted = partial(self._still_wanted, game)
            if self._game is not game or not load_kernels(game, Searcher.__module__, wanted=wanted):
                return ""
            if len(bundle.compiled) > before:
                self._emit(Note(f"kernels compiled and kept in {jit.kept_in()}"))
            if self.searcher is None:
                options = self._options
                self.searcher = Searcher(options.number("Hash"), options.number("Threads"))
            populating = threading.Thread(target=self.searcher.populate, daemon=True)
            populating.start()  # while the net is being read
            loaded = self.evaluation.rules(game)
            Searcher.rehearse(Position(game, rules=loaded))
            self._loaded = loaded
            if jit.borrowed(loaded.entries()):
                own = f": {game.name}'s own are compiled in the background, for the next start"
                later = own if background.folder() is not None else ""
                self._emit(Detail(f"kernels for all games{later}"))
            decide = loaded.trial()
            if decide is not None:
                background.run_later(decide)
            populating.join()
            # numba leaves a heap that takes a full collection 20 ms and more, in some move's time
            gc.freeze()
        except (GameError, UserError) as error:
            return str(error)
        except OSError as error:  # of a file, or of the progress report
            return fault(error.filename or f"the kernels of {game.name}", error)
        except BaseException as error:
            return f"the kernels of {game.name} could not be loaded: {error!r}"[:500]
        return ""

    def _still_wanted(self, game: Game) -> bool:
        """Return whether to compile the kernels of a game; waits until that is known."""
        self._asked.wait()
        return self._game is game

    def _report_kernels(self, text: str) -> None:
        # that it takes long concerns everybody; what becomes of single files does not
        self._emit(Notice(text) if text.startswith("compiling") else Note(text))

    # ---- asking for it -----------------------------------------------------------------------

    @property
    def begun(self) -> bool:
        """Whether loading was started."""
        return self._thread is not None

    def wait(self, game: Game) -> None:
        """Wait until everything is loaded, or compiled. UserError if that failed."""
        if not self.begun:
            self.begin(game)
        self._asked.set()
        with self._changed:
            self._changed.wait_for(lambda: not self._busy)
        if self.failure:
            raise UserError(self.failure.replace("\n", " "))
        self.catch_up()
        self.evaluation.report()

    # ---- what is to be done with the searcher --------------------------------------------------

    def evaluate_anew(self) -> None:
        """Apply changed evaluation options to the searcher, as :meth:`with_searcher` does."""

        def apply(searcher: Searcher) -> None:
            # the game of that moment: another may be chosen while this one's kernels are loaded
            assert self._game is not None
            self._play_by(self.evaluation.rules(self._game), searcher)

        self.with_searcher(apply)

    def _play_by(self, rules: Rules, searcher: Searcher) -> None:
        """Use these rules from now on; the hash table and histories of others are cleared."""
        if self.rules is not None and self.rules is not rules:
            searcher.clear()
        searcher.get_ready(rules)
        self.rules = rules

    def with_searcher(self, action: Callable[[Searcher], None]) -> None:
        """Call ``action`` with the searcher, now or as soon as it is loaded.

        No search may be running. The thread that loads changes no searcher: whoever waits for it
        does, before a search begins.
        """
        if self.begun:  # else it will be made by the options as they are then
            self._due.append(action)
            if not self._busy:
                self.catch_up()

    def catch_up(self) -> None:
        """Run the delayed actions if the searcher is loaded."""
        due, self._due = self._due, []
        loaded, self._loaded = self._loaded, None
        if self.searcher is None:
            return
        if loaded is not None:
            self._play_by(loaded, self.searcher)
        for action in due:
            action(self.searcher)
        self.searcher.populate()
        if loaded is not None:
            self.ready_since = time.perf_counter()
