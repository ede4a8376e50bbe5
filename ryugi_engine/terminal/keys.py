"""Single keys from a terminal. Sources: POSIX termios; ECMA-48 for the cursor keys."""

from __future__ import annotations

import os
import select
import sys

try:
    import termios
    import tty
except ImportError:  # not a POSIX system: moves are typed, games shown whole
    termios = None  # type: ignore[assignment]

LEFT, RIGHT, UP, DOWN, HOME, END, ENTER, ESCAPE, BACKSPACE, CLOSED = (
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "enter",
    "escape",
    "backspace",
    "closed",
)
_SEQUENCES = {
    "[D": LEFT, "OD": LEFT, "[C": RIGHT, "OC": RIGHT, "[A": UP, "OA": UP, "[B": DOWN, "OB": DOWN,
    "[H": HOME, "OH": HOME, "[1~": HOME, "[F": END, "OF": END, "[4~": END,
}  # fmt: skip
#: Seconds that the rest of a key's sequence may take.
_SEQUENCE_TIME = 0.05


def available() -> bool:
    """Return whether single keys can be read: input and output are a terminal."""
    return termios is not None and sys.stdin.isatty() and sys.stdout.isatty()


class Keys:
    """Context that reads single keys; the terminal's mode is restored at its end."""

    def __enter__(self) -> Keys:
        self._handle = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._handle)
        tty.setcbreak(self._handle)
        return self

    def __exit__(self, *error: object) -> None:
        termios.tcsetattr(self._handle, termios.TCSADRAIN, self._before)

    def _more(self) -> str:
        ready, _, _ = select.select([self._handle], [], [], _SEQUENCE_TIME)
        return os.read(self._handle, 1).decode("latin-1") if ready else ""

    def read(self) -> str:
        """Return the next key: a letter, one of this module's names, or CLOSED at the end."""
        raw = os.read(self._handle, 1).decode("latin-1")
        if raw in ("", "\x04"):
            return CLOSED
        if raw in ("\r", "\n"):
            return ENTER
        if raw in ("\x7f", "\b"):
            return BACKSPACE
        if raw != "\x1b":
            return raw
        sequence = self._more()
        if sequence not in ("[", "O"):
            return ESCAPE
        while sequence not in _SEQUENCES and len(sequence) < 6:
            more = self._more()
            if not more:
                break
            sequence += more
            if more.isalpha() or more == "~":
                break
        return _SEQUENCES.get(sequence, ESCAPE)
