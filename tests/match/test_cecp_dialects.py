"""Engines that GUIs get on with lose no game by how they speak; others lose theirs, and no more."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.match.cecp_text import MoveReader, refuses
from tests.support.helpers import SUPPORT, command

SCRIPT = SUPPORT / "dialect_engine.py"
FAULTS = ("illegal move", "time forfeit", "crash", "stall", "false claim")
#: How games of a dialect are lost, "" if they are not, and the message.
DIALECTS = {
    ("plain", "uci"): ("", ""),
    ("plain", "xboard"): ("", ""),
    ("gnu", "xboard"): ("", ""),
    ("first", "xboard"): ("", ""),
    ("san", "xboard"): ("", ""),
    ("again", "xboard"): ("", ""),
    ("again", "uci"): ("", ""),
    ("letters", "xboard"): ("", ""),
    ("blanks", "uci"): ("", ""),
    ("resigns", "xboard"): ("resignation", ""),
    ("refuses", "xboard"): ("false claim", "it refuses a legal move: Illegal move: "),
    ("unfinished", "xboard"): ("stall", "did not start: no 'feature done=1' in 10 s"),
    ("options", "xboard"): ("crash", "did not start: more than 10000 options"),
    ("options", "uci"): ("crash", "did not start: more than 10000 options"),
}


@pytest.mark.slow
def test_dialects(tmp_path: Path) -> None:
    start = tmp_path / "start.epd"
    start.write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    words = ["match", "--variant", "chess", "--tournament", "gauntlet", "--rounds", "1", "--json"]
    words += ["--tc", "60+1", "--time-margin", "60000", "--start-timeout", "10"]
    words += ["--max-plies", "24", "--concurrency", "2", "--openings", str(start)]
    for name, proto in (("good", "uci"), *DIALECTS):
        cmd = f"'{sys.executable}' '{SCRIPT}' {name} {'xboard' if proto == 'xboard' else ''}"
        words += ["--engine", f"name={name} {proto}".strip(), f"cmd={cmd}", f"proto={proto}"]
    done = command(*words)
    assert "Traceback" not in done.stderr, done.stderr
    entries: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    games = [entry for entry in entries if entry["event"] == "game"]
    assert len(games) == 2 * len(DIALECTS)
    for game in games:
        other = game["black"] if game["white"] == "good uci" else game["white"]
        reason, detail = DIALECTS[tuple(other.split())]
        assert detail in game["detail"], game
        if reason:
            winner = "1-0" if game["white"] == "good uci" else "0-1"
            assert (game["reason"], game["result"]) == (reason, winner), game
        else:
            assert game["reason"] not in FAULTS, game


def test_a_move_of_two_legs_is_two_lines() -> None:
    reader = MoveReader()
    for _ in range(2):
        assert reader.read("move d1d4,") is None
        assert reader.read("4 20 1 100 d1d4,d4d6") is None
        assert reader.read("move d4d6") == "d1d4,d4d6"


def test_moves_in_every_form() -> None:
    for line, move in (
        ("move e2e4", "e2e4"),
        ("move  Nf3 (book)", "Nf3"),
        ("1. ... b1c3", "b1c3"),
        ("12. ... e7e8q", "e7e8q"),
        ("My move is: e2e4", "e2e4"),
        ("My move is : e2e4", "e2e4"),
        ("move", ""),
        ("1. b1c3", None),
        ("1. ... e5 2. Nf3", None),
        (" 9 156 1084 48000 1. ... e5", None),
        ("moves e2e4", None),
    ):
        assert MoveReader().read(line) == move, line
    for first, echo in (("1. ... e2e4", "My move is : e2e4"), ("My move is: e2e4", "move e2e4")):
        reader = MoveReader()
        assert [reader.read(line) for line in (first, echo, first)] == ["e2e4", None, "e2e4"]


def test_only_a_complaint_about_a_move_is_one() -> None:
    for line in (
        "Illegal move: e2e4",
        "illegal move (in check): E2E4",
        "Illegal move",
        "Illegal move.",
        "Illegal move {Repeats earlier position}",
    ):
        assert refuses(line, ["d7d5", "e2e4"])
        assert not refuses(line, [])
    for line in ("Illegal move: computer", "Illegal move: e7e5", "Error: e2e4", "# Illegal move"):
        assert not refuses(line, ["e2e4"])
    assert refuses("Illegal move: @@@@", ["pass"])
