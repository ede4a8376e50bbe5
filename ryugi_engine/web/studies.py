"""Requests of pages about studies: a game played by itself, one at a time.

The files of a study lie beside the user's own games: ``study-NAME-DIGEST`` with the endings
``.toml`` (a user's definition as it was), ``.games`` (the journal) and ``.html`` (the page). The
digest is that of the rules: a changed game begins another study, and the old one stays.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ryugi_engine.errors import UserError
from ryugi_engine.files import reading, writing
from ryugi_engine.files.output import CHANGED
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import definition_editor
from ryugi_engine.study.plan import digest_of
from ryugi_engine.web.audience import Page
from ryugi_engine.web.own_file import OwnFile
from ryugi_engine.web.requests import Request
from ryugi_engine.web.room import Room
from ryugi_engine.web.study_process import StudyProcess
from ryugi_engine.web.worker import Worker

Data = dict[str, Any]
#: Minutes of a study that pages can ask for.
MINUTES = (5, 30, 120)
#: Bytes at the end of a journal in which its last line is, and of a page at most.
_TAIL, _MAX_PAGE = 1 << 16, 64 << 20
_PAGE = re.compile(r"study-[a-z0-9_-]{1,80}\.html")


class _Files(NamedTuple):
    """A game that can be studied, its definition ("" for a game of the engine), and its files."""

    game: Game
    text: str
    page: Path

    @property
    def journal(self) -> Path:
        """The games so far."""
        return self.page.with_suffix(".games")


class _Running(NamedTuple):
    """The study that is running."""

    game: Game
    process: StudyProcess


class Studies:
    """Requests of pages, as in :class:`ryugi_engine.web.actions.Actions`.

    A thread of its own answers them.
    """

    def __init__(self, room: Room, file: OwnFile, more: Sequence[str] = ()) -> None:
        """``more`` are further arguments of ``study``."""
        self._room, self._file, self._more = room, file, more
        self._worker = Worker("a study")
        self._editor = definition_editor()
        self._running: _Running | None = None
        #: What it has printed last.
        self._line = ""
        #: What was wrong with the last study of a game, by its name.
        self._faults: dict[str, str] = {}
        #: A part of the pages' addresses, which nobody knows who does not know the token.
        self._secret = secrets.token_urlsafe(24)

    # ---- requests --------------------------------------------------------------------------

    def do_study(self, page: Page, request: Request) -> None:
        """Answer with what there is of a game's study, and with the one that is running."""
        name = request.text("variant")
        self._worker.put(page, lambda: self._status(name))

    def do_beginstudy(self, page: Page, request: Request) -> None:
        """Begin a study of a game or go on with it, for so many minutes in all."""
        name, minutes = request.text("variant"), request.number("minutes")

        def answer() -> Data:
            fault = ""
            try:
                self._begin(name, minutes)
            except UserError as error:
                fault = str(error)
            return self._status(name, fault)

        self._worker.put(page, answer)

    def do_stopstudy(self, page: Page, request: Request) -> None:
        """Stop the study that is running, which writes its page first."""
        if (running := self._running) is not None:
            running.process.interrupt()

    def _status(self, name: str, fault: str = "") -> Data:
        running = self._running
        answer: Data = {
            "type": "study",
            "game": name,
            "title": name,
            "fault": fault or self._faults.get(name, ""),
            "address": "",
            "spent": 0.0,
            "running": running and {"game": running.game.name, "title": running.game.title},
            "line": self._line,
        }
        try:
            files = self._files(name)
        except UserError as error:
            return answer | {"fault": fault or str(error)}
        if files.page.exists():
            answer["address"] = f"/study/{self._secret}/{files.page.name}"
        return answer | {"title": files.game.title, "spent": _spent(files.journal)}

    # ---- files -----------------------------------------------------------------------------

    def _files(self, name: str) -> _Files:
        registry, own = self._room.registry, self._file.games()
        if name in own:
            text = str(self._editor.renamed(self._file.text(), name, name))
            game: Game = self._editor.game(text, name)
        else:
            game, text = registry.game(name), ""
            if not registry.comes_with_engine(game.name):
                if game.toml is None:
                    raise UserError(f"{game.title} has no definition here: it cannot be studied")
                text = game.toml()
        stem = f"study-{game.name}-{digest_of(game, text)[:8]}"
        return _Files(game, text, self._file.path.parent / f"{stem}.html")

    def page(self, secret: str, name: str) -> bytes | None:
        """Return a study's page by the parts of its address; None if there is none."""
        if not secrets.compare_digest(secret.encode(), self._secret.encode()):
            return None
        if not _PAGE.fullmatch(name):
            return None
        try:
            with reading.opened(self._file.path.parent / name, _MAX_PAGE) as handle:
                return handle.read()
        except OSError:
            return None

    # ---- the process -----------------------------------------------------------------------

    def _begin(self, name: str, minutes: int) -> None:
        if minutes not in MINUTES:
            raise UserError(f"a study takes {', '.join(map(str, MINUTES))} minutes")
        if (running := self._running) is not None:
            raise UserError(f"a study of {running.game.title} is running: stop it first")
        files = self._files(name)
        arguments = [files.game.name, "--hours", f"{minutes / 60:.4f}", *self._more]
        arguments += ["--out", str(files.page), "--journal", str(files.journal)]
        with reading.naming(files.page.parent):
            files.page.parent.mkdir(parents=True, exist_ok=True)
        if files.text:
            definition = files.page.with_suffix(".toml")
            with reading.naming(definition):
                writing.write_whole(definition, files.text, CHANGED)
            arguments += ["--variants", str(definition)]
        self._line = ""
        self._faults.pop(name, None)

        def ended(fault: str) -> None:
            self._running = None
            if fault:
                self._faults[name] = fault
            self._tell()

        process = StudyProcess(arguments, self._said, ended)
        self._running = _Running(files.game, process)
        process.follow()
        self._tell()

    def _said(self, line: str) -> None:
        self._line = line
        self._tell()

    def _tell(self) -> None:
        """Tell pages that something has changed: who shows a study asks for it."""
        self._room.audience.send({"type": "studied"})

    def end(self) -> None:
        """End the study that is running."""
        if (running := self._running) is not None:
            running.process.end()


def _spent(journal: Path) -> float:
    """Return the seconds of a study so far, which its last whole line has."""
    try:
        with open(journal, "rb") as handle:
            handle.seek(max(0, os.fstat(handle.fileno()).st_size - _TAIL))
            lines = handle.read().splitlines(keepends=True)
        for line in reversed([line for line in lines if line.endswith(b"\n")]):
            return max(0.0, float(json.loads(line).get("spent", 0.0)))
    except (OSError, ValueError, AttributeError, TypeError):
        pass  # the study itself says what is wrong
    return 0.0
