"""Moves of several legs and other moves of Betza 2.0 that Fairy-Stockfish does not know."""

from __future__ import annotations

import random

import pytest

from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.kernel.abi import HEADER
from tests.support.effort import effort
from variants import chess as chess_games


def game_with(pieces: str, start: str, *more: str, size: tuple[int, int] = (8, 8)) -> Game:
    """Return a game of the general family; ``pieces`` are TOML."""
    lines = ["[own]", f"files = {size[0]}", f"ranks = {size[1]}", f'start = "{start} w - - 0 1"']
    text = "\n".join([*lines, *more, f"pieces = {{ {pieces} }}"])
    return chess_games.define(read_text(text, "own.toml")[0])


def targets(moves: str, start: str, square: str) -> set[str]:
    """Return where the piece M on a square goes, without a king in the way."""
    position = Position(game_with(f'M = "{moves}", P = "fW"', start))
    return {move[2:] for move in position.legal_moves() if move.startswith(square)}


@pytest.mark.parametrize(
    ("moves", "number"),
    [
        ("afsW", 8), ("afsF", 8), ("afsK", 8), ("FyafsF", 24), ("WyafsW", 24), ("mpafmpafsW", 8),
        ("KNADcaKmcabK", 25), ("jR", 10), ("nNN", 12), ("dK", 0), ("oR", 14), ("NN", 12),
        ("afR", 10), ("yafW", 10), ("fyafsW", 6),
    ],
)  # fmt: skip
def test_targets_on_the_empty_board(moves: str, number: int) -> None:
    """From d4: Mao, Moa, Moo, Griffon, Aanca, a Zebra by king's steps, the Lion with its pass."""
    found = targets(moves, "8/8/8/8/3M4/8/8/8", "d4")
    assert len(found) == number, sorted(found)


def test_a_lion_captures_twice_on_its_way_and_without_moving() -> None:
    found = targets("KNADcaKmcabK", "8/8/2p5/3p4/3M4/8/8/8", "d4")
    assert {"d5,d5c6", "d5,d5d4", "d5,d5e6", "d5", "c6", "d4"} <= found
    assert "c6,c6d5" not in found  # which is no king's step away


def test_checkers_men_capture_by_leaping_and_promote() -> None:
    game = game_with(
        'M = "fmFfcafmF", K = "F"', "8/1m6/2M5/8/8/1M6/8/8", 'promotion = "K"', 'pawn = "M"',
        'royal = "-"', "must_capture = true", 'extinction_value = "loss"',
        'extinction_piece_types = "*"',
    )  # fmt: skip
    position = Position(game)
    assert position.legal_moves() == ["c6b7,b7a8k"]
    position.push(position.legal_codes()[0])
    assert position.text().startswith("K7/8/8/8/8/1M6/8/8 b")
    assert position.outcome() is not None


def test_own_pieces_are_captured_but_not_the_king() -> None:
    found = targets("dK", "8/8/8/8/2PM4/3P4/8/8", "d4")
    assert found == {"c4", "d3"}
    game = game_with('M = "dR", K = "K"', "8/8/8/8/K2M3M/8/8/k7")
    assert "d4h4" in Position(game).legal_moves()
    assert "d4a4" not in Position(game).legal_moves()


def test_nothing_is_attacked_by_the_capture_of_an_own_king() -> None:
    """The rook on f8 would have to take its king on f7 to hop to f1 and f2."""
    game = game_with('M = "cdafpR", K = "K"', "5m2/5k2/8/8/5M2/8/8/4K3")
    assert {"e1f1", "e1f2"} <= set(Position(game).legal_moves())


def test_a_tame_rook_does_not_give_check() -> None:
    game = game_with('M = "tR", K = "K"', "k6M/8/8/8/8/8/8/K7")
    position = Position(game)
    assert "h8a8" not in position.legal_moves()
    assert "h8b8" in position.legal_moves()


def test_a_cylinder_joins_the_edges() -> None:
    found = targets("oR", "8/8/8/8/1P1M4/8/8/8", "d4")
    assert {"c4", "e4", "h4", "a4"} <= found
    assert "b4" not in found


#: Pairs of ways to say the same: by forms with kernels of their own, and by legs.
SAME = [("nN", "mafsW"), ("nD", "afW"), ("nA", "afF"), ("N", "mpafsW"), ("D", "mpafW"),
        ("W", "W"), ("cpR", "pafcR"), ("R3", "R3")]  # fmt: skip
START = "rnmqkmnr/pppppppp/8/2m5/5M2/8/PPPPPPPP/RNMQKMNR"
PIECES = 'N = "N", Q = "Q", R = "R", K = "K", P = "fmWfceF", M = "{}"'


def _perft(game: Game, depth: int) -> int:
    position = Position(game)
    first = int(HEADER.of(position.state)["moves"])
    return int(position.rules.kernels.perft(position.state.address, depth, 1, first))


@pytest.mark.parametrize(("simple", "legs"), SAME)
def test_legs_say_the_same_as_simple_moves(simple: str, legs: str) -> None:
    """Perft, with checks by these pieces and pins."""
    one, two = (
        game_with(PIECES.format(moves), START, 'promotion = "QRNM"') for moves in (simple, legs)
    )
    for depth in range(1, effort(4, 5)):
        assert _perft(one, depth) == _perft(two, depth), depth


MEAN = ["KNADcaKmcabK", "FyafsF", "fmFfcafmFbWpR", "dKmcaN", "oRcafsF", "gabRtB", "nNNjB", "mpafcK",
        "cdafpR", "ptafmRmW", "yafsWcyabF", "dcafoK", "hrNiifmD", "fsQcR4mjQ"]  # fmt: skip


@pytest.mark.parametrize("moves", MEAN)
def test_kernels_agree_with_the_reference_rules(moves: str, source: random.Random) -> None:
    """Random games in which both sides have these pieces, with drops, checks and promotions."""
    game = game_with(
        PIECES.format(moves), START + "[]", 'promotion = "QRNM"', "captures_to_hand = true",
        "piece_drops = true", 'promoted_piece_type = { N = "M" }',
        'promotion_region = ["*6 *7 *8", "*1 *2 *3"]',
    )  # fmt: skip
    position = Position(game)
    reference = game.reference(position.text())
    for _ in range(effort(14, 100)):
        moves_there = reference.legal_moves()
        codes = dict(zip(position.legal_moves(), position.legal_codes(), strict=True))
        assert sorted(codes) == sorted(moves_there), position.text()
        if not codes or position.outcome() is not None:
            break
        move = source.choice(sorted(codes))
        position.push(codes[move])
        reference = moves_there[move]
        assert position.text() == reference.text(), move
