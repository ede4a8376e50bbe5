"""``gui``: entries of the engine for GUIs, printed or written into the GUIs' files."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ryugi_engine.commands import gui_xboard
from ryugi_engine.commands.common import WRONG
from ryugi_engine.errors import UserError
from ryugi_engine.files.output import CHANGED, NEW
from ryugi_engine.files.reading import MAX_SETTINGS, decoded, naming, read_bytes
from ryugi_engine.files.writing import replacing
from ryugi_engine.games.game import Game
from ryugi_engine.games.groups import DEFAULT
from ryugi_engine.games.registry import registry
from xboard.features import KNOWN, cecp_name, shown_by_gui

NAME = "ryugi-engine"
#: The words for GUIs on the command line.
GUIS = ("cutechess", "xboard", "desktop", "web", "uci")
#: The games that Cute Chess knows, by its names.
CUTE_CHESS_GAMES = ("standard", "capablanca", "gothic", "embassy", "janus")
#: XBoard must not end games by rules that are not the game's. Without sweeping it offers only the
#: promotions of chess.
_XBOARD_OPTIONS = "-ruleMoves 0 -repeatsToDraw 0 -sweepPromotions true"
#: Lines of XBoard's list between this line and "# end" are folded into one.
_XBOARD_GROUP = f"# {NAME}"
#: A line of ours in that list, or of an earlier version's.
_XBOARD_OWN = re.compile(rf'"(?:{NAME}: [^"]*|[^"]* \({NAME}\))" -fcp ')
#: Where Debian puts games; not every account has it on its path.
_GAMES = "/usr/games"
#: XBoard's settings for everybody, whose list of engines a user's own replaces.
_XBOARD_SYSTEM = Path("/etc/xboard/xboard.conf")


def engine_command() -> list[str]:
    """Return the command line that starts the engine from any folder."""
    script = Path(__file__).resolve().parents[2] / "scripts" / "engine"
    if os.access(script, os.X_OK):
        return [str(script)]
    beside = Path(sys.executable).with_name(NAME)
    result = str(beside) if os.access(beside, os.X_OK) else shutil.which(NAME)
    return (
        [str(Path(result).absolute())] if result else [sys.executable, "-P", "-m", "ryugi_engine"]
    )


def find_program(name: str) -> str | None:
    """Return the path of an installed GUI; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=_GAMES)


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _read(path: Path) -> bytes:
    """Return the content of a file, empty if there is none."""
    with naming(path), contextlib.suppress(FileNotFoundError):
        return read_bytes(path, MAX_SETTINGS)
    return b""


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, after a copy of the old content if it differs."""
    before = _read(path)
    if content == before:
        return
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if before:
            _keep_copy(path, before)
        with replacing(path, CHANGED) as handle:
            handle.write(content)


def _keep_copy(path: Path, content: bytes) -> None:
    """Copy a file's content to ``FILE.bak``, or where that is another's ``FILE.bak2`` and so on."""
    for number in itertools.count(1):
        copy = path.with_name(f"{path.name}.bak{number if number > 1 else ''}")
        if not os.path.lexists(copy):
            break
        with contextlib.suppress(OSError):
            if read_bytes(copy, MAX_SETTINGS) == content:
                return
    with replacing(copy, NEW) as handle:
        handle.write(content)
    shutil.copymode(path, copy)
    print(f"{path}: what was there is kept in {copy}")


@dataclass(frozen=True)
class Entry:
    """A GUI's entry: instructions for its user, and the file to write, if there is one."""

    gui: str
    text: str
    path: Path | None = None

    def install(self, force: bool) -> Path:
        """Write the entry into the GUI's file, and return the file's path.

        UserError if there is an entry already, unless ``force``.
        """
        raise UserError(f"{self.gui}: there is no file for this entry; add it in the GUI")


