"""The CECP protocol: its commands, except those in ``settings``."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.events import Event, Note, Notice
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.games import registry
from ryugi_engine.games.game import Game, IllegalMove, read_move
from ryugi_engine.games.groups import DEFAULT
from ryugi_engine.games.notation import own_ranks
from xboard import features, parser, setup, writer
from xboard.game import Mode
from xboard.settings import Settings

#: XBoard's rules have no captured stones: it would call a drop on their squares illegal.
_NO_REFEREE = (
    "XBoard cannot take captured stones off in a match between engines: this game has been"
    " stopped. Use 'ryugi-engine match --variant {} --engine CMD --engine CMD' instead."
)
#: Commands that may come between ``new`` and ``variant``, or do not use the position.
_BEFORE_VARIANT = frozenset(
    """
    xboard protover accepted rejected new variant random result level st sd nps time otim memory
    cores option egtpath post nopost hard easy computer name rating ics
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


#: Seconds that ``setup`` waits for ``setboard`` in XBoard. When a user loads a position, XBoard
#: shows it and sends both commands at once. The answer to the first one would reset its board.
_SETUP_SECONDS = 0.05
#: Commands that may come between those two.
_BEFORE_SETUP = _BEFORE_VARIANT - {"variant"} | {"force", "ping", "setboard", ""}


