"""A conversation with a GUI over two streams, in whichever protocol it begins."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import BinaryIO, TextIO

from ryugi_engine.session import Event, Session, SessionError

#: Seconds that the end may take before the process leaves without waiting for its threads.
_PATIENCE = 1.0


class Wire:
    """Lines out, the log of both directions, and the queue that the conversation works off."""

    def __init__(self, target: TextIO) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._log: TextIO | None = None
        #: Lines of the GUI; what other threads want done on the conversation's; None at the end.
        self.inbox: queue.Queue[str | Callable[[], None] | None] = queue.Queue()

    def write(self, *lines: str) -> None:
        """Send lines, together and at once."""
        with self._lock:
            try:
                for line in lines:
                    self._target.write(line + "\n")
                self._target.flush()
            except (BrokenPipeError, ValueError):
                self._end_process()  # the GUI has gone, nobody is left to answer
            if self._log is not None:
                for line in lines:
                    self._log.write(f"{time.time():.3f} < {line}\n")
                self._log.flush()

    def heard(self, line: str) -> None:
        """Log a line of the GUI."""
        with self._lock:
            if self._log is not None:
                self._log.write(f"{time.time():.3f} > {line}\n")

    def open_log(self, path: str) -> None:
        """Append to a log file, "" for none; SessionError if it cannot be opened."""
        with self._lock:
            if self._log is not None:
                self._log.close()
                self._log = None
            if path not in ("", "<empty>"):
                try:
                    self._log = open(path, "a", encoding="utf-8")  # noqa: SIM115 - closed here
                except OSError as error:
                    raise SessionError(f"Debug Log File: {path}: {error.strerror}") from None
                except ValueError as error:  # a name that no file can have
                    raise SessionError(f"Debug Log File: {error}") from None

    def leave(self) -> None:
        """End the process, between two lines."""
        with self._lock:
            self._end_process()

    @staticmethod
    def _end_process() -> None:
        os._exit(0)


class Speaker:
    """One protocol: a method ``_do_WORD`` for every command that it knows."""

    def __init__(self, wire: Wire, session: Session) -> None:
        self.wire = wire
        self.session = session

    def on_event(self, event: Event) -> None:
        """What the session tells, from any thread."""
        raise NotImplementedError

    def interrupt(self, line: str) -> None:
        """A line has arrived but not been worked off; called from the reading thread."""

    def complain(self, line: str, error: Exception) -> None:
        """Tell the user what is wrong with a line."""
        raise NotImplementedError

    def find(self, word: str) -> Callable[[list[str]], None] | None:
        """The method for a command; None if it has to be ignored, as both protocols ask."""
        return getattr(self, f"_do_{word.lower()}", None)

    def answer(self, line: str) -> None:
        """Work off a line."""
        command, *words = line.split() or [""]
        handler = self.find(command)
        if handler is None:
            return
        try:
            handler(words)
        except ValueError as error:
            self.complain(line, error)
        except Exception as error:
            # The engine has to live on, but nothing is swallowed: the user sees what it was.
            self.complain(line, RuntimeError(f"{command[:40]}: {error!r}"))

    def set_option(self, name: str, value: str) -> None:
        """Set an option; ValueError if it cannot be."""
        if name.lower() == "debug log file":
            self.wire.open_log(value)
        self.session.set_option(name, value)


class Conversation:
    """Reads commands from one stream and answers on the other."""

    def __init__(
        self,
        source: BinaryIO,
        target: TextIO,
        variants_file: str,
        protocols: Mapping[str, Callable[[Wire, Session], Speaker]],
    ) -> None:
        """``protocols`` by the word that begins each; the first is spoken until one is begun."""
        self._source = source
        self._wire = Wire(target)
        self._session = Session(self._on_event, variants_file)
        self._protocols = protocols
        self._over = threading.Event()
        self._spoken, begin = next(iter(protocols.items()))
        self._speaker = begin(self._wire, self._session)

    def _on_event(self, event: Event) -> None:
        self._speaker.on_event(event)  # of whichever protocol is spoken by then

    def _read(self) -> None:
        """Put lines into the inbox; on quit or end of input see to it that the process ends."""
        try:
            for raw in self._source:
                line = raw.decode("utf-8", errors="replace").replace("\0", "").strip()
                if line == "quit":
                    break
                self._speaker.interrupt(line)
                self._wire.inbox.put(line)
        except (OSError, ValueError):
            pass  # a closed stream is an end of input like any other
        self._session.signal_stop()
        self._wire.inbox.put(None)
        if not self._over.wait(_PATIENCE):
            self._wire.leave()

    def _switch(self, word: str) -> None:
        if word in self._protocols and word != self._spoken:
            self._session.stop()
            self._spoken = word
            self._speaker = self._protocols[word](self._wire, self._session)

    def run(self, first: str = "") -> int:
        """Serve until ``quit`` or the end of input, as if ``first`` had been said already."""
        if first:
            self._wire.inbox.put(first)
        threading.Thread(target=self._read, daemon=True).start()
        while (item := self._wire.inbox.get()) is not None:
            if callable(item):
                item()
                continue
            self._wire.heard(item)
            self._switch(item)
            self._speaker.answer(item)
        self._session.stop()
        self._wire.open_log("")
        self._over.set()
        return 0
