"""The real process under floods of lines, and under ends of every kind at any moment.

A few here; by hand RYUGI_FUZZ_LINES=100000 holds that many lines in each protocol, over all games,
and RYUGI_FUZZ_STARTS=300 that many starts. ``-s`` shows the figures.
"""

from __future__ import annotations

import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import GAMES
from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, patient, walked
from xboard.features import cecp_name

#: Lines of each protocol, and starts that are ended.
LINES = int(os.environ.get("RYUGI_FUZZ_LINES", effort(150, 3000)))
STARTS = int(os.environ.get("RYUGI_FUZZ_STARTS", effort(4, 24)))
#: Seconds in which a block of lines has to be answered.
ANSWER = 5.0
_BLOCK = 12

_WORDS = """
    position startpos fen moves go perft depth nodes movetime wtime btime winc binc movestogo mate
    infinite ponder searchmoves setoption name value MultiPV UCI_Variant Ponder true false ryugi
    usermove setboard variant level st sd time otim option exclude include undo remove hint bk draw
    result accepted rejected analyze exit force playother hard easy post nopost name rating edit #
    . ? 1 0 -1 2 40 0:30 5:00 1.5 99999999999999999999 1e400 nan inf 1_000 \u0661 e3e5 e2e4 a7a8q
    a9a9 S@c3 P0@m1 P7@av1+ @@@@ 0000 pass (none) all w b - KQkq 8/8/8/8/8/8/8/8 5/5/5/5/5[Ss] é =
    == [ ] * 1-0 {x} <empty> sigint nps ping isready stop ponderhit d eval ucinewgame compiler new
    go
"""
_NOISE = _WORDS.split()


def _noise(source: random.Random) -> str:
    kind = source.randrange(12)
    if kind == 0:
        return "".join(chr(source.choice((source.randrange(33, 127), 0x2603))) for _ in range(40))
    if kind == 1:
        return source.choice(_NOISE) + " " + "x" * source.randrange(5000)
    return " ".join(source.choices(_NOISE, k=source.randrange(1, 8)))


def _harmless(line: str) -> bool:
    """Not the end, another protocol, a file, much memory, or SIGINT refused for good."""
    words = line.lower().split()
    if not words or words[0] in ("quit", "uci", "xboard", "protover", "isready", "ping", "memory"):
        return False
    return not {"debug", "variantpath", "hash", "threads", "cores", "sigint"} & set(words)


