"""No output overwrites what is not its own: every output option of every command, by the parser."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from ryugi_engine.commands import cli, command_line
from ryugi_engine.core.log import Log
from ryugi_engine.errors import UserError
from ryugi_engine.files import locks, output, writing
from ryugi_engine.files.output import FileName, Kind, Output
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.match.journal import Journal
from ryugi_engine.match.report import Tournament, write_report
from ryugi_engine.nnue.file_format import write_net
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.webpage import page
from ryugi_engine.text.chart import Line, chart
from ryugi_engine.train.positions import Writer, facts_of
from ryugi_engine.train.rounds import Rounds
from ryugi_engine.train.settings import RoundSettings
from ryugi_engine.train.trainable_game import training_of
from ryugi_engine.train.trainer import Trainer
from tests.nnue.test_nets import random_net
from tests.repository.test_documents import parsers
from tests.support.helpers import ROOT, patient, read_to

CHESS = registry().game("chess")
GAME = '[Event "?"]\n[Variant "chess"]\n[Result "*"]\n\n1. e2e4 e7e5 *\n'
FOREIGN = b"My thesis, of which there is one copy.\n"
NEW_CONTENT = "what the command has made"
#: Arguments whose type is Path that a command only reads. Another one has to be an Output.
READ = {
    *("match --engines", "check file", "perft --suite", "record show file"),
    *("train show files", "train net --data", "train net --finetune"),
}
#: Files that a command changes in place, after it has read them: each has a test below.
CHANGED = {
    *(f"record {name} file" for name in ("new", "add", "undo", "replay", "analyse")),
    *("record analyse --out", "match --resume", "play --resume", "web record"),
}
_A_FILE = re.compile("(FILE|OUT|DIR|NET|TOML|SVG|PGN|PATH|FOLDER|CMD)$")


def _named(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    name = action.option_strings[0] if action.option_strings else action.dest
    return f"{parser.prog} {name}".removeprefix("ryugi-engine ")


PARSERS = list(parsers(command_line.parser()))
EVERY = {_named(parser, action): action for parser in PARSERS for action in parser._actions}
OUTPUTS = sorted(n for n, a in EVERY.items() if isinstance(a, Output) and a.kind is not None)


def _rounds(path: Path) -> None:
    Rounds(CHESS, path.parent, RoundSettings(1.0, 1), print)._write()


def _log(path: Path) -> None:
    log = Log(str(path))
    log.write(">", "uci")
    log.close()


def _checkpoint(path: Path) -> None:
    trainer = SimpleNamespace(_parts=dict, history=[], _facts=lambda: "[]")
    Trainer.save(cast(Trainer, trainer), path)


def _journal(path: Path) -> None:
    journal = Journal(path, new=True)
    journal.begin({"names": []})
    journal.close()


def _playback() -> Playback:
    return Playback(CHESS, parse_records(GAME)[0])


#: For each kind a command that writes it.
MAKERS: dict[Kind, Callable[[Path], object]] = {
    output.PICTURE: lambda path: path.write_text(Position(CHESS).draw().svg()),
    output.PAGE: lambda path: path.write_text(page(_playback())),
    output.GAMES: lambda path: path.write_text(GAME),
    output.JOURNAL: _journal,
    output.POSITIONS: lambda path: Writer(path, facts_of(CHESS, training_of(CHESS)), {}).close(),
    output.NET: lambda path: write_net(random_net(CHESS, 1), path),
    output.CHECKPOINT: _checkpoint,
    output.ROUNDS: _rounds,
    output.OPENINGS: lambda path: path.write_text("# ryugi-engine positions chess --seed 1\n"),
    output.LEVELS: lambda path: path.write_text('{\n "levels": "chess"\n}\n'),
    output.LEVEL_GAMES: lambda path: path.write_text('{"level games": ["chess"]}\n'),
    output.STUDY: lambda path: path.write_text('{"study":"chess"}\n'),
    output.FIGURES_OF_STUDY: lambda path: path.write_text('{\n "figures of": "chess"\n}\n'),
    output.LOG: _log,
}


def _place(kind: Kind, folder: Path) -> tuple[Path, Path]:
    """A name for an output, and the file that it begins with."""
    path = folder / "out"
    return path, path / kind.inside if kind.inside else path


def _make(kind: Kind, path: Path) -> None:
    """A file of a kind; of no kind of a folder."""
    path.parent.mkdir(exist_ok=True)
    maker = next((m for k, m in MAKERS.items() if k.begins == kind.begins), None)
    if maker is None:
        path.write_bytes(FOREIGN)
    else:
        maker(path)


def _words(name: str, values: dict[str, str]) -> list[str]:
    """A command line with an option's or argument's values, and other files that must exist."""
    *prog, _ = name.split()
    prefix = " ".join(prog)
    options, positionals = [], []
    for other, action in EVERY.items():
        if other.rpartition(" ")[0] != prefix or action.dest in ("help", "command", "action"):
            continue
        if other in values:
            value = values[other]
        elif action.required and not isinstance(action, argparse._SubParsersAction):
            value = "1" if action.dest == "positions" else f"no-such-{action.dest}"
        else:
            continue
        if action.option_strings:
            options += [action.option_strings[0], value]
        else:
            positionals.append(value)
    return [*prog, *positionals, *options]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[list[str]], str]:
    """Run a command line whose command does nothing but write; "" or its complaint."""

    def write(arguments: argparse.Namespace) -> int:
        for name, kind in arguments.outputs.items():
            path = getattr(arguments, name)
            if kind is not None and path.name == "out":
                if kind.inside:
                    path.mkdir(exist_ok=True)
                    path = path / kind.inside
                writing.write_whole(path, NEW_CONTENT, output.Kind(kind.name, kind.begins))
        return 0

    def main(words: list[str]) -> str:
        module = command_line.module_of(words[0])
        with monkeypatch.context() as patched:
            patched.setattr(module, "run", write)
            code = cli.main(words)
        message = capsys.readouterr().err
        assert (code == 0) == (message == "")
        assert message.count("\n") <= 1
        assert "Traceback" not in message
        return message

    return main


# ---- the declarations -------------------------------------------------------------------------


def test_every_path_of_every_command_is_declared() -> None:
    """A new option that names a file is an Output, or listed above as one that is only read."""
    assert len(OUTPUTS) >= 14
    for name, action in EVERY.items():
        if isinstance(action, Output):
            assert (action.kind is None) == (name in CHANGED), name
        elif action.type is Path:
            assert name in READ, f"{name}: an output? Then declare it by output_option"
        elif _A_FILE.search(str(action.metavar)):
            assert action.type is FileName, f"{name} names a file: Path, FileName or output_option"
    assert EVERY.keys() >= READ
    assert EVERY.keys() >= CHANGED


def test_commands_that_write_know_force() -> None:
    for parser in PARSERS:
        writes = any(isinstance(action, Output) for action in parser._actions)
        output = "--force" in parser.format_help()
        assert output == (writes or parser.prog == "ryugi-engine gui"), parser.prog


# ---- kinds ------------------------------------------------------------------------------------


def test_kinds_know_their_own_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    for number, (kind, maker) in enumerate(MAKERS.items()):
        path = folder / f"{number}" / "journal.json"
        path.parent.mkdir(parents=True)
        maker(path)
        assert kind.check(path)
        for other in MAKERS:
            if other is not kind:
                with pytest.raises(FileExistsError, match=re.escape(other.name)):
                    other.check(path)
    path = tmp_path / "curve.svg"
    path.write_text(chart("chess: a.net", "epoch", [Line("a", [(1, 1.0), (2, 0.5)])]))
    assert output.PICTURE.check(path)
    tournament = Tournament(CHESS, ("A", "B"), [], "chess")
    assert output.REPORT.check(write_report(tmp_path / "report", tournament).parent)
    for text in ('\ufeff% x\n; y\n{a\nb}\n[White "A"]', '[Event "?"]'):
        path.write_text(text)
        assert output.GAMES.check(path)
    for text in ("[engine]\nx = 1\n", '["a", 1]', "1. e4", '{"match": 1}', '% [A ""]'):
        path.write_text(text)
        with pytest.raises(FileExistsError, match="is not a PGN file"):
            output.GAMES.check(path)


# ---- every output -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_is_there(
    name: str, tmp_path: Path, run: Callable[[list[str]], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A foreign file, a read-only one, one of its own kind, an empty one, no folder, a folder."""
    monkeypatch.chdir(tmp_path)
    kind = cast(Output, EVERY[name]).kind
    assert kind is not None
    place = _place(kind, tmp_path)[1]
    words = _words(name, {name: "out"})

    def refused(reason: str) -> None:
        held, mode = place.read_bytes(), place.stat().st_mode
        message = run(words)
        assert message.startswith("ryugi-engine: out"), message
        assert reason in message
        assert message.endswith(": choose another name, or use --force\n")
        assert (place.read_bytes(), place.stat().st_mode) == (held, mode)

    def taken(*more: str) -> None:
        mode = place.stat().st_mode if place.exists() else None
        assert run([*words, *more]) == ""
        assert place.read_text() == NEW_CONTENT
        assert mode in (None, place.stat().st_mode)
        assert not list(place.parent.glob("*.part"))

    taken()
    for mode in (0o644, 0o444):
        place.unlink()
        place.write_bytes(FOREIGN)
        place.chmod(mode)
        refused("is there already" + f" and is not {kind.name}" * (kind is not output.NEW))
        taken("--force")
    place.unlink()
    place.write_bytes(b"")
    taken()
    place.write_bytes(b"")
    place.chmod(0o444)
    refused("is read-only")
    if kind is not output.NEW:
        place.unlink()
        _make(kind, place)
        taken()
        place.unlink()
        _make(kind, place)
        place.chmod(0o444)
        refused("is read-only")
        taken("--force")
    # what a link leads to is what is there
    place.unlink()
    foreign = tmp_path / "thesis"
    foreign.write_bytes(FOREIGN)
    for link in (os.symlink, os.link):
        link(foreign, place)
        refused("is there already")
        assert foreign.read_bytes() == FOREIGN
        place.unlink()
    # folders are not made, and not replaced
    for more in ([], ["--force"]):
        message = run([*_words(name, {name: "no/such/folder/x"}), *more])
        assert message == "ryugi-engine: no/such/folder/x: there is no folder no/such/folder\n"
        assert not Path("no").exists()
        if kind.inside:
            message = run([*_words(name, {name: "thesis"}), *more])
            assert message == "ryugi-engine: thesis: is not a folder\n"
        else:
            Path("folder").mkdir(exist_ok=True)
            message = run([*_words(name, {name: "folder"}), *more])
            assert message == "ryugi-engine: folder: is a folder, not a file\n"


