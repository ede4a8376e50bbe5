"""Games written in one file: published counts, the check, both protocols, and matches."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, command, completed

GAMES = ROOT / "tests" / "support" / "games"
NAMES = sorted(path.parent.name for path in GAMES.glob("*/__init__.py"))
ENVIRONMENT = {**os.environ, "RYUGI_GAMES": str(GAMES)}


def test_the_games_are_there() -> None:
    assert NAMES == ["amazons", "ataxx", "breakthrough", "hex"]


def test_perft_agrees_with_published_counts_and_the_check_finds_no_fault() -> None:
    """In one process: at each start the games of RYUGI_GAMES are imported by others first."""
    lines = [["check", "--game", name, "--positions", "100"] for name in NAMES]
    for name in NAMES:
        suite = str(GAMES / name / "perft" / f"{name}.epd")
        lines.append(["perft", "--variant", name, "--suite", suite])
    code = f"from ryugi_engine.commands.cli import main\nassert not any(map(main, {lines!r}))"
    done = completed([sys.executable, "-c", code], env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" agree") == done.stdout.count("no faults in") == len(NAMES)


def _line_of(name: str) -> tuple[str, str]:
    """Two plies of a game, the first with a spelling of its own."""
    return {
        "amazons": ("d1d4/d6", "a4a1,a1d1"),
        "ataxx": ("p@f1", "P@f7"),
        "breakthrough": ("A2A3", "h7g6"),
        "hex": ("s@f6", "S@k11"),
    }[name]


def test_they_are_played_over_uci() -> None:
    engine = EngineUnderTest("uci", env=ENVIRONMENT).ready()
    for name in NAMES:
        first, second = _line_of(name)
        engine.send(f"setoption name UCI_Variant value {name}", "isready")
        engine.wait("readyok")
        engine.send(f"position startpos moves {first} {second}", "go depth 2")
        best = engine.wait("bestmove").split()[1]
        engine.send(f"position startpos moves {first} {second} {best}", "go depth 1")
        assert engine.wait("bestmove").split()[1] != best
    assert not any("error" in line for line in engine.log)
    assert engine.quit() == ""


def test_they_are_played_over_cecp() -> None:
    engine = EngineUnderTest("xboard", env=ENVIRONMENT)
    engine.send("protover 2")
    engine.wait("feature done=1")
    for name in NAMES:
        first, _ = _line_of(name)
        engine.send("new", f"variant {name}", "sd 2", f"usermove {first}")
        assert engine.wait("move ").startswith("move ")
        engine.send("usermove z9z9")
        assert "z9z9" in engine.wait("Illegal move")
    assert engine.quit() == ""


def test_hands_are_shown(tmp_path: Path) -> None:
    """In the terminal by ``show`` and ``play``, in pictures and on pages; where there are any."""
    picture, record, page = tmp_path / "p.svg", tmp_path / "r.pgn", tmp_path / "r.html"
    done = command(
        *("show", "--variant", "hex", "--moves", "S@f6", "--svg", str(picture)), env=ENVIRONMENT
    )
    assert "\nIn hand: White 60S, Black 61s\n" in done.stdout, done.stderr
    assert [f">{count}</text>" in picture.read_text() for count in (60, 61)] == [True, True]
    words = ("play", "--variant", "hex", "--save", str(record))
    done = command(*words, env=ENVIRONMENT, input="quit\n")
    assert "\nIn hand: White 61S, Black 61s\n" in done.stdout, done.stderr
    for words in (("add", str(record), "S@f6"), ("replay", str(record), "--html", str(page))):
        done = command("record", *words, env=ENVIRONMENT)
        assert done.returncode == 0, done.stderr
    assert ">60</text>" in page.read_text().replace("\\u003c", "<")
    done = command("show", "--variant", "amazons", env=ENVIRONMENT)
    assert "In hand" not in done.stdout


def test_who_plays_black_goes_on_with_exchanged_colours() -> None:
    """XBoard makes its user White after every correction of the board."""
    engine = EngineUnderTest("xboard", env=ENVIRONMENT)
    engine.send("protover 2")
    engine.wait("feature done=1")
    engine.send("new", "variant amazons", "sd 1", "ping 1")
    engine.wait("pong 1")
    engine.send("go")
    board = engine.wait("setboard ").split()
    assert board[1].count("q") == board[1].count("Q") == 2
    assert board[2] == "w"
    engine.send("ping 2", "lift a4")
    assert "C" in engine.wait("highlight ").split()[1]
    engine.send("lift", "lift ,", "lift (", "lift z9")
    assert engine.wait("highlight ") == engine.wait("highlight ") == "highlight 6/6/6/6/6/6"
    # what it shows may come back: neutral pieces are those of a side there
    engine.send("force", " ".join(board), "go")
    assert engine.wait("move ").startswith("move ")
    assert not any("rror" in line for line in engine.log)
    assert engine.quit() == ""


def test_play_asks_for_the_legs_of_a_move() -> None:
    done = command(
        *("play", "--variant", "amazons", "--tc", "st=0.02"),
        env=ENVIRONMENT,
        input="d1\nd4\nd1\nf3\nz9\na6\nquit\n",
    )
    assert "d1, then a1, b1, b3, c1, c2, d2, d3, d4, d5, d6, e1, e2, f1? " in done.stdout
    assert re.search("d1d4, then .*d1, .*d6.*? ", done.stdout)
    assert "You play d1d4,d4d1" in done.stdout  # the arrow may go where the queen was
    assert done.stdout.count("No move was made") == 1
    assert "'a6' is no legal move" in done.stdout


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("name", effort(["amazons", "ataxx"], NAMES))
def test_games_over_both_protocols(name: str, tmp_path: Path) -> None:
    record = tmp_path / "games.pgn"
    engines = (f"cmd={ROOT}/scripts/engine {words}" for words in ("uci", "xboard"))
    done = command(
        *("match", "--variant", name, "--games", "2", "--tc", "st=0.02", "--quiet"),
        *("--time-margin", "60000", "--pgn-out", str(record)),
        *("--engine", next(engines), "proto=uci", "--engine", next(engines), "proto=cecp"),
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "illegal move 0, time forfeit 0, crash 0, stall 0, false claim 0" in done.stdout
    assert record.read_text().count("[Result ") == 2
