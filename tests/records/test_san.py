"""SAN against python-chess and Fairy-Stockfish, and openings that are read from games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pyffish
import pytest

from ryugi_engine.games.game import IllegalMove
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.match.openings import Openings, PositionTexts, built_in
from ryugi_engine.records.pgn import parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.san import engine_move, in_san, to_san
from tests.conftest import FAMILY, GAMES
from tests.support.books import texts_in, texts_of
from tests.support.effort import effort
from tests.support.helpers import command, wild_position

PEERS = ("capablanca", "chess", "embassy", "gothic", "janus")


def chess_game(source: random.Random, plies: int) -> chess.Board:
    """A random game; captures, promotions and castlings are preferred."""
    board = chess.Board()
    while len(board.move_stack) < plies and not board.is_game_over():
        moves = list(board.legal_moves)
        rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        board.push(source.choice(rare or moves))
    return board


def as_pgn(board: chess.Board) -> str:
    game = chess.pgn.Game.from_board(board)
    return str(game) + "\n\n"


@pytest.mark.more
@pytest.mark.slow
def test_chess_against_python_chess(source: random.Random) -> None:
    """Every legal move of many positions by its SAN, long algebraic and UCI name; whole games."""
    for _ in range(effort(5, 20)):
        board = chess_game(source, 150)
        position = Position(registry().game("chess"))
        whole = in_san(position, [move.uci() for move in board.move_stack])
        assert position.moves == []
        again = chess.Board()
        for move, written in zip(board.move_stack, whole, strict=True):
            assert written == again.san(move), again.fen()
            if source.random() < 0.2:
                for other in again.legal_moves:
                    for name in (again.san(other), again.lan(other), again.uci(other)):
                        code = position.parse_move(engine_move(position, name))
                        assert position.move_text(code) == other.uci(), (again.fen(), name)
                    assert to_san(position, code) == again.san(other), again.fen()
            position.push(engine_move(position, again.san(move)))
            again.push(move)
            assert position.text().split()[0] == again.fen().split()[0]


@pytest.mark.more
@pytest.mark.parametrize("name", PEERS)
def test_family_against_pyffish(name: str, source: random.Random) -> None:
    """Written and read, from the start and from wild positions with many pieces of a kind."""
    game = registry().game(name)
    for number in range(effort(2, 20)):
        position = wild_position(game, source) if number % 2 else Position(game)
        for _ in range(effort(5, 20)):
            if position is None or not position.legal_codes():
                break
            text, codes = position.text(), position.legal_codes()
            for code in source.sample(codes, min(len(codes), effort(15, 500))):
                move = position.move_text(code)
                san = pyffish.get_san(name, text, move)
                assert to_san(position, code) == san, (text, move)
                assert position.parse_move(engine_move(position, san)) == code, (text, san)
            position.push(source.choice(codes))


def test_words_that_are_not_moves() -> None:
    """An ambiguous word names the moves; what means nothing is left for the rules to refuse."""
    game = registry().game("chess")
    position = Position(game, "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1")
    with pytest.raises(IllegalMove, match="'Nd2' can be b1d2 or f1d2 in "):
        engine_move(position, "Nd2")
    assert engine_move(position, "Nbd2+") == "b1d2"
    for word in ("Qd2", "Nd9", "Zz", "e4", "O-O", "--", "N", "e8=Q", ""):
        with pytest.raises(IllegalMove):
            position.push(engine_move(position, word))
    # a bishop's move of which a coordinate move is spelt alike but for the case
    position = Position(game, "4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1")
    assert engine_move(position, "B1d3") == "f1d3"
    assert engine_move(position, "b1c3") == "b1c3"


def test_ryugi_in_san() -> None:
    """Castling's short way is O-O; the long one is spelt out."""
    position = Position(registry().game("ryugi"), "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1")
    assert position.move_text(position.parse_move(engine_move(position, "O-O"))) == "f1h1"
    assert position.move_text(position.parse_move(engine_move(position, "0-0-0+"))) == "f1d1"
    assert engine_move(position, "Ki1") == "f1i1"


def test_records_hold_san(source: random.Random, tmp_path: Path) -> None:
    """A PGN file of others is shown, checked and continued; what they wrote stays as it is."""
    board = chess_game(source, 61)
    while board.is_game_over():
        board = chess_game(source, 61)
    path = tmp_path / "theirs.pgn"
    theirs = as_pgn(board).replace("O-O-O", "0-0-0").replace("O-O", "0-0")
    path.write_text(theirs)
    record = parse_records(theirs)[0]
    playback = Playback.of(record, registry())
    assert playback.position.moves == [move.uci() for move in board.move_stack]
    move = board.san(source.choice(list(board.legal_moves)))
    done = command("record", "add", str(path), move)
    assert done.returncode == 0, done.stderr
    board.push_san(move)
    text = path.read_text()
    assert text.split()[: len(theirs.split()) - 1] == theirs.split()[:-1]
    playback = Playback.of(parse_records(text)[0], registry())
    assert playback.position.moves == [move.uci() for move in board.move_stack]
    path.write_text('[Result "*"]\n\n1. e4 e5 2. Nf6 *\n')
    done = command("record", "show", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"ryugi-engine: {path}:3:13: illegal move 'Nf6'")