def _inputs(name: str) -> Iterator[str]:
    """The other arguments of a command that name files, those of the top too."""
    prefix = name.rpartition(" ")[0]
    for other, action in EVERY.items():
        if other.rpartition(" ")[0] == prefix and other != name:
            if action.type in (Path, FileName):
                yield other


@pytest.mark.parametrize(
    ("name", "other"), [(name, other) for name in OUTPUTS for other in _inputs(name)]
)
def test_an_output_is_no_input(
    name: str, other: str, tmp_path: Path, run: Callable[[list[str]], str]
) -> None:
    """Nor another output, by any name, and even if it is of the right kind or forced."""
    kind = cast(Output, EVERY[name]).kind
    assert kind is not None
    path, place = _place(kind, tmp_path)
    _make(kind, place)
    held = place.read_bytes()
    symbolic, hard = tmp_path / "symbolic", tmp_path / "hard"
    symbolic.symlink_to(place)
    os.link(place, hard)
    for read in (str(place), os.path.relpath(place), str(symbolic), str(hard)):
        if kind.inside and isinstance(EVERY[other], Output):
            continue  # a folder and a file in it
        for more in ([], ["--force"]):
            output = run([*_words(name, {name: str(path), other: read}), *more])
            assert "same file" in output, (read, output)
            assert output.endswith("choose another name\n")
            assert place.read_bytes() == held
    assert len(list(tmp_path.iterdir())) == 3


