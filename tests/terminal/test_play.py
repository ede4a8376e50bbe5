"""Playing against the engine in a terminal: typed lines."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ryugi_engine.clocks.time_control import TimeControl
from ryugi_engine.games.drawing import PLAIN
from ryugi_engine.games.game import IllegalMove
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import read_records, score_text
from ryugi_engine.records.playback import Playback
from ryugi_engine.terminal.play import Play
from ryugi_engine.terminal.screen import CLEAR
from ryugi_engine.terminal.turn_clock import TurnClock, TurnLost
from tests.conftest import GAMES
from tests.support.helpers import TerminalUnderTest, command


def play(said: str, *words: str) -> str:
    """What a game's terminal shows; it must end well and say nothing on standard error."""
    done = command("play", "--tc", "nodes=300", *words, input=said)
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
    assert re.search(r"^\d+ legal moves?$", shown, re.MULTILINE)
    (record,) = read_records(path)
    playback = Playback.of(record, registry())
    assert playback.steps[0].move == first
    assert playback.ply >= 1


def test_what_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "own.pgn"
    shown = play(
        "help\nrules\nmoves e2\nmoves e2e3\ne2e5\nE2E4\nundo\nundo\nhint\ndraw\n"
        f"save {path}\ng1f3\nsave {path}\nsave\nboard\nresign\n",
        "--variant",
        "chess",
    )
    assert "moves [P]" in shown
    assert "Chess\n=====\n" in shown
    assert "\nKnight (N)\n" in shown
    assert "e3\n1 legal move with 'e2e3'\n" in shown
    assert "e3 e4\n2 legal moves with 'e2'" in shown
    assert "'e2e5' is no legal move: " in shown
    assert "The engine plays" in shown
    assert "There is no move of yours to take back" in shown
    assert "The engine would play" in shown
    assert "0-1 (resignation)" in shown
    (record,) = read_records(path)
    assert record.steps[0].move == "Nf3"
    assert record.result == "0-1"
    assert command("record", "add", str(path), "a2a3").returncode == 2


