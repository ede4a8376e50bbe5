"""A table: one game, the engine beside it, and the pages that look at it.

Everything happens on the table's own thread: what pages ask, what searches find, clocks that run
out. The record is on the disk before a page is told of a move.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from ryugi_engine.errors import UserError
from ryugi_engine.kernel import jit
from ryugi_engine.process import complain
from ryugi_engine.records.pgn import read_records
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result
from ryugi_engine.web.live_game import UNTIMED, LiveGame, Player
from ryugi_engine.web.live_page import LivePage
from ryugi_engine.web.record_folder import RecordFolder, check_game
from ryugi_engine.web.thinker import Purpose, Thinker, limits_of

Data = dict[str, Any]
#: Seconds between two reports of a search to the pages.
_REPORT_SECONDS = 0.15
_STRONGEST = 20


class Page(Protocol):
    """A page that looks at the table."""

    def send(self, message: Data) -> None:
        """Send a message, from any thread; it does not wait."""


def _refuse(page: Page, text: str) -> None:
    raise UserError("the table takes no requests")


class Table:
    """See the module. Methods without underscore may be called from any thread."""

    def __init__(self, folder: Path, variant: str, record: Path | None, variants_file: str) -> None:
        """Kernels are not loaded before :meth:`start`. UserError for what is not there."""
        self._variant, self._record, self._variants_file = variant, record, variants_file
        self._pages: list[Page] = []
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self.thinker = Thinker(variants_file, self._found, self._reported, self._say)
        self.folder = RecordFolder(folder, self._say)
        if record is not None and record.exists():
            records = read_records(record)
            try:
                check_game(records[0], self.thinker.session.registry)
            except UserError as error:
                raise UserError(f"{record}: {error}") from None
        else:
            self.thinker.session.registry.game(variant)
        #: Does what a page asks, see :class:`ryugi_engine.web.actions.Actions`.
        self.carry_out: Callable[[Page, str], None] = _refuse
        self.game: LiveGame | None = None
        self._page: LivePage | None = None
        #: What a page is sent that has just come.
        self._status = "loading"
        self._reporting = threading.Event()
        self._last_lines = 0.0
        #: Whether pages have asked for lines, of which position, and how many.
        self.analysis: tuple[int, int, int] | None = None

    # ---- from any thread -------------------------------------------------------------------

    def start(self) -> None:
        """Begin to load the game."""
        self._thread.start()

    def stop(self) -> None:
        """End everything."""
        self._work.put(None)
        self._thread.join(5.0)

    def join(self, page: Page) -> None:
        """Let a page look at the table."""
        self._work.put(lambda: self._join(page))

    def leave(self, page: Page) -> None:
        """Let a page go; a table without pages stops thinking."""
        self._work.put(lambda: self._leave(page))

    def ask(self, page: Page, text: str) -> None:
        """Do what a page asks, or tell it why not."""
        self._work.put(lambda: self._answer(page, text))

    def do(self, work: Callable[[], None]) -> None:
        """Do something on the table's thread."""
        self._work.put(work)

    def _found(self, purpose: Purpose, result: Result) -> None:
        self._work.put(lambda: self._take(purpose, result))

    def _reported(self) -> None:
        if not self._reporting.is_set():
            self._reporting.set()
            self._work.put(self._send_lines)

    def _say(self, text: str) -> None:
        for page in list(self._pages):
            page.send({"type": "note", "text": text})

    # ---- the thread ------------------------------------------------------------------------

    def _run(self) -> None:
        jit.report_to(self._say)
        try:
            self._load_first()
        except UserError as error:
            self._status = str(error)
            self.send({"type": "fault", "text": self._status})
        while True:
            try:
                work = self._work.get(timeout=self._patience())
            except queue.Empty:
                work = self._check_clock
            if work is None:
                self.thinker.stop()
                return
            try:
                work()
            except UserError as error:
                self.send({"type": "error", "text": str(error)})
            except Exception as error:  # the table goes on, and the fault is seen
                where = traceback.extract_tb(error.__traceback__)[-1]
                text = f"the table has failed: {error!r} ({where.name}, line {where.lineno})"
                complain(text)
                self.send({"type": "error", "text": text[:500]})

    def _load_first(self) -> None:
        registry = self.thinker.session.registry
        if self._record is not None and self._record.exists():
            playback = self.folder.open(self._record, 1, registry)
            self.put(LiveGame.resumed(playback))
        else:
            self.folder.path = self._record
            players = (Player(), Player(engine=True))
            game = registry.game(self._variant)
            self.thinker.change_game(game.name)
            self.put(LiveGame.begin(game, None, players, UNTIMED))

    def _patience(self) -> float | None:
        """Return the seconds until a person's clock runs out; None if none runs.

        The engine keeps to its time as well as the machine lets it: nobody claims that time.
        """
        game = self.game
        if game is None or game.clock.running is None or game.engine_moves:
            return None
        return max(game.clock.left(game.clock.running), 0.0) + 0.01

    def _check_clock(self) -> None:
        game = self.game
        if game is None or game.engine_moves:
            return
        if (side := game.clock.running) is None or game.clock.left(side) > 0:
            return
        if game.outcome() is not None:
            game.clock.stop()
            return
        if game.game.timeout_pass and game.clock.control.per_move:
            game.lose_turn()
            self.moved()
        else:
            game.forfeit(side)
            self.changed()

    @property
    def live(self) -> LiveGame:
        if self.game is None:
            raise UserError(self._status)
        return self.game

    @property
    def thinking_of_move(self) -> bool:
        purpose = self.thinker.purpose
        return purpose is not None and purpose.kind == "move"

    # ---- what pages are sent ---------------------------------------------------------------

    def send(self, message: Data) -> None:
        for page in self._pages:
            page.send(message)

    def _join(self, page: Page) -> None:
        self._pages.append(page)
        registry = self.thinker.session.registry
        games = [{"name": game.name, "title": game.title} for game in registry.games()]
        page.send({"type": "games", "games": games})
        if self.game is None:
            page.send({"type": "fault", "text": self._status})
            return
        assert self._page is not None
        page.send({"type": "all", "page": self._page.everything(), "state": self._state()})
        self.go_on()

    def _leave(self, page: Page) -> None:
        if page in self._pages:
            self._pages.remove(page)
        if not self._pages and self.game is not None:
            self.analysis = None
            self.thinker.stop()
            self.game.clock.stop()

    def _state(self) -> Data:
        game = self.live
        path = self.folder.path
        return game.state() | {
            "thinking": self.thinking_of_move,
            "file": "" if path is None else path.name,
            "folder": str(self.folder.folder),
            "number": self.folder.number,
            "games": self.folder.games,
            "analysis": self.analysis,
        }

    def _send_all(self) -> None:
        assert self._page is not None
        self.send({"type": "all", "page": self._page.everything(), "state": self._state()})

    def send_state(self) -> None:
        self.send({"type": "state", "state": self._state()})

    def _send_lines(self) -> None:
        self._reporting.clear()
        purpose = self.thinker.purpose
        if purpose is None:
            return
        now = time.monotonic()
        if now - self._last_lines < _REPORT_SECONDS:
            timer = threading.Timer(_REPORT_SECONDS, lambda: self._work.put(self._send_lines))
            timer.daemon = True
            self._reporting.set()
            timer.start()
            return
        self._last_lines = now
        self.send(
            {
                "type": "lines",
                "kind": purpose.kind,
                "line": purpose.line,
                "ply": purpose.ply,
                "lines": self.thinker.lines(),
            }
        )

    # ---- the game --------------------------------------------------------------------------

    def put(self, game: LiveGame) -> None:
        """Put a game onto the table."""
        self.thinker.change_game(game.game.name)
        self.analysis = None
        self.game, self._page = game, LivePage(game.playback)
        self._send_all()
        self.go_on()

    def go_on(self) -> None:
        """Let the engine think, or the person's clock run, if anybody looks."""
        game = self.live
        if not self._pages:
            return
        game.run_clock()
        if game.engine_moves and not self.thinking_of_move:
            purpose = Purpose("move", 0, len(game.playback.steps))
            limits = limits_of(game.clock, game.side)
            skill = game.players[game.side].skill
            self.thinker.start(purpose, game.playback.position, limits, 1, skill)
            self.send_state()
        elif not game.engine_moves:
            self.analyse()

    def _keep(self) -> None:
        self.folder.keep(self.live.playback.record)

    def moved(self) -> None:
        """A move has been added at the end of the game: keep it, show it, go on.

        UserError if it cannot be kept; it is then not played.
        """
        game = self.live
        try:
            self._keep()
        except UserError:
            game.unplay()
            raise
        if game.outcome() is not None:
            self.changed(kept=True)
            return
        assert self._page is not None
        step = self._page.last_step()
        self._go_on_before_state()
        self.send({"type": "step", "step": step, "state": self._state()})
        self.go_on()

    def _go_on_before_state(self) -> None:
        """Let the next clock run before pages are told of it."""
        if self._pages:
            self.live.run_clock()

    def changed(self, kept: bool = False) -> None:
        """The game has changed in another way: keep and show it."""
        if not kept:
            self._keep()
        self._send_all()
        self.go_on()

    def _take(self, purpose: Purpose, result: Result) -> None:
        """Take what a search has found, unless nobody waits for it any more."""
        if purpose is not self.thinker.purpose:
            return
        if purpose.kind == "move":
            self.thinker.stop()
            if not result.best:
                raise UserError("the engine has found no move")
            self.live.push(result.best)
            self.moved()
            return
        self._last_lines = 0.0
        self._send_lines()
        if purpose.kind in ("hint", "threats"):
            self.thinker.stop()
            self.analyse()
        self.send_state()

    def analyse(self) -> None:
        """Search the position that pages want to know of, unless the engine is to move."""
        if self.analysis is None or self.thinking_of_move:
            return
        line, ply, lines = self.analysis
        wanted = Purpose("analysis", line, ply)
        if self.thinker.purpose == wanted:
            return
        game = self.live
        position = game.at(line, ply).position.copy()
        game.home()
        if position.outcome() is not None:
            self.thinker.stop()
            return
        self.thinker.start(wanted, position, Limits(infinite=True), lines, _STRONGEST)

    def _answer(self, page: Page, text: str) -> None:
        try:
            self.carry_out(page, text)
        except UserError as error:
            page.send({"type": "error", "text": str(error)[:2000]})
