"""Position texts as lichess, python-chess and Fairy-Stockfish write them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import chess.variant
import pytest

from ryugi_engine.games.notation import PositionError, remark_on
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from tests.support.helpers import EngineUnderTest, command, walked

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def random_boards(board: chess.Board, source: random.Random) -> Iterator[chess.Board]:
    """The positions of a random game of python-chess; checks and captures are preferred."""
    for _ply in range(80):
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            return
        rare = [move for move in moves if board.gives_check(move) or board.is_capture(move)]
        board.push(source.choice(rare if rare and source.random() < 0.5 else moves))
        yield board


def check_same(position: Position, board: chess.Board) -> None:
    """The same moves, pieces, hands and checks."""
    assert sorted(position.legal_moves()) == sorted(move.uci() for move in board.legal_moves)
    ours, theirs = position.text().split(), board.fen().split()
    assert sorted(ours[0].partition("[")[2]) == sorted(theirs[0].partition("[")[2])
    assert (ours[0].partition("[")[0], ours[4:]) == (theirs[0].partition("[")[0], theirs[4:])


def test_three_checks_of_python_chess(source: random.Random) -> None:
    """What is left before the counters, or what was given after them."""
    game = registry().game("3check")
    for _ in range(4):
        for board in random_boards(chess.variant.ThreeCheckBoard(), source):
            if board.is_variant_end():
                break
            fields = board.fen().split()
            white, black = (3 - int(count) for count in fields[4].split("+"))
            check_same(Position(game, board.fen()), board)
            theirs = " ".join([*fields[:4], *fields[5:], f"+{white}+{black}"])
            assert chess.variant.ThreeCheckBoard(theirs).fen() == board.fen()
            check_same(Position(game, theirs), board)


def test_hands_of_python_chess(source: random.Random) -> None:
    """In brackets, and as lichess writes them; promoted pieces have their sign."""
    game = registry().game("crazyhouse")
    for _ in range(4):
        for board in random_boards(chess.variant.CrazyhouseBoard(), source):
            text = board.fen()
            check_same(Position(game, text), board)
            check_same(Position(game, text.replace("[", "/").replace("]", "")), board)


@pytest.mark.parametrize(
    ("name", "text", "checks"),
    [
        ("3check", START, "3+3"),
        ("3check", f"{START} 0 1", "3+3"),
        ("3check", f"{START} 0 1 +1+0", "2+3"),
        ("3check", f"{START} +0+2 7 9", "3+1"),
        ("3check", START.partition(" ")[0], "3+3"),
        ("5check", f"{START} 0 1 +1+0", "4+5"),
        ("5check", START, "5+5"),
        ("checkshogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w", "1+1"),
    ],
)
def test_checks_that_a_text_leaves_out_are_those_of_the_start(
    name: str, text: str, checks: str
) -> None:
    assert checks in Position(registry().game(name), text).text().split()


def sfen_of(position: Position, hands: bool) -> str:
    """A position as SFEN: Black has the capitals and moves first; plies are counted."""
    board, side, *_, number = position.text().split()
    rows, _, held = board.rstrip("]").partition("[")
    held = "".join(f"{held.count(sign)}{sign}" for sign in sorted(set(held))) if hands else ""
    ply = 2 * int(number) - (side == "w")
    return f"{rows} {'b' if side == 'w' else 'w'} {held or '-'} {ply}"


@pytest.mark.parametrize("name", ["shogi", "minishogi", "kyotoshogi", "torishogi", "dobutsu"])
def test_sfen_of_a_walk(name: str, source: random.Random) -> None:
    """With its word and without, in files too."""
    position = walked(registry().game(name), source, 60)
    text = position.text().rsplit(" ", 2)[0]
    sfen = sfen_of(position, hands=True)
    for read in (sfen, f"sfen {sfen}", f"sfen {sfen.rsplit(' ', 1)[0]}"):
        assert Position(position.game, read).text().rsplit(" ", 2)[0] == text
    assert Position(position.game, sfen).text().split()[-1] == position.text().split()[-1]
    (record,) = parse_records(f'[Variant "{name}"]\n[FEN "sfen {sfen}"]\n\n*')
    assert Playback.of(record, registry()).position.text().rsplit(" ", 2)[0] == text


def test_a_number_before_a_piece_in_hand_is_no_square() -> None:
    read = Position(registry().game("minishogi"), "sfen 2s1k/3Rg/Gbpr1/2Sp1/K4 b 1b 31")
    assert read.text() == "2s1k/3Rg/Gbpr1/2Sp1/K4[b] w - - 0 16"


def test_a_text_that_could_be_sfen_is_remarked_on() -> None:
    rows = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
    shogi = registry().game("shogi")
    for text, side, clear in (
        (f"{rows} b - 1", "w", False),
        (f"{rows} w - 2", "b", False),
        (f"sfen {rows} b - 1", "w", True),
        (f"{rows} b 2Pb 5", "w", True),
        (f"{rows} b - - 0 1", "b", True),
        (f"{rows}[] b - - 0 1", "b", True),
        (f"{rows} b", "b", True),
    ):
        assert Position(shogi, text).text().split()[1] == side, text
        assert (remark_on(shogi, text) == "") == clear, text
    done = command("show", "--variant", "shogi", "--fen", f"{rows} b - 1")
    assert "read as SFEN" in done.stderr
    assert f"Fen: {rows}[] w - - 0 1" in done.stdout
    engine = EngineUnderTest("uci").ready()
    engine.send("setoption name UCI_Variant value shogi")
    for text in (f"sfen {rows} b - 1 moves c3c4", f"sfen {rows} w - 2"):
        engine.send(f"position {text}", "d")
        assert engine.wait("Fen: ").split()[2] == "b"
    engine.send(f"position fen {rows} b - 1", "isready")
    engine.wait("info string the position is read as SFEN")
    assert engine.quit() == ""


@pytest.mark.parametrize(
    ("name", "words", "moves"),
    [
        ("kyotoshogi", "Gd2 Gb4", "d1d2- b5b4-"),
        ("kyotoshogi", "Gd2=N Gb4=N Ga2=L", "d1d2- b5b4- a1a2-"),
        ("kyotoshogi", "Sb2 +Nb4-", "b1b2+ b5b4-"),
        ("shogi", "Gd2 Gd8", "d1d2 d9d8"),
    ],
)
def test_promoted_pieces_by_what_they_move_like(name: str, words: str, moves: str) -> None:
    (record,) = parse_records(f'[Variant "{name}"]\n\n{words} *')
    assert " ".join(Playback.of(record, registry()).position.moves) == moves
    assert not record.faults


@pytest.mark.parametrize("name", ["xiangqi", "manchu", "minixiangqi", "janggi"])
def test_horses_and_elephants_and_red(name: str, source: random.Random) -> None:
    position = walked(registry().game(name), source)
    board, side, rest = position.text().split(" ", 2)
    letters = str.maketrans("NnBb", "HhEe")
    other = f"{board.translate(letters)} {'r' if side == 'w' else side} {rest}"
    assert Position(position.game, other).text() == position.text()
    (record,) = parse_records(f'[Variant "{name}"]\n[FEN "{other}"]\n\n*')
    assert Playback.of(record, registry()).position.text() == position.text()
    with pytest.raises(PositionError, match="unknown letter 'h'"):
        Position(registry().game("chess"), "rhbqkbhr/8/8/8/8/8/8/RHBQKBHR w - - 0 1")


def test_every_command_reads_them() -> None:
    text = f"{START} 0 1 +1+0"
    done = command("show", "--variant", "3check", "--fen", text)
    assert "Fen: " + START + " 2+3 0 1" in done.stdout
    done = command(
        "perft", "--variant", "crazyhouse", "--fen", "4k3/8/8/8/8/8/8/4K3/N w", "--depth", "1"
    )
    assert "67" in done.stdout, done.stderr
    engine = EngineUnderTest("uci").ready()
    engine.send("setoption name UCI_Variant value 3check", f"position fen {text}", "go depth 1")
    engine.wait("bestmove")
    assert engine.quit() == ""


@pytest.mark.parametrize("tags", ["", f'[FEN "{START} 0 1"]\n'])
def test_a_record_without_checks(tags: str) -> None:
    """Lichess's records of three-check have none at the start."""
    text = f'[Variant "Three-check"]\n{tags}\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+ d5 *'
    (record,) = parse_records(text)
    playback = Playback.of(record, registry())
    assert not record.faults
    assert playback.position.text().split()[4] == "1+3"


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3"),
        ("chess", "4k3/8/8/8/3pP3/8/4B3/4K3 b - e3 0 1", "-"),  # the pawn did not come from e2
        ("chess", "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "-"),
        ("crazyhouse", "4k3/8/8/8/3pP3/8/4B3/4K3[] b - e3 0 1", "-"),
        ("berolina", "4k3/8/8/8/5pP1/8/8/4K3 b - f3g4 0 1", "f3g4"),
        ("berolina", "4k3/8/8/8/5pP1/8/8/4K3 b - f3 0 1", "-"),  # by which piece is not said
        ("torpedo", "4k3/8/3pP3/8/8/8/8/4K3 b - e5 0 1", "e5"),
    ],
)
def test_squares_that_no_piece_has_passed_are_dropped(name: str, text: str, kept: str) -> None:
    assert registry().game(name).reference(text).text().split()[3] == kept
