"""A chess engine for the tests of matches: it plays the first legal move, and misbehaves on demand.

``match_engine.py FAULT [xboard]``: a fault of the list below, or ``none``. It needs python-chess
and nothing of ours.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import chess


class Faulty:
    """What all of it needs: words out, a board, and the fault."""

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.board = chess.Board()
        self.searches = 0
        self.note_pid(os.getpid())
        if fault == "exit":
            sys.exit(3)
        if fault == "fork":
            for left in ("in the group", "in a session"):
                child = os.fork()
                if child:
                    # By the parent, before it answers anything: a child may be killed too soon.
                    self.note_pid(child)
                    continue
                if left == "in a session":
                    os.setsid()
                time.sleep(1000)

    def note_pid(self, pid: int) -> None:
        """Append the id to the file of started processes, if the test asks for one."""
        note = os.environ.get("MATCH_ENGINE_PIDS")
        if note:
            with open(note, "a") as handle:
                handle.write(f"{pid}\n")

    def heard(self) -> Iterator[str]:
        """The lines of standard input; kept in a file of its own, if one is asked for."""
        note = os.environ.get("MATCH_ENGINE_LOG")
        for line in sys.stdin:
            if note:
                with open(f"{note}.{os.getpid()}", "a") as handle:
                    handle.write(line)
            yield line

    def first_move(self) -> chess.Move:
        """The first capture by alphabet, or the first move."""
        moves = self.board.legal_moves
        return min(moves, key=lambda m: (not self.board.is_capture(m), m.uci()))

    def say(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def misbehave(self) -> str:
        """The move, unless the fault has another end; the first search is the warm-up."""
        self.searches += 1
        fault, warm = self.fault, self.searches == 1
        move = self.first_move().uci()
        if (warm and fault == "die-warm") or (not warm and fault == "die"):
            os._exit(5)
        if (warm and fault == "hang-warm") or (not warm and fault == "hang"):
            time.sleep(1000)
        if warm:
            return move
        if fault == "late":
            time.sleep(2.5)
        elif fault == "illegal":
            return "e2e5"
        elif fault == "flood":
            line = b"info string " + b"x" * 4000 + b"\n"
            try:
                for _ in range(250_000):
                    os.write(1, line)
            except BrokenPipeError:
                pass
            return ""
        elif fault == "line":
            for _ in range(1000):
                os.write(1, b"y" * 1_000_000)
            return ""
        elif fault == "binary":
            os.write(1, bytes(range(256)) * 400 + b"\nbestmove \xff\xfe\x00\xc3\n")
            return ""
        return move

    def once_more(self, line: str) -> list[str]:
        """The move's line again, to be written with it: later it might be heard in its turn."""
        return [line] if self.fault == "twice" and self.searches > 1 else []

    def expected(self, move: str) -> str:
        """The answer that is expected, for an engine that is to ponder."""
        if not self.fault.startswith("ponder"):
            return ""
        self.board.push_uci(move)
        over = self.board.is_game_over()
        move = "" if over else self.first_move().uci()
        if self.fault == "ponder-wrong" and not over:
            move = next((m.uci() for m in self.board.legal_moves if m.uci() != move), "")
        expected = move and f" ponder {move}"
        self.board.pop()
        return expected

    def uci(self) -> None:
        for line in self.heard():
            words = line.split()
            word = words[0] if words else ""
            if word == "uci" and self.fault != "no-uci":
                self.say(f"id name faulty {self.fault}")
                self.say("option name Ponder type check default false")
                self.say("option name Style type combo default a var a var b")
                self.say("option name VariantPath type string default <empty>")
                self.say("option name UCI_Variant type combo default chess var chess", "uciok")
            elif word == "setoption" and "VariantPath" in words:
                self.say("option name UCI_Variant type combo default chess var chess var Own")
            elif word == "isready" and self.fault != "no-ready":
                self.say("readyok")
            elif word == "position":
                self.board = chess.Board()
                split = words.index("moves") if "moves" in words else len(words)
                if words[1] == "fen":
                    self.board = chess.Board(" ".join(words[2:split]))
                for move in words[split + 1 :]:
                    self.board.push_uci(move)
            elif word == "go" and "ponder" in words:
                continue
            elif word in ("go", "ponderhit", "stop"):
                move = self.misbehave()
                lines = ["info depth 1 score cp 10", f"bestmove {move}{self.expected(move)}"]
                if move:
                    self.say(*lines, *self.once_more(f"bestmove {move}"))
            elif word == "quit":
                if self.fault == "hang-quit":
                    time.sleep(1000)
                return

    def xboard(self) -> None:
        forced = False
        for line in self.heard():
            words = line.split()
            word = words[0] if words else ""
            if self.fault == "no-uci" and word != "quit":
                continue
            if word == "protover":
                sets = int(self.fault != "no-setboard")
                self.say(f"feature ping=1 setboard={sets} usermove=1 myname=faulty")
                self.say('feature variants="normal"')
                self.say("feature sigint=0 reuse=1 done=1")
            elif word == "ping" and self.fault != "no-ready":
                self.say(f"pong {words[1]}")
            elif word == "new":
                self.board, forced = chess.Board(), False
            elif word == "force":
                forced = True
            elif word == "setboard":
                self.board = chess.Board(" ".join(words[1:]))
            elif word in ("usermove", "go"):
                if word == "usermove":
                    self.board.push_uci(words[1])
                else:
                    forced = False
                if forced:
                    continue
                if self.fault == "claim" and self.searches:
                    self.say("1/2-1/2 {I say so}")
                    continue
                move = self.misbehave()
                if move:
                    self.say("1 10 0 1 e2e4", f"move {move}", *self.once_more(f"move {move}"))
                    self.board.push_uci(move) if move != "e2e5" else None
            elif word == "undo":
                self.board.pop()
            elif word == "quit":
                if self.fault == "hang-quit":
                    time.sleep(1000)
                return


if __name__ == "__main__":
    engine = Faulty(sys.argv[1])
    engine.xboard() if "xboard" in sys.argv else engine.uci()
