"""Matches: our rules referee, and every fault of an engine is a lost game, not an end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ryugi_engine.files import writing
from ryugi_engine.games.game import AGREED_DRAW, resignation
from ryugi_engine.games.registry import registry
from ryugi_engine.match.engine import Answer
from ryugi_engine.match.game_files import GameFiles
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.referee import Adjudication
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.records.pgn import Record, format_record, parse_records, read_records
from tests.support.books import texts_in
from tests.support.helpers import ROOT, SUPPORT, alive, command, patient, read_to

ENGINE = f"'{sys.executable}' -m ryugi_engine"


@pytest.fixture
def start(tmp_path: Path) -> str:
    path = tmp_path / "start.epd"
    path.write_text("# only the start\n" + registry().game("ryugi").start + " ; comment\n")
    return str(path)


def _with_pid(folder: Path, command_line: str) -> str:
    """The command of an engine that notes its process first."""
    return f"sh -c 'echo $$ >> \"{folder}/pids\"; exec {command_line}'"


def _pids(folder: Path, count: int) -> list[int]:
    """The processes that have been noted, once there are so many."""
    path = folder / "pids"
    end = time.monotonic() + patient(60)
    while not path.exists() or len(path.read_text().split()) < count:
        assert time.monotonic() < end
        time.sleep(0.02)
    return [int(word) for word in path.read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_a_match_with_its_table(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    pgn = tmp_path / "games.pgn"
    engine = _with_pid(tmp_path, f"{sys.executable} -m ryugi_engine")
    words = ["match", "--variant", "gorogo", "--engine", engine, "--engine", engine, "--quiet"]
    words += ["--games", "1000", "--tc", "st=0.05", "--pgn-out", str(pgn)]
    with subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", *words, "--time-margin", "60000"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as match:  # fmt: skip
        assert match.stdout is not None
        message = read_to(match.stdout, "Game 2: ")
        match.send_signal(number)
        rest, errors = match.communicate(timeout=patient(60))
    assert (match.returncode, errors) == (code, "")
    played = len(re.findall(r"^Game \d", message + rest, re.MULTILINE))
    assert f"\nGames: {played}, Wins" in rest
    assert rest.endswith(f"Games written to {pgn}\n")
    assert len(parse_records(pgn.read_text())) == played
    assert not [pid for pid in _pids(tmp_path, 2) if alive(pid)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("moment", ["introduction", "search"])
def test_hung_engines_do_not_survive_a_signal(moment: str, tmp_path: Path) -> None:
    """While they are started too, and when more signals come while they are ended."""
    engine = _with_pid(tmp_path, "sleep 1000")
    if moment == "search":
        engine = _with_pid(tmp_path, f"{sys.executable} {SUPPORT / 'match_engine.py'} hang")
    words = [
        "match",
        "--variant",
        "chess",
        "--engine",
        engine,
        "--engine",
        engine,
        "--tc",
        "60",
        "--quiet",
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as match:  # fmt: skip
        assert match.stdout is not None
        pids = _pids(tmp_path, 1 if moment == "introduction" else 2)
        time.sleep(0.5)
        match.terminate()
        time.sleep(0.3)
        match.terminate()
        match.send_signal(signal.SIGINT)
        output, errors = match.communicate(timeout=300)
    assert (match.returncode, output, errors) == (143, "\nterminated\n", "")
    assert not [pid for pid in pids if alive(pid)]


def test_openings(tmp_path: Path) -> None:
    game = registry().game("ryugi")
    assert len(texts_in(game, None)) == 200
    path = tmp_path / "bad.epd"
    path.write_text("\n# a comment\nnonsense\n")
    with pytest.raises(ValueError, match=r"bad\.epd:3: board: 1 rank"):
        texts_in(game, path)
    path.write_text("k9/1Q8/2K7/10/10/10/10/10 b - - 0 1\n")
    with pytest.raises(ValueError, match="the game is over"):
        texts_in(game, path)
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match="no positions"):
        texts_in(game, path)


def test_games_wait_for_a_disk_that_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What could not be written is written later, in order, or shown at the end."""
    path = tmp_path / "games.pgn"
    played = [
        FinishedGame(
            n, 1, 1, "a", "b", "1-0", "", "", 0, 0.0, format_record(Record({"Round": str(n)}))
        )
        for n in range(1, 5)
    ]
    append_to = writing.append_to

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    journal = Journal(tmp_path / "games.journal", new=True)
    books = GameFiles(path, journal)
    books.begin({"seed": 1})
    books.add(played[0])
    monkeypatch.setattr(writing, "append_to", full)
    books.add(played[1])
    books.add(played[2])
    message = "games.journal: No space left on device: 2 games are not written yet\n"
    assert capsys.readouterr().err.endswith(message)
    monkeypatch.setattr(writing, "append_to", append_to)
    books.add(played[3])
    assert [record.tags["Round"] for record in parse_records(path.read_text())] == list("1234")
    saved = journal.read()
    assert (saved.games, saved.plan) == (played, {"seed": 1})
    monkeypatch.setattr(writing, "append_to", full)
    books.add(played[0])
    books.close()
    assert '[Round "1"]' in capsys.readouterr().out
    journal.close()


def test_adjudication() -> None:
    """A side far below zero for this many moves resigns; two sides about even agree."""

    def said(*scores: int | None) -> list[tuple[int, Answer]]:
        return [(i % 2, Answer("a", 0.1, "", 1, score)) for i, score in enumerate(scores)]

    ryugi, gorogo = registry().game("ryugi"), registry().game("gorogo")
    plan = Adjudication(2, 500, 2, 10)
    assert plan.outcome(ryugi, said(0, 0, 0)) is None
    assert plan.outcome(ryugi, said(5, -5, 0, 10)) == AGREED_DRAW
    assert plan.outcome(ryugi, said(5, -5, 0, 11)) is None
    assert plan.outcome(ryugi, said(5, -5, 0, None)) is None
    assert plan.outcome(gorogo, said(5, -5, 0, 10)) is None  # a game without draws
    assert plan.outcome(ryugi, said(600, -600, 700, -500)) == resignation(1)
    assert plan.outcome(ryugi, said(-600, 600, -700)) == resignation(0)
    assert plan.outcome(ryugi, said(-600, 600, -499)) is None
    assert Adjudication().outcome(ryugi, said(-9000, 9000, -9000, 9000)) is None
    assert resignation(0).result == "0-1"


@pytest.mark.slow
def test_time_a_move_and_adjudication_from_the_command_line(tmp_path: Path) -> None:
    words = ["match", "--variant", "chess", "--engine", ENGINE, "--engine", ENGINE, "--quiet"]
    limits = ("--games", "1", "--tc", "depth=6")  # no time, in which a busy machine finds little
    won = tmp_path / "won.epd"
    won.write_text("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1\n")
    done = command(*words, *limits, "--openings", str(won), "--resign", "1:900")
    assert "1-0 (resignation)" in done.stdout
    # played to its end, it is reported as a win by the number of moves, in the record's notation
    pgn = tmp_path / "games.pgn"
    done = command(*words, *limits, "--openings", str(won), "--pgn-out", str(pgn))
    assert "1-0 (checkmate)" in done.stdout
    (record,) = read_records(pgn)
    scores = [step.comment.partition("/")[0] for step in record.steps]
    assert all(re.fullmatch(r"[+-](M\d+|\d+\.\d\d)", score) for score in scores)
    assert (scores[-1], scores[-2]) == ("+M1", "-M1")
