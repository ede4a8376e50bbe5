"""Records: reading and writing every game, faults with their place, files that survive a kill."""

from __future__ import annotations

import os
import random
import re
import sys
from pathlib import Path

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import Record, Step, format_record, parse_records
from ryugi_engine.records.pgn_text import MAX_TAGS
from ryugi_engine.records.playback import Playback, first_number
from ryugi_engine.records.record_file import open_record
from tests.conftest import GAMES
from tests.support.helpers import ROOT, TerminalUnderTest, command, completed


def played(game: Game, source: random.Random, plies: int = 40) -> Record:
    """A random game with comments and variations, from one of the openings or the start."""
    root = source.choice([game.start, *game.positions("openings")[:5]])
    position = Position(game, root)
    tags = {"Event": 'a "b" \\ c', "White": "Ann", "Black": "Bob", "Variant": game.name}
    if root != game.start:
        tags |= {"SetUp": "1", "FEN": root}
    steps: list[Step] = []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves or position.outcome() is not None:
            break
        step = Step(source.choice(moves))
        if source.random() < 0.2:
            step.comment = source.choice(["good", "a long comment, 1. e4 (no) [move] * 1-0 " * 4])
        if source.random() < 0.1:
            step.variations.append([Step(source.choice(moves), "instead")])
        steps.append(step)
        position.push(step.move)
    outcome = position.outcome()
    record = Record(tags, steps, "*" if outcome is None else outcome.result, "begins")
    record.white_first = Position(game, root).side == 0
    record.first_number = first_number(Position(game, root))
    return record


def shape(steps: list[Step]) -> list[object]:
    """Steps without their places."""
    return [(s.move, " ".join(s.comment.split()), [shape(v) for v in s.variations]) for s in steps]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_read_as_it_was_written(name: str, source: random.Random) -> None:
    game = registry().game(name)
    written = [played(game, source) for _ in range(6)]
    text = "".join(map(format_record, written))
    assert all(len(line) <= 80 or line.startswith("[") for line in text.splitlines())
    read = parse_records(text)
    assert len(read) == 6
    for before, after in zip(written, read, strict=True):
        assert shape(after.steps) == shape(before.steps)
        assert after.tags == {**before.tags, "Result": before.result}
        assert (after.result, after.comment) == (before.result, before.comment)
        playback = Playback.of(after, registry())
        assert playback.game is game
        assert playback.ply == len(before.steps)
        assert shape(after.steps) == shape(before.steps)
        assert format_record(after) == format_record(before)
        for number, (_way, line) in enumerate(after.variations(), start=1):
            playback.choose(number)
            assert playback.steps[-len(line) :] == line


TAGS = '[Variant "chess"]\n[Result "*"]\n\n'