@dataclass(frozen=True)
class CuteChess(Entry):
    """An engine of Cute Chess's list."""

    command: tuple[str, ...] = ()

    def install(self, force: bool) -> Path:
        assert self.path is not None
        if len(self.command) != 1:
            raise UserError(
                "Cute Chess starts a program without arguments, not"
                f" '{shlex.join(self.command)}': give it a script that does"
            )
        engines = self._engines(decoded(self.path, _read(self.path)))
        names = [engine.get("name") for engine in engines]
        if NAME in names and not force:
            raise UserError(f"{self.path}: there is an engine '{NAME}'; --force replaces it")
        own: dict[str, Any] = json.loads(self.text)[0]
        if NAME in names:  # what Cute Chess has set of its options stays
            at = names.index(NAME)
            own = {**engines[at], **own}
            if own == engines[at]:
                return self.path
            engines[at] = own
        else:
            engines.append(own)
        _replace(self.path, f"{json.dumps(engines, indent=4)}\n".encode())
        return self.path

    def _engines(self, text: str) -> list[dict[str, Any]]:
        try:
            engines = json.loads(text) if text.strip() else []
        except json.JSONDecodeError as error:
            raise UserError(f"{self.path}:{error.lineno}:{error.colno}: {error.msg}") from None
        except (RecursionError, ValueError):  # nested without end, or a number that is
            raise UserError(f"{self.path}: not a list of engines") from None
        if not isinstance(engines, list) or not all(isinstance(e, dict) for e in engines):
            raise UserError(f"{self.path}: not a list of engines")
        return engines


@dataclass(frozen=True)
class XBoardList(Entry):
    """A group in the list of XBoard's dialog Engine > Load, with a line for each game."""

    def install(self, force: bool) -> Path:
        assert self.path is not None
        path, text = self.path, self._settings(self.path)
        other = gui_xboard.file_of(text)
        if other is not None:  # what is saved there is read after this file
            path, text = other, self._settings(other)
        listed = gui_xboard.engines(text) or gui_xboard.engines(self._settings(_XBOARD_SYSTEM))
        value = "fairymax" if listed is None else listed.value.removesuffix("\n")
        lines = value.split("\n") if value else []
        others = [line for line in lines if not _XBOARD_OWN.match(line)]
        if len(others) < len(lines) and not force:
            raise UserError(f"{path}: the list has '{NAME}'; --force replaces it")
        own = [line for line in self.text.splitlines() if _XBOARD_OWN.match(line)]
        if _XBOARD_GROUP in others:  # what else the user has put there stays
            first = others.index(_XBOARD_GROUP) + 1
            others[first:first] = own
        else:
            others += [_XBOARD_GROUP, *own, "# end"]
        text = gui_xboard.with_engines(path, text, others)
        _replace(path, text.encode("utf-8", "surrogateescape"))
        return path

    @staticmethod
    def _settings(path: Path) -> str:
        """Return a settings file's text, in any encoding."""
        return _read(path).decode("utf-8", "surrogateescape")


@dataclass(frozen=True)
class Desktop(Entry):
    """An item of the desktop's menu, and its icon."""

    def install(self, force: bool) -> Path:
        assert self.path is not None
        if self.path.exists() and not force:
            raise UserError(f"{self.path}: there is such a file; --force replaces it")
        icon = Path(__file__).parents[1].joinpath("icon.svg").read_bytes()
        _replace(_data_home() / "icons" / "hicolor" / "scalable" / "apps" / f"{NAME}.svg", icon)
        _replace(self.path, f"{self.text}\n".encode())
        return self.path


def _xboard_program(command: list[str]) -> str:
    # XBoard splits the value at spaces outside quotation marks
    return " ".join(f'"{word}"' if " " in word else word for word in command)


def _xboard_command(command: list[str], game: Game) -> str:
    xboard = "xboard" if shutil.which("xboard") else (find_program("xboard") or "xboard")
    program = shlex.quote(_xboard_program(command))
    return f"{xboard} -fcp {program} -variant {cecp_name(game)} {_XBOARD_OPTIONS}"


def _xboard_line(command: list[str], game: Game) -> str:
    """Return a line of XBoard's list, which is read like its command line."""
    program = _xboard_program([*command, "xboard", "--variant", game.name])
    for letter in '\\"':
        program = program.replace(letter, "\\" + letter)
    # the list shows some 20 letters of a name
    line = f'"{game.title} ({NAME})" -fcp "{program}" -variant {cecp_name(game)}'
    return line if game.name in KNOWN else f"{line} -sweepPromotions true"


def _desktop_word(word: str) -> str:
    """Return an argument of a desktop entry's Exec line, quoted as its specification asks."""
    text = word.replace("%", "%%")
    if not any(letter in text for letter in " \t\"'\\><~|&;$*?#()`"):
        return text
    for letter in '\\"`$':
        text = text.replace(letter, "\\" + letter)
    return '"' + text.replace("\\", "\\\\") + '"'


