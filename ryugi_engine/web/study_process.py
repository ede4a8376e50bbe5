"""The process of a study that the page has started: ``ryugi-engine study`` at a low priority."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from ryugi_engine.errors import UserError

#: How much it gives way to the engine that plays, in steps of ``nice``.
_NICE = 15
#: Seconds for an interrupted study to write its page, while pages wait and at the server's end.
_PATIENCE, _AT_THE_END = 60.0, 6.0
_ROOT = Path(__file__).resolve().parents[2]
# it ends with its standard input, a pipe from here: however this process ends
_CODE = f"""\
import os, sys
if hasattr(os, "nice"):
    os.nice({_NICE})
sys.path.insert(0, {str(_ROOT)!r})
from ryugi_engine.kernel.helpers import end_with_parent
end_with_parent()
from ryugi_engine.__main__ import main
main()
"""


class StudyProcess:
    """A running study. What it prints comes line by line, on a thread of its own."""

    def __init__(
        self, arguments: Sequence[str], said: Callable[[str], None], ended: Callable[[str], None]
    ) -> None:
        """Start it; UserError if that fails.

        Parameters
        ----------
        arguments
            Those of ``study``.
        said
            Gets each line.
        ended
            Gets the line that says what has failed; "" if nothing has, or it was stopped.
        """
        self._said, self._ended = said, ended
        self._stopped = False
        try:
            # of a group of its own: Ctrl-C in the terminal is the server's, which stops it
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, "study", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                process_group=0,
            )
        except OSError as error:
            raise UserError(f"no process for a study: {error.strerror or error}") from None
        self._thread = threading.Thread(target=self._follow, name="study", daemon=True)

    def follow(self) -> None:
        """Begin to call ``said`` and ``ended``."""
        self._thread.start()

    def _follow(self) -> None:
        assert self._process.stdout is not None
        last = ""
        for line in self._process.stdout:
            last = line.strip().removeprefix("ryugi-engine: ") or last
            self._said(last)
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        failed = code != 0 and not self._stopped
        self._ended((last or f"the study has ended with code {code}") if failed else "")

    def interrupt(self) -> None:
        """Let it write its page and end; a moment later it is ended in any case."""
        self._stopped = True
        with contextlib.suppress(OSError, ValueError):  # Windows has no such signal
            self._process.send_signal(signal.SIGINT)
        timer = threading.Timer(_PATIENCE, self._process.kill)
        timer.daemon = True
        timer.start()

    def end(self) -> None:
        """Interrupt it, and wait until it has ended."""
        self.interrupt()
        self._thread.join(_AT_THE_END)
        if self._thread.is_alive():
            self._process.kill()
            self._thread.join()
