"""Several runners of matches at once, files that vanish under one: each game is kept once."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ryugi_engine.commands import cli
from ryugi_engine.errors import UserError
from ryugi_engine.match import run
from ryugi_engine.match.game_record import finished
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.results import FinishedGame
from ryugi_engine.records.pgn import parse_records
from tests.support.helpers import ROOT, SUPPORT, read_journal, read_to

SCRIPT = SUPPORT / "match_engine.py"
ENGINE = f"'{sys.executable}' '{SCRIPT}' none"
GAMES = 6


def fresh(folder: Path, pgn: str, journal: str) -> list[str]:
    words = ["match", "--variant", "chess", "--games", str(GAMES), "--tc", "60", "--quiet"]
    words += ["--engine", "name=a", f"cmd={ENGINE}", "--engine", "name=b", f"cmd={ENGINE}"]
    words += ["--max-plies", "12", "--pgn-out", str(folder / pgn)]
    return [*words, "--journal", str(folder / journal)]


def resumed(folder: Path, journal: str) -> list[str]:
    return ["match", "--resume", str(folder / journal), "--quiet"]


def running(words: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def numbers(pgn: Path) -> list[int]:
    return sorted(int(record.tags["Round"]) for record in parse_records(pgn.read_text()))


@pytest.mark.slow
@pytest.mark.parametrize("names", [("resume j", "resume j"), ("fresh g j", "fresh g k")])
def test_two_runners_at_once(names: tuple[str, str], tmp_path: Path) -> None:
    """With one journal one of them plays, and the other is refused; the PGN file may be shared."""
    if "resume j" in names:
        with running(fresh(tmp_path, "g", "j")) as first:
            assert first.stdout is not None
            assert read_to(first.stdout, "").startswith("Game 1: ")
            first.kill()
    calls = []
    for name in names:
        how, *those = name.split()
        calls.append({"fresh": fresh, "resume": resumed}[how](tmp_path, *those))
    runners = [running(words) for words in calls]
    ends = [(*runner.communicate(timeout=240), runner.returncode) for runner in runners]
    shared = names[0].split()[-1] == names[1].split()[-1]
    assert sorted(code for *_, code in ends) == ([0, 2] if shared else [0, 0]), ends
    if shared:
        (refused,) = [errors for _said, errors, code in ends if code]
        message = f"ryugi-engine: {tmp_path}/j: a match is being played with this journal"
        assert refused.startswith(message)
        assert refused.count("\n") == 1
    (output, *_rest) = [output for output, _errors, code in ends if not code]
    assert f"\nGames: {GAMES}, " in output
    journals = {name.split()[-1] for name in names}
    for journal in journals:
        saved = read_journal(tmp_path / journal)
        assert sorted(game.number for game in saved.games) == list(range(1, GAMES + 1))
    assert numbers(tmp_path / "g") == sorted([*range(1, GAMES + 1)] * len(journals))


@pytest.mark.parametrize("text", ["notes\n", "notes", '{"seed": 1}\n', "{"])
def test_a_new_match_leaves_another_s_file_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text(text)
    with contextlib.suppress(UserError):
        Journal(path, new=True).close()
    assert path.read_text() == text


def test_records_are_made_while_other_engines_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long game's moves in SAN take so long that an answer read late would lose on time."""
    makers: list[threading.Thread] = []

    def noted(*arguments: Any) -> FinishedGame:
        makers.append(threading.current_thread())
        return finished(*arguments)

    monkeypatch.setattr(run, "finished", noted)
    assert cli.main(fresh(tmp_path, "g", "j")) == 0
    assert len(makers) == GAMES
    assert threading.main_thread() not in makers
