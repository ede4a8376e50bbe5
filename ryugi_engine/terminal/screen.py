"""Capabilities of the terminal: size, colours. Sources: no-color.org; POSIX for TERM; ECMA-48."""

from __future__ import annotations

import os
import sys

#: Sends the cursor home and clears the screen.
CLEAR = "\x1b[H\x1b[2J"
COLOURS = ("auto", "always", "never")


def ask(prompt: str) -> str:
    """Read a line from standard input, without its end; EOFError if there is none.

    ``input`` would write the prompt to standard error where both ends are a terminal.
    """
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def size() -> tuple[int, int]:
    """Return columns and lines of the output terminal; (0, 0) if unknown."""
    try:
        result = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 0, 0
    return result.columns, result.lines


def in_colours(choice: str) -> bool:
    """Return whether to write colours; "auto": where standard output shows them."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return False
    return sys.stdout.isatty()