def _exec_line(command: list[str], game: Game) -> str:
    return "Exec=" + " ".join(map(_desktop_word, shlex.split(_xboard_command(command, game))))


def _web_entry(command: list[str]) -> str:
    """Return the menu's entry for ``web``; in a terminal, whose end is the server's."""
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Name=Ryugi and other games (browser)",
        f"Comment=Play every game of {NAME} on a board in the browser",
        "Exec=" + " ".join(map(_desktop_word, [*command, "web"])),
        f"Icon={NAME}",
        "Terminal=true",
        "Categories=Game;BoardGame;",
    ]
    return "\n".join(lines)


def entries() -> dict[str, Entry]:
    """Return the entry for every GUI, by its name on the command line."""
    command = engine_command()
    line = shlex.join(command)
    program = command[0] if len(command) == 1 else line
    cute = [
        {
            "name": NAME,
            # taken as it stands: a path with blanks has no quotation marks
            "command": program,
            "workingDirectory": "",
            "stderrFile": "",
            "protocol": "uci",
            "variants": list(CUTE_CHESS_GAMES),
        }
    ]
    games = [game for game in registry().games() if shown_by_gui(game)]
    games.sort(key=lambda game: game.name != DEFAULT)
    first, *others = games
    actions = [game for game in others if game.name not in KNOWN]
    desktop = [
        "[Desktop Entry]",
        "Type=Application",
        f"Name={first.title} (XBoard)",
        f"Comment=Play {first.title} and other games against {NAME}",
        _exec_line(command, first),
        f"Icon={NAME}",
        "Terminal=false",
        "Categories=Game;BoardGame;",
        "Actions=" + "".join(f"{game.name};" for game in actions),
    ]
    for game in actions:
        desktop += ["", f"[Desktop Action {game.name}]", f"Name={game.title}"]
        desktop.append(_exec_line(command, game))
    listed = [_xboard_command(command, first), "", "lines for Engine > Edit Engine List:"]
    listed += [_xboard_line(command, game) for game in games]
    uci = [f"Name: {NAME}", "Protocol: UCI", f"Command: {program}", "Working directory: (any)"]
    uci += ["Option UCI_Variant: chess, ryugi, capablanca, ... ('ryugi-engine games' lists them)"]
    uci += ["", "without that option, a command for each game:"]
    uci += [f"{line} uci --variant {game.name}" for game in games]
    return {
        "cutechess": CuteChess(
            "Cute Chess",
            json.dumps(cute, indent=4),
            _config_home() / "cutechess" / "engines.json",
            tuple(command),
        ),
        "xboard": XBoardList("XBoard", "\n".join(listed), Path.home() / ".xboardrc"),
        "desktop": Desktop(
            "XBoard in the desktop's menu",
            "\n".join(desktop),
            _data_home() / "applications" / f"{NAME}.desktop",
        ),
        "web": Desktop(
            "The board in the browser, in the desktop's menu",
            _web_entry(command),
            _data_home() / "applications" / f"{NAME}-web.desktop",
        ),
        "uci": Entry("PyChess, BanksiaGUI and other UCI programs", "\n".join(uci)),
    }


def _gui(word: str) -> str:
    # argparse would apply "choices" to an empty list too
    if word not in GUIS:
        raise argparse.ArgumentTypeError(f"'{word}' is none of {', '.join(GUIS)}")
    return word


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "gui",
        nargs="*",
        metavar="GUI",
        type=_gui,
        help="cutechess, xboard, desktop, web or uci (default: all; with --write those with a file,"
        " all but uci)",
    )
    parser.add_argument(
        "--write", action="store_true", help="put them where the GUIs look for them"
    )
    parser.add_argument("--force", action="store_true", help="replace an entry that is there")


def run(arguments: argparse.Namespace) -> int:
    """Print the entries, or install them; return WRONG if one could not be written."""
    known = entries()
    with_files = [name for name, entry in known.items() if entry.path is not None]
    left = 0
    for name in arguments.gui or (with_files if arguments.write else list(known)):
        entry = known[name]
        if arguments.write:
            try:
                print(f"{entry.gui}: written to {entry.install(arguments.force)}")
            except UserError as error:  # the others are none the worse for it
                left += 1
                print(f"ryugi-engine: {error}", file=sys.stderr)
            continue
        place = f" ({entry.path})" if entry.path is not None else ""
        print(f"# {entry.gui}{place}\n{entry.text}\n")
    return WRONG if left else 0
