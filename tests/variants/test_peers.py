"""Against other implementations: pyffish for the family, python-chess for chess."""

from __future__ import annotations

import random

import chess
import pyffish
import pytest

from bench.peers import RYUGI_RULES
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from tests.support.effort import effort
from tests.support.helpers import wild_position

FAMILY = ("chess", "capablanca", "gothic", "embassy", "janus")

_RYUGI = (
    "\n"
    + RYUGI_RULES
    + "startFen = ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w KQkq - 0 1\n"
    + "castlingKingFile = f\n"
)
#: Ryugi's castling is the union of what these two allow.
pyffish.load_variant_config(
    "[ryugitwo]"
    + _RYUGI
    + "castlingKingsideFile = h\ncastlingQueensideFile = d\n"
    + "[ryugithree]"
    + _RYUGI
    + "castlingKingsideFile = i\ncastlingQueensideFile = c\n"
)
_UNICORN = """
[unicorngreatpeer]
maxFile = j
maxRank = 8
king = k
queen = q
customPiece1 = u:BNN
customPiece2 = c:RN
customPiece3 = l:HFD
rook = r
bishop = b
knight = n
pawn = p
startFen = crnbukbnrq/ppppllpppp/4pp4/10/10/4PP4/PPPPLLPPPP/CRNBUKBNRQ w KQkq - 0 1
promotionPieceTypes = qcu
doubleStepRegionWhite = a2 b2 c2 d2 e3 f3 g2 h2 i2 j2
doubleStepRegionBlack = a7 b7 c7 d7 e6 f6 g7 h7 i7 j7
castlingKingFile = f
castlingKingsideFile = h
castlingQueensideFile = d
castlingRookKingsideFile = i
castlingRookQueensideFile = b
"""
pyffish.load_variant_config(_UNICORN)


def walk(name: str, variants: tuple[str, ...], source: random.Random, games: int) -> None:
    game = registry().game(name)
    for number in range(games):
        position = wild_position(game, source) if number % 2 else Position(game)
        if position is None:
            continue
        for _ in range(60):
            text = position.text()
            theirs = {move for v in variants for move in pyffish.legal_moves(v, text, [])}
            ours = position.legal_moves()
            assert set(ours) == theirs, (text, set(ours) ^ theirs)
            assert len(ours) == len(set(ours)), text
            if not ours:
                break
            position.push(source.choice(ours))


@pytest.mark.more
@pytest.mark.parametrize("name", FAMILY)
def test_family_against_pyffish(name: str, source: random.Random) -> None:
    assert pyffish.start_fen(name) == registry().game(name).start
    walk(name, (name,), source, effort(4, 30))


@pytest.mark.more
def test_ryugi_against_pyffish(source: random.Random) -> None:
    walk("ryugi", ("ryugitwo", "ryugithree"), source, effort(6, 60))


@pytest.mark.more
def test_ryugi_castling_against_pyffish(source: random.Random) -> None:
    """Open back ranks, so that castling of both lengths comes up all the time."""
    game = registry().game("ryugi")
    seen: set[str] = set()
    wanted = {"f1h1", "f1i1", "f1d1", "f1c1", "f8h8", "f8i8", "f8d8", "f8c8"}
    for number in range(100):
        if number >= effort(8, 40) and seen >= wanted:
            break
        position = Position(
            game, "r4k3r/ppppnnpppp/2b1pp1b2/10/10/2B1PP1B2/PPPPNNPPPP/R4K3R w KQkq - 0 1"
        )
        for _ in range(25):
            text = position.text()
            theirs = {
                move
                for v in ("ryugitwo", "ryugithree")
                for move in pyffish.legal_moves(v, text, [])
            }
            ours = position.legal_moves()
            assert set(ours) == theirs, (text, set(ours) ^ theirs)
            if not ours:
                break
            seen |= {m for m in ours if m[:2] in ("f1", "f8") and abs(ord(m[2]) - 102) > 1}
            position.push(source.choice(ours))
    assert seen >= wanted


@pytest.mark.more
def test_unicorngreat_against_pyffish(source: random.Random) -> None:
    walk("unicorngreat", ("unicorngreatpeer",), source, effort(8, 30))


@pytest.mark.more
@pytest.mark.slow
def test_chess_against_python_chess(source: random.Random) -> None:
    """Moves, position text, check and the automatic and claimable ends."""
    game = registry().game("chess")
    ends = set()
    for number in range(effort(18, 60)):
        position = wild_position(game, source) if number % 3 == 2 else Position(game)
        if position is None:
            continue
        board = chess.Board(position.text())
        for _ in range(300):
            ours = position.legal_moves()
            assert set(ours) == {move.uci() for move in board.legal_moves}
            assert position.text() == board.fen(en_passant="legal")
            assert position.in_check() == board.is_check()
            theirs = board.outcome()
            outcome = position.outcome()
            if outcome is None:
                assert theirs is None, (position.text(), theirs)
                claimable = board.is_fifty_moves() or board.is_repetition(3)
                assert (position.claim() is not None) == claimable
            else:
                assert theirs is not None, (position.text(), outcome)
                assert outcome.result == theirs.result()
                ends.add(outcome.reason)
                break
            # small steps make repetitions, captures make bare kings
            quiet = [m for m in ours if m[0] in "ah"] if number % 2 else []
            move = source.choice(quiet or ours)
            position.push(move)
            board.push_uci(move)
    assert ends
