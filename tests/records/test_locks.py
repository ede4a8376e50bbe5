"""Several writers of one record file: no one's move is lost, and no one waits for ever."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.files import locks
from ryugi_engine.records.pgn import Step, parse_records
from tests.support.helpers import ROOT, TerminalUnderTest, completed, read_to

#: Forks that begin at the same moment, each with a command line of its own; then the exit codes.
_TOGETHER = """
import json, os, sys, time
from ryugi_engine.commands.cli import main

quick = os.fsync

def slow(descriptor):  # between reading and writing a slow disk leaves others much time
    time.sleep(0.03)
    quick(descriptor)

os.fsync = slow

for words in json.loads(sys.argv[1]):  # so that no process has to load anything in the race
    assert main(words) == 0
for lines in json.load(sys.stdin):
    gate, opened = os.pipe()
    children = []
    for words in lines:
        child = os.fork()
        if child == 0:
            os.close(opened)
            os.read(gate, 1)
            os._exit(main(words))
        children.append(child)
    os.close(opened)
    os.close(gate)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    print("codes", json.dumps(codes), flush=True)
"""


def together(
    rounds: list[list[list[str]]], first: list[list[str]], folder: Path
) -> list[list[int]]:
    """Run the command lines of each round at the same moment; their exit codes."""
    done = completed(
        [sys.executable, "-c", _TOGETHER, json.dumps(first)],
        input=json.dumps(rounds),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line.startswith("codes")]
    return [json.loads(line.removeprefix("codes")) for line in lines]


def moves_of(steps: list[Step]) -> list[str]:
    return [step.move for step in steps]


@pytest.mark.slow
def test_moves_added_at_the_same_moment_are_all_there(tmp_path: Path) -> None:
    """Pairs of writers and then triples, who name the file in different ways."""
    path = tmp_path / "games" / "game.pgn"
    path.parent.mkdir()
    link = tmp_path / "link.pgn"
    link.symlink_to(Path("games") / "game.pgn")
    names = [str(path), "games/../link.pgn", "link.pgn"]
    points = [f"S@{file}{rank}" for file in "abc" for rank in "1245"]  # nothing is captured there
    rounds = [
        [["record", "add", names[(n + i) % 3], points[2 * n + i]] for i in range(2)]
        for n in range(4)
    ]
    rounds += [[["record", "add", names[i], points[8 + i]] for i in range(3)]]
    first = [["record", "new", str(path), "--variant", "gorogo"]]
    first += [["record", "add", str(path), "H@c3"]]
    codes = together(rounds, first, tmp_path)
    assert codes == [[0, 0]] * 4 + [[0, 0, 0]]
    (record,) = parse_records(path.read_text())
    assert moves_of(record.steps)[0] == "H@c3"
    assert sorted(moves_of(record.steps)[1:]) == sorted(points[:11])
    assert os.listdir(path.parent) == [path.name]
    assert link.is_symlink()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.pgn"
    assert main(["record", "new", str(path), "--variant", "chess"]) == 0
    return path


def test_a_second_writer_gives_up(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "LOCK_PATIENCE", 0.2)
    before = game.read_bytes()
    capsys.readouterr()
    message = "somebody else has been writing in this folder for 0.2 s"
    with locks.locked(game, pytest.fail):
        for words in (
            ["add", str(game), "e2e4"],
            ["undo", str(game)],
            ["new", str(game), "--variant", "chess"],
        ):
            assert main(["record", *words]) == 2
            assert capsys.readouterr().err == f"ryugi-engine: {game}: {message}\n"
        assert main(["record", "show", str(game)]) == 0  # readers need not wait
    assert game.read_bytes() == before
    assert main(["record", "add", str(game), "e2e4"]) == 0


def test_a_killed_writer_leaves_no_lock(game: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom ryugi_engine.files import locks\n"
        "with locks.locked(Path(sys.argv[1]), print):\n print('held', flush=True)\n"
        " time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(game)], cwd=ROOT, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert read_to(holder.stdout, "") == "held\n"
        with pytest.raises(OSError, match="somebody else"), locks.locked(game, print, 0.1):
            pass
        holder.send_signal(signal.SIGKILL)
    with locks.locked(game, pytest.fail, 5.0):
        pass
    assert os.listdir(game.parent) == [game.name]


@pytest.mark.parametrize("reason", ["no locks", "not a POSIX system"])
def test_without_locks_a_word_is_said(
    reason: str, game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    if reason == "no locks":
        monkeypatch.setattr(fcntl, "flock", flock)
    else:
        monkeypatch.setattr(locks, "fcntl", None)
    capsys.readouterr()
    assert main(["record", "add", str(game), "e2e4"]) == 0
    output = capsys.readouterr().err
    assert output == f"{game}: files cannot be locked here: let nobody else write it meanwhile\n"
    assert "1. e4" in game.read_text()


def test_play_does_not_write_over_somebody_elses_game(tmp_path: Path) -> None:
    path = tmp_path / "play.pgn"
    terminal = TerminalUnderTest(
        "play", "--variant", "gorogo", "--tc", "st=0.02", "--save", str(path)
    )
    terminal.press(b"H@c3\n", "The engine plays")
    terminal.wait("White>")
    assert main(["record", "add", str(path), "resign"]) == 0
    before = path.read_bytes()
    terminal.press(b"undo\n", "somebody else has written it: 'save' another file")
    assert path.read_bytes() == before
    terminal.wait("White>")
    other = tmp_path / "other.pgn"
    terminal.press(f"save {path}\n".encode(), "could not be kept")
    terminal.press(f"save {other}\n".encode(), "from now on")
    terminal.leave(b"quit\n")
    assert len(parse_records(other.read_text())) == 1
    assert path.read_bytes() == before
