"""Entries that make GUIs know the engine: printed, or put where the GUI looks for them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ryugi_engine.files import MAX_SETTINGS, NotText, fault, read_text, write_whole

NAME = "ryugi-engine"
#: The games that Cute Chess knows, by its names.
CUTE_CHESS_GAMES = ("standard", "capablanca", "gothic", "embassy", "janus")
#: XBoard must not end games by rules that are not the game's.
_XBOARD_OPTIONS = "-variant ryugi -ruleMoves 0 -repeatsToDraw 0"


class GuiError(ValueError):
    """Why an entry cannot be installed, in one line."""


def engine_command() -> list[str]:
    """The words that start the engine from any folder, the program as an absolute path."""
    script = Path(__file__).resolve().parent.parent / "scripts" / "engine"
    if os.access(script, os.X_OK):
        return [str(script)]
    beside = Path(sys.executable).with_name(NAME)
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(NAME)
    return [str(Path(found).absolute())] if found else [sys.executable, "-P", "-m", "ryugi_engine"]


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _data_home() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise GuiError(fault(path, error)) from None


@dataclass(frozen=True)
class Entry:
    """What a GUI needs: a text for its user, and the file it is kept in, if there is one."""

    gui: str
    text: str
    path: Path | None = None

    def install(self, force: bool) -> None:
        """Put the entry where the GUI finds it; GuiError if one is there, unless forced."""
        raise GuiError(f"{self.gui}: there is no file for this entry; add it in the GUI")


@dataclass(frozen=True)
class CuteChess(Entry):
    """An engine of Cute Chess, beside those that it has."""

    def install(self, force: bool) -> None:
        assert self.path is not None
        engines = self._engines()
        others = [engine for engine in engines if engine.get("name") != NAME]
        if len(others) < len(engines) and not force:
            raise GuiError(f"{self.path}: there is an engine '{NAME}'; --force replaces it")
        own: dict[str, Any] = json.loads(self.text)[0]
        _replace(self.path, json.dumps([*others, own], indent=4) + "\n")

    def _engines(self) -> list[dict[str, Any]]:
        assert self.path is not None
        try:
            text = read_text(self.path, MAX_SETTINGS)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise GuiError(fault(self.path, error)) from None
        except NotText as error:
            raise GuiError(str(error)) from None
        try:
            engines = json.loads(text) if text.strip() else []
        except json.JSONDecodeError as error:
            raise GuiError(f"{self.path}:{error.lineno}:{error.colno}: {error.msg}") from None
        except (RecursionError, ValueError):  # nested without end, or a number that is
            raise GuiError(f"{self.path}: not a list of engines") from None
        if not isinstance(engines, list) or not all(isinstance(e, dict) for e in engines):
            raise GuiError(f"{self.path}: not a list of engines")
        return engines


@dataclass(frozen=True)
class Desktop(Entry):
    """An item of the desktop's menu."""

    def install(self, force: bool) -> None:
        assert self.path is not None
        if self.path.exists() and not force:
            raise GuiError(f"{self.path}: there is such a file; --force replaces it")
        _replace(self.path, self.text + "\n")


def _xboard_command(command: list[str]) -> str:
    # XBoard splits the value at spaces outside quotation marks
    program = " ".join(f'"{word}"' if " " in word else word for word in command)
    return f"xboard -fcp {shlex.quote(program)} {_XBOARD_OPTIONS}"


def _desktop_word(word: str) -> str:
    """A word of a desktop entry's Exec line, quoted as its specification asks."""
    text = word.replace("%", "%%")
    if not any(letter in text for letter in " \t\"'\\><~|&;$*?#()`"):
        return text
    for letter in '\\"`$':
        text = text.replace(letter, "\\" + letter)
    return '"' + text.replace("\\", "\\\\") + '"'


def entries() -> dict[str, Entry]:
    """The entry for every GUI, by the word that names it on the command line."""
    command = engine_command()
    line = shlex.join(command)
    cute = [
        {
            "name": NAME,
            "command": line,
            "workingDirectory": "",
            "stderrFile": "",
            "protocol": "uci",
            "variants": list(CUTE_CHESS_GAMES),
        }
    ]
    xboard = _xboard_command(command)
    desktop = [
        "[Desktop Entry]",
        "Type=Application",
        "Name=Ryugi (XBoard)",
        "Comment=Play Ryugi against ryugi-engine",
        "Exec=" + " ".join(map(_desktop_word, shlex.split(xboard))),
        "Terminal=false",
        "Categories=Game;BoardGame;",
    ]
    uci = [f"Name: {NAME}", "Protocol: UCI", f"Command: {line}", "Working directory: (any)"]
    uci += ["Option UCI_Variant: chess, ryugi, capablanca, ... ('ryugi-engine games' lists them)"]
    return {
        "cutechess": CuteChess(
            "Cute Chess", json.dumps(cute, indent=4), _config_home() / "cutechess" / "engines.json"
        ),
        "xboard": Entry("XBoard", xboard),
        "desktop": Desktop(
            "XBoard in the desktop's menu",
            "\n".join(desktop),
            _data_home() / "applications" / f"{NAME}.desktop",
        ),
        "uci": Entry("PyChess, BanksiaGUI and other UCI programs", "\n".join(uci)),
    }