def test_unicode_pieces() -> None:
    """Each side's figures; a piece without one keeps its letter; an encoding without them."""
    done = command("show", "--variant", "chess", "--unicode")
    assert " | ♜ | ♞ | ♝ | ♛ | ♚ | ♝ | ♞ | ♜ | 8\n" in done.stdout
    assert " | ♖ | ♘ | ♗ | ♕ | ♔ | ♗ | ♘ | ♖ | 1\n" in done.stdout
    shown = command("show", "--variant", "capablanca", "--unicode").stdout
    assert " | ♖ | ♘ | A | ♗ | ♕ | ♔ | ♗ | C | ♘ | ♖ | 1\n" in shown
    done = command("show", "--unicode", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ryugi-engine: --unicode: the encoding ascii has no chess pieces\n"


def test_lines_are_edited() -> None:
    """Tab completes moves and words, the arrow keys bring back what was typed."""
    terminal = TerminalUnderTest("play", "--variant", "chess", "--tc", "depth=1")
    terminal.wait("1. White> ")
    terminal.press(b"Nc\t\n", "You play Nc3, ")
    terminal.wait("2. White> ")
    terminal.press(b"fl\t\n", "   h   g   f ")
    terminal.wait("2. White> ")
    terminal.press(b"\x1b[A\n", "   a   b   c ")
    terminal.leave(b"quit\n")


def test_as_black_with_a_clock_to_the_end() -> None:
    """The engine begins; a mate ends the game."""
    text = "rnbqkbnr/pppp1ppp/4p3/8/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    shown = play("d8h4\n", "--variant", "chess", "--fen", text, "--side", "b", "--tc", "1+0.1")
    assert shown.rstrip().endswith("0-1 (checkmate): you win\nGame over>")
    shown = play("quit\n", "--variant", "gorogo", "--side", "b", "--level", "3")
    assert "The engine plays H@" in shown


def test_a_taken_or_bad_place_to_keep_the_game(tmp_path: Path) -> None:
    old = tmp_path / "old.pgn"
    old.write_text("mine")
    done = command("play", "--variant", "chess", "--save", str(old), input="")
    assert done.returncode == 2
    assert done.stderr.endswith(f"{old}: is there already: choose another name, or use --force\n")
    shown = play(f"save {old}\nsave {tmp_path}/no/x.pgn\n", "--variant", "chess")
    assert "is there already: choose another name" in shown
    assert "The game could not be kept" in shown
    assert old.read_text() == "mine"
    # only the file of --save is given up by --force
    other = tmp_path / "other.pgn"
    other.write_text("mine too")
    words = ("--variant", "chess", "--save", str(old), "--force")
    assert "is there already: choose another name" in play(f"save {other}\ng1f3\n", *words)
    assert "1. Nf3" in old.read_text()
    assert other.read_text() == "mine too"
    done = command("play", "--variant", "chess", "--save", f"{tmp_path}/no/x.pgn", input="")
    assert done.returncode == 2
    assert done.stderr.endswith(f"{tmp_path}/no/x.pgn: there is no folder {tmp_path}/no\n")


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    """The game is kept on where it was, even if the other name is faulty."""
    path, loop = tmp_path / "a.pgn", tmp_path / "loop"
    loop.symlink_to(loop)
    (tmp_path / "other.pgn").write_text("mine")
    names = ["no/x", ".", "loop", "other.pgn", "other.pgn/x", "x" * 300, "a\0b", "a\ud800b"]
    answers = iter(["e2e4", *(f"save {tmp_path}/{name}" for name in names), f"save {path}", "d2d4"])
    shown: list[str] = []

    def read(_prompt: str) -> str:
        line = next(answers, None)
        if line is None:
            raise EOFError
        return line

    control = TimeControl.read("depth=1")
    game = Play(
        "chess", None, side=0, control=control, level=12, ink=PLAIN, read=read, write=shown.append,
        save=path,
    )  # fmt: skip
    game.run()
    complaints = [line for line in shown if line.startswith("The game could not be kept: ")]
    assert len(complaints) == len(names)
    assert all(line.isprintable() for line in complaints)
    assert f"Kept in {path} from now on" in shown
    (record,) = read_records(path)
    assert [step.move for step in record.steps][::2] == ["e4", "d4"]
    assert sorted(os.listdir(tmp_path)) == ["a.pgn", "loop", "other.pgn"]


def test_a_goryujin_game_on_a_terminal_of_80x24() -> None:
    """Nothing that is shown is larger than the terminal."""
    terminal = TerminalUnderTest(
        "play", "--variant", "goryujin", "--tc", "nodes=300", size=(80, 24)
    )
    terminal.wait("White> ")
    screen = terminal.press(b"P2@al1\n", "2. White> ").partition("engine thinks\n")[2]
    assert re.search(r"White to move; ranks \d+ to \d+ of 30\n", screen)
    assert len(screen.splitlines()) <= 24
    assert max(map(len, screen.splitlines())) <= 80
    assert screen.count("*") == 5  # the engine's piece
    terminal.leave(b"quit\n")


def test_a_replay_on_a_terminal_of_80x24(tmp_path: Path) -> None:
    """The last move is seen."""
    path = tmp_path / "game.pgn"
    moves = ["P0@m1", "P0@al28", "P0@u1", "resign"]
    assert command("record", "new", str(path), "--variant", "goryujin").returncode == 0
    assert command("record", "add", str(path), *moves).returncode == 0
    terminal = TerminalUnderTest("record", "replay", str(path), size=(80, 24))
    terminal.wait("q: leave")
    for _ in range(3):
        screen = terminal.press(b"l", "q: leave").rpartition(CLEAR)[2]
        assert len(screen.splitlines()) == 23
        assert screen.count("*") == 5
    assert "\nWhite wins: resignation; ranks 1 to " in screen
    terminal.leave(b"q")


def test_a_won_position_is_told_so() -> None:
    """By the number of moves, in one notation for play, matches and records."""
    assert [score_text(44, None), score_text(-7, None)] == ["+0.44", "-0.07"]
    assert [score_text(31991, 5), score_text(-31998, -1)] == ["+M5", "-M1"]
    mating = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
    words = ("--variant", "chess", "--tc", "depth=4", "--side", "b")  # in no time that may be short
    shown = play("hint\n", *words, "--fen", mating)
    assert "The engine plays Ra8#  (+M1: it wins in 1 move)\n1-0 (checkmate): the engine" in shown
    mated = "7k/8/8/8/8/8/1r6/r6K w - - 0 1".replace("r6K", "7K").replace("1r6", "qr6")
    shown = play("", *words, "--fen", mated)
    assert re.search(r"The engine plays Kg1  \(-M1: it loses in 1 move\)", shown)


def test_a_resumed_game_keeps_its_level(tmp_path: Path) -> None:
    """Time control and level, until the command line says others; then these are kept."""
    path = tmp_path / "game.pgn"

    def black(said: str, *words: str) -> str:
        done = command("play", *words, input=said)
        assert done.returncode == 0, done.stderr
        return read_records(path)[0].tags["Black"]

    level = ("--tc", "depth=2", "--level", "5")
    name = black("e4\n", "--variant", "chess", "--save", str(path), *level)
    assert name == "ryugi-engine (depth=2, level 5)"
    resume = ("--resume", str(path))
    assert black("h4\n", *resume) == "ryugi-engine (depth=2, level 5)"
    assert black("level 3\nlevel 13\nlevel\n", *resume) == "ryugi-engine (depth=2, level 3)"
    assert black("", *resume, "--level", "12") == "ryugi-engine (depth=2)"
    assert black("", *resume, "--tc", "90+1") == "ryugi-engine (90+1)"
    path.write_text(path.read_text().replace("ryugi-engine (90+1)", "Bob"))
    assert black("", *resume) == "Bob"


@pytest.mark.slow
def test_a_saved_game_is_resumed(tmp_path: Path) -> None:
    """It goes on where it was, on the same side; what would be lost is refused."""
    path = tmp_path / "game.pgn"
    play("e4\nNf3\n", "--variant", "chess", "--save", str(path))
    (before,) = read_records(path)
    shown = play("h3\nundo\nh4\nresign\n", "--resume", str(path))
    assert "You are White (" in shown
    (record,) = read_records(path)
    moves = [step.move for step in record.steps]
    assert moves[:4] == [step.move for step in before.steps]
    assert (moves[4], record.result) == ("h4", "0-1")
    assert record.tags["Black"] == before.tags["Black"]
    for text, message in (
        (path.read_text(), "the game is over; 'record undo' takes its end back"),
        ("1. e4 {mine} *", "comments and variations, which would be lost"),
        ("1. e4 *\n\n1. d4 *", "has other games beside; save this one in a file"),
        ("1. e5 *", "illegal move 'e5'"),
    ):
        path.write_text(text)
        done = command("play", "--resume", str(path), input="")
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
        assert path.read_text() == text
    done = command("play", "--resume", str(path), "--variant", "chess", input="")
    assert (done.returncode, "--resume goes without --variant" in done.stderr) == (2, True)
    # as Black the engine begins
    other = tmp_path / "black.pgn"
    play("e5\n", "--variant", "chess", "--side", "b", "--save", str(other))
    assert "You are Black (" in play("", "--resume", str(other))


def test_after_the_end_of_a_game(tmp_path: Path) -> None:
    """The end can be taken back, kept, and another game begun; each record is sound."""
    text = "rnbqkbnr/pppp1ppp/4p3/8/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    first, second = tmp_path / "first.pgn", tmp_path / "second.pgn"
    over = "The game is over: 'undo', 'save FILE', 'new', 'board' or 'quit'\n"
    output = (
        "new", "d8h4", "g1f3", "", "hint", f"save {first}", "undo", "resign", "undo", "resign",
        "new", "moves g8", f"save {second}", "d8h4", "quit",
    )  # fmt: skip
    words = ("--variant", "chess", "--fen", text, "--side", "b")
    shown = play("\n".join(output) + "\n", *words)
    assert "The game is not over: 'resign' ends it" in shown
    assert shown.count("0-1 (checkmate): you win\n") == 2
    assert shown.count(over) == 3
    assert shown.count("1-0 (resignation): the engine wins\n") == 2
    assert shown.count("No longer 1-0 (resignation)\n") == 1
    assert f"{first} keeps the last game; 'save FILE' will keep this one\n" in shown
    (record,) = read_records(first)
    assert (record.result, record.steps) == ("1-0", [])
    (record,) = read_records(second)
    assert (record.result, [step.move for step in record.steps]) == ("0-1", ["Qh4#"])


def test_lost_turns(tmp_path: Path) -> None:
    """In Goryujin a turn whose time is over is lost."""
    path = tmp_path / "game.pgn"
    words = ["play", "--variant", "goryujin", "--level", "1", "--tc", "st=0.5"]
    terminal = TerminalUnderTest(*words, "--save", str(path))
    terminal.wait("You have 0.5 s a turn")
    terminal.wait("White> ")
    terminal.wait("Your time is over: the turn is lost")
    terminal.wait("The engine plays ")
    terminal.wait("Your time is over: the turn is lost")
    terminal.wait("The engine plays ")
    terminal.leave(b"quit\n")
    (record,) = read_records(path)
    assert [step.move for step in record.steps[0:4:2]] == ["pass", "pass"]
    position = Playback.of(record, registry()).position
    assert len(position.moves) >= 4


def test_a_turns_time_without_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a system without interval timers notices when the person has answered."""
    monkeypatch.delattr("signal.setitimer")
    now = [0.0]
    clock = TurnClock(5.0, lambda: now[0])
    clock.begin("first")
    with clock.running():
        now[0] = 4.0
    clock.begin("first")
    with pytest.raises(TurnLost), clock.running():
        now[0] = 6.0
    with pytest.raises(TurnLost), clock.running():
        raise AssertionError("the person is asked though the turn is lost")
    clock.begin("second")
    with clock.running():
        now[0] = 10.0


def _objection(name: str, move: str, *moves: str) -> str:
    position = Position(registry().game(name))
    for one in moves:
        position.push(one)
    with pytest.raises(IllegalMove):
        position.parse_move(move)
    return position.objection(move)


@pytest.mark.parametrize(
    ("name", "moves", "move", "reason"),
    [
        ("goryujin", (), "I0@ae1", "only a P begins a dragon"),
        ("goryujin", (), "P0@ae9", "a P lies on your first row, or joins a tip"),
        ("goryujin", ("P2@al1", "P0@al28"), "I1@a1", "only a P may lie on your first row"),
        ("goryujin", ("P2@al1", "P0@al28"), "I1@a9", "it joins no free end of a tip"),
        ("goryujin", ("P2@al1", "P0@al28"), "P0@am1", "it lies on another piece"),
        ("goryujin", ("P2@al1", "P0@al28"), "P0@an1", "it touches another of your pieces"),
        ("goryujin", (), "Q0@an1", "no such turn"),
        ("gomokuroku", (), "S@f6", "place your track stone on the rim first: any circle"),
        ("gomokuroku", ("S@f11",), "S@e5", "place your track stone on the rim first: beside"),
        ("gomokuroku", ("S@f11",), "S@f11", "the circle is taken"),
        ("gomokuroku", ("S@f11", "S@g11"), "S@k6", "a stone goes on a circle inside the rim"),
    ],
)
def test_what_is_not_legal_says_why(
    name: str, moves: tuple[str, ...], move: str, reason: str
) -> None:
    assert _objection(name, move, *moves).startswith(reason)


@pytest.mark.parametrize(
    ("answers", "title"),
    [
        ((b"GoRoGo\n",), "1. Black> "),
        ((b"999\n", b"ryugy\n", b"ryugi\n"), "1. White> "),
        ((b"\n",), "1. White> "),
    ],
)
def test_play_asks_for_the_game(answers: tuple[bytes, ...], title: str) -> None:
    """By name, title or number; faults are reported, and it asks again."""
    terminal = TerminalUnderTest("play", "--tc", "st=0.1", "--side", "wb"["Black" in title])
    terminal.wait("Which game?")
    for wrong in answers[:-1]:
        assert "unknown variant" in terminal.press(wrong, "Which game?")
    terminal.press(answers[-1], title)
    terminal.leave(b"quit\n")
