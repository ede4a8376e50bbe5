"""A table: a room, and what may be asked of it from any thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ryugi_engine.errors import UserError
from ryugi_engine.kernel import jit
from ryugi_engine.processes.process import complain
from ryugi_engine.records.pgn import read_records
from ryugi_engine.search.levels import FIRST
from ryugi_engine.web.actions import Actions
from ryugi_engine.web.audience import Page
from ryugi_engine.web.live_game import UNTIMED, LiveGame, Player
from ryugi_engine.web.own_file import OwnFile
from ryugi_engine.web.record_folder import GameFile, check_game, open_game
from ryugi_engine.web.room import Room


class Table:
    """A room that pages join and leave. Methods may be called from any thread."""

    def __init__(
        self,
        folder: Path,
        variant: str,
        record: Path | None,
        variants_file: str,
        own: Path | None = None,
    ) -> None:
        """Kernels are not loaded before :meth:`start`. UserError for what is not there.

        ``own`` is the file of the user's own games, ``variants.toml`` in the folder by default.
        """
        self._variant, self._record = variant, record
        self.room = room = Room(folder, variants_file)
        own_file = OwnFile(own or folder / "variants.toml", room.audience.note)
        if own_file.path.exists():
            try:
                room.thinker.session.load_variants(str(own_file.path), keep=True)
            except UserError as error:  # the others can be played, and the page says it again
                complain(f"{error} (your own games are left out)")
        self._actions = Actions(room, own_file)
        self._put = room.mailbox.put
        if record is not None and record.exists():
            records = read_records(record)
            try:
                check_game(records[0], room.registry)
            except UserError as error:
                raise UserError(f"{record}: {error}") from None
        else:
            room.registry.game(variant)

    def start(self) -> None:
        """Begin with the record, or with a new game, and load its kernels."""
        self._put(self._begin)
        self.room.mailbox.start()

    def _begin(self) -> None:
        room, record = self.room, self._record
        jit.report_to(room.audience.note)
        try:
            if record is not None and record.exists():
                game, read = open_game(record, 1, room.registry, complain)
                room.put_new(game, lambda: LiveGame.resumed(*read()))
                return
            game, file = room.registry.game(self._variant), GameFile(record)
            players = Player(), Player(engine=True, level=FIRST)
            room.put_new(game, lambda: LiveGame.begin(game, None, players, UNTIMED, file=file))
        except UserError as error:
            room.fail(str(error))

    def stop(self) -> None:
        """Stop the engine, the table's thread and a study."""
        self._put(self.room.thinker.stop)
        self.room.mailbox.stop()
        self._actions.studies.end()

    def study_page(self, secret: str, name: str) -> bytes | None:
        """Return a study's page by the parts of its address; None if there is none."""
        return self._actions.studies.page(secret, name)

    def join(self, page: Page) -> None:
        """Connect a page."""
        self._put(lambda: self.room.join(page))

    def leave(self, page: Page) -> None:
        """Disconnect a page; without pages the engine stops thinking."""
        self._put(lambda: self.room.leave(page))

    def ask(self, page: Page, text: str) -> None:
        """Handle a page's request on the table's thread; answer it with an error if refused."""
        self._put(lambda: self._answer(page, text))

    def do(self, work: Callable[[], None]) -> None:
        """Call ``work`` on the table's thread."""
        self._put(work)

    def _answer(self, page: Page, text: str) -> None:
        try:
            self._actions.carry_out(page, text)
        except UserError as error:
            page.send({"type": "error", "text": str(error)[:2000]})