class CecpProtocol(Settings):
    """Handles CECP commands."""

    first_game = DEFAULT

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        super().__init__(connection, session)
        self._default = session.game
        # the game to begin; the default for a GUI that never sends ``new``
        self._next_game: Game | None = session.game
        self._chess_hidden = False
        # the game whose ``setup`` waits for a position that XBoard may have loaded
        self._due_setup: Game | None = None
        # pings since then: XBoard takes a game for unknown whose ``setup`` comes after ``pong``
        self._due_pings: list[str] = []

    # ---- output ----------------------------------------------------------------------------

    def on_event(self, event: Event) -> None:
        if isinstance(event, Notice):
            self.connection.write(f"telluser ryugi-engine: {writer.safe_text(event.text)}")
        elif isinstance(event, Note):
            self.connection.write(f"# {writer.safe_text(event.text)}")
        else:
            self._player.thinker.on_event(event)

    def complain(self, line: str, error: Exception) -> None:
        self.connection.write(writer.error_line(str(error), line))

    def finish(self) -> None:
        self._send_setup()  # nothing of it may come in the middle of another conversation
        self._player.halt()

    # ---- input -----------------------------------------------------------------------------

    def find(self, word: str) -> Callable[[list[str]], None] | None:
        if word == "?":
            return self._do_move_now
        if word == ".":
            return self._do_status
        known = super().find(word)
        if known is None and self._game.looks_like_move(parser.two_legs(word)[0]):
            return lambda arguments: self._raw_move(word)
        return known

    @property
    def _game(self) -> Game:
        """The current game, or the one to begin."""
        return self._next_game or self.session.game

    def answer(self, line: str) -> None:
        word = line.split(maxsplit=1)[0].lower() if line else ""
        if word not in _BEFORE_SETUP:
            self._send_setup()
        elif word == "ping" and self._due_setup is not None:
            self._due_pings.append(line)
            return
        if self.find(word) is None:
            if word and not parser.is_unused(word):
                self.complain(line, UserError("unknown command"))
            return
        if word not in _BEFORE_VARIANT:
            try:
                self._begin_next_game()
            except UserError as error:
                self.complain(line, error)
                if word != "ping":
                    return
        super().answer(line)

    def _begin_next_game(self) -> None:
        """Begin the game that ``new`` and ``variant`` have selected."""
        game, self._next_game = self._next_game, None
        if game is None:
            return
        self._player.halt()
        self.session.set_variant(game.name)
        self._player.begin_game()
        if self._player.mode is Mode.ANALYZE:
            self._player.analyze()

    # ---- introduction ----------------------------------------------------------------------

    def _do_xboard(self, arguments: list[str]) -> None:
        self.connection.write("")
        self.session.begin_loading()

    def _do_protover(self, arguments: list[str]) -> None:
        if parser.number(arguments, "protover") < 2:
            return
        games, options = self.session.registry.games(), self.session.options
        self.connection.write("feature done=0")
        self._chess_hidden = features.opens_default_game()
        chess = not self._chess_hidden
        self.connection.write(
            *features.feature_lines(
                games, self._default, options, registry.catalogue(), chess=chess
            )
        )
        self.tell_of_faults()
        try:
            self.session.wait_ready()
        except UserError as error:
            self.connection.write(f"tellusererror {writer.safe_text(str(error))}")
        self.connection.write("feature done=1")

    # ---- games and positions ---------------------------------------------------------------

    def _do_new(self, arguments: list[str]) -> None:
        player = self._player
        player.halt()
        if player.mode is not Mode.ANALYZE:
            player.mode = Mode.PLAY
        player.gui.engine_side = 1
        player.gui.computer = False
        player.invalid = ""
        clock = player.clock
        clock.depth, clock.nodes_per_second = None, 0
        clock.own = clock.other = None
        clock.moves_before = 0
        self._next_game = self._find_game("normal")
        if self._chess_hidden:
            # XBoard has opened the default game: now chess can be announced
            self._chess_hidden = False
            self._tell_variants()

    def _tell_variants(self) -> None:
        games = self.session.registry.games()
        self.connection.write(features.variants_line(games, self._default, registry.catalogue()))

    def _find_game(self, name: str) -> Game:
        games = self.session.registry
        return games.game(features.find_game(name, games.games()))

    def _do_variant(self, arguments: list[str]) -> None:
        game = self._find_game(arguments[0] if arguments else "")
        self._player.halt()
        self._next_game = game
        self._due_setup = game
        if not features.in_xboard():
            self._send_setup()
            return
        timer = threading.Timer(_SETUP_SECONDS, self.connection.inbox.put, [self._send_setup])
        timer.daemon = True
        timer.start()

    def _send_setup(self, position: str = "") -> None:
        """Send the answer to ``variant`` if it is due; XBoard then shows ``position``."""
        game, self._due_setup = self._due_setup, None
        if game is not None:
            self.connection.write(*setup.setup_lines(game, position))
            pings, self._due_pings = self._due_pings, []
            for line in pings:
                self.answer(line)

    def _do_setboard(self, arguments: list[str]) -> None:
        player, text = self._player, setup.completed(self._game, arguments)
        try:
            player.set_board(text)
            self._send_setup(text)
        except UserError as error:
            player.halt()
            player.invalid = str(error)
            self.connection.write(f"tellusererror Illegal position: {writer.safe_text(str(error))}")

    def _do_usermove(self, arguments: list[str]) -> None:
        word = arguments[0] if arguments else ""
        try:
            self._raw_move(word)
        except IllegalMove as error:
            self.connection.write(f"Illegal move ({error}): {writer.safe_text(word[:40])}")

    def _raw_move(self, word: str) -> None:
        # Errors are answered by "Error", not "Illegal move". Cute Chess sends a possibly illegal
        # move to give Black the turn, and "Illegal" would lose the game.
        word = own_ranks(word.lower() if self._game.ranks == 10 else word, self._game.ranks)
        move, victim = (word, "") if self._game.legs else parser.two_legs(word)
        self._player.thinker.settle()
        self._player.user_move(read_move(move), victim)

    def _do_lift(self, arguments: list[str]) -> None:
        """Mark where a piece may go, in games whose moves XBoard takes leg by leg."""
        if self._game.legs and arguments:
            square = own_ranks(arguments[0].rstrip(",").lower(), self._game.ranks)
            marks = self._player.marks(square)
            self.connection.write(f"highlight {marks}")

    def _do_put(self, arguments: list[str]) -> None:
        pass  # XBoard clears the marks by itself

    _do_hover = _do_put

    def _do_undo(self, arguments: list[str]) -> None:
        self._player.undo(1)

    def _do_remove(self, arguments: list[str]) -> None:
        self._player.undo(2)

    # ---- modes -----------------------------------------------------------------------------

    def _do_force(self, arguments: list[str]) -> None:
        self._player.force()

    def _do_go(self, arguments: list[str]) -> None:
        self._play(0)

    def _do_playother(self, arguments: list[str]) -> None:
        self._play(1)

    def _play(self, other: int) -> None:
        player = self._player
        if player.invalid:
            raise UserError("the position is not valid")
        player.halt()
        player.mode = Mode.PLAY
        player.gui.engine_side = player.gui.order.side ^ other
        player.go_on()

    def _do_move_now(self, arguments: list[str]) -> None:
        self._player.thinker.move_now()

    def _do_result(self, arguments: list[str]) -> None:
        self._player.force()

    def _do_draw(self, arguments: list[str]) -> None:
        self._player.offered_draw()

    def _do_pause(self, arguments: list[str]) -> None:
        self._player.pause()

    def _do_resume(self, arguments: list[str]) -> None:
        self._player.resume()

    # ---- thinking --------------------------------------------------------------------------

    def _do_ping(self, arguments: list[str]) -> None:
        self._player.ping(arguments[0] if arguments else "")

    def _do_analyze(self, arguments: list[str]) -> None:
        self._player.mode = Mode.ANALYZE
        self._player.go_on()

    def _do_exit(self, arguments: list[str]) -> None:
        if self._player.mode is Mode.ANALYZE:
            self._player.rest()

    def _do_status(self, arguments: list[str]) -> None:
        if self._player.mode is Mode.ANALYZE and not self._player.invalid:
            self.connection.write(self._player.thinker.status_line())

    def _do_exclude(self, arguments: list[str]) -> None:
        self._choose(arguments, exclude=True)

    def _do_include(self, arguments: list[str]) -> None:
        self._choose(arguments, exclude=False)

    def _choose(self, arguments: list[str], *, exclude: bool) -> None:
        move = own_ranks(arguments[0] if arguments else "", self._game.ranks)
        self._player.choose_moves(move, exclude=exclude)

    def _do_hint(self, arguments: list[str]) -> None:
        self._player.hint()

    def _do_bk(self, arguments: list[str]) -> None:
        self.connection.write(" there is no opening book", "")

    # ---- options and engines as opponents ------------------------------------------------------

    def _do_rejected(self, arguments: list[str]) -> None:
        if "sigint" in arguments:
            self.connection.ignore_interrupts()

    def _do_computer(self, arguments: list[str]) -> None:
        self._player.gui.computer = True
        game = self._game
        if game.captures and features.in_xboard():
            self._begin_next_game()
            self._player.rest()
            self._player.invalid = "no match of this game in XBoard"
            # XBoard ends the game without a result when an engine sends a position
            self.connection.write(f"tellusererror {_NO_REFEREE.format(game.name)}")
            self.connection.write(f"setboard {game.start}")

    def _do_option(self, arguments: list[str]) -> None:
        name, value = parser.option(arguments)
        option = features.find_option(name, self.session.options)
        if option.kind == "check":
            value = {"1": "true", "0": "false"}.get(value or "", value)
        elif option.kind == "combo":
            value = (value or "").removeprefix("*")
        with self._interrupted():
            self.session.options.set(option.name, value or "")
            if option.name == "VariantPath":
                self._tell_variants()
