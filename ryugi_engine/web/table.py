"""A table: one game, its engine, and the connected pages.

Everything happens on the table's own thread: what pages ask, what searches find, clocks that run
out. Whatever changes the game goes through :meth:`Table.change`, or :meth:`Table.put` for another
one: first the file, then the memory, then the pages.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ryugi_engine.clocks.game_clock import limits_of
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry
from ryugi_engine.kernel import jit
from ryugi_engine.process import complain
from ryugi_engine.records.pgn import read_records
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result
from ryugi_engine.web.live_game import UNTIMED, LiveGame, Player
from ryugi_engine.web.live_page import LivePage
from ryugi_engine.web.pages import LineReports, Page, Pages
from ryugi_engine.web.record_folder import GameFile, RecordFolder, check_game, open_game
from ryugi_engine.web.thinker import Purpose, Thinker

Data = dict[str, Any]
Answer = TypeVar("Answer")
#: Seconds until a move of the engine's, or the end of a person's time, is written once more.
_RETRY_SECONDS = 2.0


def _refuse(page: Page, text: str) -> None:
    raise UserError("the table takes no requests")


class _Unkept(NamedTuple):
    """A changed game that could not be kept."""

    game: LiveGame
    #: Whether it has one move more than the present one.
    moved: bool
    fault: str
    #: The time.monotonic() at which it is tried again.
    retry_at: float


class Table:
    """A game, its engine and its pages. Public methods may be called from any thread."""

    def __init__(self, folder: Path, variant: str, record: Path | None, variants_file: str) -> None:
        """Kernels are not loaded before :meth:`start`. UserError for what is not there."""
        self._variant, self._record, self._variants_file = variant, record, variants_file
        self.pages = Pages()
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        say = self.pages.note
        self.thinker = Thinker(variants_file, self._found, self._reported, say)
        self._reports = LineReports(self.thinker, self.pages, self.do)
        self.folder = RecordFolder(folder, say)
        if record is not None and record.exists():
            records = read_records(record)
            try:
                check_game(records[0], self.registry)
            except UserError as error:
                raise UserError(f"{record}: {error}") from None
        else:
            self.registry.game(variant)
        #: Does what a page asks, see :class:`ryugi_engine.web.actions.Actions`.
        self.carry_out: Callable[[Page, str], None] = _refuse
        self.game: LiveGame | None = None
        self._page: LivePage | None = None
        #: What the table has done by itself and could not keep yet.
        self._unkept: _Unkept | None = None
        #: What a page is sent that has just come.
        self._status = "loading"
        self.choosing = False  # whether nobody has chosen the first game: pages ask for one
        #: Whether pages have asked for lines, of which position, and how many.
        self.analysis: tuple[int, int, int] | None = None

    # ---- from any thread -------------------------------------------------------------------

    def start(self) -> None:
        """Start loading the game's kernels."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the engine and the table's thread."""
        self._work.put(None)
        self._thread.join(5.0)

    def join(self, page: Page) -> None:
        """Connect a page."""
        self._work.put(lambda: self._join(page))

    def leave(self, page: Page) -> None:
        """Disconnect a page; without pages the engine stops thinking."""
        self._work.put(lambda: self._leave(page))

    def ask(self, page: Page, text: str) -> None:
        """Handle a page's request on the table's thread; answer it with an error if refused."""
        self._work.put(lambda: self._answer(page, text))

    def do(self, work: Callable[[], None]) -> None:
        """Call ``work`` on the table's thread."""
        self._work.put(work)

    def _reported(self) -> None:
        self._reports.ask()

    def _found(self, purpose: Purpose, result: Result) -> None:
        self._work.put(lambda: self._take(purpose, result))

    # ---- the thread ------------------------------------------------------------------------

    def _run(self) -> None:
        jit.report_to(self.pages.note)
        try:
            self._load_first()
        except UserError as error:
            self._status = str(error)
            self.pages.send({"type": "fault", "text": self._status})
        while True:
            try:
                work = self._work.get(timeout=self._patience())
            except queue.Empty:
                work = self._retry if self._unkept else self._check_clock
            if work is None:
                self.thinker.stop()
                return
            try:
                work()
            except UserError as error:
                self._tell_fault(str(error))
            except Exception as error:  # the table goes on, and the fault is seen
                where = traceback.extract_tb(error.__traceback__)[-1]
                text = f"the table has failed: {error!r} ({where.name}, line {where.lineno})"
                complain(text)
                self._tell_fault(text[:500])

    def _tell_fault(self, text: str) -> None:
        """Tell all pages what has failed, and how the game stands now: no search runs."""
        self.pages.send({"type": "error", "text": text})
        if self.game is not None:
            self.send_state()

    @property
    def registry(self) -> Registry:
        """The games that can be played."""
        return self.thinker.session.registry

    def _load_first(self) -> None:
        if self._record is not None and self._record.exists():
            self.put(LiveGame.resumed(*open_game(self._record, 1, self.registry, complain)))
            return
        game, file = self.registry.game(self._variant), GameFile(self._record)
        players = Player(), Player(engine=True)
        self.put_new(game, lambda: LiveGame.begin(game, None, players, UNTIMED, file=file))

    def _patience(self) -> float | None:
        """Return the seconds until the table has to do something by itself; None if it has not.

        The engine keeps to its time as well as the machine lets it: no one claims that time.
        """
        if self._unkept is not None:
            return max(self._unkept.retry_at - time.monotonic(), 0.0)
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
        elif game.game.timeout_pass and game.clock.control.per_move:
            self._act(LiveGame.lose_turn, moved=True)
        else:
            self._act(lambda changed: changed.forfeit(side))

    @property
    def live(self) -> LiveGame:
        if self.game is None:
            raise UserError(self._status)
        return self.game

    @property
    def thinking_of_move(self) -> bool:
        purpose = self.thinker.purpose
        return purpose is not None and purpose.kind == "move"

    def _join(self, page: Page) -> None:
        self.pages.add(page)
        if self.game is None:
            page.send({"type": "fault", "text": self._status})
            return
        assert self._page is not None
        page.send({"type": "all", "page": self._page.everything(), "state": self._state()})
        self.go_on()

    def _leave(self, page: Page) -> None:
        self.pages.remove(page)
        if not self.pages and self.game is not None:
            self.analysis = None
            self.thinker.stop()
            self.game.clock.stop()

    def _state(self) -> Data:
        return self.live.state() | {
            "thinking": self.thinking_of_move,
            "unkept": "" if self._unkept is None else self._unkept.fault,
            "folder": str(self.folder.folder),
            "analysis": self.analysis,
            "choosing": self.choosing,
        }

    def _show(self, game: LiveGame) -> None:
        """Show pages the whole game."""
        self._page = LivePage(game.playback)
        self.pages.send({"type": "all", "page": self._page.everything(), "state": self._state()})

    def send_state(self) -> None:
        self.pages.send({"type": "state", "state": self._state()})

    def put(self, game: LiveGame) -> None:
        """Replace the game by another one."""
        self.put_new(game.game, lambda: game)

    def reopen(self, study: bool = False) -> None:
        """Read the game again from its file, perhaps to study it. UserError if it has none."""
        live = self.live
        if live.file.path is None:
            raise UserError("the game has no file yet")
        playback, file = open_game(
            live.file.path, live.file.number, self.registry, self.folder.tell
        )
        self.put(LiveGame(playback, live.players, live.clock.control, file, study or live.study))

    def put_new(self, game: Game, begin: Callable[[], LiveGame]) -> None:
        """Load a game's kernels, then begin it and replace the current game.

        If that fails the current game goes on.
        """
        try:
            self.thinker.change_game(game)
            live = begin()
        except Exception:
            if self.game is not None:
                self.thinker.change_game(self.game.game)
                self.go_on()
            raise
        self.game, self._unkept, self.analysis = live, None, None
        self.choosing = self.choosing and self._page is None
        self._show(live)
        self.go_on()

    def change(
        self, act: Callable[[LiveGame], Answer], moved: bool = False, recorded: bool = True
    ) -> Answer:
        """Change the game, and return what ``act`` returns, which does so with a copy.

        First the file is written, then the copy takes the game's place, then pages are told. If
        ``act`` or the file fails nothing has changed. ``moved`` says that all that is new is a move
        at the end, ``recorded`` whether the record changes.
        """
        if self._unkept is not None:
            self._keep(self._unkept.game)
            self._replace_by(self._unkept.game, self._unkept.moved)
        game = self.live.copy()
        result = act(game)
        if recorded:
            self._keep(game)
        self._replace_by(game, moved, recorded)
        return result

    def _act(self, act: Callable[[LiveGame], None], moved: bool = False) -> None:
        """Change the game without being asked: what cannot be written is tried again."""
        game = self.live.copy()
        act(game)
        try:
            self._keep(game)
        except UserError as error:
            self.live.clock.stop()
            self._unkept = _Unkept(game, moved, str(error), time.monotonic() + _RETRY_SECONDS)
            raise
        self._replace_by(game, moved)

    def _retry(self) -> None:
        """Try again what could not be written; pages have been told so."""
        assert self._unkept is not None
        game, moved, *_ = self._unkept
        # before it is tried: there is a pause after any failure
        self._unkept = self._unkept._replace(retry_at=time.monotonic() + _RETRY_SECONDS)
        try:
            self._keep(game)
        except UserError:  # it still cannot be written; pages know
            return
        self._replace_by(game, moved)

    def _keep(self, game: LiveGame) -> None:
        game.file = self.folder.keep(game.file, game.playback.record)

    def _replace_by(self, game: LiveGame, moved: bool, recorded: bool = True) -> None:
        """Put a changed copy in the game's place, and show it."""
        before, self.game, self._unkept = self.live, game, None
        moves = game.playback.position.moves
        if (
            moves != before.playback.position.moves
            or game.players != before.players
            or game.paused
            or game.outcome() is not None
        ):
            self.thinker.stop()
        if self.pages:
            game.run_clock()  # before pages are told of it
        assert self._page is not None
        self._page.follow(game.playback)
        if moved and game.outcome() is None:
            step = self._page.last_step()
            self.pages.send({"type": "step", "step": step, "state": self._state()})
        elif recorded:
            self._show(game)
        else:
            self.send_state()
        self.go_on()

    def go_on(self) -> None:
        """Let the engine think, or the person's clock run, if a page is connected."""
        game = self.live
        if not self.pages or self._unkept is not None:
            return
        game.run_clock()
        if game.engine_moves and not self.thinking_of_move:
            purpose = Purpose("move", 0, len(game.playback.steps))
            limits = limits_of(game.clock, game.side)
            level = game.players[game.side].level
            try:
                self.thinker.start(purpose, game.playback.position, limits, 1, level)
            except UserError as error:
                self._tell_fault(str(error))
            else:
                self.send_state()
        elif not game.engine_moves:
            self.analyse()

    def _take(self, purpose: Purpose, result: Result) -> None:
        """Take what a search has found, unless no one waits for it any more."""
        if purpose is not self.thinker.purpose:
            return
        if purpose.kind == "move":
            self.thinker.stop()
            if not result.best:
                raise UserError("the engine has found no move")
            self._act(lambda game: game.push(result.best), moved=True)
            return
        self._reports.send()
        if purpose.kind in ("hint", "threats"):
            self.thinker.stop()
            self.analyse()
        self.send_state()

    def analyse(self) -> None:
        """Search the position that pages have asked to analyse, unless the engine is to move."""
        if self.analysis is None or self.thinking_of_move:
            return
        line, ply, lines = self.analysis
        wanted = Purpose("analysis", line, ply)
        if self.thinker.purpose == wanted:
            return
        game = self.live
        try:
            position = game.at(line, ply).position.copy()
        except UserError:  # it has been taken back, or its variation removed
            self.analysis = None
            self.thinker.stop()
            return
        game.home()
        if position.outcome() is not None:
            self.thinker.stop()
            return
        self.thinker.start(wanted, position, Limits(infinite=True), lines)

    def _answer(self, page: Page, text: str) -> None:
        try:
            self.carry_out(page, text)
        except UserError as error:
            page.send({"type": "error", "text": str(error)[:2000]})
