"""A UCI chess engine for the tests of ``match --check``: it behaves correctly except for one fault.

``compliance_engine.py FAULT``: the fault's name in the tests, or ``none``. It needs
python-chess and nothing of ours.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time

import chess


class Uci:
    """Lines in and out, a board, and a search that knows mates in one."""

    searching = False
    multipv = 1
    go: tuple[str, ...] = ()

    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.board = chess.Board()
        self.inbox: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self.inbox.put(line)
        if self.fault != "deaf-to-end":
            self.inbox.put(None)

    def say(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def moves(self) -> list[chess.Move]:
        """The legal moves, a mate first."""
        return sorted(self.board.legal_moves, key=lambda m: (not self.mate(m), m.uci()))

    def mate(self, move: chess.Move) -> bool:
        self.board.push(move)
        result = self.board.is_checkmate()
        self.board.pop()
        return result

    def lines(self) -> None:
        while (line := self.inbox.get()) is not None:
            words = line.split()
            if words and self.answer(words) == "quit":
                if self.fault == "deaf-to-quit":
                    time.sleep(1000)
                break
        os._exit(0)

    def answer(self, words: list[str]) -> str:
        word, fault = words[0], self.fault
        if word == "uci":
            if fault != "no-author":
                self.say("id author nobody")
            self.say("id name check")
            self.say("option name Hash type spin default 16 min 1 max 1024")
            self.say(f"option name MultiPV type spin default 1 min 1 max {5 * (fault != 'spin')}")
            self.say("option name Ponder type check default false", "uciok")
        elif word == "isready":
            if not (fault == "busy" and self.searching):
                self.say("readyok")
        elif word == "setoption" and words[2] == "MultiPV":
            self.multipv = int(words[4])
        elif word == "position":
            self.board = chess.Board()
            split = words.index("moves") if "moves" in words else len(words)
            if words[1] == "fen":
                self.board = chess.Board(" ".join(words[2:split]))
            for move in words[split + 1 :] if fault != "no-moves" else []:
                self.board.push_uci(move)
        elif word == "go":
            self.go = tuple(words[1:])
            self.searching = "infinite" in words or "ponder" in words
            if fault == "early" and "infinite" in words:
                self.searching = False
            if fault == "impatient" and "ponder" in words:
                self.searching = False
            if not self.searching:
                self.finish()
        elif word in ("stop", "ponderhit"):
            if self.searching:
                if fault == "slow-stop" and word == "stop":
                    time.sleep(4)
                self.searching = False
                self.finish()
            elif fault == "stray" and word == "stop":
                self.say("bestmove e2e4")
        elif word == "xyzzy" and fault == "dies-of-words":
            os._exit(1)
        return word

    def finish(self) -> None:
        fault, moves = self.fault, self.moves()
        if not moves:
            self.say(f"info depth 0 score {'mate 0' if self.board.is_check() else 'cp 0'}")
            self.say("bestmove " + ("e2e4" if fault == "plays-on" else "(none)"))
            return
        if "searchmoves" in self.go and fault != "any-move":
            wanted = self.go[self.go.index("searchmoves") + 1 :]
            moves = [move for move in moves if move.uci() in wanted]
        if "movetime" in self.go and fault == "late":
            time.sleep(4)
        if "movestogo" in self.go and fault == "flag":
            time.sleep(5)
        depth = 1
        if "depth" in self.go:
            depth = int(self.go[self.go.index("depth") + 1])
        if fault == "deeper":
            depth += 1
        if fault == "blind" and self.mate(moves[0]):
            moves = moves[1:]
        for rank, move in enumerate(moves[: self.multipv], start=1):
            score = "mate 1" if self.mate(move) and fault != "no-mate" else "cp 10"
            shown = f" multipv {rank}" if self.multipv > 1 else ""
            pv = moves[0 if fault == "same-lines" else rank - 1].uci()
            if fault == "pv":
                pv += " a1a1"
            if fault == "other-pv" and len(moves) > 1 and self.multipv == 1:
                pv = moves[1].uci()
            odd = fault == "hashfull" and self.multipv == 1 and "mate" not in score
            full = 1001 if odd else 5
            tail = f"nodes 7 time 0 nps 7000 hashfull {full} pv {pv}"
            if fault == "no-score" and not self.mate(moves[0]):
                self.say(f"info depth {depth}{shown} {tail}")
            else:
                self.say(f"info depth {depth}{shown} score {score} {tail}")
        if fault == "word":
            self.say("info depth 1 nodez 5")
        best = moves[0].uci()
        self.say("bestmove " + (best.upper() if fault == "capitals" else best))
        if fault == "twice":
            self.say(f"bestmove {best}")


if __name__ == "__main__":
    Uci(sys.argv[1]).lines()
