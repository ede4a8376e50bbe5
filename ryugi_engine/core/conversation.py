"""A conversation with a GUI over two streams, in whichever protocol it begins."""

from __future__ import annotations

import math
import os
import queue
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, NamedTuple, TextIO

from ryugi_engine.core.compile_report import CompileReport
from ryugi_engine.core.events import Event, Note, Notice
from ryugi_engine.core.log import Log
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.files.reading import naming
from ryugi_engine.kernel import compile_progress
from ryugi_engine.processes import process

#: Seconds that the last search may take to end, before the process leaves without waiting for it.
_PATIENCE = 1.5
#: Seconds that the end waits for a line that is being written, perhaps unread; those after which
#: nobody reads it.
_LAST_LINE, _UNREAD = 0.2, 10.0
#: Seconds between the last line of a script and the end of the input, at most.
_TOGETHER = 0.1
#: Bytes of a line that is still read: a thousand times a long game's moves would fit.
LONGEST_LINE = 1 << 20


class Line(NamedTuple):
    """A line of the GUI, and when it came, by ``time.perf_counter``."""

    text: str
    received: float


class End(NamedTuple):
    """The end of a GUI's lines."""

    #: A search that began earlier is stopped, by ``time.perf_counter``.
    stops: float


class GuiConnection:
    """The connection to a GUI: output, log of both directions, queue of received lines."""

    def __init__(self, target: TextIO, warn: Callable[[str], None] = lambda text: None) -> None:
        """``warn`` shows a message to the user, on the conversation's thread."""
        self._target = target
        self._warn = warn
        self._lock = threading.Lock()
        #: When the write that goes on began, by ``time.monotonic``; infinity: none does.
        self._writes_since = math.inf
        self._log: Log | None = None
        #: Lines that are neither worked off nor in a log: one of them may be what begins it.
        self._unlogged: deque[str] = deque()
        #: When the line that is being handled came, by ``time.perf_counter``; None: it is no line.
        self.received: float | None = None
        #: Lines of the GUI and their end; what other threads want done on the conversation's.
        self.inbox: queue.Queue[Line | Callable[[], None] | End] = queue.Queue()

    def write(self, *lines: str) -> None:
        """Send lines, together and at once."""
        with self._lock:
            self._writes_since = time.monotonic()
            try:
                for line in lines:
                    self._target.write(line + "\n")
                self._target.flush()
            except BrokenPipeError:
                self._end_process(0)  # the GUI has gone, no one is left to answer
            except (OSError, ValueError) as error:
                process.complain(f"standard output: {getattr(error, 'strerror', None) or error}")
                self._end_process(process.WRONG)
            self._writes_since = math.inf
            for line in lines:
                self._keep("<", line)

    def receive(self, line: Line) -> None:
        """Log a line from the GUI and put it into the inbox."""
        with self._lock:
            if self._log is None:
                self._unlogged.append(line.text)
            self._keep(">", line.text)
            self.inbox.put(line)

    def begin_line(self, received: float) -> None:
        """Record that a line of the inbox is being handled, and when it was received."""
        self.received = received
        with self._lock:
            if self._unlogged:
                self._unlogged.popleft()

    def _keep(self, direction: str, line: str) -> None:
        """Log a line; close the log if writing fails."""
        if self._log is None:
            return
        try:
            self._log.write(direction, line)
        except OSError as error:
            text = f"Debug Log File: {self._log.path}: {error.strerror}; it ends here"
            self._log.close()
            self._log = None
            self.inbox.put(lambda: self._warn(text))

    def open_log(self, path: str) -> None:
        """Append to a log file, "" for none; UserError if it cannot be opened."""
        log = None
        if path:
            try:
                with naming(path):
                    log = Log(path)
            except ValueError as error:  # or a name that no file can have
                raise UserError(f"Debug Log File: {error}") from None
        with self._lock:
            if self._log is not None:
                self._log.close()
            self._log = log
            while self._unlogged and self._log is not None:
                self._keep(">", self._unlogged.popleft())

    def ignore_interrupts(self) -> None:
        """Ignore SIGINT, which some GUIs send before every command."""
        process.ignore_interrupts()

    def is_read(self) -> bool:
        """Return whether somebody still reads the output, as far as the system knows."""
        if time.monotonic() - self._writes_since > _UNREAD:
            return False
        try:
            poll = select.poll()
            poll.register(self._target.fileno(), 0)
            return not poll.poll(0)
        except (AttributeError, OSError, ValueError):  # no POSIX, no file, or closed
            return True

    def leave(self) -> None:
        """End the process, after the line that is being written if the GUI reads it."""
        self._lock.acquire(timeout=_LAST_LINE)
        self._end_process(0)

    @staticmethod
    def _end_process(code: int) -> None:
        os._exit(code)


