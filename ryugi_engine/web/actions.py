"""Requests of pages, one method for each kind."""

from __future__ import annotations

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import IllegalMove
from ryugi_engine.games.position import Position
from ryugi_engine.search.levels import FULL
from ryugi_engine.search.limits import Limits
from ryugi_engine.web.audience import Page
from ryugi_engine.web.library import Library
from ryugi_engine.web.live_game import LiveGame, Player, shown
from ryugi_engine.web.own_file import OwnFile
from ryugi_engine.web.own_games import OwnGames
from ryugi_engine.web.record_folder import parse_game
from ryugi_engine.web.requests import Request
from ryugi_engine.web.room import Room
from ryugi_engine.web.studies import Studies
from ryugi_engine.web.thinker import HINT_SECONDS, Purpose
from ryugi_engine.web.workshop import MAX_POSITION, Workshop

#: Characters of a record that a page sends.
MAX_RECORD = 900_000


class Actions:
    """Handles requests of pages; all methods run on the table's thread."""

    def __init__(self, room: Room, own: OwnFile) -> None:
        """Answer the requests that come to a room; ``own`` has the user's own games."""
        self._room = room
        self.studies = Studies(room, own)
        #: In the order in which they are looked for an action.
        self._helpers = (
            self,
            Workshop(room),
            Library(room.registry),
            OwnGames(room, own),
            self.studies,
        )

    def carry_out(self, page: Page, text: str) -> None:
        """Handle a page's request, given as JSON text; UserError says why it is refused."""
        request = Request.read(text)
        name = request.text("do", most=20)
        action = None
        if name.isascii() and name.isalpha():
            found = (getattr(one, f"do_{name}", None) for one in self._helpers)
            action = next(filter(None, found), None)
        if action is None:
            raise UserError(f"a page cannot ask for '{name[:20]}'")
        action(page, request)

    def do_move(self, page: Page, request: Request) -> None:
        """Play a move at the end of the game, or as a variation elsewhere."""
        game, move = self._room.live, request.text("move")
        line, ply = request.number("line", default=0), request.number("ply")
        if line or ply != len(game.playback.record.steps):
            number, at = self._room.change(lambda changed: changed.branch(line, ply, move))
            self._room.audience.send({"type": "go", "line": number, "ply": at})
            return

        def push(changed: LiveGame) -> None:
            # what waited to be written has been done first, such as a turn lost on time
            if len(changed.playback.record.steps) != ply:
                raise UserError("the game has gone on")
            if changed.players[changed.side].engine:
                raise UserError("it is the engine's turn")
            changed.push(move)

        self._room.change(push, moved=True)

    def do_new(self, page: Page, request: Request) -> None:
        """Begin a new game with the requested players, engine strength and time control."""
        game = self._room.registry.game(request.text("variant"))
        fen = request.text("fen", "", most=MAX_POSITION).strip() or None
        players = _player(request.part("white")), _player(request.part("black"))
        names = (
            request.part("white").text("name", "", most=80),
            request.part("black").text("name", "", most=80),
        )
        written = request.text("control")
        control = TimeControl.read(written)
        self._room.folder.check()

        def begin() -> LiveGame:
            return LiveGame.begin(game, fen, players, control, names, written=written)

        self._room.put_new(game, begin)

    def do_players(self, page: Page, request: Request) -> None:
        """Change the players of the current game."""
        players = _player(request.part("white")), _player(request.part("black"))

        def seat(game: LiveGame) -> None:
            game.players, game.paused = players, False

        self._room.change(seat, recorded=False)

    def do_pause(self, page: Page, request: Request) -> None:
        """Let a game of the engine with itself wait, or go on."""
        on = request.flag("on")
        if not all(player.engine for player in self._room.live.players):
            raise UserError("only a game of the engine with itself can be paused")
        self._room.change(lambda game: setattr(game, "paused", on), recorded=False)

    def do_resign(self, page: Page, request: Request) -> None:
        """Resign for the person's side."""
        self._room.change(LiveGame.resign)

    def do_draw(self, page: Page, request: Request) -> None:
        """Claim a draw, or offer one."""
        game = self._room.live
        if game.outcome() is not None:
            raise UserError("the game is over")
        claim = game.playback.position.claim()
        if claim is not None:
            self._room.change(lambda changed: changed.end(claim))
        elif any(player.engine for player in game.players) and not self._room.thinker.takes_a_draw:
            if not game.game.draws:
                raise UserError(f"{game.game.title} has no draws")
            raise UserError("the engine wants to play on")
        else:
            self._room.change(LiveGame.agree)

    def do_undo(self, page: Page, request: Request) -> None:
        """Take moves back."""
        self._room.change(LiveGame.undo)

    def do_legal(self, page: Page, request: Request) -> None:
        """Answer with board and legal moves of any position of the game."""
        line, ply = request.number("line"), request.number("ply")
        position = self._room.live.position_at(line, ply)
        state = shown(position, position.outcome() is not None)
        page.send({"type": "legal", "line": line, "ply": ply, "state": state})

    def do_objection(self, page: Page, request: Request) -> None:
        """Answer why a move is illegal."""
        move = request.text("move")
        position = self._room.live.position_at(request.number("line"), request.number("ply"))
        why = ""
        try:
            position.parse_move(move)
        except IllegalMove:
            why = position.objection(move)
        page.send({"type": "objection", "move": move, "text": why})

    def _position_to_search(self, request: Request) -> tuple[int, int, Position]:
        """Return a request's line and ply, and a copy of the position there, to be searched.

        UserError if the game is over there, or the engine is thinking about its move.
        """
        if self._room.thinking_of_move:
            raise UserError("the engine is thinking about its move")
        line, ply = request.number("line"), request.number("ply")
        position = self._room.live.position_at(line, ply)
        if position.outcome() is not None:
            raise UserError("the game is over")
        return line, ply, position

    def do_hint(self, page: Page, request: Request) -> None:
        """Start a short search for a hint: the best move for the side to move."""
        line, ply, position = self._position_to_search(request)
        purpose = Purpose("hint", line, ply)
        limits = Limits(move_time=HINT_SECONDS)
        self._room.thinker.start(purpose, position, limits)

    def do_threats(self, page: Page, request: Request) -> None:
        """Start a short search for the move of the other side, as if it were to move."""
        line, ply, position = self._position_to_search(request)
        other = position.game.sides[1 - position.side]
        if position.in_check():
            raise UserError(f"{other} gives check: that is the threat")
        editor = position.rules.editor(position.text())
        editor.turn(1 - position.side)
        try:
            turned = Position(position.game, editor.text())
        except ValueError as error:
            raise UserError(f"{other} cannot be to move here: {error}") from None
        if turned.outcome() is not None or turned.side == position.side:
            raise UserError(f"{other} cannot be to move here")
        limits = Limits(move_time=HINT_SECONDS)
        self._room.thinker.start(Purpose("threats", line, ply), turned, limits)

    def do_analyse(self, page: Page, request: Request) -> None:
        """Start or stop analysing a position."""
        if not request.flag("on"):
            self._room.analysis = None
            if not self._room.thinking_of_move:
                self._room.thinker.stop()
        else:
            lines = request.number("lines", 1, 8, default=3)
            self._room.analysis = request.number("line"), request.number("ply"), lines
            self._room.analyse()
        self._room.send_state()

    def do_comment(self, page: Page, request: Request) -> None:
        """Write the comment and glyph of a position."""
        line, ply = request.number("line"), request.number("ply")
        text, glyph = request.text("text", most=4000), request.number("glyph", 0, 139, default=0)
        self._room.change(lambda game: game.annotate(line, ply, text, glyph))

    def do_remove(self, page: Page, request: Request) -> None:
        """Remove a variation."""
        line = request.number("line", 1)
        self._room.change(lambda game: game.remove_variation(line))

    def do_files(self, page: Page, request: Request) -> None:
        """List the folder's records."""
        page.send({"type": "files", "files": self._room.folder.listed()})

    def do_open(self, page: Page, request: Request) -> None:
        """Open a record of the folder."""
        room, number = self._room, request.number("number", 1, 20_000, default=1)
        game, read = room.folder.open_named(request.text("name"), number, room.registry)
        room.put_new(game, lambda: LiveGame.resumed(*read()))

    def do_load(self, page: Page, request: Request) -> None:
        """Open a record whose text the page sends."""
        text = request.text("text", most=MAX_RECORD)
        room = self._room
        game, read = parse_game(text, 1, room.registry, "the record", room.folder.tell)
        room.put_new(game, lambda: LiveGame.resumed(*read()))

    def do_reload(self, page: Page, request: Request) -> None:
        """Read the game's file again, after another program has changed it."""
        self._room.reopen()


def _player(request: Request) -> Player:
    return Player(request.flag("engine"), request.number("level", 1, FULL, default=FULL))
