"""Requests of pages about games of one's own: definitions that are made, checked and kept.

A definition is a text. A request brings the whole text with a change, and the answer has the text
after the change, and all that a page shows of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ryugi_engine.errors import UserError
from ryugi_engine.games.definitions import DefinitionError
from ryugi_engine.games.registry import definition_editor
from ryugi_engine.web.audience import Page
from ryugi_engine.web.library import listed
from ryugi_engine.web.own_file import OwnFile
from ryugi_engine.web.requests import Request
from ryugi_engine.web.room import Room
from ryugi_engine.web.worker import Worker

Data = dict[str, Any]
#: The longest text of a definition.
MAX_DEFINITION = 60_000
#: What a copy does not have of its model.
_LEFT_OUT = ("aliases", "about", "group")


class OwnGames:
    """Requests of pages, as in :class:`ryugi_engine.web.actions.Actions`."""

    def __init__(self, room: Room, file: OwnFile) -> None:
        self._room, self._file = room, file
        self._worker = Worker("the editor of games")
        self._editor = definition_editor()

    # ---- definitions ---------------------------------------------------------------------------

    def do_form(self, page: Page, request: Request) -> None:
        """Answer with all keys of definitions, and the pieces that are known by name."""
        self._worker.put(page, lambda: {"type": "form", **self._editor.form()})

    def do_copy(self, page: Page, request: Request) -> None:
        """Answer with a definition: a game's under another name, or one of the own file."""
        name, own = request.text("game"), request.flag("own", default=False)
        self._answer(page, request, lambda: self._taken(name) if own else self._copied(name))

    def do_own(self, page: Page, request: Request) -> None:
        """Make a change of a definition, if one is asked for, and answer with what it is now."""
        text, name = request.text("text", most=MAX_DEFINITION), request.text("name", "")

        def change() -> str:  # a value that cannot be is refused beside its field, too
            wanted = request.part("edit").values() if request.has("edit") else None
            names = self._editor.names(text)
            one = name if name in names else names[0]
            if wanted is None:
                return text
            if wanted.get("do") == "name":
                return str(self._editor.renamed(text, one, _name(wanted)))
            return str(self._editor.changed(text, one, wanted))

        self._answer(page, request, change)

    def _answer(self, page: Page, request: Request, text: Callable[[], str]) -> None:
        """Answer with a definition; what is refused changes nothing, and the page is told why."""
        number = request.number("number", default=0)

        def answer() -> Data:
            head = {"type": "own", "number": number, "refused": ""}
            try:
                return head | self._shown(text())
            except DefinitionError as error:
                return head | {"refused": error.reason, "line": error.line}
            except UserError as error:
                return head | {"refused": str(error), "line": 0}

        self._worker.put(page, answer)

    def _shown(self, text: str) -> Data:
        names: list[str] = self._editor.names(text)
        shown: Data = self._editor.shown(text, names[0], str(self._file.path))
        if self._room.registry.comes_with_engine(names[0]):
            reason = "is the name of a game that comes with the engine"
            fault = {"key": "name", "text": reason, "warning": False}
            shown["faults"] = [fault, *shown["faults"]]
        shown["kept"] = names[0] in self._kept()
        return shown | {"text": text, "others": names[1:]}

    def _kept(self) -> Mapping[str, Any]:
        """Return the games of the own file; none if it cannot be read, which saving says."""
        try:
            return self._file.games()
        except UserError:
            return {}

    def _copied(self, name: str) -> str:
        game = self._room.registry.game(name)
        if game.toml is None:
            raise UserError(f"{game.title} has rules of its own, and no definition to copy")
        base = re.sub("[^a-z0-9-]", "", f"my-{game.name.removeprefix('my-')}")[:36]
        taken = {*self._room.registry.names(), *self._kept()}
        names = (base, *(f"{base}-{number}" for number in range(2, 1000)))
        free = next(one for one in names if one not in taken)
        text: str = self._editor.renamed(game.toml(), game.name, free, _LEFT_OUT)
        title = f"My {game.title.removeprefix('My ')}"
        return str(self._editor.changed(text, free, {"do": "set", "key": "title", "value": title}))

    def _taken(self, name: str) -> str:
        if name not in self._file.games():
            raise UserError(f"{name} is not in {self._file.path}")
        return str(self._editor.renamed(self._file.text(), name, name))

    def do_piece(self, page: Page, request: Request) -> None:
        """Answer with the diagram of moves in Betza notation, or with what is wrong with them."""
        moves, letter = request.text("moves", most=400), request.text("letter", "?", most=2)
        dialect, key = request.text("dialect", ""), request.text("key", "", most=500)

        def answer() -> Data:
            head = {"type": "piece", "key": key, "fault": "", "svg": ""}
            try:
                return head | {"svg": self._editor.moves(moves, letter, dialect)}
            except UserError as error:
                return head | {"fault": str(error)}

        self._worker.put(page, answer)

    # ---- the own file --------------------------------------------------------------------------

    def do_owned(self, page: Page, request: Request) -> None:
        """List the games of the own file."""
        page.send(self._owned())

    def _owned(self, fault: str = "", name: str = "", removed: str = "") -> Data:
        """Return the list; ``name`` was kept, ``removed`` is the text of what was removed."""
        try:
            games = self._file.games()
        except UserError as error:
            games, fault = {}, fault or str(error)
        titles = [{"name": key, "title": f"{one.get('title', key)}"} for key, one in games.items()]
        return {
            "type": "owned",
            "games": titles,
            "path": str(self._file.path),
            "fault": fault,
            "name": name,
            "removed": removed,
        }

    def do_keep(self, page: Page, request: Request) -> None:
        """Keep the games of a text in the own file, and add them to those that can be played."""
        text = request.text("text", most=MAX_DEFINITION)
        try:
            names = self._keep(text)
        except UserError as error:
            page.send(self._owned(str(error)))
            return
        page.send({"type": "games", "games": listed(self._room.registry)})
        page.send(self._owned(name=names[0]))

    def _keep(self, text: str) -> list[str]:
        names: list[str] = self._editor.names(text)
        if not names:
            raise UserError("there is no game in it")
        for name in names:
            self._editor.game(text, name)  # which refuses a faulty one
            if self._room.registry.comes_with_engine(name):
                raise UserError(f"'{name}' is the name of a game that comes with the engine")
        for name in names:
            one = text if len(names) == 1 else self._editor.renamed(text, name, name)
            self._file.put(name, one)
        self._room.thinker.session.load_variants(str(self._file.path), keep=True)
        return names

    def do_discard(self, page: Page, request: Request) -> None:
        """Remove a game from the own file; the answer has its text, which can be kept again."""
        name = request.text("name")
        try:
            text = self._taken(name)
            self._file.remove(name)
        except UserError as error:
            page.send(self._owned(str(error)))
            return
        live = self._room.game
        if live is None or live.game.name != name:  # one that is being played goes on
            self._room.registry.forget(name)
            page.send({"type": "games", "games": listed(self._room.registry)})
        page.send(self._owned(removed=text))

    # ---- other formats -------------------------------------------------------------------------

    def do_export(self, page: Page, request: Request) -> None:
        """Answer with a definition in another format: ``ini`` or ``diagram``."""
        text, form = request.text("text", most=MAX_DEFINITION), request.text("format")

        def answer() -> Data:
            head = {"type": "exported", "format": form, "fault": "", "text": "", "name": ""}
            try:
                name = self._editor.names(text)[0]
                game = self._editor.game(text, name)
                writer = {"ini": game.ini, "diagram": game.diagram}.get(form)
                if writer is None:
                    raise UserError("this format cannot say the game")
                return head | {"text": writer(), "name": name}
            except UserError as error:
                return head | {"fault": str(error)}

        self._worker.put(page, answer)


def _name(wanted: Mapping[str, Any]) -> str:
    value = wanted.get("value")
    if not isinstance(value, str) or not value:
        raise UserError("a game needs a name")
    return value[:60]