# ---- openings ---------------------------------------------------------------------------------


def test_openings_from_games(source: random.Random, tmp_path: Path) -> None:
    """SAN of chess, cut after so many plies, and our own records of any game."""
    boards: list[chess.Board] = []
    while len(boards) < 5:  # a game that is over gives no opening
        board = chess_game(source, 30)
        boards += [board] if len(board.move_stack) == 30 else []
    path = tmp_path / "book.pgn"
    path.write_text("".join(map(as_pgn, boards)))
    game = registry().game("chess")
    texts = texts_in(game, path, plies=8)
    for text, board in zip(texts, boards, strict=True):
        early = chess.Board()
        for move in board.move_stack[:8]:
            early.push(move)
        assert text.split()[0] == early.fen().split()[0]
        assert text.split()[-1] == "5"
    assert len(texts_in(game, path)) == 5
    for name in ("gorogo", "ryugi"):
        game = registry().game(name)
        position = Position(game)
        while len(position.moves) < 6 or position.outcome() is not None:
            if position.outcome() is not None:
                position = Position(game)
            position.push(source.choice(position.legal_moves()))
        words = " ".join(position.moves)
        # found by what is in it, under any file name
        path = tmp_path / f"{name}.txt"
        path.write_text(f'[Variant "{name}"]\n[Result "*"]\n\n{words} *\n')
        assert texts_in(game, path) == [position.text()]
        with pytest.raises(ValueError, match=rf"{name}\.txt:1:1: a game of '{name}', not of chess"):
            texts_in(registry().game("chess"), path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[Result \"*\"]\n\n1. e4 Nf3 *\n", ":3:7: illegal move 'Nf3'"),
        ("[FEN \"x\"]\n[Result \"*\"]\n\n*\n", ":1:1: board: 1 rank"),
        ("[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n", ":1: the game is over in this position"),
        ("[", ": no games"),
    ],
)  # fmt: skip
def test_faulty_games_are_refused(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "book.pgn"
    path.write_text(text)
    with pytest.raises(ValueError, match="book.pgn:") as error:
        texts_in(registry().game("chess"), path)
    assert complaint in str(error.value)


@pytest.mark.parametrize("name", GAMES)
def test_built_in_sets(name: str) -> None:
    game = registry().game(name)
    assert built_in(game) == ("start", name)
    assert texts_in(game, "start") == [game.start]
    assert len(texts_in(game, name)) == len(game.positions("openings"))
    with pytest.raises(ValueError, match="nowhere: No such file"):
        texts_in(game, "nowhere")


def test_order_of_openings() -> None:
    game = registry().game("chess")
    texts = list(game.positions("openings")[:10])

    def in_order(texts: list[str], **words: Any) -> list[str]:
        return texts_of(Openings(PositionTexts(game, texts), **{"order": "random", **words}))

    assert in_order(texts, order="sequential") == texts
    assert in_order(texts, order="sequential", start=4) == texts[3:] + texts[:3]
    mixed = in_order(texts, seed=5)
    assert sorted(mixed) == sorted(texts)
    assert mixed != texts
    assert in_order(texts, seed=5, start=3) == mixed[2:] + mixed[:2]
    assert in_order(texts, seed=6) != mixed
    assert in_order(texts, order="sequential", start=13) == texts[2:] + texts[:2]


# ---- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read(name: str, source: random.Random) -> None:
    """In every game, Ryugi's two castlings to a side among them; others keep their notation."""
    game = registry().game(name)
    for number in range(4):
        position = wild_position(game, source) if number % 2 and name in FAMILY else Position(game)
        for _ in range(30):
            if position is None or position.outcome() is not None:
                break
            codes = position.legal_codes()
            written = [to_san(position, code) for code in source.sample(codes, min(len(codes), 40))]
            assert len(set(written)) == len(written)
            for san in written:
                code = position.parse_move(engine_move(position, san))
                assert to_san(position, code) == san, position.text()
            position.push(source.choice(codes))


def test_two_castlings_to_a_side_are_the_kings_moves() -> None:
    text = "r4k3r/ppppnnpppp/2b1pp1b2/10/10/2B1PP1B2/PPPPNNPPPP/R4K3R w KQkq - 0 1"
    position = Position(registry().game("ryugi"), text)
    for san, move in {"Kh1": "f1h1", "Ki1": "f1i1", "Kd1": "f1d1", "Kc1": "f1c1"}.items():
        assert to_san(position, position.parse_move(move)) == san
