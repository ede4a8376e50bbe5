"""Load the kernels and create the searcher in a background thread."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ryugi_engine.core.evaluation import Evaluation
from ryugi_engine.core.events import Event, Note, Notice
from ryugi_engine.core.options import Options
from ryugi_engine.errors import GameError, UserError
from ryugi_engine.files import fault
from ryugi_engine.games.game import Game, Rules
from ryugi_engine.games.registry import rules_of

if TYPE_CHECKING:
    from ryugi_engine.search.searcher import Searcher

#: Seconds that compiling kernels still has when the input has ended.
_AFTER_INPUT = 0.9
#: Seconds that a GUI has to choose another game before the first one's kernels are compiled.
_BEFORE_COMPILING = 0.5
#: Seconds after which whoever waits looks whether the input has ended.
_LOOK = 0.05


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
        # whether the game is chosen: somebody waits for its kernels
        self._asked = threading.Event()
        # rules that have been loaded and are not played by yet
        self._loaded: Rules | None = None
        self._due: list[Callable[[Searcher], None]] = []
        self._catching_up = threading.Lock()
        # the time.monotonic() from which on nobody waits for compiling, None for never
        self._end: float | None = None

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
        self._thread = thread
        thread.start()

    def _load(self, game: Game, earlier: threading.Thread | None) -> None:
        if earlier is not None:
            earlier.join()
        self.failure = ""
        # A failure ends up in wait(), which everything that needs the kernels goes through.
        try:
            from ryugi_engine.kernel import jit

            jit.report_to(self._report_kernels)
            before = len(jit.compiled_entries)
            modules = game.rules_module, "ryugi_engine.search.searcher"
            if not jit.load(*modules, wanted=lambda: self._still_wanted(game)):
                return
            jit.load_all(kernel for kernel in rules_of(game).kernels if not kernel.late)
            from ryugi_engine.games.position import Position
            from ryugi_engine.search.searcher import Searcher

            if len(jit.compiled_entries) > before:
                self._emit(Note(f"kernels compiled and kept in {jit.kept_in()}"))
            if self.searcher is None:
                options = self._options
                self.searcher = Searcher(options.number("Hash"), options.number("Threads"))
            populating = threading.Thread(target=self.searcher.populate, daemon=True)
            populating.start()  # while the net is being read
            loaded = self.evaluation.rules(game)
            Searcher.rehearse(Position(game, rules=loaded))
            self._loaded = loaded
            populating.join()
            # numba leaves a heap that takes a full collection 20 ms and more, in some move's time
            gc.freeze()
        except (GameError, UserError) as error:
            self.failure = str(error)
        except OSError as error:  # of a file, or of the progress report
            self.failure = fault(error.filename or f"the kernels of {game.name}", error)
        except BaseException as error:
            self.failure = f"the kernels of {game.name} could not be loaded: {error!r}"[:500]

    def _still_wanted(self, game: Game) -> bool:
        """Return whether the kernels of a game are to be compiled; another may be chosen soon."""
        if not self._asked.is_set():
            self._asked.wait(_BEFORE_COMPILING)
            self._asked.set()
        return self._game is game

    def _report_kernels(self, text: str) -> None:
        # that it takes long concerns everybody; what becomes of single files does not
        self._emit(Notice(text) if text.startswith("compiling") else Note(text))

    # ---- asking for it -----------------------------------------------------------------------

    @property
    def begun(self) -> bool:
        """Whether loading was started."""
        return self._thread is not None

    @property
    def compiling(self) -> bool:
        """Whether kernels are being compiled, which takes long; loading compiled ones does not."""
        from ryugi_engine.kernel import cache

        jit = sys.modules.get("ryugi_engine.kernel.jit")
        return not cache.files() or getattr(jit, "compiling", False)

    @property
    def alive(self) -> bool:
        """Whether loading is in progress."""
        return self._thread is not None and self._thread.is_alive()

    def arrived(self, game: Game) -> bool:
        """Return whether everything is loaded, without waiting; UserError if loading failed."""
        if not self.begun:
            self.begin(game)
        return not self.alive and self.wait(game)

    def wait(self, game: Game, seconds: float | None = None) -> bool:
        """Wait up to ``seconds`` for the kernels; return whether everything is loaded.

        UserError if loading failed, or did not end in the time that :meth:`hurry` leaves.
        """
        if self._thread is None:
            self.begin(game)
        assert self._thread is not None
        if self._thread.is_alive():
            self._asked.set()
            self._join(self._thread, seconds)
        if self._thread.is_alive():
            if seconds is None:
                raise UserError("the input has ended before the kernels were loaded")
            return False
        if self.failure:
            raise UserError(self.failure.replace("\n", " "))
        self.catch_up()
        return True

    def _join(self, thread: threading.Thread, seconds: float | None) -> None:
        """Wait for a thread as long as it may take; it may still be alive then."""
        until = float("inf") if seconds is None else time.monotonic() + seconds
        while thread.is_alive():
            left = until - time.monotonic()
            hurried = self._end is not None and time.monotonic() > self._end
            if left <= 0 or (hurried and self.compiling):
                return
            thread.join(min(left, _LOOK))

    def join(self) -> bool:
        """Wait while compiled kernels are being loaded; False if something has to be compiled."""
        thread = self._thread
        while thread is not None and thread.is_alive():
            if self.compiling:
                return False
            thread.join(_LOOK)
        return True

    def hurry(self) -> None:
        """Shorten all waiting for compiling, because the input has ended; from any thread."""
        self._end = time.monotonic() + _AFTER_INPUT

    def call_when_over(self, seconds: float | None, action: Callable[[], None]) -> None:
        """Do something, in a thread of its own, when loading is over or so many seconds are."""
        thread = self._thread

        def wait() -> None:
            if thread is not None:
                thread.join(seconds)
            action()

        threading.Thread(target=wait, daemon=True).start()

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
        """Do something with the searcher: at once, or when it has come. GUIs do not wait.

        No search may be running. The thread that loads changes no searcher: whoever waits for it
        does, before a search begins.
        """
        if self.begun:  # else it will be made by the options as they are then
            self._due.append(action)
            if not self.alive:
                self.catch_up()

    def catch_up(self) -> None:
        """Run the actions that wait for the searcher; when it returns they have been run."""
        # a search that waits for the kernels may come at the same time, and uses the searcher next:
        # that nothing is left to be begun does not mean that it has been done
        with self._catching_up:
            due, self._due = self._due, []
            loaded, self._loaded = self._loaded, None
            if self.searcher is None:
                return
            if loaded is not None:
                self._play_by(loaded, self.searcher)
            for action in due:
                action(self.searcher)
            self.searcher.populate()
