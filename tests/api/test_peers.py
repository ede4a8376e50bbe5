"""The library's random games against python-chess and pyffish: legal moves, SAN, ends."""

from __future__ import annotations

import random

import chess
import chess.variant
import pyffish
import pytest

from ryugi_engine import Position
from tests.support.effort import effort

#: Our names of python-chess's games.
GAMES = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "atomic": chess.variant.AtomicBoard,
    "antichess": chess.variant.AntichessBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "horde": chess.variant.HordeBoard,
    "3check": chess.variant.ThreeCheckBoard,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
}
#: Games of pyffish, which takes two milliseconds for each call.
OTHERS = ("shogi", "minishogi", "xiangqi", "capablanca", "makruk", "janggi", "seirawan", "grand")
_PLIES = 160


@pytest.mark.more
@pytest.mark.parametrize("name", GAMES)
def test_random_games_against_python_chess(name: str, source: random.Random) -> None:
    for _ in range(effort(3, 100)):
        position, board = Position(name), GAMES[name]()
        while position.ply() < _PLIES:
            ours, theirs = position.legal_moves, list(board.legal_moves)
            where = board.fen()
            assert set(ours.uci()) == {move.uci() for move in theirs}, where
            assert len(ours) == len(theirs), where
            outcome = board.outcome()
            if outcome is None and position.is_game_over():  # variants' draws need no claim here
                assert name != "chess", where
                assert position.result() == "1/2-1/2", where
                assert board.can_claim_draw(), (where, position.reason())
            elif outcome is None or outcome.termination != chess.Termination.INSUFFICIENT_MATERIAL:
                assert position.result() == board.result(), where  # ours knows more dead positions
            elif not position.is_game_over():  # Lichess draws these, Fairy-Stockfish plays on
                assert not all(pyffish.has_insufficient_material(name, where, [])), where
            assert position.turn == board.turn
            assert position.is_check() == board.is_check() or name == "antichess", where
            if position.is_game_over():
                break
            for move in source.sample(theirs, min(4, len(theirs))):
                san = board.san(move)
                assert position.uci(san) == move.uci(), (where, san)
                if name != "chess":  # its "#" is any end, ours a mate; a pawn's drop has no letter
                    san = san.rstrip("#") if position.san(san)[-1] != "#" else san
                    san = f"P{san}" if san[0] == "@" else san
                assert position.san(move.uci()) == san, (where, san)
            chosen = source.choice(theirs)
            position.push(chosen.uci())
            board.push(chosen)
        while position.moves:
            assert position.pop() == board.pop().uci()
        assert position == Position(name)


@pytest.mark.more
@pytest.mark.parametrize("name", OTHERS)
def test_random_games_against_pyffish(name: str, source: random.Random) -> None:
    for _ in range(effort(1, 20)):
        position = Position(name)
        start = position.fen()
        for _ in range(60):
            moves = position.moves
            theirs = pyffish.legal_moves(name, start, moves)
            assert sorted(position.legal_moves.uci()) == sorted(theirs), (start, moves)
            assert position.is_game_over() == (not theirs), (start, moves)
            if not theirs:
                break
            position.push(source.choice(theirs))


def test_san_against_pyffish(source: random.Random) -> None:
    position = Position("capablanca")
    while not position.is_game_over() and position.ply() < 80:
        move = source.choice(position.legal_moves.uci())
        assert position.san(move) == pyffish.get_san("capablanca", position.fen(), move)
        position.push(move)
