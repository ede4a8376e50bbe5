"""The UCI protocol: its commands."""

from __future__ import annotations

import sys

from ryugi_engine import __version__
from ryugi_engine.core.conversation import GuiConnection, ProtocolHandler
from ryugi_engine.core.events import BestMove, Counted, Event, GameOver, Progress
from ryugi_engine.core.session import Session
from ryugi_engine.errors import UserError
from ryugi_engine.text.numbers import read
from uci import parser, writer

#: Commands that wait for the end of a search or a count, which they would end otherwise.
_WAITING = (["go"], ["perft"], ["bench"], ["position"], ["ucinewgame"], ["setoption"])
#: Those that wait for the end of a count alone: a GUI asks for them while it watches a search.
_SHOWING = (["d"], ["eval"], ["check"], ["compiler"])


class UciProtocol(ProtocolHandler):
    """Handles UCI commands."""

    # GUIs without an option for the game play chess
    first_game = "chess"

    def __init__(self, connection: GuiConnection, session: Session) -> None:
        super().__init__(connection, session)
        self._write = connection.write
        self._introduced = False
        # of ``stop``: one that is received ends what waits before it, too
        self._stops_received = self._stops_handled = 0

    # ---- output ----------------------------------------------------------------------------

    def _error(self, error: Exception) -> None:
        self._write("info string error: " + " ".join(str(error).split()))

    def complain(self, line: str, error: Exception) -> None:
        self._error(error)

    def on_event(self, event: Event) -> None:
        if isinstance(event, Progress):
            show_wdl = self.session.options.flag("UCI_ShowWDL")
            self._write(writer.info_line(event.report, show_wdl))
        elif isinstance(event, BestMove):
            self._write(writer.bestmove_line(event.result))
        elif isinstance(event, GameOver):
            self._write(writer.game_over_line(event))
        elif isinstance(event, Counted):
            self._write(*writer.perft_lines(event.result))
        else:
            self._write(f"info string {event.text}")

    # ---- input -----------------------------------------------------------------------------

    def interrupt(self, line: str) -> None:
        if line == "stop":
            # at once, even if earlier commands still wait
            self._stops_received += 1
            self.session.signal_stop()

    def answer(self, line: str) -> None:
        if line == "stop":
            self._stops_handled += 1
        elif self._waits(line.split(maxsplit=1)[:1]):
            if self._stops_handled < self._stops_received:
                self.session.signal_stop()
            self.session.finish()
        super().answer(line)

    def _waits(self, word: list[str]) -> bool:
        return word in _WAITING or (word in _SHOWING and not self.session.searching)

    # ---- commands --------------------------------------------------------------------------

    def _do_uci(self, arguments: list[str]) -> None:
        lines = [f"id name ryugi-engine {__version__}", "id author the ryugi-engine founders", ""]
        lines += [writer.option_line(o) for o in self.session.options if o.protocol != "xboard"]
        self._write(*lines, "uciok")
        self.tell_of_faults()
        self._introduced = True
        self.session.begin_loading()

    def _do_isready(self, arguments: list[str]) -> None:
        try:
            self.session.wait_ready()
        except UserError as error:
            self._error(error)
        self._write("readyok")

    def _do_ucinewgame(self, arguments: list[str]) -> None:
        self.session.new_game()

    def _do_setoption(self, arguments: list[str]) -> None:
        name, value = parser.parse_setoption(arguments)
        options = self.session.options
        options.set(name, value)
        if name.lower() == "uci_variant" and self._introduced:
            self._write(writer.variant_line(self.session.game))
        elif name.lower() == "variantpath":
            self._write(writer.option_line(options.find("UCI_Variant")))

    def _do_position(self, arguments: list[str]) -> None:
        from ryugi_engine.games.game import read_move

        text, moves = parser.parse_position(arguments)
        self.session.set_position(text, [read_move(move) for move in moves])

    def _do_go(self, arguments: list[str]) -> None:
        try:
            limits, perft_depth = parser.parse_go(arguments)
            if perft_depth is not None:
                self.session.count(perft_depth)
                return
            self.session.go(limits, self.connection.received)
        except ValueError as error:
            # a GUI that sent go waits for an answer even if the command was faulty
            self._error(error)
            self.session.refuse(parser.parse_infinite(arguments))

    def _do_perft(self, arguments: list[str]) -> None:
        if not arguments:
            raise UserError("perft: the depth is missing")
        self.session.count(read("perft", arguments[0]))

    def _do_stop(self, arguments: list[str]) -> None:
        self.session.stop()

    def _do_ponderhit(self, arguments: list[str]) -> None:
        self.session.ponder_hit()

    def _do_d(self, arguments: list[str]) -> None:
        position = self.session.position
        outcome = position.outcome()
        result = "*" if outcome is None else f"{outcome.result} ({outcome.reason})"
        lines = [*position.board_text().splitlines(), ""]
        lines += [f"Fen: {position.text()}", f"Key: {position.key():016X}", f"Result: {result}"]
        claim = None if outcome is not None else position.claim()
        if claim is not None:
            lines.append(f"Claim: {claim.result} ({claim.reason})")
        self._write(*lines)

    def _do_eval(self, arguments: list[str]) -> None:
        position = self.session.position
        value = position.evaluate() * (1 if position.side == 0 else -1)
        self._write(f"Evaluation: {value / 100:+.2f} (White's point of view)")

    def _do_bench(self, arguments: list[str]) -> None:
        from ryugi_engine.search.bench import Bench

        depth = read("bench", arguments[0]) if arguments else None
        rules = self.session.position.rules
        bench = Bench([self.session.game], depth, self._write, rules=rules)

        def run() -> None:
            bench.run()
            if bench.stopped:
                self._write("info string bench stopped, the count is not complete")

        self.session.start(bench, run)

    def _do_check(self, arguments: list[str]) -> None:
        path = " ".join(arguments)
        if not path:
            raise UserError("check: the file of definitions is missing")
        from ryugi_engine.games.registry import Registry, read_definitions

        Registry().load_file(path)  # refuses what VariantPath would, and changes nothing
        # Fairy-Stockfish's line on standard error: bridges compare it with the file's sections
        for game in read_definitions(path):
            print(f"Parsing variant: {game.name}", file=sys.stderr, flush=True)

    def _do_compiler(self, arguments: list[str]) -> None:
        from importlib.metadata import version

        python = ".".join(map(str, sys.version_info[:3]))
        self._write(
            f"Compiled by numba {version('numba')} with llvmlite {version('llvmlite')} "
            f"under Python {python}"
        )
