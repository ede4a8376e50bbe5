"""What somebody hands to the engine as a file: sound ones are read, others refused in one line."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import sys
from pathlib import Path

import numpy as np
import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.errors import UserError
from ryugi_engine.files import writing
from ryugi_engine.files.output import CHANGED
from ryugi_engine.games.definitions import MAX_TEXT, DefinitionError, read_text
from ryugi_engine.games.registry import read_definitions, registry
from ryugi_engine.records import pgn, pgn_text
from ryugi_engine.records.encoding import decoded
from ryugi_engine.records.pgn import RecordError, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.record_file import tell_of_faults
from tests.games.test_definitions import GOOD
from tests.support.helpers import EngineUnderTest, command, completed

DEEP = 100_000
#: Bytes that are no file of any kind, by name; None: made by :func:`hostile`.
CONTENTS: dict[str, bytes | None] = {
    "folder": None,
    "pipe": None,
    "socket": None,
    "loop": None,
    "missing": None,
    "zero": None,
    "urandom": None,
    "gigabytes": None,
    "random": random.Random(5).randbytes(5000),
    "nul": bytes(5000),
    "lists": b"x = " + b"[" * DEEP,
    "closed": b"x = " + b"[" * DEEP + b"]" * DEEP,
    "small": b"x = " + b"[" * 5000 + b"]" * 5000,
    "json": b"[" * DEEP + b"]" * DEEP,
    "digits": b"[tiny]\nfiles = " + b"9" * 20_000,
    "hexadecimal": b"[tiny]\nfiles = 0x" + b"f" * 20_000,
    "tables": b"x = " + b"{x = " * 5000,
    "dots": b".".join([b"a"] * 20_000) + b" = 1",
    "headers": b"[" + b".".join([b"a"] * 20_000) + b"]",
    "blanks": b"[x]\ny = [\n[" + b" " * 50_000 + b"\n]]",
    "variations": b"1. e2e4 " + b"(1. d2d4 " * DEEP,
    "unended": b"1. e2e4 {" + b"x" * 1_000_000,
    "escapes": b'[tiny]\ntitle = "\\u001b[2J\\nowned"\n',
    "key": b'["\\u001b[2J\\nowned"]\nfiles = 3\n',
    "line": b"a" * 1_000_000,
    "announced": b"",
    "packed": b"",
}
#: The command lines that take a file: FILE stands for it. A sound file's comes first.
WORDS = {
    "check": (["check", "FILE"], GOOD.encode()),
    "variants": (["--variants", "FILE", "games"], GOOD.encode()),
    "suite": (
        ["perft", "--variant", "chess", "--suite", "FILE"],
        f"{registry().game('chess').start} ;D1 20\n".encode(),
    ),
    "openings": (
        ["match", "--variant", "chess", "--engine", "true", "--engine", "true"]
        + ["--openings", "FILE"],
        registry().game("chess").start.encode(),
    ),
    "record show": (["record", "show", "FILE"], b"1. e2e4 *\n"),
    "record add": (["record", "add", "FILE", "e7e5"], b"1. e2e4 *\n"),
    "record new": (["record", "new", "FILE", "--variant", "chess"], b"1. e2e4 *\n"),
    "gui": (["gui", "--write", "cutechess", "--force"], b"[]"),
}  # fmt: skip
#: What some words rightly take.
FINE = {("record new", "missing"), ("gui", "missing")}
# what is read as far as it goes, and added to
FINE |= {("record show", "variations"), ("record new", "variations")}
FINE |= {("record show", "unended"), ("record new", "unended")}

_CHILD = """
import contextlib, io, json, os, resource, sys, time
from ryugi_engine.commands.cli import main

words, paths = json.loads(sys.stdin.read())

def run(path):
    os.environ["XDG_CONFIG_HOME"] = os.path.dirname(os.path.dirname(path))
    errors = io.StringIO()
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        code = main([path if word == "FILE" else word for word in words])
    return code, errors.getvalue(), time.process_time() - began

