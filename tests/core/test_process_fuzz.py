"""The real process under ends of every kind at any moment.

A few here; by hand RYUGI_FUZZ_STARTS=300 is that many starts. ``-s`` shows the figures.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, patient

#: Starts that are ended.
STARTS = int(os.environ.get("RYUGI_FUZZ_STARTS", effort(4, 24)))
#: Seconds in which a process has to end.
ANSWER = 5.0


#: "gone": without a word. Either way nobody reads the answers, else all lines would have theirs.
_ENDS = ("quit", "gone", "TERM", "INT", "KILL")
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
    assert process.stdout is not None
    if way == "quit":
        process.stdin.write(b"quit\n")
        process.stdin.flush()
        process.stdout.close()
    elif way == "gone":
        process.stdin.close()
        process.stdout.close()
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
        stdout=subprocess.PIPE,
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
        expected = {"quit": (0,), "gone": (0,), "TERM": (-15,), "KILL": (-9,), "INT": (130, -2, 1)}
        assert code in expected[way], (way, speech, code, errors)
    finally:
        for pipe in (process.stdin, process.stdout, process.stderr):
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
