"""Walls together with royalty, blasts and rows: as Fairy-Stockfish, by both sets of rules."""

from __future__ import annotations

import random
from pathlib import Path

import pyffish
import pytest

from ryugi_engine.games.definitions import read_text
from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import PROMISING, list_moves
from tests.support.effort import effort
from variants import chess as chess_games

_PSEUDO = """king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
extinctionPseudoRoyal = true
"""
_WALLS = ("arrow", "duck", "edge", "past", "static")
_HOLES = "/".join(["***4***"] * 3)
_INI = f"""
[royalduck:duck]
extinctionPseudoRoyal = true
[atomicduck:atomic]
wallingRule = duck
[stoneduck:petrified]
wallingRule = duck
{_PSEUDO}
[stones:petrified]
[fewstones:petrified]
maxRank = 5
maxFile = 5
startFen = rnk2/ppp2/5/2PPP/2KNR w - - 0 1
doubleStep = false
[disks:flipello]
[annexation:flipello]
maxRank = 10
maxFile = 10
startFen = {_HOLES}/10/4pP4/4Pp4/10/{_HOLES}[{"P" * 30}{"p" * 30}] w 0 1
[hoppers:grasshopper]
wallingRule = arrow
[cannons:xiangqi]
wallingRule = past
""" + "".join(
    f"[king{rule}:chess]\nwallingRule = {rule}\n"
    f"[pseudo{rule}:chess]\nwallingRule = {rule}\n{_PSEUDO}"
    f"[blast{rule}:atomic]\nwallingRule = {rule}\n"
    for rule in _WALLS
)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Game]:
    pyffish.load_variant_config(_INI)
    path: Path = tmp_path_factory.mktemp("walls") / "variants.ini"
    path.write_text(_INI)
    read, faults, _ = chess_games.read_ini(path)
    assert not faults
    return {game.name: game for game in read}


def _compare(game: Game, text: str, *, slow: bool = True) -> list[str]:
    moves = sorted(Position(game, text).legal_moves())
    assert moves == sorted(pyffish.legal_moves(game.name, text, [])), text
    if slow:
        assert game.reference is not None
        assert moves == sorted(game.reference(text).legal_moves()), text
    return moves


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        # the duck leaves a line to a king; alone, and with the piece beyond it
        ("royalduck", "4k3/4r3/8/8/8/8/4*3/P3K3 w - - 0 1", 240),
        ("atomicduck", "r1b1kbnr/pppp1p1p/n7/1B2p3/1q2P1Q1/2*4N/PPPP1PPP/R3K2R w KQkq - 4 6", None),
        # the shooter's quiet moves alone: after a capture, en passant, a double step, castling
        ("pseudoarrow", "4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", 24),
        ("pseudoarrow", "4k3/8/8/8/3p4/4P3/P7/4K2R w - - 0 1", 136),
        ("kingarrow", "4k3/3p4/8/4Pp2/8/8/P7/R3K2R w KQ f6 0 1", None),
        # a wall that ends a check, for a king whose checks walls block and for one that does not
        ("pseudostatic", "4k3/4r3/8/8/8/8/8/P3K3 w - - 0 1", None),
        ("kingstatic", "4k3/4r3/8/8/8/8/8/P3K3 w - - 0 1", None),
        # a king that took would be stone: it takes no king
        ("stones", "*1**4/3pK1k1/4pP2/1p3p2/1Pp*2*1/P1Q2P2/8/3*4 b - - 12 57", 7),
        # a queen that turns to stone shields her king, though the duck leaves
        ("stoneduck", "rnbqkbnr/1p1pp1pp/8/2p2p1*/p3P3/2P5/PPPQ1PPP/RNBK1BNR w kq - 0 6", 1211),
        # no move but a pass, written as the first piece's move to its own square
        ("disks", f"8/8/2P2P2/pPPPPP2/ppPPPP2/pPpPP3/1PPP4/pP6[{'Pp' * 51}] w - - 0 11", 1),
    ],
)  # fmt: skip
def test_moves(games: dict[str, Game], name: str, text: str, number: int | None) -> None:
    moves = _compare(games[name], text)
    assert number in (None, len(moves))


def test_a_pawn_that_promotes_by_capture_is_no_stone(games: dict[str, Game]) -> None:
    game, text = games["stones"], "2q1k3/1P6/8/8/8/8/8/4K3 w - - 0 1"
    position = Position(game, text)
    assert game.reference is not None
    for move in ("b7c8q", "b7c8n"):
        theirs = pyffish.get_fen(game.name, text, [move])
        position.push(move)
        assert position.text() == theirs
        position.pop()
        assert game.reference(text).legal_moves()[move].text() == theirs


def test_a_search_tries_the_walls_that_hinder_most() -> None:
    """All legal; with each move those that most enemy moves need, here on the line to the king."""
    game = registry().game("duck")
    text = "4r2k/8/8/8/8/8/P7/*3K3 w - - 0 1"
    position = Position(game, text)
    every = {position.move_text(code) for code in position.legal_codes()}
    codes = list_moves(position.kernels.generate, position.state, PROMISING)
    tried = {position.move_text(code) for code in codes}
    assert tried < every
    assert {move.split(",")[0] for move in tried} == {move.split(",")[0] for move in every}
    line = {f"a2a3,a3e{rank}" for rank in range(2, 8)}
    assert len({move for move in tried if move.startswith("a2a3,")} & line) == 5


def test_perft_of_duck_and_blasts(games: dict[str, Game]) -> None:
    text = "r1b1kbnr/ppppqp1p/n7/1B2p1p1/4P1Q1/7N/PPPP1PPP/RNB*K2R b KQkq - 3 5"
    position = Position(games["atomicduck"], text)
    first = int(position.header["moves"])
    assert position.kernels.perft(position.state.address, 2, 1, first) == 869_245


def test_random_games(games: dict[str, Game], source: random.Random) -> None:
    """Positions are set up from their texts, as a king may be exposed where walls move."""
    for game in games.values():
        position = Position(game)
        for _ in range(effort(12, 200)):
            text = position.text()
            moves = _compare(game, text, slow=len(position.legal_codes()) < effort(60, 400))
            if not moves or position.outcome() is not None:
                break
            position.push(source.choice(moves))


def test_a_royal_piece_is_not_dropped_beside_another() -> None:
    """Position texts have one of a side."""
    text = '[free]\nfiles = 4\nranks = 4\nstart = "k3/4/4/3K[] w - - 0 1"\npiece_drops = true\n'
    (reader,) = read_text(text + 'free_drops = true\npieces = { K = "K", W = "W" }\n', "free.toml")
    game = chess_games.define(reader)
    position = Position(game)
    assert game.reference is not None
    assert sorted(position.legal_moves()) == sorted(game.reference(game.start).legal_moves())
    for move in position.legal_moves():
        position.push(move)
        assert Position(game, position.text()).text() == position.text()
        position.pop()
