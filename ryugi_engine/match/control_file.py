"""The file by which a running match is directed (``match --control``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ryugi_engine.errors import warn

#: Seconds after which the file is read again.
POLL_INTERVAL = 0.5
#: Letters of the file that are read.
_LENGTH = 200


class ControlFile:
    """Lines ``concurrency N`` and ``finish``; the file need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = ""

    def changes(self) -> Iterator[int]:
        """Return the commands of a changed file: a concurrency, or 0 for ``finish``."""
        try:
            text = self.path.read_text(encoding="utf-8")[:_LENGTH].strip()
        except (OSError, UnicodeDecodeError):
            return
        if text == self._text:
            return
        self._text = text
        for line in map(str.strip, text.splitlines()):
            command, _, number = line.partition(" ")
            if command == "concurrency" and number.strip().isdigit() and 0 < int(number) <= 1000:
                yield int(number)
            elif line == "finish":
                yield 0
            else:
                warn(f"{self.path}: '{line[:40]}' is neither 'concurrency N' nor 'finish'")
