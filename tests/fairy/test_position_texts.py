"""Position texts as lichess, python-chess and Fairy-Stockfish write them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import chess.variant
import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from tests.support.helpers import EngineUnderTest, command

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