def test_engines_words_name_files(tmp_path: Path, run: Callable[[list[str]], str]) -> None:
    """``key=FILE`` is read too."""
    path = tmp_path / "x.pgn"
    path.write_text(GAME)
    words = ["match", "--pgn-out", str(path), "--each", "tc=1+1", f"option.Book={path}"]
    assert "is the same file as" in run(words)
    assert "is the same file as" in run([*words, "--force"])


# ---- files that are changed in place, and commands that check for themselves -------------------


def _main(*words: object) -> int:
    return cli.main([str(word) for word in words])


def test_read_only_records_are_not_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(GAME)
    path.chmod(0o444)
    changes = (
        ["new", path, "--variant", "chess"],
        ["add", path, "g1f3"],
        ["undo", path],
        ["replay", path, "--ply", 1, "--from-here", "c7c5"],
        ["analyse", path, "--nodes", 50],
    )
    for words in changes:
        assert _main("record", *words) == 2
        output = capsys.readouterr().err
        assert (
            output == f"ryugi-engine: {path}: is read-only: choose another name, or use --force\n"
        )
        assert path.read_text() == GAME
    assert _main("record", "show", path) == 0
    assert _main("record", "add", path, "g1f3", "--force") == 0
    assert "g1f3" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o444
    path.unlink()
    path.write_bytes(FOREIGN)
    for words in changes:
        for more in ([], ["--force"]):  # what is no record cannot be changed
            assert _main("record", *words, *more) == 2
            assert capsys.readouterr().err.count("\n") == 1
            assert path.read_bytes() == FOREIGN
    assert _main("record", "new", tmp_path / "no" / "x.pgn", "--variant", "chess") == 2
    assert not (tmp_path / "no").exists()


