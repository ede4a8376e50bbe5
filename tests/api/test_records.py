"""The library's records: what is written is read again, by python-chess, too."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess.pgn
import pytest

from ryugi_engine import Position, Record, UserError, read_records, write_records


def played(name: str, source: random.Random, plies: int) -> Position:
    position = Position(name)
    while not position.is_game_over() and position.ply() < plies:
        position.push(source.choice(position.legal_moves))
    return position


@pytest.mark.parametrize(
    "name", ["chess", "crazyhouse", "shogi", "xiangqi", "duck", "seirawan", "gorogo", "goryujin"]
)
def test_what_is_written_is_read_again(name: str, tmp_path: Path, source: random.Random) -> None:
    positions = [played(name, source, plies) for plies in (0, 7, 40)]
    records = [Record(position, {"White": "Änn"}) for position in positions]
    path = tmp_path / "games.pgn"
    write_records(path, records)
    write_records(path, records)  # it is replaced
    again = read_records(path)
    assert [str(record) for record in again] == [str(record) for record in records]
    for position, record in zip(positions, again, strict=True):
        assert record.game == position.game
        assert record.moves == position.moves
        assert record.end() == position
        assert record.result == position.result()
        assert record.headers["White"] == "Änn"
        assert not record.errors
        assert len([*record.positions()]) == len(record.moves) + 1
    assert read_records("".join(map(str, records)))[1].moves == records[1].moves


@pytest.mark.parametrize("name", ["chess", "crazyhouse", "atomic", "3check"])
def test_python_chess_reads_them(name: str, source: random.Random) -> None:
    position = played(name, source, 60)
    text = str(Record(position, {"White": "Ann", "Event": "the Open"}))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == position.moves
    assert game.headers["Event"] == "the Open"
    (again,) = read_records(str(game))
    assert again.moves == position.moves


def test_a_set_up_position_and_a_result() -> None:
    position = Position("chess", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 30")
    position.push("Kd7")
    position.push("O-O-O+")
    record = Record(position, {"Result": "1-0"})
    assert record.san == ["Kd7", "O-O-O+"]
    assert "30... Kd7 31. O-O-O+ {1-0} 1-0" in str(record)
    assert record.headers["Result"] == record.result == "1-0"
    assert next(record.positions()).fen() == "4k3/8/8/8/8/8/8/R3K3 b Q - 0 30"
    mate = Position("chess", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    mate.push("Ra8")
    assert Record(mate, {"Result": "0-1"}).result == "1-0"  # the rules know better


def test_variations_and_comments() -> None:
    (record,) = read_records("{first} 1. e4 {king's pawn} (1. d4 d5) e5 $1 2. Nf3 *")
    assert record.moves == ["e2e4", "e7e5", "g1f3"]
    assert record.comments == ["first", "king's pawn", "", ""]
    record.headers["White"] = "nobody"  # a copy
    assert "White" not in record.headers


def test_faults() -> None:
    (record,) = read_records("1. e4 e5\n2. Ke3 Nc6 *")
    assert record.moves == ["e2e4", "e7e5"]
    assert record.errors[0].startswith("2:4: illegal move 'Ke3' in rnbqkbnr")
    assert read_records("") == []
    for text, message in {
        "1. e5 *": "1:4: illegal move 'e5' in",
        '[Variant "nothing"]\n\n1. e4 *': "1:1: unknown variant 'nothing'",
        '[FEN "8/8 w"]\n\n1. e4 *': "1:1: board: 2 ranks instead of 8",
    }.items():
        with pytest.raises(UserError, match=f"^{message}") as raised:
            read_records(text)
        assert "\n" not in str(raised.value)
    with pytest.raises(UserError, match=r"/no/such\.pgn: No such file"):
        read_records(Path("/no/such.pgn"))
    with pytest.raises(UserError, match=r"/no/such\.pgn: there is no folder /no"):
        write_records("/no/such.pgn", [record])
    with pytest.raises(UserError, match="the result is '2-0', and not"):
        Record(Position("chess"), {"Result": "2-0"})
    with pytest.raises(UserError, match="the game is over in this position"):
        Record(Position("chess", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"))
