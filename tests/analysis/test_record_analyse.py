"""``record analyse``: every game, python-chess's eyes, interrupts, faults, other writers."""

from __future__ import annotations

import io
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from ryugi_engine.analysis import annotate
from ryugi_engine.analysis.journal import Journal
from ryugi_engine.analysis.run import Analysis, Wish
from ryugi_engine.commands.cli import main
from ryugi_engine.errors import UserError
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import registry
from ryugi_engine.records.annotation import evaluation_in, prose
from ryugi_engine.records.pgn import Record, format_record, parse_records, read_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.search.limits import Limits
from tests.conftest import GAMES
from tests.records.test_records import played
from tests.support.helpers import ROOT, patient

FEW = ("--nodes", "300")


def analyse(path: Path, *words: str) -> None:
    """Analyse a file in place, or as told; the summary is printed for programs."""
    assert main(["record", "analyse", str(path), *FEW, *words, "--json"]) == 0


def bare(record: Record) -> str:
    """The record without the engine's part."""
    annotate.clear(record)
    record.tags.pop(annotate.TAG, None)
    return format_record(record)


@pytest.mark.parametrize("name", GAMES)
def test_every_game(
    name: str, tmp_path: Path, source: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    """Random games: all is found, legal, summed up, and nothing of the author's is lost."""
    game = registry().game(name)
    record = played(game, source, plies=10)
    path = tmp_path / "game.pgn"
    path.write_text(format_record(record))
    before = format_record(record)
    analyse(path)
    output = json.loads(capsys.readouterr().out)["games"]
    assert [one["variant"] for one in output] == [name]
    after = read_records(path)[0]
    Playback.of(after, registry())  # all lines are legal
    over = Playback.of(parse_records(before)[0], registry()).position.outcome() is not None
    steps = after.steps
    assert all(evaluation_in(step.comment) for step in steps[: len(steps) - over])
    for number, side in enumerate(output[0]["sides"]):
        faults = [side[name] for name in ("inaccuracies", "mistakes", "blunders")]
        assert min(faults) >= 0
        assert sum(faults) <= side["moves"]
        assert side["player"] == ("Ann", "Bob")[number]
        if side["moves"]:
            assert 0 <= side["accuracy"] <= 100
            assert 0 <= side["average_centipawn_loss"] <= 2000
    assert sum(side["moves"] for side in output[0]["sides"]) == len(steps)
    result = sum(" was best." in step.comment for step in steps)
    assert result == sum(
        side[kind]
        for side in output[0]["sides"]
        for kind in ("inaccuracies", "mistakes", "blunders")
    )
    assert bare(after) == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.pgn"]


BLUNDERS = """[Event "a game"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

{begins} 1. e4 {[%clk 0:03:00] hello} e5 2. Qh5 Ke7 $6 {oh (why) [%eval 0.2]} (2... Nc6 {good})
3. Qxe5# {so it goes} 1-0

[Event "another"]
[Variant "chess"]
[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 20"]
[Result "*"]

20... h6 21. Ra8+ Kh7 22. Ra1 *

[Event "nothing yet"]
[White "Cy"]
[Result "*"]

*
"""


def test_chess_as_python_chess_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(BLUNDERS)
    assert main(["record", "analyse", str(path), "--depth", "4"]) == 0
    output = capsys.readouterr()
    assert output.err.splitlines()[-1].startswith("positions: 10 of 10, ")
    lines = output.out.splitlines()
    assert lines[0].split()[:4] == ["Game", "Side", "Player", "Moves"]
    assert lines[2].split()[:4] == ["1", "Black", "Bob", "2"]
    assert lines[5].split()[:6] == ["3", "White", "Cy", "0", "-", "-"]
    assert lines[-1] == f"Analysed (depth=4): {path}"
    text = path.read_text()
    handle = io.StringIO(text)
    game = chess.pgn.read_game(handle)
    assert game is not None
    assert not game.errors
    assert game.eval() is not None  # the start's
    assert prose(game.comment) == "begins"
    nodes = list(game.mainline())
    scores = [node.eval() for node in nodes]
    assert all(score is not None for score in scores[:-1])
    assert scores[-1] is None  # mate: there is nothing to evaluate
    assert scores[3] is not None
    assert scores[3].white().mate() == 1
    assert nodes[0].clock() == 180
    assert nodes[0].comment.endswith("hello")
    # the author has called it an inaccuracy: his glyph stays, the engine says what was better
    assert nodes[3].nags == {6}
    assert " ".join(nodes[3].comment.split()).endswith(" was best. oh (why)")
    assert nodes[3].comment.count("[%eval") == 1
    authors, better = nodes[2].variations[1:]
    assert authors.comment == "good"
    assert nodes[3].comment.split()[2] == better.san()
    assert better.end().eval() is not None
    # the others have no judgement: a back-rank mate allowed, and missed
    second = chess.pgn.read_game(handle)
    assert second is not None
    assert not second.errors
    last = second.end()
    assert chess.pgn.NAG_BLUNDER in last.nags or last.nags <= {2, 6}
    third = chess.pgn.read_game(handle)
    assert third is not None
    assert third.end() is third
    mine, authors_own = (
        [bare(Playback.of(record, registry()).record) for record in parse_records(words)]
        for words in (text, BLUNDERS)
    )
    assert mine == authors_own
    # the same again, and the same by more threads
    for words in ([], ["--threads", "3"]):
        assert main(["record", "analyse", str(path), "--depth", "4", *words]) == 0
        assert path.read_text() == text
    capsys.readouterr()


def test_an_analysed_game_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 {[%eval 0.25] hello} e5 $3 2. Qh5 Ke7?? {[%eval #1]} (2... Nc6 {x}) *")
    for ply, shown in (
        (1, "1. e4   (ply 1 of 4)  0.25  {hello}"),
        (2, "1... e5!!   (ply 2 of 4)"),
        (3, "2. Qh5   (ply 3 of 4)"),
        (4, "2... Ke7??   (ply 4 of 4)  #1"),
    ):
        assert main(["record", "show", str(path), "--ply", str(ply), "--colour", "never"]) == 0
        assert shown in capsys.readouterr().out.splitlines()


def test_games_and_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(BLUNDERS)
    before = path.read_text()
    out = tmp_path / "out.pgn"
    analyse(path, "--games", "1,3", "--side", "white", "--out", str(out))
    output = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in output["games"]] == [1, 3]
    assert [side["side"] for game in output["games"] for side in game["sides"]] == ["white"] * 2
    assert output["games"][1]["sides"][0]["accuracy"] is None
    assert output["file"] == str(out)
    assert output["search"] == "nodes=300"
    assert path.read_text() == before
    first, second, third = read_records(out)
    assert annotate.TAG in first.tags
    assert annotate.TAG not in second.tags
    assert annotate.TAG in third.tags
    assert not any("was best" in step.comment for step in first.steps[1::2])
    assert prose(second.steps[0].comment) == second.steps[0].comment == ""
    # what is there already must not be replaced, but the file itself is
    assert main(["record", "analyse", str(path), *FEW, "--out", str(out)]) == 2
    assert capsys.readouterr().err.endswith(
        f"{out}: is there already: choose another name, or use --force\n"
    )
    link = tmp_path / "link.pgn"
    link.symlink_to(path)
    analyse(path, "--out", str(link))
    assert link.is_symlink()
    assert "[%eval" in path.read_text()


@pytest.mark.parametrize(
    ("text", "words", "complaint"),
    [
        ("", [], "FILE:1:1: there is no game in the file"),
        ("1. e4 e5 2. Ke3 *", [], "FILE:1:13: illegal move 'Ke3'"),
        ("1. e4 e5 *\n\n1. e4 e4 *", ["--games", "2"], "FILE:3:7: illegal move 'e4'"),
        ("1. e4 (1. d5) *", [], "FILE:1:11: illegal move 'd5'"),
        ('[Variant "nochess"]\n\n*', [], "FILE:1:1: unknown variant 'nochess'"),
        ('[FEN "8/8 w"]\n\n*', [], "FILE:1:1: "),
        ("1. e4 *", ["--games", "2"], "FILE has 1 game, no game 2"),
        ("1. e4 *", ["--games", "1-3"], "FILE has 1 game, no game 2"),
        ("1. e4 *", ["--out", "FILE/x"], "FILE/x"),
        ("1. e4 *", ["--out", "/nowhere/at/all"], "/all: there is no folder /nowhere/at"),
    ],
)
def test_faults_are_named(
    text: str, words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(text)
    words = [word.replace("FILE", str(path)) for word in words]
    assert main(["record", "analyse", str(path), *FEW, *words]) == 2
    output = capsys.readouterr().err
    assert complaint.replace("FILE", str(path)) in output
    assert output.count("\n") == 1
    assert path.read_text() == text
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.pgn"]


# ---- interrupted ------------------------------------------------------------------------------


@pytest.fixture
def long_game(tmp_path: Path, ryugi: Game, source: random.Random) -> Path:
    """Some dozens of positions, which take a few hundredths of a second each."""
    record = played(ryugi, source, plies=24)
    path = tmp_path / "long.pgn"
    path.write_text(format_record(record))
    return path


SLOW = ("--nodes", "30000", "--threads", "2")


def begun(path: Path, positions: int) -> subprocess.Popen[str]:
    """An analysis that has kept so many positions."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ryugi_engine", "record", "analyse", str(path), *SLOW],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = path.with_name(path.name + ".analysis")
    end = time.monotonic() + patient(60)
    while not journal.exists() or journal.read_bytes().count(b"\n") <= positions:
        assert process.poll() is None, "it has ended before it was interrupted"
        assert time.monotonic() < end
        time.sleep(0.01)
    return process


@pytest.mark.slow
def test_killed_and_gone_on_with(long_game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SIGKILL, a torn line, SIGINT: nothing is searched twice, and the result is the same."""
    before = long_game.read_bytes()
    journal = long_game.with_name(long_game.name + ".analysis")
    whole = long_game.with_name("whole.pgn")
    process = begun(long_game, 1)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert long_game.read_bytes() == before
    with journal.open("ab") as handle:
        handle.write(b'{"at":"torn')
    known = journal.read_bytes().count(b"\n") - 1
    assert known > 0
    process = begun(long_game, known + 1)
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=patient(30))
    assert process.returncode == 130
    assert f"positions: {known} of " in output
    assert output.endswith(f"{long_game}: stopped; the same command resumes it\n")
    assert long_game.read_bytes() == before
    kept = {line.split('"')[3] for line in journal.read_text().splitlines()[1:]}
    assert len(kept) > known
    assert main(["record", "analyse", str(long_game), *SLOW]) == 0
    assert f"positions: {len(kept)} of " in capsys.readouterr().err
    assert not journal.exists()
    whole.write_bytes(before)
    assert main(["record", "analyse", str(whole), *SLOW[:2], "--threads", "1"]) == 0
    assert whole.read_text() == long_game.read_text()
    capsys.readouterr()


def wish(**changes: Any) -> Wish:
    return Wish(
        **{"limits": Limits(nodes=50), "limits_text": "nodes=50"}
        | {"threads": 1, "megabytes": 1}
        | changes
    )


def test_other_journals(tmp_path: Path) -> None:
    """Another plan's, somebody else's at the moment, a damaged one, another file's."""
    path = tmp_path / "game.pgn"
    path.write_text(BLUNDERS)
    journal = tmp_path / "game.pgn.analysis"

    def begin(**changes: Any) -> None:
        Analysis(path, None, registry(), wish(**changes), lambda line: None).run()

    with Journal(journal, wish().plan()), pytest.raises(UserError, match="another process is at"):
        begin()
    with pytest.raises(
        UserError, match=r"an analysis with .*nodes=50.* was begun here: go on with"
    ):
        begin(limits_text="nodes=60")
    head = journal.read_text()
    for damage in ("oh\n", '{"at":"x"}\n'):
        journal.write_text(head + damage)
        with pytest.raises(UserError, match=r"game.pgn.analysis:2: no journal of an analysis"):
            begin()
    for foreign in ("[]\n", "my notes", head[:9], head + "\n"):
        journal.write_text(foreign)
        with pytest.raises(UserError, match=r"game.pgn.analysis:.* no.* journal of an analysis"):
            begin()
        assert journal.read_text() == foreign
    # as a process leaves it that is killed at once
    journal.write_text("")
    Journal(journal, wish().plan()).__exit__(None, None, None)
    assert journal.read_text() == head
    journal.unlink()
    journal.mkdir()
    with pytest.raises(UserError, match=r"game.pgn.analysis: is a folder"):
        begin()
    journal.rmdir()
    assert path.read_text() == BLUNDERS
    begin()


def test_somebody_writes_the_file_meanwhile(tmp_path: Path) -> None:
    """A move that comes in while it is analysed is kept, and analysed too."""
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 e5 *")
    lines: list[str] = []

    def tell(line: str) -> None:
        if not lines:
            path.write_text("1. e4 e5 {thanks} 2. Nf3 *")
        lines.append(line)

    summaries = Analysis(path, None, registry(), wish(), tell).run()
    assert [play.moves for play in summaries[0].plays] == [2, 1]
    assert f"{path}: somebody has written it meanwhile, it is read again" in lines
    assert any(line.startswith("positions: 3 of 4 are known already") for line in lines)
    record = read_records(path)[0]
    assert [step.move for step in record.steps] == ["e4", "e5", "Nf3"]
    assert prose(record.steps[1].comment).endswith("thanks")
    assert all(evaluation_in(step.comment) for step in record.steps)


def test_a_search_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.pgn"
    path.write_text("1. e4 e5 *")

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr("ryugi_engine.search.searcher.Searcher.run", fail)
    with pytest.raises(MemoryError, match="no room"):
        Analysis(path, None, registry(), wish(threads=2), lambda line: None).run()
    assert path.read_text() == "1. e4 e5 *"


def test_a_file_that_would_grow_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told before hours of work where it is sure, and after it nothing is lost."""
    path = tmp_path / "game.pgn"
    path.write_text(BLUNDERS)
    size = len(BLUNDERS)
    monkeypatch.setattr("ryugi_engine.files.reading.MAX_RECORDS", size + 30)
    assert main(["record", "analyse", str(path), *FEW]) == 2
    assert "would be larger than a file of records may be" in capsys.readouterr().err
    assert not (tmp_path / "game.pgn.analysis").exists()
    monkeypatch.setattr("ryugi_engine.files.reading.MAX_RECORDS", size + 130)
    assert main(["record", "analyse", str(path), *FEW]) == 2
    assert "would be larger than a file of records may be" in capsys.readouterr().err
    assert (tmp_path / "game.pgn.analysis").exists()
    assert path.read_text() == BLUNDERS
