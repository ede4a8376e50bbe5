"""The UCI conversation."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from typing import BinaryIO, TextIO

from ryugi_engine import __version__
from ryugi_engine.session import BestMove, Counted, Event, Progress, Session, SessionError
from uci import parser, writer

#: Seconds that the end may take before the process leaves without waiting for its threads.
_PATIENCE = 1.0
#: Cute Chess gives up an engine that has not answered isready in 15 seconds.
_READY_SECONDS = 13.0


class Loop:
    """Reads commands from one stream and answers on the other."""

    def __init__(self, source: BinaryIO, target: TextIO, variants_file: str = "") -> None:
        self._source = source
        self._target = target
        self._lock = threading.Lock()
        self._log: TextIO | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._session = Session(self._on_event, variants_file)
        self._mated = False
        self._introduced = False

    # ---- output ----------------------------------------------------------------------------

    def _write(self, *lines: str) -> None:
        with self._lock:
            try:
                for line in lines:
                    self._target.write(line + "\n")
                self._target.flush()
            except (BrokenPipeError, ValueError):
                os._exit(0)  # the GUI has gone, nobody is left to answer
            if self._log is not None:
                for line in lines:
                    self._log.write(f"{time.time():.3f} < {line}\n")
                self._log.flush()

    def _error(self, error: Exception) -> None:
        self._write("info string error: " + " ".join(str(error).split()))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Progress):
            show_wdl = self._session.options.flag("UCI_ShowWDL")
            self._write(writer.info_line(event.report, show_wdl))
        elif isinstance(event, BestMove):
            self._write(*writer.bestmove_lines(event.result, self._mated))
        elif isinstance(event, Counted):
            self._write(*writer.perft_lines(event.count))
        else:
            self._write(f"info string {event.text}")

    # ---- input -----------------------------------------------------------------------------

    def _read(self) -> None:
        """Put lines into the queue; on quit or end of input see to it that the process ends."""
        try:
            for raw in self._source:
                line = raw.decode("utf-8", errors="replace").replace("\0", "").strip()
                if line == "quit":
                    break
                if line == "stop":
                    # at once, even if the commands before it are still waiting for the kernels
                    self._session.signal_stop()
                self._lines.put(line)
        except (OSError, ValueError):
            pass  # a closed stream is an end of input like any other
        self._session.signal_stop()
        self._lines.put(None)
        time.sleep(_PATIENCE)
        with self._lock:
            os._exit(0)

    def run(self, first: str = "") -> int:
        """Serve until ``quit`` or the end of input."""
        if first:
            self._lines.put(first)
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            line = self._lines.get()
            if line is None:
                break
            if self._log is not None:
                self._log.write(f"{time.time():.3f} > {line}\n")
            self._answer(line)
        self._session.stop()
        if self._log is not None:
            self._log.close()
        return 0

    def _answer(self, line: str) -> None:
        command, *words = line.split() or [""]
        handler = getattr(self, f"_do_{command.lower()}", None)
        if handler is None:
            return  # unknown commands are ignored, as the protocol asks
        try:
            handler(words)
        except ValueError as error:
            self._error(error)
        except Exception as error:
            # The engine has to live on, but nothing is swallowed: the user sees what it was.
            self._error(RuntimeError(f"{command[:40]}: {error!r}"))

    # ---- commands --------------------------------------------------------------------------

    def _do_uci(self, words: list[str]) -> None:
        lines = [f"id name ryugi-engine {__version__}", "id author the ryugi-engine founders", ""]
        lines += [writer.option_line(option) for option in self._session.options]
        self._write(*lines, "uciok")
        self._introduced = True
        self._session.begin_loading()

    def _do_xboard(self, words: list[str]) -> None:
        self._write("tellusererror this version of ryugi-engine speaks UCI only")

    def _do_isready(self, words: list[str]) -> None:
        try:
            if not self._session.wait_ready(_READY_SECONDS):
                self._write("info string still compiling; the first move will have to wait for it")
        except SessionError as error:
            self._error(error)
        self._write("readyok")

    def _do_ucinewgame(self, words: list[str]) -> None:
        self._session.new_game()

    def _do_setoption(self, words: list[str]) -> None:
        name, value = parser.parse_setoption(words)
        if name.lower() == "debug log file":
            self._open_log(value)
        self._session.set_option(name, value)
        options = self._session.options
        if name.lower() == "uci_variant" and self._introduced:
            self._write(writer.variant_line(self._session.game))
        elif name.lower() == "variantpath":
            self._write(writer.option_line(options.find("UCI_Variant")))

    def _open_log(self, path: str) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None
        if path not in ("", "<empty>"):
            try:
                self._log = open(path, "a", encoding="utf-8")  # noqa: SIM115 - closed on change
            except OSError as error:
                raise SessionError(f"Debug Log File: {path}: {error.strerror}") from None

    def _do_position(self, words: list[str]) -> None:
        text, moves = parser.parse_position(words)
        self._session.set_position(text, [writer.read_move(move) for move in moves])

    def _do_go(self, words: list[str]) -> None:
        try:
            limits, perft_depth = parser.parse_go(words)
            limits.search_moves = [writer.read_move(move) for move in limits.search_moves]
            if perft_depth is not None:
                self._count(perft_depth)
                return
            self._mated = self._session.position.in_check()
            self._session.go(limits)
        except ValueError as error:
            # a GUI that sent go waits for an answer, whatever was wrong with it
            self._error(error)
            self._write(f"bestmove {writer.NO_MOVE}")

    def _count(self, depth: int) -> None:
        from ryugi_engine.perft import MAX_DEPTH

        if depth > MAX_DEPTH:
            raise parser.UciError(f"perft: depth {depth} is more than {MAX_DEPTH}")
        self._session.count(depth)

    def _do_perft(self, words: list[str]) -> None:
        if not words:
            raise parser.UciError("perft: the depth is missing")
        _limits, depth = parser.parse_go(["perft", words[0]])
        assert depth is not None
        self._count(depth)

    def _do_stop(self, words: list[str]) -> None:
        self._session.stop()

    def _do_ponderhit(self, words: list[str]) -> None:
        self._session.ponder_hit()

    def _do_d(self, words: list[str]) -> None:
        position = self._session.position
        outcome = position.outcome()
        result = "*" if outcome is None else f"{outcome.result} ({outcome.reason})"
        lines = [*position.board_text().splitlines(), ""]
        lines += [f"Fen: {position.text()}", f"Key: {position.key():016X}", f"Result: {result}"]
        claim = None if outcome is not None else position.claim()
        if claim is not None:
            lines.append(f"Claim: {claim.result} ({claim.reason})")
        self._write(*lines)

    def _do_eval(self, words: list[str]) -> None:
        position = self._session.position
        value = position.evaluate() * (1 if position.side == 0 else -1)
        self._write(f"Evaluation: {value / 100:+.2f} (White's point of view)")

    def _do_bench(self, words: list[str]) -> None:
        from ryugi_engine.bench import run_bench

        game = self._session.game
        self._session.wait_ready()
        depth = int(words[0]) if words and words[0].isdecimal() else None

        def bench() -> None:
            run_bench([game], depth, self._write)

        self._session.start_thread(bench)

    def _do_compiler(self, words: list[str]) -> None:
        from importlib.metadata import version

        python = ".".join(map(str, sys.version_info[:3]))
        self._write(
            f"Compiled by numba {version('numba')} with llvmlite {version('llvmlite')} "
            f"under Python {python}"
        )


def serve(variants_file: str = "", first: str = "") -> int:
    """Speak UCI on standard input and output."""
    return Loop(sys.stdin.buffer, sys.stdout, variants_file).run(first)
