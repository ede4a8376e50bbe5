"""Why a move of a chess-like game is illegal: by examples, python-chess, and in every language."""

from __future__ import annotations

import random

import chess
import pytest

from ryugi_engine.games.notation import square_name
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import catalogue, registry
from tests.support.helpers import ROOT

CASTLING = "4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1"


@pytest.mark.parametrize(
    ("name", "fen", "move", "reason"),
    [
        ("chess", None, "e2e5", "the piece does not move so"),
        ("chess", None, "e7e5", "the piece is the other side's"),
        ("chess", None, "e4e5", "no piece stands there"),
        ("chess", None, "b1d2", "its own side's piece is there"),
        ("chess", None, "f1c4", "a piece is in between"),
        ("chess", None, "Bc4", "a piece is in between"),
        ("chess", None, "a2b3", "it goes there only to capture"),
        ("chess", None, "a9a1", "there is no such square"),
        ("chess", None, "P@e4", "no piece is dropped in this game"),
        ("chess", CASTLING, "O-O", "a piece is in between"),
        ("chess", CASTLING.replace("8/8/8/R", "8/8/3r4/R"), "e1c1", "the king would pass an"),
        ("chess", CASTLING.replace("8/8/8/R", "8/8/4r3/R"), "e1c1", "the king is in check"),
        ("chess", CASTLING.replace("KQ", "-"), "e1c1", "the right to castle there is lost"),
        ("chess", "4r2k/P7/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "the king would be in check"),
        ("chess", "4r2k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the king is in check"),
        ("chess", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "more is missing, as in a7a8"),
        ("chess", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "it does not promote so"),
        ("chess", "7k/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "it does not capture so"),
        ("xiangqi", None, "b1d2", "a piece is in between"),
        ("xiangqi", None, "b3b8", "it does not capture so"),
        ("xiangqi", "4k4/9/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "e2d3", "the kings would face"),
        ("janggi", None, "b3b10", "it must leap over a piece"),
        ("janggi", None, "e2e4", "it may not leave its part of the board"),
        ("shogi", "4k4/9/9/9/9/4P4/9/9/4K4[P] w - - 0 1", "P@e5", "the file has enough of them"),
        ("shogi", "4k4/9/9/9/9/4P4/9/9/4K4[N] w - - 0 1", "N@a8", "it may not be dropped there"),
        ("shogi", None, "P@e5", "no P in hand"),
        ("duck", None, "e2e4", "more is missing, as in e2e4,e4"),
        ("racingkings", None, "e2c3", "it may not give check"),
        ("antichess", "8/8/8/3p4/4P3/8/8/7k w - - 0 1", "e4e5", "a piece must be captured"),
    ],
)  # fmt: skip
def test_reasons(name: str, fen: str | None, move: str, reason: str) -> None:
    assert Position(registry().game(name), fen).objection(move).startswith(reason)


#: The rook's square of each castling, by the king's squares.
_CORNERS = {
    (chess.E1, chess.G1): chess.H1,
    (chess.E1, chess.C1): chess.A1,
    (chess.E8, chess.G8): chess.H8,
    (chess.E8, chess.C8): chess.A8,
}


def test_reasons_are_true(source: random.Random) -> None:
    """By python-chess: kings in check, pieces between, and whose piece it is."""
    position, board = Position(registry().game("chess")), chess.Board()
    for _ in range(60):
        if position.outcome() is not None:
            break
        move = source.choice(position.legal_moves())
        position.push(move)
        board.push_uci(move)
        legal = {(move.from_square, move.to_square) for move in board.legal_moves}
        pseudo = {(move.from_square, move.to_square) for move in board.pseudo_legal_moves}
        for _ in range(20):
            at, to = source.sample(chess.SQUARES, 2)
            if (at, to) in legal:
                continue
            text = chess.square_name(at) + chess.square_name(to)
            reason, piece = position.objection(text), board.piece_at(at)
            if piece is None:
                assert reason == "no piece stands there", (board.fen(), text)
            elif piece.color != board.turn:
                assert reason == "the piece is the other side's", (board.fen(), text)
            elif (at, to) in pseudo:
                assert reason.startswith("the king "), (board.fen(), text)
                assert (reason == "the king is in check") == board.is_check()
            else:
                rook = _CORNERS.get((at, to)) if piece.piece_type == chess.KING else None
                if reason == "a piece is in between":
                    last = to if rook is None else rook
                    between = chess.SquareSet(chess.between(at, last))
                    assert between & board.occupied, (board.fen(), text)
                elif rook is None or not board.castling_rights & chess.BB_SQUARES[rook]:
                    assert not reason.startswith("the king "), (board.fen(), text)


def test_every_illegal_move_has_a_reason_in_every_language(source: random.Random) -> None:
    japanese = (ROOT / "ryugi_engine/web/page/japanese.js").read_text(encoding="utf-8")
    for name in source.sample(catalogue(), 6):
        game = registry().game(name)
        reference = game.reference(game.start)
        for _ in range(8):
            moves = reference.legal_moves()
            if not moves:
                break
            squares = [(file, rank) for file in range(game.files) for rank in range(game.ranks)]
            for _ in range(20):
                stem = "".join(square_name(at) for at in source.sample(squares, 2))
                if source.random() < 0.2:
                    stem = f"{source.choice([*game.pieces])}@{stem[-2:]}"
                if stem in moves:
                    continue
                reason = reference.objection(stem)  # type: ignore[attr-defined]
                known = f'"{reason}"' in japanese or reason.startswith("more is missing, as in ")
                assert known or reason.endswith(" in hand"), (name, reference.text(), stem, reason)
            reference = moves[source.choice([*moves])]
            reference = game.reference(reference.text())
