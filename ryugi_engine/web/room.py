"""A room: one game, the engine that plays or analyses it, and the pages that watch.

All of it happens on the mailbox's thread. Whatever changes the game goes through
:meth:`Room.change`, or :meth:`Room.put_new` for another game: first the file, then the memory, then
the pages.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ryugi_engine.clocks.game_clock import limits_of
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, load_kernels
from ryugi_engine.kernel import compile_progress
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.report import Result
from ryugi_engine.web.audience import Audience, LineReports, Page
from ryugi_engine.web.live_game import LiveGame
from ryugi_engine.web.mailbox import Mailbox
from ryugi_engine.web.record_folder import RecordFolder, open_game
from ryugi_engine.web.thinker import Purpose, Thinker

Data = dict[str, Any]
Answer = TypeVar("Answer")
#: Seconds until a move of the engine's, or the end of a person's time, is written once more.
_RETRY_SECONDS = 2.0
#: Seconds between two messages about the kernels that are compiled.
_PROGRESS_SECONDS = 0.3
#: What the engine needs besides a game's kernels.
_SEARCHER = "ryugi_engine.search.searcher"


class _Unkept(NamedTuple):
    """A changed game that could not be kept."""

    game: LiveGame
    #: Whether it has one move more than the present one.
    moved: bool
    fault: str
    #: The time.monotonic() at which it is tried again.
    retry_at: float


class _Coming(NamedTuple):
    """A game that replaces the present one as soon as its kernels are compiled."""

    game: Game
    begin: Callable[[], LiveGame]


def _is_compiled(game: Game) -> bool:
    """Return whether nothing is to be compiled for a game; its kernels are loaded then."""
    try:
        return load_kernels(game, _SEARCHER, wanted=lambda: False)
    except Exception:  # the same where the game begins, and it is told there
        return True


class Room:
    """A game, its engine and its pages, on the thread of a mailbox."""

    def __init__(self, folder: Path, variants_file: str) -> None:
        """Kernels are loaded with the first game."""
        self.audience = Audience()
        self.mailbox = Mailbox("table", self._tell_fault)
        self.mailbox.patience, self.mailbox.due = self._patience, self._do_what_is_due
        say = self.audience.note
        self.thinker = Thinker(variants_file, self._found, say)
        self._reports = LineReports(self.thinker.report, self.audience, self.mailbox)
        self.thinker.progress = self._reports.ask
        self.folder = RecordFolder(folder, say)
        self.game: LiveGame | None = None
        #: What the room has done by itself and could not keep yet.
        self._unkept: _Unkept | None = None
        self._coming: _Coming | None = None
        self._progress_at = 0.0
        #: Why there is no game.
        self.status = "loading"
        self.choosing = False  # whether nobody has chosen the first game: pages ask for one
        #: Whether pages have asked for lines, of which position, and how many.
        self.analysis: tuple[int, int, int] | None = None

    @property
    def registry(self) -> Registry:
        """The games that can be played."""
        return self.thinker.session.registry

    @property
    def live(self) -> LiveGame:
        """The game. UserError if there is none yet."""
        if self.game is None:
            raise UserError(self.status)
        return self.game

    @property
    def thinking_of_move(self) -> bool:
        """Whether the engine is searching for its move."""
        purpose = self.thinker.purpose
        return purpose is not None and purpose.kind == "move"

    # ---- pages -----------------------------------------------------------------------------

    def join(self, page: Page) -> None:
        """Show a page the game, and all that comes."""
        self.audience.add(page)
        if self.game is None:
            page.send({"type": "fault", "text": self.status})
            page.send(self._compiling())
            return
        self.audience.show_again(page, self._state())
        self.go_on()

    def leave(self, page: Page) -> None:
        """Let a page go; without pages the engine stops thinking."""
        self.audience.remove(page)
        if not self.audience and self.game is not None:
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
            "compiling": self._compiling(),
        }

    def _compiling(self) -> Data:
        """Return the game whose kernels are compiled, "" for none, and the share that is done."""
        now, coming = compile_progress.progress(), self._coming
        game, title = ("", "") if coming is None else (coming.game.name, coming.game.title)
        done = 0.0 if now is None else now.done
        return {"type": "compiling", "game": game, "title": title, "done": done}

    def send_state(self) -> None:
        """Tell pages how the game stands."""
        self.audience.show_state(self.live.playback, self._state())

    def _tell_fault(self, text: str) -> None:
        """Tell all pages what has failed, and how the game stands now: no search runs."""
        self.audience.send({"type": "error", "text": text})
        if self.game is not None:
            self.send_state()

    # ---- another game ----------------------------------------------------------------------

    def put_new(self, game: Game, begin: Callable[[], LiveGame]) -> None:
        """Begin a game and replace the current one, which goes on while kernels are compiled.

        A game that is put meanwhile does not wait for them: the last one that was put is begun.
        """
        if _is_compiled(game):
            self._begin(game, begin)
            return
        self._coming = coming = _Coming(game, begin)

        def compile_kernels() -> None:
            # what fails here fails again where the game begins, and is told there
            with contextlib.suppress(Exception):
                load_kernels(game, _SEARCHER, wanted=lambda: self._coming is coming)
            self.mailbox.put(lambda: self._arrive(coming))

        threading.Thread(target=compile_kernels, name="compile", daemon=True).start()
        self._tell_progress()

    def _tell_progress(self) -> None:
        """Tell pages how far the kernels are."""
        self._progress_at = time.monotonic() + _PROGRESS_SECONDS
        self.audience.send(self._compiling())

    def _arrive(self, coming: _Coming) -> None:
        """Begin a game whose kernels are compiled, unless another one was put since."""
        if self._coming is not coming:
            return
        try:
            self._begin(coming.game, coming.begin)
        except UserError as error:
            if self.game is not None:
                raise
            self.fail(str(error))
        finally:
            if self._coming is coming:
                self._coming = None
                self._tell_progress()

    def fail(self, why: str) -> None:
        """Tell pages why there is no game."""
        self.status = why
        self.audience.send({"type": "fault", "text": why})

    def _begin(self, game: Game, begin: Callable[[], LiveGame]) -> None:
        """Begin a game whose kernels are there; if that fails the current one goes on."""
        before = self.game
        try:
            self.thinker.change_game(game)
            live = begin()
        except Exception:
            if before is not None:
                self.thinker.change_game(before.game)
                self.go_on()
            raise
        self.game, self._unkept, self.analysis, self._coming = live, None, None, None
        self.choosing = self.choosing and before is None
        self.audience.show(live.playback, self._state())
        self.go_on()

    def reopen(self, study: bool = False) -> None:
        """Read the game again from its file, perhaps to study it. UserError if it has none."""
        live = self.live
        path, number = live.file.path, live.file.number
        if path is None:
            raise UserError("the game has no file yet")
        game, read = open_game(path, number, self.registry, self.folder.tell)

        def begin() -> LiveGame:
            playback, file = read()
            return LiveGame(playback, live.players, live.clock.control, file, study or live.study)

        self.put_new(game, begin)

    # ---- changes ---------------------------------------------------------------------------

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
        except Exception as error:
            self.live.clock.stop()
            self._unkept = _Unkept(game, moved, str(error), time.monotonic() + _RETRY_SECONDS)
            raise
        self._replace_by(game, moved)

    def _keep(self, game: LiveGame) -> None:
        game.file = self.folder.keep(game.file, game.playback.record)

    def _replace_by(self, game: LiveGame, moved: bool, recorded: bool = True) -> None:
        """Put a changed copy in the game's place, and show it."""
        before, self.game, self._unkept = self.live, game, None
        moves, over = game.playback.position.moves, game.outcome() is not None
        same = moves == before.playback.position.moves and game.players == before.players
        if not same or game.paused or over:
            self.thinker.stop()
        if self.audience:
            game.run_clock()  # before pages are told of it
        if moved and not over:
            self.audience.show_move(game.playback, self._state())
        elif recorded:
            self.audience.show(game.playback, self._state())
        else:
            self.send_state()
        self.go_on()

    # ---- what is done without being asked -----------------------------------------------------

    def _patience(self) -> float | None:
        """Return the seconds until the room has to do something by itself; None if it has not.

        The engine keeps to its time as well as the machine lets it: no one claims that time.
        """
        waits, now = [], time.monotonic()
        if self._coming is not None:
            waits.append(max(self._progress_at - now, 0.0))
        game = self.game
        if self._unkept is not None:
            waits.append(max(self._unkept.retry_at - now, 0.0))
        elif game is not None and game.clock.running is not None and not game.engine_moves:
            waits.append(max(game.clock.left(game.clock.running), 0.0) + 0.01)
        return min(waits, default=None)

    def _do_what_is_due(self) -> None:
        if self._coming is not None and self._progress_at <= time.monotonic():
            self._tell_progress()
        if self._unkept is None:
            self._check_clock()
            return
        if self._unkept.retry_at > time.monotonic():
            return
        # before it is tried: there is a pause after any failure
        game, moved = self._unkept.game, self._unkept.moved
        self._unkept = self._unkept._replace(retry_at=time.monotonic() + _RETRY_SECONDS)
        try:
            self._keep(game)
        except Exception:  # it still cannot be written; pages know
            return
        self._replace_by(game, moved)

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

    # ---- the engine ------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let the engine think, or the person's clock run, if a page is connected."""
        game = self.live
        if not self.audience or self._unkept is not None:
            return
        game.run_clock()
        if not game.engine_moves:
            self.analyse()
        elif not self.thinking_of_move:
            purpose = Purpose("move", 0, len(game.playback.steps))
            limits = limits_of(game.clock, game.side)
            level = game.players[game.side].level
            try:
                self.thinker.start(purpose, game.playback.position.copy(), limits, level=level)
            except UserError as error:
                self._tell_fault(str(error))
            else:
                self.send_state()

    def _found(self, purpose: Purpose, result: Result) -> None:
        self.mailbox.put(lambda: self._take(purpose, result))

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
        try:
            position = self.live.position_at(line, ply)
        except UserError:  # it has been taken back, or its variation removed
            self.analysis = None
            self.thinker.stop()
            return
        if position.outcome() is not None:
            self.thinker.stop()
            return
        self.thinker.start(wanted, position, Limits(infinite=True), lines)
