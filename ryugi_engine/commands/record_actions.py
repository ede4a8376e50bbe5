"""What the actions of ``record`` do to a file, and what they print."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ryugi_engine.files import fault, write_whole
from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import counted
from ryugi_engine.games.registry import Registry, UnknownGame
from ryugi_engine.records import record_file as recording
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import RecordFile, RecordingError, changing, open_record
from ryugi_engine.records.webpage import page
from ryugi_engine.terminal import keys, replay
from ryugi_engine.terminal.screen import in_colours, plain

Write = Callable[[str], None]
_TAGS = ("white", "black", "event", "site", "round", "date")


def _tell(playback: Playback, write: Write) -> None:
    """Where the game stands, in a line or two."""
    if playback.ply:
        write(playback.label(playback.ply))
    write(playback.status())


def _new(arguments: argparse.Namespace, games: Registry, write: Write) -> int:
    try:
        game = games.game(arguments.variant)
    except UnknownGame as error:
        raise RecordingError(str(error)) from None
    tags = {
        name.capitalize(): getattr(arguments, name)
        for name in _TAGS
        if getattr(arguments, name) is not None
    }
    if arguments.tc is not None:
        tags["TimeControl"] = arguments.tc
    for name, text in tags.items():
        recording.check_words(f"--{name.lower()}", text)
    record = recording.new_record(arguments.file, game, games, tags, arguments.fen)
    names = f"{record.tags['White']} - {record.tags['Black']}"
    write(f"{plain(str(arguments.file))}: {game.title}, {plain(names)}")
    write(f"{'White' if record.white_first else 'Black'} to move")
    return 0


def _go_to(file: RecordFile, arguments: argparse.Namespace) -> None:
    """The line and the ply that were asked for."""
    if arguments.line:
        try:
            file.playback.choose(arguments.line)
        except IndexError:
            count = len(file.record.variations())
            told = f"no variation {arguments.line}, the game has {count}"
            raise RecordingError(f"{file.path}: {told}") from None
    if arguments.ply is not None:
        if arguments.ply > len(file.playback.steps):
            raise RecordingError(
                f"{file.path}: the game has {counted(len(file.playback.steps), 'move')}"
            )
        file.playback.to(arguments.ply)


def _put(path: Path, text: str, write: Write, what: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise RecordingError(fault(path, error)) from None
    write(f"{what}: {plain(str(path))}")


def _show(file: RecordFile, arguments: argparse.Namespace, write: Write) -> int:
    _go_to(file, arguments)
    playback = file.playback
    write(replay.heading(playback))
    write("")
    write(replay.view(playback, Ink(in_colours(arguments.colour))))
    write(f"Fen: {playback.position.text()}")
    if arguments.svg is not None:
        _put(arguments.svg, playback.position.draw(playback.outcome()).svg(), write, "Picture")
    return 0


def _replay(file: RecordFile, arguments: argparse.Namespace, write: Write) -> int:
    ink = Ink(in_colours(arguments.colour))
    _go_to(file, arguments)
    playback = file.playback
    if arguments.html is not None:
        _put(arguments.html, page(playback), write, "Page")
    elif arguments.all:
        replay.everything(playback, ink, write)
    elif arguments.ply is None and keys.available():
        replay.by_keys(playback, ink)
    else:
        write(replay.heading(playback))
        write("")
        write(replay.view(playback, ink))
    return 0


def _change(arguments: argparse.Namespace, games: Registry, write: Write) -> int:
    """``add``, ``undo`` and ``replay --from-here``."""
    if arguments.action == "add":
        recording.check_words("--comment", arguments.comment)
    with changing(arguments.file, games, arguments.game) as file:
        taken = ""
        if arguments.action == "add":
            recording.add_moves(file, arguments.moves, arguments.comment)
        elif arguments.action == "undo":
            taken = recording.undo(file)
        else:
            _go_to(file, arguments)
            recording.add_variation(file, arguments.from_here)
    if taken:
        write(f"taken back: {taken}")
    _tell(file.playback, write)
    return 0


def run(arguments: argparse.Namespace, games: Registry, write: Write) -> int:
    """Carry out ``record ACTION``; returns the exit code, RecordingError says what is wrong."""
    if arguments.action == "new":
        return _new(arguments, games, write)
    if arguments.action in ("add", "undo") or getattr(arguments, "from_here", None):
        return _change(arguments, games, write)
    file = open_record(arguments.file, games, arguments.game, to_change=False)
    return {"show": _show, "replay": _replay}[arguments.action](file, arguments, write)
