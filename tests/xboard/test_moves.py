"""Which words of CECP are moves."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from ryugi_engine.core.conversation import GuiConnection
from ryugi_engine.core.session import Session
from ryugi_engine.games.game import PASS, is_pass, read_move
from ryugi_engine.games.notation import own_ranks
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from tests.conftest import GAMES
from xboard import writer
from xboard.gui_board import after, board_of
from xboard.protocol import CecpProtocol


@pytest.mark.parametrize("name", GAMES)
def test_a_game_knows_its_moves_and_no_command(name: str, source: random.Random) -> None:
    game = registry().game(name)
    position = Position(game)
    for _ in range(60):
        moves = position.legal_moves()
        if not moves:
            break
        for move in moves:
            for word in (move, move.upper(), writer.protocol_move(move, game)):
                assert game.looks_like_move(word), word
        position.push(source.choice(moves))
    commands = [word.removeprefix("_do_") for word in dir(CecpProtocol) if word.startswith("_do_")]
    assert len(commands) > 30
    for word in (*commands, "edit", "white", "black", "e2", "e2e4e6", "S@", "", "e2e4\n"):
        assert not game.looks_like_move(word), word


#: A king beside its rook, kings that pass in chess, and passes with walls.
PASSING = """
[passing:chess]
pass = true
[stalemated:chess]
passOnStalemate = true
[walled:chess]
pass = true
wallingRule = duck
"""


@pytest.mark.parametrize("name", ["janggi", "ataxx", "passing", "stalemated", "walled"])
def test_passes_are_read_as_they_are_written(
    name: str, tmp_path: Path, source: random.Random
) -> None:
    """A king that passes goes to its own square, which is no castling."""
    (tmp_path / "own.ini").write_text(PASSING)
    games = Registry()
    games.load_file(str(tmp_path / "own.ini"))
    game = games.game(name)
    position = Position(game)
    for _ in range(30):
        moves = position.legal_moves()
        if not moves:
            break
        board = board_of(game, position.text())
        passes = [*filter(is_pass, moves)]
        for move in {*passes, *source.sample(moves, min(len(moves), 6))}:
            word = writer.protocol_move(move, game)
            read = position.parse_move(read_move(own_ranks(word, game.ranks)))
            assert position.move_text(read) == move
            if is_pass(move):
                assert word == "@@@@"
                assert after(game, board, move, position.side) == board
            else:
                after(game, board, move, position.side)
        position.push(source.choice([*passes, *moves]))


@pytest.mark.parametrize(
    ("name", "words", "others"),
    [
        ("chess", "e2e4 E7E8Q e7e8=q o-o 0-0-0 @@@@ e2d3,d3c4", "S@c3 P0@m1 e2+"),
        ("gorogo", "H@c3 s@a1 @@@@", "e2e4 H@c9 P0@m1"),
        ("gomokuroku", "S@f11 S@e5xc5d5 pass", "H@c3 e2e4"),
        ("goryujin", "P0@m1 z7@ab12+", "S@c3 e2e4"),
    ],
)
def test_moves_without_a_word_before_them(name: str, words: str, others: str) -> None:
    session = Session(lambda event: None)
    loop = CecpProtocol(GuiConnection(io.StringIO()), session)
    loop.answer(f"variant {'normal' if name == 'chess' else name}")  # the game that is to come
    for word in words.split():
        assert loop.find(word) is not None, word
    for word in others.split():
        assert loop.find(word) is None, word
    assert registry().game(name).looks_like_move(PASS)
