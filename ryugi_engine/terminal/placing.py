"""Place a piece by keys: turn it and move it over the board."""

from __future__ import annotations

from collections.abc import Callable

from ryugi_engine.games.drawing import Ink
from ryugi_engine.games.game import Placer
from ryugi_engine.terminal import keys
from ryugi_engine.terminal.screen import CLEAR, size


def _below(placer: Placer) -> str:
    """Return the lines below the board: keys, and why the piece cannot be placed."""
    note = placer.message or placer.objection()
    return f"{placer.help}\n{note or 'Enter: play it'}   Esc: type instead"


def _room(placer: Placer) -> int:
    """Return the number of lines that the board cannot use; one is the terminal's cursor line."""
    return _below(placer).count("\n") + 2


def objection(placer: Placer) -> str:
    """Return why no piece can be placed by keys here, in a few words; "" if one can."""
    if not keys.available():
        return "A cursor needs a terminal"
    columns, lines = placer.least
    lines += _room(placer)
    wide, high = size()
    if high and (wide < columns or high < lines):
        return f"The cursor needs a terminal of {columns}x{lines}, this one has {wide}x{high}"
    return ""


def place(placer: Placer, ink: Ink, write: Callable[[str], None]) -> str:
    """Let the user place a piece by keys; return the move, "" if the user wants to type it."""
    with keys.Keys() as pressed:
        while True:
            _wide, high = size()
            board = placer.board_text(ink, max(high - _room(placer), 1) if high else 0)
            write(f"{CLEAR}{board}\n{_below(placer)}")
            key = pressed.read()
            if key in (keys.ESCAPE, keys.CLOSED):
                return ""
            if key == keys.ENTER and not placer.objection():
                return placer.move()
            if key != keys.ENTER:  # else the reason stands below the board
                placer.press(key)
