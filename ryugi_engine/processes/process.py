"""Interrupts and the end of the process."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn

#: Exit codes: wrong use or input, and what shells give a process that SIGINT has ended.
WRONG, INTERRUPTED = 2, 130
#: Seconds that a command may take to end tidily; after the first one a second Ctrl-C ends it.
_GRACE, _IMPATIENCE = 10.0, 1.0


class _Interrupts:
    """What Ctrl-C does at the moment."""

    ignored = False
    tidy = False
    #: Whether the one KeyboardInterrupt of a tidy end has been raised.
    raised = False
    line = "ryugi-engine: interrupted\n"
    #: What clears a line on the terminal that has not been ended.
    clear = ""


def catch_interrupts() -> None:
    """Make SIGINT end the process with exit code 130 and one line, at any moment.

    Python's own way, an exception in the main thread, waits for kernels and leaves tracebacks of
    imports and compilers. Here a thread does it, woken by the signal itself.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # whoever started the process has it ignored
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _on_interrupt)
    threading.Thread(target=_watch, args=(ours,), daemon=True).start()


def _on_interrupt(number: int, frame: FrameType | None) -> None:
    """Raise the one KeyboardInterrupt of a tidy end; called in the main thread."""
    if _Interrupts.tidy and not _Interrupts.raised:
        _Interrupts.raised = True
        raise KeyboardInterrupt


def _watch(pipe: int) -> None:
    first = 0.0
    while True:
        if os.read(pipe, 1)[0] != signal.SIGINT or _Interrupts.ignored:
            continue
        now = time.monotonic()
        if not _Interrupts.tidy or (first and now - first > _IMPATIENCE):
            _leave_interrupted()
        if not first:
            first = now
            timer = threading.Timer(_GRACE, _leave_interrupted)
            timer.daemon = True
            timer.start()


def _leave_interrupted() -> None:
    with contextlib.suppress(OSError):  # no one is left to read it
        os.write(2, (_Interrupts.clear + _Interrupts.line).encode())
    os._exit(INTERRUPTED)


@contextlib.contextmanager
def ending_tidily() -> Iterator[None]:
    """Context for work that has to be finished: Ctrl-C raises KeyboardInterrupt once."""
    _Interrupts.tidy = True
    try:
        yield
    finally:
        _Interrupts.tidy = _Interrupts.raised  # what follows an interrupt is its end


def interrupt_quietly() -> None:
    """Make Ctrl-C end the process without a line: GUIs may read standard error as answers."""
    _Interrupts.line = ""


def on_interrupt_write(clear: str) -> str:
    """Set the text that precedes the line of an interrupt; return the text set before."""
    before, _Interrupts.clear = _Interrupts.clear, clear
    return before


def ignore_interrupts() -> None:
    """Ignore Ctrl-C: a GUI sends SIGINT that is not meant to end the engine."""
    _Interrupts.ignored = True


def fill_closed_streams() -> None:
    """Replace closed standard streams, before another file gets their descriptor.

    Standard input is then empty, writing to standard output fails, standard error is discarded.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)


class _Output(io.FileIO):
    """Standard output; its errors name it, and the first is kept: not everybody passes them on."""

    fault: OSError | None = None

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            error.filename = "standard output"
            _Output.fault = _Output.fault or error
            raise


class _Errors(io.FileIO):
    """Standard error: if it cannot be written, nothing else stops for that."""

    def write(self, data: Any, /) -> int:
        with contextlib.suppress(OSError):
            super().write(data)
        return memoryview(data).nbytes


def watch_output() -> None:
    """Report errors of writing to standard output from now on, also to :func:`end`.

    Characters that the locale cannot write are escaped, and so are invalid ones of standard input.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    out = sys.stdout
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(1, "wb", closefd=False)),
        encoding=getattr(out, "encoding", "utf-8"),
        errors="backslashreplace",
        line_buffering=bool(
            getattr(out, "line_buffering", False) or getattr(out, "write_through", False)
        ),
    )
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(_Errors(2, "wb", closefd=False)),
        encoding=getattr(sys.stderr, "encoding", "utf-8"),
        errors="backslashreplace",
        line_buffering=True,
    )
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open


def write_utf8() -> None:
    """Write UTF-8 to standard output from now on, as protocols do in every locale."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def complain(text: str) -> None:
    """Write one line to standard error; a closed stream is no error."""
    with contextlib.suppress(OSError):
        os.write(2, f"ryugi-engine: {' '.join(text.split())}\n".encode(errors="replace"))


def end(code: int) -> NoReturn:
    """End the process at once with an exit code; not 0 if standard output has lost something.

    The interpreter would first free what numba has left in it, which takes seconds on a busy
    machine. It would also stumble over threads that are still reading or computing.
    """
    with contextlib.suppress(OSError, ValueError):  # the error is kept, ValueError: it is closed
        sys.stdout.flush()
    fault = _Output.fault
    if fault is not None and not isinstance(fault, BrokenPipeError) and code == 0:
        complain(f"standard output: {fault.strerror}")
        code = WRONG
    with contextlib.suppress(ValueError):
        sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(code)