class ProtocolHandler:
    """A protocol: its commands are methods ``_do_COMMAND``."""

    #: The game that is played until the GUI names one.
    first_game: str

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        self.connection = connection
        self.session = session

    def on_event(self, event: Event) -> None:
        """Handle an event of the session; called from any thread."""
        raise NotImplementedError

    def interrupt(self, line: str) -> None:
        """React to a line at once, before it is handled; called from the reading thread."""

    def complain(self, line: str, error: Exception) -> None:
        """Report an error in a line to the user."""
        raise NotImplementedError

    def find(self, word: str) -> Callable[[list[str]], None] | None:
        """Return the method for a command, None for an unknown one."""
        return getattr(self, f"_do_{word.lower()}", None)

    def answer(self, line: str) -> None:
        """Handle a line of the GUI; an unknown command is ignored."""
        command, *arguments = line.split() or [""]
        method = self.find(command)
        if method is None:
            return
        self.attempt(lambda: method(arguments), line)

    def attempt(self, action: Callable[[], None], line: str) -> None:
        """Call an action that ``line`` has caused; report its errors to the user."""
        try:
            action()
        except UserError as error:
            self.complain(line, error)
        except Exception as error:
            # The engine has to live on, but nothing is swallowed: the user sees what it was.
            command = line.split(maxsplit=1)[0] if line.strip() else "the answer"
            self.complain(line, RuntimeError(f"{command[:40]}: {error!r}"))

    def tell_of_faults(self) -> None:
        """Report the games that could not be loaded, and why."""
        for fault in self.session.registry.faults:
            self.on_event(Notice(f"error: {fault}"))

    def finish(self) -> None:
        """End the conversation in this protocol: give the delayed answers.

        Nothing is written afterwards.
        """


def read_lines(source: BinaryIO) -> Iterator[Line]:
    """Yield the stripped lines of a stream, "" for one that is too long.

    Lines that are read together came at the same time. The stream's descriptor is read, not its
    buffer, whose lock would be held while waiting: an interpreter that ends meanwhile aborts for
    that.
    """
    handle, begun, too_long = source.fileno(), bytearray(), False
    while True:
        try:
            chunk = os.read(handle, 1 << 16)
        except BlockingIOError:  # whoever shares the stream has made it so
            select.select([handle], [], [])
            continue
        except OSError:
            chunk = b""  # a terminal that has gone is an end of input like any other
        received = time.perf_counter()
        *ends, rest = chunk.split(b"\n") if chunk else [b"", b""]
        for end in ends:
            begun += end
            too_long = too_long or len(begun) > LONGEST_LINE
            line = "" if too_long else begun.decode("utf-8", errors="replace")
            begun, too_long = bytearray(), False
            yield Line(line.replace("\0", "").strip(), received)
        if not chunk:
            return
        begun += rest
        if len(begun) > LONGEST_LINE:
            begun, too_long = bytearray(), True


class Conversation:
    """Reads commands from one stream and answers on the other."""

    def __init__(
        self,
        source: BinaryIO,
        target: TextIO,
        variants_file: str,
        protocols: Mapping[str, Callable[[], type[ProtocolHandler]]],
        variant: str = "",
        net: str = "",
    ) -> None:
        """``protocols``: functions that import them, by the command that begins each.

        The first is the default.

        ``variant`` is the game to begin with, "" for the file's if it has one only, else the
        protocol's own; ``net`` is the default of EvalFile. UserError if the game is unknown, or a
        file is faulty.
        """
        self._source = source
        self._connection = GuiConnection(target, lambda text: self._on_event(Note(text)))
        self._session = Session(self._on_event, variants_file, self._connection.open_log)
        if net:
            self._session.open_with_net(net)
        self._protocols = protocols
        self._variant = variant
        # all lines have been handled; the last search has ended
        self._answered, self._over = threading.Event(), threading.Event()
        self._begin(next(iter(protocols)))

    def _begin(self, word: str) -> None:
        handler = self._protocols[word]()
        only = self._session.only_own
        self._session.open_with(self._variant or (only.name if only else handler.first_game))
        self._protocol = word
        self._handler = handler(self._connection, self._session)

    def _on_event(self, event: Event) -> None:
        self._handler.on_event(event)  # a search ends before another protocol is spoken

    def _read(self) -> None:
        """Put lines into the inbox; then end the process if answers are not read, or it hangs."""
        end: End | None = None
        for line in read_lines(self._source):
            self._handler.interrupt(line.text)
            self._connection.receive(line)
            if line.text == "quit":
                end = End(line.received)
                break
        # a search that began long before is one whose GUI has gone, not a script's
        self._connection.inbox.put(end or End(time.perf_counter() - _TOGETHER))
        ending = False
        while not self._over.wait(_PATIENCE):
            if ending or not self._connection.is_read():
                self._connection.leave()
            ending = self._answered.is_set()

    def _switch(self, word: str) -> None:
        if word in self._protocols and word != self._protocol:
            self._end()
            self._begin(word)

    def _handle(self, line: Line) -> None:
        self._connection.begin_line(line.received)
        if line.text != "quit":  # else the end is on its way
            self._switch(line.text)
            self._handler.answer(line.text)

    def _handle_all(self) -> None:
        """Handle lines up to the end, and what their searches then cause."""
        inbox = self._connection.inbox
        while True:
            item = inbox.get()
            if isinstance(item, Line):
                self._handle(item)
            elif not isinstance(item, End):
                self._connection.received = None
                self._handler.attempt(item, "")
            elif self._session.finish(item.stops):
                inbox.put(item)  # after what the search has put there
            else:
                return

    def _end(self) -> None:
        """End the present protocol and its search."""
        self._handler.finish()
        self._session.stop()

    def run(self, protocol: str = "") -> int:
        """Serve until ``quit`` or the end of input; ``protocol``: begin with another one.

        Nothing is said before a GUI asks: an introduction to no question would be a second one.
        """
        self._switch(protocol)
        report = CompileReport(
            lambda text: self._on_event(Note(text)), lambda: self._session.game.name
        )
        compile_progress.watch(report)
        threading.Thread(target=self._read, daemon=True).start()
        self._handle_all()
        self._answered.set()
        self._end()
        compile_progress.watch(None)
        self._connection.open_log("")
        self._over.set()
        return 0
