"""The file of ``Debug Log File``: every line is in it at once, and nothing ever waits for it."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from ryugi_engine.errors import UserError

_FLAGS = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    # a pipe without a reader, a device that is not ready: an error instead of a wait
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class Log:
    """A file that lines are appended to, by a write each: a killed engine's last is in it."""

    def __init__(self, path: str) -> None:
        """Open or begin the file; OSError or UserError if no log can be kept there."""
        self.path = path
        if os.path.isfile(path):
            from ryugi_engine.files.output import LOG  # late: most engines write no log

            LOG.check(Path(path))
        self._handle = os.open(path, _FLAGS, 0o666)
        if stat.S_ISBLK(os.fstat(self._handle).st_mode):
            os.close(self._handle)
            raise UserError(f"{path}: is a disk, not a file")

    def write(self, direction: str, line: str) -> None:
        """Append a line with the time; OSError if it cannot be written without waiting."""
        data = f"{time.time():.3f} {direction} {line}\n".encode(errors="replace")
        while data:
            data = data[os.write(self._handle, data) :]

    def close(self) -> None:
        """Close the file; later lines are dropped."""
        os.close(self._handle)
