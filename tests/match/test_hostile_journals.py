"""Journals that somebody has spoilt: one line says so."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.commands.cli import main
from ryugi_engine.games.registry import registry
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.openings import read_openings
from ryugi_engine.match.plan import MatchPlan
from ryugi_engine.match.spec import read_engines
from ryugi_engine.match.sprt import Sprt
from tests.match.test_schedule import game as played
from tests.support.helpers import ROOT, read_journal


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The lines of a journal with two of four games."""
    monkeypatch.chdir(tmp_path)
    engines = read_engines([["name=a", "cmd=x", "option.b=c"], ["name=b", "cmd=y", "tc=1+1"]])
    plan = MatchPlan(
        registry().game("chess"),
        engines,
        TimeControl(1.0, 0.0),
        read_openings(registry().game("chess"), "start"),
        games=4,
        test=Sprt(),
        names=["a", "b"],
        pgn_out=tmp_path / "pgn",
        journal=tmp_path / "j",
    )
    with contextlib.closing(Journal(tmp_path / "j", new=True)) as journal:
        journal.begin(plan.to_json())
        for number in (1, 2):
            journal.add(played(number), 10 * number)
    return (tmp_path / "j").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b'"games":4', b'"games":1' + b"0" * 400, "j: games: '1000000000000000000000000000000"),
        (b'"repeat":2', b'"repeat":0', "j: repeat: '0' is not a number from 1 to 1000"),
        (b'"name":"a"', b'"name":"\\ud800"', "j:1: no journal of a match: this is no UTF-8 text"),
        (b'"name":"a"', b'"name":"\xed\xa0\x80"', "j:1: no journal of a match: this is no UTF-8"),
        (b'"kind":"roundrobin"', b'"kind":"x"', "j: kind: 'x' is none of roundrobin, gauntlet"),
        (b'"names":["a","b"]', b'"names":["a","a"]', "do not have 2 different names"),
        (b'"number":2', b'"number":5', "j: game 5 is none of this match"),
        (b'"white":"a"', b'"white":"c"', "j: game 1 is none of this match"),
        (b'"result":"1-0"', b'"result":"*"', "j:2: no journal of a match: game: result: '*' is"),
        (b'"game":"chess"', b'"game":"none"', "j: unknown"),
        (b'"format":1', b'"format":2', "j:1: no journal of a match: format 2 is not 1"),
    ],
)
def test_what_is_told(
    old: bytes, new: bytes, told: str, lines: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    whole = b"".join(lines)
    assert old in whole
    Path("j").write_bytes(whole.replace(old, new))
    assert main(["match", "--resume", "j", "--quiet"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


@pytest.mark.parametrize("held", [b"", b'{"match":{"kind":"round'])
def test_a_match_that_was_not_begun(
    held: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed before its first line was whole: the same arguments begin it, and a line says so."""
    monkeypatch.chdir(tmp_path)
    Path("j").write_bytes(held)
    assert main(["match", "--resume", "j", "--quiet"]) == 2
    told = "j: no match in the journal: with its --engine options it begins anew"
    assert capsys.readouterr().err == f"ryugi-engine: {told}\n"
    engine = f"cmd='{sys.executable}' '{ROOT}/tests/support/compliance_engine.py' none"
    words = ["match", "--resume", "j", "--quiet", "--variant", "chess", "--tc", "st=1"]
    words += ["--engine", engine, "name=a", "--engine", engine, "name=b"]
    words += ["--games", "1", "--max-plies", "4", "--time-margin", "60000"]
    assert main(words) == 0
    assert "j: no match in the journal: it begins anew" in capsys.readouterr().err
    assert len(read_journal(Path("j")).games) == 1


def test_brackets_and_lines_without_end(tmp_path: Path) -> None:
    """In little memory, for any size of the file."""
    path = tmp_path / "j"
    limit = 3 << 30

    def ended() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ryugi_engine", "match", "--resume", str(path)],
            cwd=ROOT, capture_output=True, text=True, timeout=120,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )  # fmt: skip

    path.write_text("[" * 100_000 + "\n")
    done = ended()
    assert done.returncode == 2
    assert done.stderr.startswith(f"ryugi-engine: {path}:1: no journal of a match: ")
    assert done.stderr.count("\n") == 1
    with path.open("wb") as handle:
        handle.truncate(900 << 20)  # a hole: no disk is filled
    done = ended()
    assert done.returncode == 2
    assert done.stderr == f"ryugi-engine: {path}:1: no journal of a match: the line is too long\n"
