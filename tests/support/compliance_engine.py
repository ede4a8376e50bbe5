"""A chess engine for the tests of ``match --check``: it behaves correctly except for one fault.

``compliance_engine.py FAULT [xboard]``: the fault's name in the tests, or ``none``. It needs
python-chess and nothing of ours.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time

import chess


class Correct:
    """Lines in and out, a board, and a search that knows mates in one."""

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

        def mates(move: chess.Move) -> bool:
            self.board.push(move)
            result = self.board.is_checkmate()
            self.board.pop()
            return result

        return sorted(self.board.legal_moves, key=lambda m: (not mates(m), m.uci()))

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
        raise NotImplementedError


class Uci(Correct):
    searching = False
    multipv = 1
    go: tuple[str, ...] = ()

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


class Xboard(Correct):
    forced, post, thinking, analyzing, slow, steps = True, False, False, False, False, 9
    level = False
    held: tuple[str, ...] = ()

    def answer(self, words: list[str]) -> str:
        word, fault, rest = words[0], self.fault, words[1:]
        if word == "protover":
            bad = 'option="Depth -spin 9 1 5"' if fault == "spin" else ""
            ping = "2" if fault == "feature" else "1"
            self.say(f"feature ping={ping} setboard=1 usermove=1 time=1 sigint=0 analyze=1")
            self.say('feature variants="normal" myname="check"', f"feature {bad} done=1")
        elif word == "ping":
            if self.thinking and fault == "early-pong":
                self.say(f"pong {rest[0]}")
                time.sleep(0.2)
                self.finish()
            elif self.thinking:
                self.held += (rest[0],)
            elif fault != "pong" or rest[0] != "3":
                self.say(f"pong {rest[0]}")
        elif word in ("new", "setboard"):
            self.thinking = False
            with contextlib.suppress(ValueError):
                self.board = chess.Board(" ".join(rest)) if rest else chess.Board()
            self.steps = 9 if word == "new" else self.steps
            self.forced = self.forced and word == "setboard"
        elif word == "force":
            if self.thinking and fault == "force":
                self.finish()
            self.thinking, self.forced = False, True
        elif word == "result":
            self.thinking, self.forced = False, True
        elif word in ("post", "nopost"):
            self.post = word == "post" or fault == "nopost"
        elif word == "sd" and rest:
            self.steps = int(rest[0]) + (fault == "deeper")
        elif word in ("st", "level"):
            self.slow = rest[1:2] == ["60"] or (rest == ["3"] and fault == "early-pong")
            self.level = word == "level"
        elif word == "usermove":
            self.user_move(rest[0])
        elif word == "undo" and fault != "undo":
            self.board.pop()
            self.think()
        elif word == "remove":
            self.board.pop()
            self.board.pop()
        elif word == "go":
            self.forced = False
            self.play()
        elif word == "?":
            if self.thinking and fault != "deaf-to-?":
                self.finish()
        elif word == "analyze":
            self.analyzing = True
            self.think()
        elif word == "exit":
            self.analyzing = False
        elif word == "xyzzy" and fault == "dies-of-words":
            os._exit(1)
        return word

    def user_move(self, text: str) -> None:
        move = chess.Move.null()
        with contextlib.suppress(ValueError):
            move = chess.Move.from_uci(text)
        if move not in self.board.legal_moves:
            if self.fault == "anything":
                return
            self.say(f"Illegal move: {text}")
            return
        self.board.push(move)
        self.think()
        if not self.forced and not self.analyzing:
            self.play()

    def think(self) -> None:
        """What it thinks while it analyzes."""
        if self.analyzing and self.fault != "silent":
            self.report(self.moves())

    def report(self, moves: list[chess.Move]) -> None:
        if self.post and moves:
            score = "100001" if self.mate(moves[0]) and self.fault != "mate-score" else "10"
            nodes = "many" if self.fault == "thought" else "7"
            pv = " a1a2" if self.fault == "pv" else ""
            self.say(
                f"{2 if self.steps > 8 else self.steps} {score} 0 {nodes} {moves[0].uci()}{pv}"
            )

    def play(self) -> None:
        self.thinking = True
        if not self.slow:
            self.finish()

    def finish(self) -> None:
        self.thinking = False
        moves = self.moves()
        if moves:
            if self.fault == "late" and self.level and not self.slow:
                time.sleep(6)
            if self.fault == "blind" and self.mate(moves[0]):
                moves = moves[1:]
            self.report(moves)
            self.say("move " + ("a1a1" if self.fault == "illegal" else moves[0].uci()))
            if self.fault == "twice":
                self.say(f"move {moves[0].uci()}")
            self.board.push(moves[0])
            if self.board.is_checkmate() and self.fault != "no-result":
                self.say(f"{self.board.result()} {{mate}}")
        for number in self.held:
            self.say(f"pong {number}")
        self.held = ()


if __name__ == "__main__":
    (Xboard if "xboard" in sys.argv else Uci)(sys.argv[1]).lines()