for number, path in enumerate(paths):
    print(path, file=sys.stderr, flush=True)
    code, said, seconds = run(path)
    print(json.dumps([code, said, seconds]), flush=True)
    if number == 0:
        size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + (512 << 20),) * 2)
"""


def _announcing(rows: int, path: Path) -> None:
    """A table that announces more rows than it holds."""
    with path.open("wb") as handle:
        np.savez(handle, entries=np.zeros((0, 2), np.int64))
    output = f"({rows}, 2), }}".encode()
    empty = b"(0, 2), }".ljust(len(output))
    raw = path.read_bytes()
    assert empty in raw
    path.write_bytes(raw.replace(empty, output))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file of every kind, each as KIND/cutechess/engines.json."""
    top = tmp_path_factory.mktemp("files")
    paths = {}
    for name, content in CONTENTS.items():
        folder = top / name / "cutechess"
        folder.mkdir(parents=True)
        paths[name] = path = folder / "engines.json"
        if content is not None:
            path.write_bytes(content)
    paths["folder"].mkdir()
    os.mkfifo(paths["pipe"])
    with contextlib.chdir(paths["socket"].parent), socket.socket(socket.AF_UNIX) as unix:
        unix.bind("engines.json")
    paths["loop"].symlink_to(paths["loop"])
    for name in ("zero", "urandom"):
        paths[name].symlink_to(f"/dev/{name}")
    with paths["gigabytes"].open("wb") as handle:
        handle.truncate(8 << 30)
    _announcing(10**11, paths["announced"])
    with paths["packed"].open("wb") as handle:
        np.savez_compressed(handle, entries=np.zeros((1 << 20, 2), np.int64))
    return paths


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX")
@pytest.mark.parametrize("word", WORDS)
def test_hostile_files_are_refused_in_one_line(
    word: str, hostile: dict[str, Path], tmp_path: Path
) -> None:
    """Within the computing time of a sound file, more or less, and half a gigabyte."""
    words, content = WORDS[word]
    sound = tmp_path / "cutechess" / "engines.json"
    sound.parent.mkdir()
    if content is not None:
        sound.write_bytes(content)
    kinds = [kind for kind in hostile if (word, kind) not in FINE]
    done = completed(
        [sys.executable, "-c", _CHILD],
        input=json.dumps([words, [str(sound), *(str(hostile[kind]) for kind in kinds)]]),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    first, *answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert str(sound) not in first[1]
    for kind, (code, output, seconds) in zip(kinds, answers, strict=True):
        print(kind, code, repr(output), seconds)
        assert code == 2
        assert output.startswith(f"ryugi-engine: {hostile[kind]}"), kind
        assert output.count("\n") == 1, kind
        assert output.endswith("\n"), kind
        assert output[:-1].isprintable(), kind
        assert len(output) < 1000, kind
        assert seconds < 1 + 5 * first[2], kind
    # settings of a GUI that were changed are kept next to them
    assert set(os.listdir(sound.parent)) <= {sound.name, f"{sound.name}.bak"}


def test_hostile_files_in_a_conversation(hostile: dict[str, Path]) -> None:
    """Every VariantPath is answered by one line; the engine lives and keeps its games."""
    engine = EngineUnderTest("uci").ready()
    for kind, path in hostile.items():
        engine.send(f"setoption name VariantPath value {path}", "isready")
        line = engine.wait("info string error")
        assert str(path) in line, kind
        assert line.isprintable(), kind
        engine.wait("readyok", 10)
    engine.send("position startpos", "go depth 1")
    engine.wait("bestmove")
    assert engine.quit() == ""


def test_a_device_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file is rewritten under its name: what is no file has to stay."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (["show", "--variant", "chess", "--svg"], ["record", "new", "--variant", "chess"]):
        assert main([*words, str(pipe)]) == 2
        assert capsys.readouterr().err == f"ryugi-engine: {pipe}: is a pipe, not a file\n"
    engines = ["--engine", "true", "--engine", "true"]
    assert main(["match", *engines, "--pgn-out", str(pipe)]) == 2
    assert capsys.readouterr().err == f"ryugi-engine: {pipe}: is a pipe, not a file\n"
    assert pipe.is_fifo()


_MATCH = ["match", "--variant", "chess", "--engine", "cmd=true", "--engine", "cmd=true"]
_NET = ["train", "net", "--variant", "chess", "--data"]
#: Every option that names a file or a folder: FILE stands for it.
NAMED = [
    ["check", "FILE"],
    ["--variants", "FILE", "games"],
    ["perft", "--variant", "chess", "--suite", "FILE"],
    *([*_MATCH, f"--{name}", "FILE"] for name in ("openings", "pgn-out", "journal", "engines")),
    ["match", "--resume", "FILE"],
    *(
        ["record", *words]
        for words in (["show", "FILE"], ["add", "FILE", "e2e4"], ["undo", "FILE"])
    ),
    ["record", "new", "FILE", "--variant", "chess"],
    ["record", "analyse", "FILE"],
    ["record", "analyse", "game.pgn", "--depth", "1", "--out", "FILE"],
    ["record", "show", "game.pgn", "--svg", "FILE"],
    ["record", "replay", "game.pgn", "--html", "FILE"],
    ["show", "--variant", "chess", "--svg", "FILE"],
    ["play", "--variant", "chess", "--save", "FILE"],
    ["train", "generate", "--variant", "chess", "--positions", "1", "--out", "FILE"],
    ["train", "generate", "--variant", "chess", "--positions", "1", "--out", "x", "--net", "FILE"],
    ["train", "show", "FILE"],
    [*_NET, "FILE", "--out", "x"],
    [*_NET, "game.pgn", "--out", "FILE"],
    [*_NET, "game.pgn", "--out", "x", "--checkpoint", "FILE"],
    ["train", "--variant", "chess", "--hours", "0.001", "--folder", "FILE"],
]
BAD_NAMES = ["a\0b", "a\ud800", "x" * 300, "game.pgn/x"]


@pytest.mark.parametrize("words", NAMED, ids=" ".join)
def test_names_that_no_file_can_have(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line names it, and nothing else has happened, whichever command is asked."""
    monkeypatch.chdir(tmp_path)
    Path("game.pgn").write_text("1. e2e4 *\n")
    for name in BAD_NAMES:
        assert main([name if word == "FILE" else word for word in words]) == 2
        *compiling, output = capsys.readouterr().err.splitlines()
        assert all(line.startswith(("kernels ", "compiling ")) for line in compiling)
        assert output.startswith("ryugi-engine: ")
        assert output.isprintable()
        assert os.listdir() == ["game.pgn"]
        assert Path("game.pgn").read_text() == "1. e2e4 *\n"


def test_a_failed_append_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.pgn"
    writing.append(path, "one\n", CHANGED)
    write = os.write
    room = [5]

    def full(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        count = write(descriptor, bytes(data[: room[0]]))
        room[0] = 0
        return count

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        writing.append(path, "two, which does not fit\n", CHANGED)
    assert path.read_text() == "one\n"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"Tiny"', '"Ti\\u001bny"', "2: tiny.title: '\\x1b' cannot stand in a text"),
        ('"Tiny"', '"Ti\\nny"', "2: tiny.title: '\\n' cannot stand in a text"),
        ('"Tiny"', f'"{"T" * (MAX_TEXT + 1)}"', f"2: tiny.title: is longer than {MAX_TEXT}"),
        ("files = 5", "files = 17", "3: tiny.files: 17 is not in 1..16"),
        ("files = 5", "files = 0x" + "f" * 9999, "3: tiny.files: the number is not in 1..16"),
        ("files = 5", "files = " + "9" * 9999, "3: (syntax): a number with too many digits"),
        ("[tiny]\n", f"[{'t' * 41}]\n", "is lower-case letters, digits and hyphens"),
        ("files = 5", 'files = 5\naliases = ["a' + '", "a'.join("b" * 30) + '"]', "more than 20"),
        ("[tiny.castling]", "[tiny.values]\nNB = 3\n[tiny.castling]", "tiny.values.NB: is not one"),
        ("[tiny.castling]", '[tiny.values]\n"" = 3\n[tiny.castling]', "tiny.values.: is not one"),
        ("n_move_rule = 40", "n_move_rule = 1e3", "must be a whole number"),
    ],
)
def test_numbers_and_texts_of_definitions_have_a_range(
    old: str, new: str, complaint: str, tmp_path: Path
) -> None:
    assert old in GOOD
    path = tmp_path / "tiny.toml"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(DefinitionError) as caught:
        read_definitions(str(path))
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_definition_nested_a_little_too_deep() -> None:
    with pytest.raises(DefinitionError, match=r"x\.toml:1: \(syntax\): .* 8 deep"):
        read_text("[a]\nx = [[[[[[[[1]]]]]]]]\n", "x.toml")
    read_text("[a]\nx = [[[1]]]\n", "x.toml")


def test_moves_tokens_and_faults_of_a_file_have_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser itself stops: a small file cannot fill the memory."""
    monkeypatch.setattr(pgn_text, "MAX_MOVES", 10)
    monkeypatch.setattr(pgn_text, "MAX_TOKENS", 40)
    with pytest.raises(RecordError, match="^2:1: more than 10 moves in one file"):
        parse_records("a1 " * 10 + "\n" + "a1 " * 10)
    with pytest.raises(RecordError, match="^2:1: more than 40 tokens in one file"):
        parse_records("* " * 40 + "\n" + "* " * 40)
    monkeypatch.setattr(pgn, "MAX_GAMES", 3)
    with pytest.raises(RecordError, match="more than 3 games in one file"):
        parse_records("*\n\n" * 4)
    monkeypatch.undo()
    playback = Playback.of(parse_records("1. e2e4 " + "(1. d2d5) " * 30 + "*")[0], registry())
    told: list[str] = []
    tell_of_faults("a.pgn", playback, told.append)
    assert len(told) == 11
    assert told[-1] == "a.pgn: and 20 more faults"


def test_tags_with_letters_of_latin_1() -> None:
    """Their names are shown, too; half a letter of UTF-16 is a fault of the file."""
    record = parse_records(decoded("a.pgn", '[Joué "é"]\n\n*'.encode("latin-1")))[0]
    assert record.tags == {"Joué": "é"}
    with pytest.raises(UserError, match="a.pgn: this is no UTF-16-LE text"):
        decoded("a.pgn", b"\xff\xfe\x00\xd8a\x00")


@pytest.mark.parametrize("option", ["--white", "--event", "--tc"])
def test_words_that_no_record_can_hold(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    for text in ("a\x1b[2Jb", "\udcff", "\0"):
        assert main(["record", "new", str(path), "--variant", "chess", option, text]) == 2
        assert "cannot stand in a record" in capsys.readouterr().err
        assert not path.exists()
    assert main(["record", "new", str(path), "--variant", "chess", option, "a\nb"]) == 0
    assert main(["record", "add", str(path), "e2e4", "--comment", "\x07"]) == 2
    assert main(["record", "add", str(path), "e2e4", "--comment", "two\nlines"]) == 0
    assert main(["record", "show", str(path)]) == 0
    assert "{two lines}" in capsys.readouterr().out


def test_a_file_name_stays_in_its_line(tmp_path: Path) -> None:
    name = str(tmp_path / "a\x1b[2J\nb")
    done = command("record", "show", name)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "\x1b" not in done.stderr
    odd = os.fsencode(tmp_path) + b"/\xff.pgn"
    done = command("record", "new", os.fsdecode(odd), "--variant", "chess")
    assert (done.returncode, done.stderr) == (0, "")
