"""Several runners of matches at once, files that vanish under one: each game is kept once."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.match.game_files import GameFiles
from ryugi_engine.match.journal import Journal, read_journal
from ryugi_engine.records.pgn import parse_records
from tests.match.test_schedule import game as played
from tests.support.helpers import ROOT, SUPPORT, read_to

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
@pytest.mark.parametrize(
    "names", [("fresh g j", "fresh g j"), ("resume j", "resume j"), ("fresh g j", "fresh g k")]
)
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


@pytest.fixture
def books(tmp_path: Path) -> Iterator[GameFiles]:
    """Those of a match with three games, after another match's."""
    (tmp_path / "g").write_text(played(1, "older").record)
    result = begun(tmp_path)
    for number in (1, 2, 3):
        result.add(played(number))
    yield result
    assert result.journal is not None
    result.journal.close()


def begun(folder: Path, journal: str = "j") -> GameFiles:
    result = GameFiles(folder / "g", Journal(folder / journal, new=True))
    result.begin({"seed": 1})
    return result


def texts(pgn: Path) -> list[str]:
    return re.findall(r'^\[Round "(\d+)"\]', pgn.read_text(), re.MULTILINE)


def replaced(path: Path, text: str) -> None:
    new = path.with_name("new")
    new.write_text(text)
    new.replace(path)


#: What others do with the PGN file, and which games are there when the match has been resumed.
PGN_CHANGES: dict[str, tuple[Callable[[Path, str], object], str]] = {
    "nothing": (lambda path, text: None, "11234"),
    "deleted": (lambda path, text: path.unlink(), "1234"),
    "cut": (lambda path, text: os.truncate(path, len(text) // 2), ""),
    "added to": (lambda path, text: path.write_text(text + played(7).record), "112374"),
}


@pytest.mark.parametrize("change", PGN_CHANGES)
def test_what_others_do_with_the_pgn_file(
    change: str, books: GameFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pgn = tmp_path / "g"
    act, left = PGN_CHANGES[change]
    act(pgn, pgn.read_text())
    assert books.journal is not None
    books.journal.close()
    journal = Journal(tmp_path / "j", new=False)
    books = GameFiles(pgn, journal)
    assert journal.saved is not None
    books.resume(journal.saved)
    books.add(played(4))
    result = texts(pgn)
    assert set(result) >= set("1234"), result
    assert not left or result == list(left)
    for number in (2, 3, 4):
        assert result.count(str(number)) == 1
    output = capsys.readouterr().err
    assert ("written again" in output) == (change in ("deleted", "cut")), output
    assert books.close(lambda line: None) == 0
    assert books.journal is not None
    books.journal.close()


@pytest.mark.parametrize("text", ["notes\n", "notes", '{"seed": 1}\n', "{"])
def test_a_new_match_leaves_another_s_file_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_text(text)
    with contextlib.suppress(UserError):
        Journal(path, new=True).close()
    assert path.read_text() == text


def test_a_new_match_behind_half_a_line(tmp_path: Path, books: GameFiles) -> None:
    path = tmp_path / "j"
    path.write_bytes(path.read_bytes()[:-5])
    assert books.journal is not None
    books.journal.close()
    again = begun(tmp_path)
    again.add(played(1))
    assert again.journal is not None
    again.journal.close()
    assert [game.number for game in read_journal(path).games] == [1]
