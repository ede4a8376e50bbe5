"""A chess engine that speaks as engines do which real GUIs get on with, or as no engine should.

``dialect_engine.py DIALECT [xboard]``; it plays the first legal move. It needs python-chess and
nothing of ours.
"""

from __future__ import annotations

import sys
import time

import chess


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def first_move(board: chess.Board) -> chess.Move:
    return min(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci()))


def uci(dialect: str) -> None:
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            if dialect == "blanks":
                say("option name" + 2000 * " " + "x", "option name " + 30_000 * "type ")
            if dialect == "options":
                say(*(f"option name A{number} type button" for number in range(11_000)))
            say("id name x", "uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "position":
            split = words.index("moves") if "moves" in words else len(words)
            board = chess.Board(" ".join(words[2:split]) or chess.STARTING_FEN)
            for move in words[split + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            if dialect == "again":
                say("uciok", "readyok")
            say(f"bestmove {first_move(board).uci()}")
        elif words[0] == "quit":
            return


class Xboard:
    """CECP: what is not known is complained of, as by Phalanx."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.board, self.forced = chess.Board(), False
        self.pings, self.moves = "0", 0

    def lines(self) -> None:
        held = ""
        for line in sys.stdin:
            if self.dialect == "gnu" and line.startswith("protover"):
                held = line  # GNU Chess may check a line when another one comes
                continue
            for received in (held, line):
                if received and not self.answer(received.split()):
                    return
            held = ""

    def answer(self, words: list[str]) -> bool:
        """Do what a line says; whether to go on."""
        word, dialect = words[0], self.dialect
        if word == "protover" and dialect != "first":
            self.introduce()
        elif word == "ping" and dialect != "first":
            self.pings = words[1]
            say(*[f"pong {self.pings}"] * (1 + (dialect == "gnu")))
        elif word == "new":
            self.board, self.forced = chess.Board(), False
        elif word == "force":
            self.forced = True
        elif word == "setboard":
            self.board = chess.Board(" ".join(words[1:]))
        elif word == "go":
            self.forced = False
            self.play()
        elif word[1:2].isdigit():
            if dialect == "refuses" and self.moves > 1:
                say(f"Illegal move: {word}")
                return True
            self.board.push_uci(word)
            if not self.forced:
                self.play()
        elif word == "quit":
            return False
        elif word not in ("xboard", "time", "otim"):
            say(f"Illegal move: {' '.join(words)}")
        return True

    def introduce(self) -> None:
        if self.dialect == "letters":
            say("feature " + 30_000 * "a", 'feature myname="' + 30_000 * "a")
        while self.dialect == "unfinished":
            say("feature done=0")
            time.sleep(0.05)
        if self.dialect == "options":
            say(*(f'feature option="A{number} -button"' for number in range(11_000)))
        say('feature ping=1 setboard=1 myname="x" done=1')

    def play(self) -> None:
        move, number = first_move(self.board), self.board.fullmove_number
        lines = {
            "gnu": [f"{number}. ... {move.uci()}", f"My move is : {move.uci()}"],
            "first": [f"My move is: {move.uci()}"],
            "san": [f"move {self.board.san(move)}"],
            "again": [f"pong {self.pings}", "feature done=1", f"move {move.uci()}"],
        }.get(self.dialect, [f"move {move.uci()}"])
        self.board.push(move)
        self.moves += 1
        if self.dialect == "resigns" and self.moves > 3:
            lines.append("resign")
        say("1 10 0 1 e2e4", *lines)


if __name__ == "__main__":
    if "xboard" in sys.argv:
        Xboard(sys.argv[1]).lines()
    else:
        uci(sys.argv[1])
