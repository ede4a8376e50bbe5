"""The command line: what it prints, and one line for every fault."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chess import Board

from ryugi_engine.commands.cli import main
from ryugi_engine.games.drawing import MARK, MARKED_DARK, MARKED_LIGHT, SIDES
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import GAMES
from tests.support.helpers import command, completed
from variants.goryujin.picture import LAST

START = registry().game("ryugi").start


def test_perft_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "3", "--divide"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Variant: ryugi", f"Fen: {START}"]
    assert lines[2].startswith("a2a3: ")
    assert "Nodes searched: 42667" in lines
    assert sum(int(line.split()[1]) for line in lines[2:36]) == 42667
    assert main(["perft", "--variant", "standard", "--depth", "2", "--moves", "e2e4"]) == 0
    assert "Nodes searched: 600" in capsys.readouterr().out
    assert main(["perft", "--depth", "2", "--json", "--divide", "--no-bulk"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["variant"], record["nodes"], record["fen"]) == ("ryugi", 1146, START)
    assert record["divide"]["e2f4"] == 33


@pytest.mark.parametrize("moves", [["e4", "e5", "Nf3"], ["e2e4", "e5", "g1f3"], ["1. e4 e5 2.Nf3"]])
@pytest.mark.parametrize("fen", [[], ["--fen", "startpos"], ["--fen", Board().fen()]])
def test_positions_are_said_as_people_and_guis_say_them(
    fen: list[str], moves: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    board = Board()
    for move in ("e4", "e5", "Nf3"):
        board.push_san(move)
    words = ["--variant", "chess", *fen, "--moves", *moves]
    for begun in (["perft", "--depth", "1"], ["show"]):
        assert main([*begun, *words]) == 0
        assert f"Fen: {board.fen(en_passant='fen')}" in capsys.readouterr().out.splitlines()


def test_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(f"# comment\n{START} ;D1 34 ;D2 1146 ;D5 62411752\n")
    assert main(["perft", "--suite", str(suite), "--max-nodes", "10000"]) == 0
    assert "ryugi: 1 position, 2 counts agree, 1 skipped: 1180 nodes" in capsys.readouterr().out
    suite.write_text(f"{START} ;D1 34 ;D2 1147\n")
    assert main(["perft", "--suite", str(suite)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("ryugi: line 1: depth 2: 1146, expected 1147\n")
    assert "\na2a3: 34\n" in out
    assert main(["perft", "--suite", str(suite), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["expected"] == 1147


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (f"{START} ;D1\n", ":1: 'D1' is not like 'D4 1563839'"),
        (f"{START} ;D1 x\n", ":1: 'D1 x' is not like"),
        (f"{START}\n", ":1: no counts"),
        (f"{START} ;D1 {'9' * 5000}\n", ":1: count: 99999999999999999999 is more than 1000000000"),
        (f"{START} ;D{'9' * 5000} 1\n", ":1: depth: 99999999999999999999 is more than 40"),
        (f"{START} ;D99 1\n", ":1: depth: 99 is more than 40"),
        ("\nxx ;D1 1\n", ":2: board: 1 rank instead of 8"),
        ("", ": no positions"),
    ],
)
def test_faulty_suites(
    content: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(content)
    assert main(["perft", "--suite", str(suite)]) == 2
    captured = capsys.readouterr()
    assert f"{suite}{complaint}" in captured.err
    assert captured.err.count("\n") == 1


def test_bench_and_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--variant", "chess", "--depth", "4"]) == 0
    out = capsys.readouterr().out
    assert "Nodes searched  : " in out
    assert "Nodes/second    : " in out
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "* chess, standard: Chess, 8x8: " in out
    assert "\n\nAsian chess\n  asean: " in out
    assert "* shogi: Shogi, 9x9: " in out


def test_a_closed_pipe_is_no_traceback() -> None:
    import sys

    line = f"'{sys.executable}' -m ryugi_engine perft --depth 3 --divide | head -1"
    done = completed(["sh", "-c", line])
    assert done.stdout == "Variant: ryugi\n"
    assert "Traceback" not in done.stderr


def test_help_names_every_command() -> None:
    text = command("--help").stdout
    for name in ("uci", "perft", "bench", "match", "check", "warmup", "games"):
        assert f"\n    {name} " in text


@pytest.mark.parametrize("name", GAMES)
def test_show_and_its_picture(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every game has a text and a picture; the picture shows every piece and marks the move."""
    game = registry().game(name)
    position = Position(game, game.positions("bench")[-1])
    move = position.legal_moves()[0]
    file = tmp_path / "board.svg"
    words = ["show", "--variant", name, "--fen", position.text(), "--moves", move]
    assert main([*words, "--svg", str(file)]) == 0
    position.push(move)
    shown = capsys.readouterr().out
    assert f"Fen: {position.text()}\n" in shown
    picture = ElementTree.parse(file).getroot()
    assert picture.tag.endswith("svg")
    fills = [
        part.get("fill")
        for part in picture.iter()
        if part.tag.endswith(("circle", "polygon", "path")) and part.get("stroke")
    ]
    board = position.text().split()[0].split("[")[0]
    pieces = sum(letter.isalpha() for letter in board)
    henges = board.count("H") if name == "gorogo" else 0
    drawn = [fill for fill in fills if fill in {side[0] for side in SIDES}]
    if name != "goryujin":  # whose pieces are no discs, see test_goryujin
        assert len(drawn) == pieces - henges
    marks = {MARK, MARKED_LIGHT, MARKED_DARK, *LAST}
    assert marks & {part.get(paint) for part in picture.iter() for paint in ("stroke", "fill")}
