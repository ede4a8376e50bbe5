"""The kernels against the reference rules, over random walks and random boards of every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ryugi_engine.games.notation import square_name, squares_of
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.conftest import FAMILY
from tests.support.effort import effort
from tests.support.helpers import reference_of, wild_position
from variants.chess.fast import entries
from variants.chess.fast import layout as L

#: Positions in all, over all games, that a full run compares.
POSITIONS = 105_000


def same_frame(position: Position) -> bool:
    """Whether the frame that make kept up to date equals one built from the mailbox."""
    at = int(position.state.words[0])
    kept = position.state.words[at : at + L.FRAME.words].copy()
    entries.refresh(position.state.address)
    fresh = position.state.words[at : at + L.FRAME.words]
    return bool((kept == fresh).all())


def compare(name: str, seed: str, wanted: int) -> int:
    """Walk until ``wanted`` positions have been compared; returns how many there were."""
    source = random.Random(seed)
    game = registry().game(name)
    done = 0
    while done < wanted:
        position = wild_position(game, source) if source.random() < 0.5 else Position(game)
        if position is None:
            continue
        board = reference_of(position)
        for _ in range(source.choice((5, 40, 150))):
            expected = board.legal_moves()
            moves = position.legal_moves()
            assert sorted(moves) == sorted(expected), (position.text(), set(moves) ^ set(expected))
            assert position.in_check() == board.in_check(board.data.side), position.text()
            out = int(position.header["moves"])
            assert position.kernels.perft(position.state.address, 1, 1, out) == len(moves)
            done += 1
            if not moves or done >= wanted:
                break
            # captures, castling and double steps often enough, quiet moves all the same
            move = source.choice(moves)
            position.push(move)
            board = expected[move]
            assert position.text() == board.text()
            assert same_frame(position), position.text()
        if position.moves and source.random() < 0.2:
            final, line = position.text(), list(position.moves)
            for _ in line:
                position.pop()
            assert position.text() == position.root_text
            assert same_frame(position)
            for move in line:
                position.push(move)
            assert position.text() == final
    return done


@pytest.mark.more
@pytest.mark.parametrize("name", FAMILY)
def test_en_passant_is_read_alike(name: str, source: random.Random) -> None:
    """Any square is read: kernels and reference rules keep those that a legal move takes."""
    game = registry().game(name)
    kept = dropped = 0
    wanted = effort(1, 15)
    while kept < wanted or dropped < wanted:
        position = wild_position(game, source) or Position(game)
        for _ in range(20):
            # every square of a rank: most are refused as en passant squares
            rank = source.choice((2, 3, game.ranks - 4, game.ranks - 3))
            for file in range(game.files):
                fields = position.text().split()
                fields[3] = square_name((file, rank))
                text = game.reference(" ".join(fields)).text()
                assert Position(game, " ".join(fields)).text() == text
                kept, dropped = kept + (text.split()[3] != "-"), dropped + (text.split()[3] == "-")
            moves = position.legal_moves()
            if not moves:
                break
            # pawns first: they are what en passant is about
            board = position.rules.board(position.state)
            pawns = [m for m in moves if board[squares_of(m)[0]].upper() == game.pawn]
            position.push(source.choice(pawns or moves))


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("part", range(effort(1, 3)))
@pytest.mark.parametrize("name", FAMILY)
def test_walks(name: str, part: int, source: random.Random) -> None:
    """In the long run more than 100,000 positions; in parts, so that processes share them."""
    share = POSITIONS // effort(120 * len(FAMILY), 3 * len(FAMILY)) + 1
    assert compare(name, f"{name} {part} {source.random()}", share) == share


def test_user_defined_game(tmp_path: Any, source: random.Random) -> None:
    """A small board, other leapers, a royal leaper, an own promotion set, own double steps."""
    file = tmp_path / "own.toml"
    file.write_text(
        """
[minions]
files = 6
ranks = 7
start = "zcknaz/pppppp/6/6/6/PPPPPP/ZCKNAZ w - - 0 1"
promotion = "ZN"
double_step_region = "a2 f2"
[minions.pieces]
K = "WD"
Z = "ZW"
C = "CF"
N = "NN"
A = "BGH"
""".replace('"BGH"', '"BH"')
    )
    registry().load_file(str(file))
    assert compare("minions", str(source.random()), 400) == 400
