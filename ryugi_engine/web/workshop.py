"""Requests of pages besides playing: positions, diagrams, analyses of whole records."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from ryugi_engine.analysis.run import Analysis, Wish
from ryugi_engine.errors import UserError
from ryugi_engine.games.editor import Editor
from ryugi_engine.games.move_diagram import draw_diagram
from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.rules_page import diagrams
from ryugi_engine.search.limits import Limits
from ryugi_engine.web.audience import Page
from ryugi_engine.web.live_game import LiveGame
from ryugi_engine.web.requests import Request
from ryugi_engine.web.room import Room

Data = dict[str, Any]
#: The longest text of a position.
MAX_POSITION = 4000
#: Megabytes of each thread's table in an analysis.
_HASH = 16


class Workshop:
    """Requests of pages, as in :class:`ryugi_engine.web.actions.Actions`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._analysis: Analysis | None = None

    # ---- positions -------------------------------------------------------------------------

    def do_setup(self, page: Page, request: Request) -> None:
        """Check a position text after applying ``edit``, if given; answer with its board.

        An empty text stands for the position that the page shows.
        """
        game = self._room.live
        given = request.text("text", most=MAX_POSITION)
        text = given
        if not given:
            line, ply = request.number("line"), request.number("ply")
            text = game.position_at(line, ply).text()
        edited = request.has("edit")
        try:
            answer = _tried(game, text, request.part("edit") if edited else None)
        except UserError as error:
            answer = {"fault": str(error)}
        page.send({"type": "setup", "given": given, "edited": edited} | answer)

    def do_diagrams(self, page: Page, request: Request) -> None:
        """Answer with diagrams of the moves of every piece."""
        position = self._room.live.playback.position
        pieces = []
        for piece in diagrams(position.game):
            figure = position.rules.figure(piece.letter)
            drawing = draw_diagram(piece.title, figure, piece.marks, position.game.look.board)
            pieces.append({"letter": piece.letter, "svg": drawing.svg()})
        page.send({"type": "diagrams", "pieces": pieces})

    # ---- the whole game --------------------------------------------------------------------

    def do_annotate(self, page: Page, request: Request) -> None:
        """Analyse the whole game in its file, and send pages the progress."""
        room = self._room
        seconds = request.number("tenths", 1, 600) / 10
        path = room.live.file.path
        if path is None:
            raise UserError("the game has no file yet: a first move makes one")
        if self._analysis is not None:
            raise UserError("the game is being analysed already")
        limits = Limits(move_time=seconds)
        threads = max((os.cpu_count() or 2) - 1, 1)
        wish = Wish(limits, f"st={seconds:g}", threads, _HASH, games=[room.live.file.number])

        def tell(text: str) -> None:
            room.mailbox.put(lambda: room.audience.send({"type": "progress", "text": text}))

        def count(have: int, every: int) -> None:
            counted = {"type": "progress", "text": "", "done": have, "all": every}
            room.mailbox.put(lambda: room.audience.send(counted))

        self._analysis = analysis = Analysis(path, None, room.registry, wish, tell, count)
        room.thinker.stop()
        room.send_state()

        def run() -> None:
            fault = ""
            try:
                analysis.run()
            except UserError as error:
                fault = str(error)
            except Exception as error:  # it goes to the pages: nothing is swallowed
                fault = f"the analysis has failed: {error!r}"[:500]
            room.mailbox.put(lambda: self._annotated(path, fault))

        threading.Thread(target=run, name="analysis", daemon=True).start()
        tell("\N{HORIZONTAL ELLIPSIS}")

    def _annotated(self, path: Path, fault: str) -> None:
        """Read the game again with what the analysis has written into it."""
        room = self._room
        self._analysis = None
        if fault:
            room.go_on()
            raise UserError(fault)
        room.audience.send({"type": "progress", "text": "100 %"})
        if room.live.file.path == path:
            room.reopen(study=room.live.outcome() is None)


def _tried(game: LiveGame, text: str, edit: Request | None) -> Data:
    """Return what a page shows of a position's text, legal or not; UserError if unreadable."""
    rules = game.playback.position.rules
    editor = rules.editor(text)
    if edit is not None:
        _change(editor, edit)
        text = editor.text()
    try:
        position = Position(game.game, text)
        if position.outcome() is not None:
            raise UserError("the game is over in this position")
        fault, text, drawing = "", position.text(), position.draw()
    except UserError as error:
        fault, drawing = str(error), editor.draw()
    return {
        "fault": fault,
        "text": text,
        "letters": {square_name(at): letter for at, letter in editor.letters().items()},
        "hands": list(editor.hands()),
        "side": editor.side,
        "palette": editor.palette(),
        "svg": drawing.svg(),
    }


def _change(editor: Editor, edit: Request) -> None:
    """Make one change of a position."""
    match edit.text("do"):
        case "put":
            editor.put(edit.text("piece"), edit.text("cell"))
        case "erase":
            editor.erase(edit.text("cell"))
        case "hold":
            editor.hold(edit.text("piece"), edit.number("by", -1, 1))
        case "turn":
            editor.turn(edit.number("side", 0, 1))
        case "clear":
            editor.clear()
        case other:
            raise UserError(f"'{other[:20]}' changes no position")
