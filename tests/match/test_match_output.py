"""What a match prints while it runs."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys

import pytest

from tests.support.helpers import ROOT, SUPPORT, command, patient

ENGINE = shlex.join([sys.executable, str(SUPPORT / "match_engine.py"), "none"])
MATCH = ["match", "--variant", "chess", "--openings", "start"]
MATCH += ["--tc", "1+0.1", "--time-margin", "60000", "--max-plies", "4"]


def engines(number: int) -> list[str]:
    """Arguments for so many engines."""
    return [word for at in range(number) for word in ("--engine", f"name=e{at}", f"cmd={ENGINE}")]


@pytest.mark.parametrize(
    ("number", "options", "left"),
    [
        (2, ["--rating-interval", "2"], [4, 2]),
        (2, ["--rating-interval", "4", "--sprt", "elo0=0", "elo1=5"], [2]),
        (3, ["--rating-interval", "3"], [3]),
        (2, [], []),
        (2, ["--rating-interval", "0"], []),
        (2, ["--rating-interval", "1", "--quiet"], []),
        (2, ["--rating-interval", "1", "--json"], []),
    ],
)
def test_reports(number: int, options: list[str], left: list[int]) -> None:
    """Every so many games, not after the last one; lines of moves are not in the way."""
    done = command(*MATCH, *engines(number), "--games", "6", "--concurrency", "2", *options)
    assert done.returncode == (3 if "--sprt" in options else 0), done.stderr
    lines = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    begin = "  Rank  Name  " if number == 3 else "  Elo: "
    assert sum(line.startswith(begin) for line in lines) == len(left)
    assert sum(line.startswith("  LLR: ") for line in lines) == len(left) * ("--sprt" in options)
    assert [int(n) for n in re.findall(r"^  (\d+) games left, about \d", done.stdout, 8)] == left


def test_moves_on_a_terminal() -> None:
    """Each move is written over the one before, and a game's line over its last move."""
    handle, theirs = pty.openpty()
    words = [*MATCH, *engines(2), "--games", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "ryugi_engine", *words],
        cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, check=True, timeout=patient(120),
    )  # fmt: skip
    os.close(theirs)
    shown = os.read(handle, 1 << 16).decode()
    os.close(handle)
    assert done.returncode == 0
    assert len(re.findall(r"\r  ply +[1-4]  \w+ +\w+ .*?\x1b\[K", shown)) == 8
    assert len(re.findall(r"\r\x1b\[KGame [12]: 1/2-1/2 \(", shown)) == 2