def test_a_match_goes_on_only_with_its_own_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal that no one has named, and one that is resumed."""
    pgn, journal = tmp_path / "x.pgn", tmp_path / "x.pgn.journal"
    journal.write_bytes(FOREIGN)
    assert _main("match", "--engine", "a", "--engine", "b", "--pgn-out", pgn) == 2
    assert "is not the journal of a match" in capsys.readouterr().err
    assert _main("match", "--resume", journal) == 2
    assert "no journal of a match" in capsys.readouterr().err
    assert _main("match", "--resume", journal, "--pgn-out", journal) == 2
    assert "are the same file" in capsys.readouterr().err
    assert journal.read_bytes() == FOREIGN


def test_pages_of_a_report_replace_only_pages(tmp_path: Path) -> None:
    tournament = Tournament(CHESS, ("A", "B"), [], "chess")
    (tmp_path / "index.html").write_bytes(FOREIGN)
    with pytest.raises(UserError, match=r"index.html: is there already and is not a web page"):
        write_report(tmp_path, tournament)
    assert (tmp_path / "index.html").read_bytes() == FOREIGN
    with pytest.raises(UserError, match="No such file"):
        write_report(tmp_path / "no" / "such", tournament)


# ---- what killed processes leave ---------------------------------------------------------------

_WRITER = """
import sys, time
from pathlib import Path
from ryugi_engine.files import locks, output, reading, writing
with writing.replacing(Path(sys.argv[1]), output.GAMES) as handle:
    handle.write(b'[White "A"]')
    handle.flush()
    print("written", flush=True)
    sys.stdin.read(1)
"""


def _writing(path: Path) -> subprocess.Popen[str]:
    """A process that is about to replace a file, and does when it hears something."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert read_to(process.stdout, "") == "written\n"
    return process


@pytest.mark.skipif(locks.fcntl is None, reason="needs locks")
def test_parts_of_killed_processes_are_removed(tmp_path: Path) -> None:
    """Not those of living ones, and no other file."""
    path = tmp_path / "games.pgn"
    for _ in range(2):
        process = _writing(path)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    others = ["games.pgn.part", "other.abcdefgh.part", "games.pgn.abcdefghi.part"]
    for name in others:
        (tmp_path / name).write_text("mine")
    living = _writing(path)  # and this one is the first that cleans up
    assert len(os.listdir(tmp_path)) == 1 + len(others)
    writing.write_whole(path, GAME, output.GAMES)
    assert len(os.listdir(tmp_path)) == 2 + len(others)
    living.communicate("x", timeout=patient(60))
    assert living.returncode == 0
    assert path.read_text() == '[White "A"]'
    assert sorted(os.listdir(tmp_path)) == sorted(["games.pgn", *others])
