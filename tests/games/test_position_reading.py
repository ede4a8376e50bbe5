"""Positions in files of others: EPD with operations, FEN with faults that everybody passes over."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.position_reading import read_epd, start_of
from ryugi_engine.games.registry import registry
from ryugi_engine.perft.count import read_suite
from tests.conftest import GAMES
from tests.support.books import texts_in
from tests.support.helpers import command

BOARD = "rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq"
#: Of the general family: hands, checks, gates.
MORE = ("3check", "crazyhouse", "seirawan", "marseillais", "xiangqi", "shogi", "duck")


@pytest.mark.parametrize(
    ("line", "text", "operations"),
    [
        (f"{BOARD} - hmvc 2; fmvn 4;", f"{BOARD} - 2 4", {"hmvc": "2", "fmvn": "4"}),
        (f"{BOARD} - fmvn 4;", f"{BOARD} - 0 4", {"fmvn": "4"}),
        (f"{BOARD} -", f"{BOARD} -", {}),
        (f'{BOARD} - bm Qe2+ d4; id "a; b" ;', f"{BOARD} -", {"bm": "Qe2+ d4", "id": "a; b"}),
        (f"{BOARD} - 2 4", f"{BOARD} - 2 4", {}),
        (f"{BOARD} - 2 4 ;D1 20 ;D2 400", f"{BOARD} - 2 4", {"D1": "20", "D2": "400"}),
        (f"{BOARD} - D1 20; D2 400;", f"{BOARD} -", {"D1": "20", "D2": "400"}),
        (f'{BOARD} - 2 4; id "x";', f"{BOARD} - 2 4", {"id": "x"}),
        (f"{BOARD} - Elo 2000; zz; noop;", f"{BOARD} -", {"Elo": "2000", "zz": "", "noop": ""}),
        ("4k3/8 w ce - bm e4;", "4k3/8 w ce -", {"bm": "e4"}),
        ("8/8[] w - - 3+3 0 1 id x;", "8/8[] w - - 3+3 0 1", {"id": "x"}),
        ("8/8 w - - 3+3 hmvc 5; fmvn 7;", "8/8 w - - 3+3 5 7", {"hmvc": "5", "fmvn": "7"}),
        ('8/8 b id "7";', "8/8 b", {"id": "7"}),
        (f'{BOARD} - id "open', f"{BOARD} -", {"id": "open"}),
    ],
)
def test_epd(line: str, text: str, operations: dict[str, str]) -> None:
    assert read_epd(line) == (text, operations)


@pytest.mark.parametrize("name", [*GAMES, *MORE])
def test_every_game_has_epd(name: str, source: random.Random) -> None:
    """A position alone, with operations or with a comment is that position."""
    position = Position(registry().game(name))
    for _ in range(30):
        text = position.text()
        for end in ("", ";", " ; a note", '; id "a; b";', " id 7; c0 x;", " ;D1 20"):
            assert read_epd(text + end)[0] == text
        codes = position.legal_codes()
        if not codes:
            break
        position.push(source.choice(codes))


def test_openings_with_operations(tmp_path: Path) -> None:
    path = tmp_path / "book.epd"
    path.write_text(f'# a book\n\n{BOARD} - hmvc 2; fmvn 4; id "a;b";\n{BOARD} - 7 9\n')
    game = registry().game("chess")
    assert texts_in(game, path) == [f"{BOARD} - 2 4", f"{BOARD} - 7 9"]
    path.write_text(f"\n{BOARD.replace('Q', 'X')} - hmvc 2;\n")
    with pytest.raises(UserError, match=r"book\.epd:2: board: rank 1: unknown letter 'X'"):
        texts_in(game, path)
    path.write_text("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1\n")
    with pytest.raises(UserError, match="a position of chess960, not of chess"):
        texts_in(game, path)


def test_suites_with_operations(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text(f'{BOARD} - hmvc 2; fmvn 4; D1 5; id "x";\n')
    (line,) = read_suite(path)
    assert (line.text, line.counts) == (f"{BOARD} - 2 4", {1: 5})
    done = command("perft", "--variant", "chess", "--suite", str(path))
    assert done.returncode == 0, done.stderr
    for fault in ("D1 x", "D 4", "x 4", "D1 5 5"):
        path.write_text(f"{BOARD} - 0 1 ;{fault}\n")
        with pytest.raises(UserError, match=r"suite\.epd:1: '.*' is not like 'D4 1563839'"):
            read_suite(path)


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("chess", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w KQkq zz x 3", "w K - 3 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R b", "b - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R", "w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w - - 9999 7", "w - - 0 7"),
        ("chess", "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1", "w HAha - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K2R[P] w x x 5 7", "w - - 5 7"),
    ],
)
def test_what_everybody_passes_over(name: str, text: str, read: str) -> None:
    _game, position = start_of(registry().game(name), text)
    assert position.text().partition(" ")[2] == read


def test_what_nobody_can_read_is_named_as_it_stands() -> None:
    for text in ("", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R q - - 0 1"):
        with pytest.raises(UserError):
            start_of(registry().game("chess"), text)


@pytest.mark.parametrize("name", GAMES)
def test_every_notation_of_a_move_is_read(name: str, source: random.Random) -> None:
    game = registry().game(name)
    position = Position(game)
    for _ in range(40):
        moves = position.legal_moves()
        if not moves or position.outcome() is not None:
            break
        move = source.choice(moves)
        spellings = [move, move.upper()]
        if len(move) > 4 and move[-1].isalpha() and move[-2].isdigit() and "@" not in move:
            spellings.append(f"{move[:-1]}={move[-1].upper()}")
        if move.endswith("+"):
            spellings.append(move.removesuffix("+"))
        for spelling in spellings:
            assert position.move_text(position.parse_move(spelling)) == move
        position.push(move)
