"""What the actions of ``record`` do to a file, and what they print."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

from ryugi_engine.commands.common import game_of, ink_of, put
from ryugi_engine.errors import UserError, warn
from ryugi_engine.files.output import PAGE, PICTURE
from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import counted
from ryugi_engine.games.registry import Registry
from ryugi_engine.records import editing
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import (
    about,
    changing,
    new_record,
    open_record,
    open_records,
    tell_of_faults,
)
from ryugi_engine.records.webpage import MOST_GAMES, page
from ryugi_engine.terminal import keys, replay
from ryugi_engine.text.plain_text import is_writable, plain

_TAGS = ("white", "black", "event", "site", "round", "date")


def _check_words(option: str, text: str) -> None:
    """Raise UserError for a text that no record can hold."""
    for letter in text:
        if not is_writable(letter):
            raise UserError(f"{option}: {letter!r} cannot stand in a record")


def _new(arguments: argparse.Namespace, games: Registry) -> None:
    game = game_of(arguments, games=games)
    given = {name.capitalize(): getattr(arguments, name) for name in _TAGS}
    tags = {name: text for name, text in given.items() if text is not None}
    if arguments.tc is not None:
        tags["TimeControl"] = arguments.tc
    for name, text in tags.items():
        _check_words(f"--{name.lower()}", text)
    record, number = new_record(arguments.file, game, tags, arguments.fen)
    names = f"{record.tags['White']} - {record.tags['Black']}"
    behind = f" (appended as game {number})" if number > 1 else ""
    print(f"{plain(str(arguments.file))}: {game.title}, {plain(names)}{behind}")
    print(f"{game.sides[not record.white_first]} to move")


def _go_to(playback: Playback, arguments: argparse.Namespace) -> None:
    """Return the line and the ply of ``--ply`` and ``--line``."""
    if arguments.line:
        playback.choose(arguments.line)
    if arguments.ply is not None:
        if arguments.ply > len(playback.steps):
            raise UserError(f"the game has {counted(len(playback.steps), 'move')}")
        playback.to(arguments.ply)


def _show_board(playback: Playback, ink: Ink) -> None:
    print(plain(playback.heading()))
    print()
    print(replay.view(playback, ink))


def _show(playback: Playback, arguments: argparse.Namespace) -> None:
    _show_board(playback, ink_of(arguments))
    print(f"Fen: {playback.position.text()}")
    if arguments.svg is not None:
        put(arguments.svg, playback.position.draw(playback.outcome()).svg(), PICTURE, "Picture")


def _replay(playback: Playback, arguments: argparse.Namespace) -> None:
    ink = ink_of(arguments)
    if arguments.all:
        replay.everything(playback, ink, print)
    elif arguments.ply is None and keys.available():
        replay.by_keys(playback, ink)
    else:
        _show_board(playback, ink)


def _opened(path: Path, games: Registry, number: int | None) -> Playback:
    """Return a game of a file; its faults are printed."""
    playback = open_record(path, games, number).playback
    tell_of_faults(path, playback, warn)
    return playback


def _write_page(arguments: argparse.Namespace, games: Registry) -> None:
    """Write the file's games, or the chosen one, as a page that opens at the chosen ply."""
    path: Path = arguments.file
    if arguments.game is None:
        playbacks = open_records(path, games, MOST_GAMES, warn)
    else:
        playbacks = iter([_opened(path, games, arguments.game)])
    first = next(playbacks)
    with about(path):
        _go_to(first, arguments)
    start = (1, arguments.line, arguments.ply or 0)
    put(arguments.html, page(itertools.chain([first], playbacks), start=start), PAGE, "Page")


def _change(arguments: argparse.Namespace, games: Registry) -> None:
    """Carry out ``add``, ``undo`` or ``replay --from-here``."""
    if arguments.action == "add":
        _check_words("--comment", arguments.comment)
    taken = ""
    with changing(arguments.file, games, arguments.game) as playback:
        if arguments.action == "add":
            editing.add_moves(playback, arguments.moves, arguments.comment)
        elif arguments.action == "undo":
            taken = editing.undo(playback)
        else:
            _go_to(playback, arguments)
            editing.add_variation(playback, arguments.from_here)
    if taken:
        print(f"taken back: {taken}")
    if playback.ply:
        print(playback.label(playback.ply))
    print(plain(playback.status()))


def run(arguments: argparse.Namespace, games: Registry) -> int:
    """Run ``record ACTION``; return the exit code. UserError for what cannot be done."""
    if arguments.action == "new":
        _new(arguments, games)
    elif arguments.action in ("add", "undo") or getattr(arguments, "from_here", None):
        _change(arguments, games)
    elif getattr(arguments, "html", None) is not None:
        _write_page(arguments, games)
    else:
        playback = _opened(arguments.file, games, arguments.game)
        with about(arguments.file):
            _go_to(playback, arguments)
        {"show": _show, "replay": _replay}[arguments.action](playback, arguments)
        return 2 if playback.cut is not None else 0
    return 0