@pytest.mark.parametrize(
    ("text", "complaint", "code"),
    [
        ("", "1:1: there is no game in the file", 2),
        (TAGS + "1. e2e4 e7e4 2. d2d4 *", "4:9: illegal move 'e7e4' in", 2),
        (TAGS + "1. e2e4 {oh", "4:9: a comment without its '}'", 0),
        (TAGS + "1. e2e4 (1. d2d4 *", "4:18: a result inside a variation", 0),
        (TAGS + "1. e2e4 (1. d2d4", "4:9: a variation without its ')'", 0),
        (TAGS + "1. e2e4 (1. d2d5) *", "4:13: illegal move 'd2d5'", 0),
        (TAGS + "1. e2e4 " + "(1. d2d4 " * 101, "4:909: variations more than 100 deep", 0),
        (
            "\n".join(f'[T{number} "x"]' for number in range(MAX_TAGS + 1)),
            f"{MAX_TAGS + 1}:1: more than {MAX_TAGS} tags",
            0,
        ),
        ('[Variant "halma"]\n\n*', "1:1: unknown variant 'halma'", 2),
        ('[Event "x"]\n[FEN "8/8 w"]\n\n*', "2:1: ", 2),
    ],
)
def test_faults_are_named_with_their_place(
    text: str, complaint: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game is shown as far as it can be read; this game is not changed."""
    path = tmp_path / "game.kif"
    path.write_text(text)
    assert main(["record", "show", str(path)]) == code
    shown, output = capsys.readouterr()
    assert f"{path}:{complaint}" in output
    assert all(line.startswith(f"ryugi-engine: {path}:") for line in output.splitlines())
    assert ("1. e4   (ply 1 of 1)" in shown) == ("e2e4" in text)
    assert main(["record", "add", str(path), "a7a6"]) == 2
    assert f"{path}:" in capsys.readouterr().err
    assert path.read_text() == text


def test_variations_are_not_written_deeper_than_they_are_read() -> None:
    text = TAGS + "1. e2e4 " + "(1. d2d4 " * 100 + ")" * 100 + "*"
    record = parse_records(text)[0]
    playback = Playback.of(record, registry())
    playback.choose(99)
    playback.to(0)
    playback.branch(["c2c4"])
    playback.choose(len(record.variations()) - 1)
    playback.to(0)
    with pytest.raises(ValueError, match="at most 100 deep"):
        playback.branch(["b2b4"])
    assert playback.ply == 0
    written = format_record(record)
    assert format_record(parse_records(written)[0]) == written


def damaged(raw: bytes, source: random.Random) -> bytes:
    """The file after a mishap."""
    at = source.randrange(len(raw))
    until = min(len(raw), at + source.randrange(1, 60))
    kind = source.randrange(6)
    if kind == 0:
        return raw[:at]
    if kind == 1:
        return raw[:at] + raw[until:]
    if kind == 2:
        return raw[:at] + bytes([raw[at] ^ 1 << source.randrange(8)]) + raw[at + 1 :]
    if kind == 3:
        return raw[:at] + source.randbytes(source.randrange(1, 9)) + raw[at:]
    if kind == 4:
        return raw[:at] + bytes(until - at) + raw[until:]
    return raw[:until] + raw[at:]


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_in_one_line(
    tmp_path: Path, source: random.Random
) -> None:
    """What damage leaves is a record, or a fault with line and column, never more."""
    path = tmp_path / "game.pgn"
    noticed = 0
    for number in range(300):
        name = GAMES[number % len(GAMES)]
        record = played(registry().game(name), source, 12)
        path.write_bytes(damaged(format_record(record).encode(), source))
        fault = ""
        try:
            for one in open_record(path, registry(), 1).playback.record.faults:
                fault = f"{path}:{one}"
        except UserError as error:
            fault = str(error)
        noticed += bool(fault)
        assert re.fullmatch(rf"({re.escape(str(path))}:\d+:\d+: .+)?", fault), fault
    # the rest has changed what no one can check: names, comments, an end
    assert noticed > 90


_KILLED = """
import os, resource, signal, sys
from pathlib import Path
from ryugi_engine.records.editing import add_moves
from ryugi_engine.records.record_file import changing
from ryugi_engine.games.registry import registry

path, old = Path(sys.argv[1]), Path(sys.argv[1]).read_bytes()
with changing(path, registry(), None) as playback:
    add_moves(playback, ["e7e5"])
new = path.read_bytes()
assert old != new
killed = 0
for limit in range(0, len(new) + 1, 4):
    path.write_bytes(old)
    child = os.fork()
    if child == 0:
        with changing(path, registry(), None) as file:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            add_moves(file, ["e7e5"])
        os._exit(0)
    _, status = os.waitpid(child, 0)
    killed += os.WIFSIGNALED(status)
    content = path.read_bytes()
    assert content == (old if os.WIFSIGNALED(status) else new), limit
assert killed == -(-len(new) // 4), killed
print("killed", killed)
"""


@pytest.mark.slow
def test_killed_at_a_byte(tmp_path: Path) -> None:
    """The kernel ends the process at every fourth byte that it writes: the file is the old one."""
    path, script = tmp_path / "game.pgn", tmp_path / "kill.py"
    assert main(["record", "new", str(path), "--variant", "chess"]) == 0
    assert main(["record", "add", str(path), "e2e4"]) == 0
    script.write_text(_KILLED)
    done = completed(
        [sys.executable, str(script), str(path)], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("killed ")


def test_failed_write_keeps_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    assert main(["record", "new", str(path), "--variant", "chess"]) == 0
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["record", "add", str(path), "e2e4"]) == 2
    assert capsys.readouterr().err == f"ryugi-engine: {path}: No space left on device\n"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_correspondence_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mail.kif"

    def record(*words: str, code: int = 0) -> str:
        assert main(["record", words[0], str(path), *words[1:]]) == code
        output = capsys.readouterr()
        return output.out if code == 0 else output.err

    names = ["--white", "Ann", "--black", 'Bob "B"', "--event", "By mail", "--date", "2026.01.02"]
    assert record("new", "--variant", "goryujin", *names).endswith("White to move\n")
    assert record("add", "P7@av1", "P3@au29") == "1... P3@au29\nWhite to move\n"
    assert record("add", "z0@ay2", "--comment", "hello") == "2. Z0@ay2\nBlack to move\n"
    assert "it lies on another piece" in record("add", "P3@au29", code=2)
    assert "there is a legal turn" in record("add", "pass", code=2)
    shown = record("show")
    assert 'Ann - Bob "B", Goryujin, 2026.01.02' in shown
    assert shown.count("*") == 5
    assert "2. Z0@ay2   (ply 3 of 3)  {hello}\nBlack to move\n" in shown
    assert record("undo") == "taken back: Z0@ay2\n1... P3@au29\nWhite to move\n"
    record("add", "Z0@ay2", "T0@ax27")
    assert "no draws" in record("add", "draw", code=2)
    assert record("replay", "--ply", "2", "--from-here", "P5@ak1", "P3@a29").startswith(
        "2... P3@a29"
    )
    assert record("replay", "--ply", "2", "--from-here", "P5@ak1", "P3@h29").startswith(
        "2... P3@h29"
    )
    text = path.read_text()
    assert "2. Z0@ay2 (2. P5@ak1 P3@a29 (2... P3@h29)) 2... T0@ax27 *" in " ".join(text.split())
    assert "P3@h29   (ply 4 of 4)" in record("show", "--line", "2")
    assert "no variation 3, the game has 2" in record("show", "--line", "3", code=2)
    assert "the game has 4 moves" in record("show", "--ply", "9", code=2)
    everything = record("replay", "--all")
    assert everything.count("White has") == 5
    assert record("add", "resign") == "2... T0@ax27\n0-1 (resignation)\n"
    assert '[Termination "normal"]' in path.read_text()
    before = path.read_bytes()
    message = "the game is over: 0-1 (resignation)"
    assert record("add", "P1@bb3", code=2) == f"ryugi-engine: {path}: {message}\n"
    assert path.read_bytes() == before
    assert record("undo").startswith("taken back: 0-1")
    record("new", "--variant", "gorogo")
    assert "has 2 games: choose one with --game N" in record("add", "H@c3", code=2)
    assert record("add", "H@c3", "--game", "2") == "1. H@c3\nBlack to move\n"
    assert "no game 3" in record("show", "--game", "3", code=2)
    # where Black begins, the numbers stay right when other games are added
    record("new", "--variant", "gomokuroku")
    assert record("add", "S@f11", "--game", "3") == "1... S@f11\nWhite to move\n"
    record("new", "--variant", "chess")
    assert "\n1... S@f11 *\n" in path.read_text()


def test_keys_step_through_a_game(tmp_path: Path) -> None:
    """On a terminal: forward, back, first, last, leave; the terminal is left as it was."""
    path = tmp_path / "keys.pgn"
    assert command("record", "new", str(path), "--variant", "gorogo").returncode == 0
    assert command("record", "add", str(path), "H@c3", "S@a1", "S@b2").returncode == 0
    terminal = TerminalUnderTest("record", "replay", str(path))
    terminal.wait("ply 0 of 3")
    for key, ply in (
        (b" ", 1), (b"\x1b[C", 2), (b"\x1b[D", 1), (b"\x1b[F", 3), (b"\x1bOH", 0), (b"n", 1),
        (b"x", 1),
    ):  # fmt: skip
        terminal.press(key, f"ply {ply} of 3")
    terminal.leave(b"q")


def test_errors_without_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "none.pgn"
    for action in ("show", "undo", "replay"):
        assert main(["record", action, str(missing)]) == 2
        assert capsys.readouterr().err == f"ryugi-engine: {missing}: No such file or directory\n"
    assert main(["record", "new", str(tmp_path / "no" / "a.pgn"), "--variant", "chess"]) == 2
    assert "No such file or directory" in capsys.readouterr().err
    assert main(["record", "new", str(missing), "--variant", "halma"]) == 2
    assert "unknown variant 'halma'" in capsys.readouterr().err
    assert not missing.exists()
