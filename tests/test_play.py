"""Playing against the engine in a terminal: typed lines, and a cursor for pentominoes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ryugi_engine.cli import main
from ryugi_engine.playback import Playback
from ryugi_engine.position import Position
from ryugi_engine.records import read_records
from ryugi_engine.registry import registry, rules_of
from tests.conftest import GAMES
from tests.helpers import TerminalUnderTest, command
from variants.goryujin.cursor import Cursor, mirrored, turned
from variants.goryujin.shapes import BY_NAME, SHAPES


def play(said: str, *words: str) -> str:
    """What a game's terminal shows; it must end well and say nothing on standard error."""
    done = command("play", "--tc", "st=0.05", *words, input=said)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played(name: str, tmp_path: Path) -> None:
    """The engine's hints, typed: the record is a sound game; who leaves is let go."""
    path = tmp_path / "game.pgn"
    game = registry().game(name)
    position = Position(game)
    side = "b" if position.side else "w"
    first = position.legal_moves()[0]
    shown = play(f"{first}\nmoves\n", "--variant", name, "--side", side, "--save", str(path))
    assert re.search(r"\d+ legal moves", shown)
    (record,) = read_records(path)
    playback = Playback.of(record, registry())
    assert playback.steps[0].move == first
    assert playback.ply >= 1


def test_what_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "own.pgn"
    shown = play(
        f"help\nmoves e2\ne2e5\nE2E4\nundo\nundo\nplace\nhint\ndraw\nsave {path}\ng1f3\n"
        f"save {path}\nsave\nboard\nresign\n",
        "--variant",
        "chess",
    )
    assert "moves [P]" in shown
    assert "e2e3 e2e4 \n2 legal moves with 'e2'" in shown
    assert "'e2e5' is no legal move: " in shown
    assert "The engine plays" in shown
    assert "There is no move of yours to take back" in shown
    assert "In this game a move is typed" in shown
    assert "The engine would play" in shown
    assert "0-1 (resignation)" in shown
    (record,) = read_records(path)
    assert record.steps[0].move == "g1f3"
    assert record.result == "0-1"
    assert command("record", "add", str(path), "a2a3").returncode == 2


def test_as_black_with_a_clock_to_the_end() -> None:
    """The engine begins; a mate ends the game."""
    text = "rnbqkbnr/pppp1ppp/4p3/8/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    shown = play("d8h4\n", "--variant", "chess", "--fen", text, "--side", "b", "--tc", "1+0.1")
    assert shown.rstrip().endswith("0-1 (checkmate)")
    shown = play("quit\n", "--variant", "gorogo", "--side", "b", "--skill", "3")
    assert "The engine plays H@" in shown


def test_a_taken_or_bad_place_to_keep_the_game(tmp_path: Path) -> None:
    old = tmp_path / "old.pgn"
    old.write_text("mine")
    done = command("play", "--variant", "chess", "--save", str(old), input="")
    assert done.returncode == 2
    assert done.stderr.endswith(f"{old} is there already: choose another name\n")
    shown = play(f"save {old}\nsave {tmp_path}/no/x.pgn\n", "--variant", "chess")
    assert "is there already: choose another name" in shown
    assert "The game could not be kept" in shown
    assert old.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--variant", "shogi"], "unknown variant 'shogi'"),
        (["--variant", "chess", "--fen", "x"], "fields"),
        (["--variant", "chess", "--tc", "soon"], "time control 'soon' is not like 10+0.1"),
        (["--variant", "chess", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], "the game is over"),
    ],
)
def test_faults(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.startswith("ryugi-engine: ")
    assert said.count("\n") == 1


def test_turning_and_mirroring() -> None:
    """Orientation 4m + k of the notation is a mirroring and k turns clockwise."""
    for letter in "FILNPTUVWXYZ":
        base = BY_NAME[f"{letter}0"]
        for mirror in (False, True):
            shape = mirrored(base) if mirror else base
            for quarter in range(4):
                same = BY_NAME.get(f"{letter}{4 * mirror + quarter}")
                assert same in (None, shape)
                assert turned(turned(shape, True), False) == shape
                shape = turned(shape, True)
    assert all(mirrored(mirrored(shape)) == shape for shape in SHAPES)


def test_the_cursor_reaches_every_legal_place() -> None:
    """``n`` goes round all legal places of a piece; a cursor never leaves the board."""
    game = registry().game("goryujin")
    position = Position(game)
    for move in ("P2@al1", "P0@al28"):
        position.push(move)
    cursor = rules_of(game).placer(position.state)
    assert isinstance(cursor, Cursor)
    for letter in "IP":
        cursor.press(letter)
        seen = set()
        for _ in range(600):
            cursor.press("n")
            seen.add(cursor.move())
        assert seen == {m for m in position.legal_moves() if m.startswith(letter)}
    for key in "wdxaqezcs":
        for _ in range(70):
            cursor.press(key)
            assert len(cursor.board_text(game_ink()).splitlines()[0]) == 63


def game_ink() -> object:
    from ryugi_engine.drawing import PLAIN

    return PLAIN


def test_cursor_on_a_terminal(tmp_path: Path) -> None:
    """Choose, turn, mirror, move, play; leave by the typed way."""
    path = tmp_path / "game.pgn"
    words = ["--variant", "goryujin", "--tc", "st=0.1", "--save", str(path)]
    terminal = TerminalUnderTest("play", *words)
    terminal.wait("White> ")
    for keys, shown in (
        (b"\n", "White: P0@ae1, legal"),
        (b"e", "White: P1@ae1, legal"),
        (b"z", "White: P0@ae1, legal"),
        (b"s", "White: P4@ae1, legal"),
        (b"w", "White: P4@ae2, not legal here"),
        (b"x", "White: P4@ae1, legal"),
        (b"d", "White: P4@af1, legal"),
        (b"\x1b[D", "White: P4@ae1, legal"),
        (b"I", "White: I0@ae1, not legal here"),
        (b"P", "White: P0@ae1, legal"),
        (b"cc", "White: P2@ae1, legal"),
        (b"\n", "The engine plays "),
        (b"", "White> "),
        (b"place\n", "in hand"),
        (b"\x1b", "White> "),
        (b"undo\n", "White> "),
        (b"P2@m1\n", "The engine plays "),
        (b"", "White> "),
    ):
        terminal.press(keys, shown)
    terminal.leave(b"quit\n")
    (record,) = read_records(path)
    assert record.steps[0].move == "P2@m1"
    assert len(record.steps) == 2