class _Flood:
    """Lines to an engine in blocks, each of which ends with a question."""

    def __init__(self, protocol: str, source: random.Random) -> None:
        self.protocol, self.source = protocol, source
        self.engine = EngineUnderTest(protocol)
        self.engine.send("uci" if protocol == "uci" else "protover 2")
        self.engine.wait("uciok" if protocol == "uci" else "feature done=1")
        self.game: Game = registry().game("ryugi")
        self.sent: list[str] = []
        self.slowest, self.lines = 0.0, 0
        self.asked = 0

    def begin(self, name: str) -> None:
        """Another game, its kernels loaded."""
        self.game = registry().game(name)
        if self.protocol == "uci":
            self.engine.send(f"setoption name UCI_Variant value {name}")
            # now, however long it takes: the kernels, and perft's
            self.engine.send("position startpos", "perft 2")
            self.engine.wait("Nodes searched", 300)
        else:
            self.engine.send("new", f"variant {cecp_name(self.game)}", "force", "st 1", "ping 0")
            self.engine.wait("pong 0", 300)

    def _moves(self) -> list[str]:
        position = walked(self.game, self.source, plies=10)
        return position.moves

    def _uci(self) -> list[str]:
        position = " ".join(["position startpos moves", *self._moves()])
        limit = ["infinite", "depth 9", "nodes 900", "movetime 300", "ponder wtime 900 btime 900"]
        limit += ["perft 9", "wtime 100 btime 100", "mate 4"]
        goes = [f"go {self.source.choice(limit)}", self.source.choice(("bench", "perft 7", "go"))]
        ends = ["stop", "ponderhit", "ucinewgame", "eval", "d", "setoption name Clear Hash"]
        return [position, *self.source.choices(goes + ends, k=3)]

    def _cecp(self) -> list[str]:
        text = Position(self.game).text()
        moves = [f"usermove {move}" for move in self._moves()]
        words = ["go", "analyze", "exit", "force", "?", ".", "hint", "undo", "remove", "draw"]
        words += ["hard", "easy", "post", "pause"]
        words += ["sd 3", "st 1", "level 0 1 0", "resume", "playother"]
        words += ["computer", f"setboard {text}", "exclude all", "include all", "result *"]
        return self.source.choices(moves + words, k=4) if self.source.random() < 0.7 else moves

    def block(self) -> None:
        """A dozen lines, mostly of sense, and an answer in time."""
        lines: list[str] = []
        while len(lines) < _BLOCK:
            lines += self._uci() if self.protocol == "uci" else self._cecp()
            noise = [_noise(self.source) for _ in range(self.source.randrange(4))]
            lines += [line for line in noise if _harmless(line)]
        if self.source.random() < 0.3:
            self.source.shuffle(lines)
        self.asked += 1
        if self.protocol == "uci":
            question, answer = "isready", "readyok"
        else:
            # a ping waits for the move; what is being thought about is wanted now
            lines += ["?", "exit", "force"]
            question, answer = f"ping {self.asked + 9}", f"pong {self.asked + 9}"
        self.sent = lines
        self.engine.log.clear()
        began = time.monotonic()
        self.engine.send(*lines, question)
        while self.engine.wait(answer, 12 * ANSWER) != answer:
            pass  # noise may have asked too
        took = time.monotonic() - began
        assert took < patient(ANSWER), f"{took:.1f} s"
        self.slowest = max(self.slowest, took)
        self.lines += len(lines) + 1
        text = "\n".join(self.engine.log)
        for word in ("Traceback", "Error('", 'Error("', "search failed", "Fatal"):
            assert word not in text, (lines, text[-2000:])
        # noise may have chosen another game, or a million best lines
        restore = "setoption name MultiPV value 1" if self.protocol == "uci" else "option MultiPV=1"
        self.engine.send("stop" if self.protocol == "uci" else "force", restore)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_floods_are_answered(protocol: str, source: random.Random) -> None:
    flood = _Flood(protocol, source)
    times: list[float] = []
    try:
        names = list(GAMES)
        while flood.lines < LINES:
            source.shuffle(names)
            for name in names:
                flood.begin(name)
                flood.slowest = 0.0
                target = flood.lines + max(LINES // (4 * len(names)), _BLOCK)
                while flood.lines < target:
                    try:
                        flood.block()
                    except (AssertionError, queue.Empty, BrokenPipeError) as error:
                        raise AssertionError((name, flood.sent, error)) from None
                    times.append(flood.slowest)
        assert flood.engine.quit(ANSWER) == ""
    finally:
        flood.engine.process.kill()
        flood.engine.process.wait()
        flood.engine.close()
    print(f"{protocol}: {flood.lines} lines, the slowest block took {max(times):.2f} s")


# ---- ends at any moment --------------------------------------------------------------------------

_ENDS = ("quit", "end", "TERM", "INT", "KILL")
_SPEECHES = (
    [],
    ["uci", "isready"],
    ["uci", "isready", "position startpos", "go infinite"],
    ["uci", "position startpos", "go perft 8"],
    ["uci", "bench"],
    ["xboard", "protover 2", "new", "st 20", "go"],
    ["xboard", "protover 2", "new", "force", "analyze"],
)


def _below(group: int) -> list[str]:
    """The processes of a group, as their command lines."""
    results = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getpgid(int(entry.name)) == group:
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state != "Z":
                    results.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except (OSError, ProcessLookupError):
            continue  # it has just gone
    return results


def _end(process: subprocess.Popen[bytes], way: str) -> None:
    assert process.stdin is not None
    if way == "quit":
        process.stdin.write(b"quit\n")
        process.stdin.flush()
    elif way == "end":
        process.stdin.close()
    else:
        process.send_signal(getattr(signal, f"SIG{way}"))


def _start_and_end(source: random.Random, env: dict[str, str], longest: float) -> tuple[str, int]:
    """Begin a conversation and end it at any moment; returns the way and the exit code."""
    way, speech = source.choice(_ENDS), source.choice(_SPEECHES)
    process = subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine"],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in speech).encode())
        process.stdin.flush()
        # before its first tenths of a second a Python interpreter is only beginning
        time.sleep(0.3 + longest * source.random() ** 2)
        _end(process, way)
        code = process.wait(patient(ANSWER))
        end = time.monotonic() + patient(ANSWER)
        while (left := _below(process.pid)) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left, (way, speech, left)
        assert process.stderr is not None
        errors = process.stderr.read().decode()
        assert "Fatal" not in errors
        # Python that is still beginning has words of its own for SIGINT
        assert way == "INT" or errors == "", (way, speech, errors)
        expected = {"quit": (0,), "end": (0,), "TERM": (-15,), "KILL": (-9,), "INT": (130, -2, 1)}
        assert code in expected[way], (way, speech, code, errors)
    finally:
        for pipe in (process.stdin, process.stderr):
            assert pipe is not None
            pipe.close()
        if process.poll() is None:
            process.kill()
            process.wait()
    return way, code


@pytest.mark.more
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes cannot be listed")
def test_ends_at_any_moment_leave_nothing(tmp_path: Path, source: random.Random) -> None:
    """Half of them while compiling: into an empty folder, or one that the ends before have left."""
    ways: Counter[str] = Counter()
    cold = tmp_path / "cache"
    for number in range(STARTS):
        compiling = number % 2 == 0
        if number % 20 == 0:
            shutil.rmtree(cold, ignore_errors=True)
        more = {"RYUGI_CACHE_DIR": str(cold)} if compiling else {}
        way, _code = _start_and_end(source, {**os.environ, **more}, 8.0 if compiling else 2.5)
        ways[way] += 1
    print(f"{STARTS} ends: {dict(ways)}")
    # and what they have left does for the next start
    for more in ({"RYUGI_CACHE_DIR": str(cold)}, {}):
        engine = EngineUnderTest(env={**os.environ, **more})
        # the game that is compiled in the shortest time
        engine.send("setoption name UCI_Variant value gorogo", "position startpos", "isready")
        engine.wait("readyok", 120)
        engine.send("go depth 3")
        engine.wait("bestmove", 180)
        assert not [line for line in engine.log if "error" in line], engine.log
        if more:
            assert [line for line in engine.log if "compiling gorogo: " in line], engine.log
        assert engine.quit(ANSWER) == ""
