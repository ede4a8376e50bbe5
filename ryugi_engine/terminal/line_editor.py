"""Typed lines, edited by readline where Python has it and both streams are a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ryugi_engine.terminal.screen import ask

try:
    import readline
except ImportError:  # Windows, and Pythons that were built without it
    readline = None  # type: ignore[assignment]


class LineEditor:
    """Reads lines with history (arrow keys) and completion (Tab)."""

    def __init__(self) -> None:
        self._words: Callable[[], list[str]] | None = None
        self._matches: list[str] = []
        self._edits = readline is not None and sys.stdin.isatty() and sys.stdout.isatty()
        if not self._edits:
            return
        readline.set_completer_delims(" ")
        readline.set_completer(self._complete)
        if "libedit" in (readline.__doc__ or ""):  # macOS
            readline.parse_and_bind("bind ^I rl_complete")
        else:
            readline.parse_and_bind("tab: complete")
            readline.parse_and_bind("set enable-bracketed-paste off")

    def complete_with(self, words: Callable[[], list[str]]) -> None:
        """Set the function that returns the words that Tab completes."""
        self._words = words

    def read(self, prompt: str) -> str:
        """Return a line without its end; EOFError if there is none."""
        return input(prompt) if self._edits else ask(prompt)

    def _complete(self, text: str, number: int) -> str | None:
        """Return a completion of a word by its number, None after the last one."""
        if number == 0:
            words = self._words() if self._words is not None else []
            self._matches = sorted(word for word in words if word.startswith(text))
        return self._matches[number] if number < len(self._matches) else None
