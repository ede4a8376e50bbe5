"""Walks, engine processes and small engines for the tests."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import queue
import random
import select
import shutil
import struct
import subprocess
import sys
import termios
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import list_moves
from ryugi_engine.match.journal import Journal, Saved
from tests.support import fork_server
from variants.chess.notation.text import PositionData, format_text
from variants.chess.reference.position import Reference

ROOT = Path(__file__).resolve().parent.parent.parent
#: Engines and games that only tests use.
SUPPORT = ROOT / "tests" / "support"


def copy_warm_cache(folder: Path, *, links: bool = False) -> None:
    """Fill a folder for RYUGI_CACHE_DIR with what has been compiled for the tests.

    ``links``: with the same files, which takes no time; they may be removed, and are not changed.
    """
    from ryugi_engine.kernel import cache

    kept = cache.place().folder
    assert kept is not None
    folder.mkdir(parents=True, exist_ok=True)

    def put(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:  # another file system
            shutil.copy2(source, target)

    shutil.copytree(kept, folder / kept.name, copy_function=put if links else shutil.copy2)
    (folder / kept.name).chmod(0o700)


def reference_of(position: Position) -> Reference:
    """The position of the reference rules, of a chess-like game."""
    rules: Any = position.rules
    return Reference.parse(rules.definition, position.text())


def wild_position(game: Game, source: random.Random, most: int = 36) -> Position | None:
    """A legal position of kings and 2 to ``most`` - 1 more; None if the dice fell badly."""
    from ryugi_engine.games.registry import rules_of

    rules: Any = rules_of(game)
    definition = rules.definition
    squares = [(f, r) for f in range(game.files) for r in range(game.ranks)]
    source.shuffle(squares)
    board = {squares.pop(): definition.royal, squares.pop(): definition.royal.lower()}
    for _ in range(source.randrange(2, most)):
        letter = source.choice([p for p in definition.letters if p != definition.royal])
        at = squares.pop()
        if letter == definition.pawn and at[1] in (0, game.ranks - 1):
            continue
        board[at] = source.choice((letter, letter.lower()))
    data = PositionData(board, side=source.randrange(2))
    try:
        return Position(game, format_text(definition, data))
    except ValueError:
        return None


def walked(game: Game, source: random.Random, plies: int = 30) -> Position:
    """A position after so many random moves at most, in which the game goes on."""
    position = Position(game)
    for _ in range(source.randrange(1, plies)):
        position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None:
            position.pop()
            break
    return position


def codes_of(position: Position, kind: int) -> list[int]:
    """The moves of a kind that the generator lists."""
    return list_moves(position.kernels.generate, position.state, kind)


def late_position(source: random.Random, pieces: int) -> Position:
    """A GoRoGo position with so many pieces in hand, in which the game goes on."""
    while True:
        position = Position(registry().game("gorogo"))
        while len(position.moves) < 25 - pieces and position.outcome() is None:
            position.push(source.choice(position.legal_codes()))
        if position.outcome() is None:
            return position


def patient(seconds: float) -> float:
    """How long a machine as busy as this one may take for what an idle one does in ``seconds``.

    By how many threads want to run now, and did so in the last minute.
    """
    load = os.getloadavg()[0]
    with contextlib.suppress(OSError):
        load = max(load, int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]))
    return seconds * max(1.0, 2 * load / (os.cpu_count() or 1))


def read_to(stream: IO[Any], wanted: str, seconds: float = 90.0) -> str:
    """Read whole lines of a pipe up to the first that holds ``wanted``, and not a byte more.

    Returns what was read. AssertionError with that where the pipe or the time ends before;
    ``seconds`` are an idle machine's. No one may have read from the stream by its own methods.
    """
    shown, began = b"", time.monotonic()
    while not (shown.endswith(b"\n") and wanted in shown.decode(errors="replace")):
        text = f"no '{wanted}' in {seconds} s, but {shown[-3000:]!r}"
        assert time.monotonic() < began + patient(seconds), text
        if select.select([stream], [], [], 1.0)[0]:
            byte = os.read(stream.fileno(), 1)
            assert byte, f"the end before '{wanted}': {shown[-3000:]!r}"
            shown += byte
    return shown.decode()


def rounds(least: int, seen: Counter[str], **wanted: int) -> Iterator[int]:
    """Count ``least`` rounds, and as many more as random ones take to show what is wanted."""
    for number in range(100 * least):
        if number >= least and all(seen[name] >= count for name, count in wanted.items()):
            return
        yield number
    raise AssertionError(f"{seen}, but {wanted} are wanted")


def alive(pid: int) -> bool:
    """Whether a process is there that has not ended; one that no one has waited for has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class EngineUnderTest:
    """An engine process with lines in and out."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.started = time.perf_counter()
        self.process: Any
        environment = os.environ if env is None else env
        server = fork_server.server
        if server is not None and server.fits(environment):
            self.process = fork_server.ForkedProcess(server, arguments, ROOT, environment)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ryugi_engine", *arguments],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
            )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            self.lines.put(raw.decode().rstrip("\n"))
        self.lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def wait(self, start: str, seconds: float = 90.0) -> str:
        """The next line that starts so; everything on the way is kept in ``log``.

        ``seconds`` are an idle machine's.
        """
        began = time.perf_counter()
        end = began + seconds
        while True:
            if time.perf_counter() > end:
                end = began + patient(seconds)
                text = f"no '{start}' in {seconds} s; got {self.log[-5:]}"
                assert time.perf_counter() < end, text
            try:
                line = self.lines.get(timeout=max(end - time.perf_counter(), 0.001))
            except queue.Empty:
                continue
            if line is None:
                text = f"the engine ended before '{start}' with {self.log[-5:]}"
                self.process.kill()  # or it has closed its standard output alone
                raise AssertionError(f"{text}: {self.errors()}")
            self.log.append(line)
            if line.startswith(start):
                return line

    def heard(self) -> list[str]:
        """Take in what has come already, and wait for nothing; returns the log."""
        for _ in range(self.lines.qsize()):
            line = self.lines.get()
            if line is None:
                self.lines.put(None)  # the end, for whoever waits next
            else:
                self.log.append(line)
        return self.log

    def ready(self, *lines: str) -> EngineUnderTest:
        """Introduce, set options, wait for the kernels."""
        self.send("uci")
        self.wait("uciok")
        self.send(*lines, "isready")
        self.wait("readyok")
        return self

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def quit(self, seconds: float = 20.0) -> str:
        """End by ``quit``; returns what stood on standard error. Seconds are an idle machine's."""
        self.send("quit")
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(patient(seconds))
        errors = self.errors()
        self.close()
        return errors

    def close(self) -> None:
        """Let go of the pipes of a process that has ended."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


class TerminalUnderTest:
    """A command on a terminal of its own, without colours: keys in, screen out."""

    def __init__(self, *arguments: str, size: tuple[int, int] | None = None) -> None:
        """``size``: columns and lines, which a terminal need not tell."""
        self._handle, theirs = pty.openpty()
        if size is not None:
            self.resize(*size)
        self._screen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ryugi_engine", *arguments],
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal larger or smaller."""
        fcntl.ioctl(self._handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait(self, wanted: str, seconds: float = 90.0) -> str:
        """Read until the screen has shown something, from what was waited for last on.

        Returns what it has shown on the way, that included.
        """
        began = time.monotonic()
        while wanted not in self._screen:
            assert time.monotonic() < began + patient(seconds), self._screen[-3000:]
            if select.select([self._handle], [], [], 1)[0]:
                try:
                    self._screen += os.read(self._handle, 65536).decode()
                except OSError:  # no one has the terminal any more
                    raise AssertionError(f"the end before '{wanted}': {self._screen}") from None
        upto = self._screen.index(wanted) + len(wanted)
        shown, self._screen = self._screen[:upto], self._screen[upto:]
        return shown.replace("\r\n", "\n")

    def press(self, keys: bytes, wanted: str = "") -> str:
        """Send keys and wait for what they show; returns that, as :meth:`wait` does."""
        os.write(self._handle, keys)
        return self.wait(wanted)

    def leave(self, keys: bytes) -> None:
        """Send keys that end the command, which has to end well."""
        self.press(keys)
        assert self.process.wait(patient(30)) == 0
        os.close(self._handle)


def command(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line; ``more`` as for ``subprocess.run``."""
    server = fork_server.server
    environment = more.get("env", os.environ)
    if server is not None and more.keys() <= {"input", "env"} and server.fits(environment):
        process = fork_server.ForkedProcess(server, arguments, ROOT, environment)
        out, err = process.communicate(more.get("input", "").encode(), 300.0)
        texts = [io.TextIOWrapper(io.BytesIO(raw)).read() for raw in (out, err)]
        assert process.returncode is not None
        return subprocess.CompletedProcess(arguments, process.returncode, *texts)
    return completed([sys.executable, "-m", "ryugi_engine", *arguments], **more)


def read_journal(path: Path) -> Saved:
    """Return the last match of a journal that no match holds."""
    with contextlib.closing(Journal(path, new=False)) as journal:
        return journal.read()


def python_chess(*words: str) -> Any:
    """Let python-chess start the engine; return its engine, which a ``with`` closes.

    ``words``: the arguments; ``xboard`` means that protocol. By itself python-chess waits two
    seconds for the first feature of CECP, in which a busy machine hardly starts Python.
    """
    import chess.engine

    class Patient(chess.engine.XBoardProtocol):
        async def communicate(self, factory: Any) -> Any:
            if factory.__name__ == "XBoardInitializeCommand":
                factory.timeout = lambda command: None
            return await super().communicate(factory)

    simple = chess.engine.SimpleEngine
    kind = Patient if "xboard" in words else chess.engine.UciProtocol
    command_line = [sys.executable, "-m", "ryugi_engine", *words]
    return simple.popen(kind, command_line, timeout=patient(300.0), cwd=ROOT)


def completed(words: Sequence[str | Path], **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout to its end; ``more`` as for ``subprocess.run``."""
    usual = {"cwd": ROOT, "capture_output": True, "text": True, "timeout": patient(300)}
    return subprocess.run(words, **{**usual, **more})  # type: ignore[no-any-return]


def press_key(browser: Any, key: str, *, held: str = "") -> None:
    """Press a key in the focused element."""
    from selenium.webdriver.common.action_chains import ActionChains

    actions = ActionChains(browser)
    if held:
        actions.key_down(held)
    actions.send_keys(key)
    if held:
        actions.key_up(held)
    actions.perform()
