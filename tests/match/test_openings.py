"""Books of any size, and openings that are moves: who is given them, and how."""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.match import opening_files
from ryugi_engine.match.openings import Openings, read_openings
from ryugi_engine.records.pgn import read_records
from tests.support.books import texts_in, texts_of
from tests.support.effort import by_turns, turn
from tests.support.helpers import SUPPORT, command

ENGINE = f"'{sys.executable}' '{SUPPORT / 'match_engine.py'}'"
OWN = """
[own]
start = "rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1"
files = 5
ranks = 6
promotion = "Q"
[own.pieces]
K = "K"
Q = "Q"
R = "R"
B = "B"
N = "N"
P = "fmWfcF"
"""


def lines_of(source: random.Random, count: int) -> list[str]:
    """Positions of random games of chess."""
    game, lines = registry().game("chess"), []
    while len(lines) < count:
        position = Position(game)
        for _ in range(8):
            if codes := position.legal_codes():  # none after a fool's mate
                position.push(source.choice(codes))
        if position.outcome() is None:
            lines.append(position.text())
    return lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("chunk", [40, 1000, 1 << 20])
def test_positions_are_found_in_any_file(
    end: str, chunk: int, source: random.Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever ends its lines, and wherever a block of it ends."""
    monkeypatch.setattr(opening_files, "_CHUNK", chunk)
    lines = lines_of(source, 30)
    path = tmp_path / "book"
    rows: list[str] = []
    for line in lines:
        rows += source.sample(["# a comment", "", "  ", "; nothing", "% skipped"], 2)
        rows.append(source.choice(["", " "]) + line + source.choice(["", ";", ' ; c9 "a;b";']))
    path.write_bytes(source.choice([b"", b"\xef\xbb\xbf"]) + end.join(rows).encode())
    game = registry().game("chess")
    assert texts_in(game, path) == lines
    mixed = [texts_of(read_openings(game, path, seed=seed)) for seed in (1, 1, 2)]
    assert mixed[0] == mixed[1] != mixed[2]
    assert sorted(mixed[2]) == sorted(lines)
    last = rows.index(next(row for row in rows if lines[-1] in row)) + 1
    path.write_bytes(path.read_bytes().replace(lines[-1].split("/")[0].encode() + b"/", b"8x/"))
    openings = read_openings(game, path, order="sequential", start=len(rows))
    with pytest.raises(UserError, match=rf"book:{last}: "):
        openings.source.read(len(openings) - 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("chunk", [100, 1 << 20])
def test_games_are_found_in_any_file(
    end: str, chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With tags and without, comments that look like tags, and faults of single games."""
    monkeypatch.setattr(opening_files, "_CHUNK", chunk)
    text = """; a book

[Event "one"]
[Result "*"]

1. e4 {a comment
[%eval 0.3] in two lines} e5 *

[Event "two"]

[Site "after a blank line"]

1. d4 e5 2. Ke8
*
[Event "three"]
[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O *

1. c4 c5 *

1. b4
1-0
[Event "six"]

1. a4 a5 1/2-1/2
"""
    path = tmp_path / "book.pgn"
    path.write_bytes(text.replace("\n", end).encode())
    game = registry().game("chess")
    openings = read_openings(game, path, order="sequential")
    assert len(texts_of(openings)) == 5
    moves = [openings[number].moves for number in range(5)]
    assert moves == [("e2e4", "e7e5"), ("e1g1",), ("c2c4", "c7c5"), ("b2b4",), ("a2a4", "a7a5")]
    assert openings[1].root.startswith("4k3/")
    assert openings[5] == openings[0]
    with pytest.raises(UserError, match=r"book\.pgn:13:13: illegal move 'Ke8'"):
        openings.source.read(1)


def test_what_is_wrong_is_left_out_when_it_is_met(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = registry().game("chess")
    path = tmp_path / "book.epd"
    path.write_text(f"{game.start}\nnonsense\n{game.start}\n")
    openings = read_openings(game, path, order="sequential")
    assert openings[0].text == game.start
    assert capsys.readouterr().err == ""
    assert openings[1].text == game.start
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{path}:2: board: 1 rank" in line
    path.write_text("nonsense\n" * 3 + f"{game.start}\n")
    assert read_openings(game, path, order="sequential")[0].text == game.start
    # a whole file of another game is not read to its end
    path.write_text("nonsense\n" * 5000 + f"{game.start}\n")
    with pytest.raises(UserError, match=r"book\.epd:1: board: 1 rank"):
        read_openings(game, path, order="sequential")


def test_a_book_that_has_changed_is_not_resumed(tmp_path: Path) -> None:
    game = registry().game("chess")
    path = tmp_path / "book.epd"
    path.write_text("".join(f"{line}\n" for line in game.positions("openings")))
    openings = read_openings(game, path, seed=7, start=3)
    data = json.loads(json.dumps(openings.to_json(10)))
    again = Openings.from_json(game, data)
    assert [again[n] for n in range(9)] == [openings[n] for n in range(9)]
    path.write_text("# new\n" + path.read_text())
    with pytest.raises(UserError, match=r"book\.epd: the file has changed since the match began"):
        Openings.from_json(game, data)
    # of texts there are as many as are needed, and a journal of positions is read as ever
    own = read_openings(game, None, seed=7)
    assert texts_of(Openings.from_json(game, own.to_json(5))) == texts_of(own)[:5]


def test_games_without_openings_have_random_first_plies(tmp_path: Path) -> None:
    """Not the same for two rounds, the same for a seed, and no side far ahead."""
    games = Registry()
    (tmp_path / "own.toml").write_text(OWN)
    games.load_file(str(tmp_path / "own.toml"))
    game = games.game("own")
    openings, again = read_openings(game, None, seed=5), read_openings(game, None, seed=5)
    some = [openings[number] for number in range(6)]
    assert some == [again[number] for number in range(6)]
    assert some == [Openings.from_json(game, openings.to_json(None))[n] for n in range(6)]
    assert len({opening.text for opening in some}) == 6
    assert {opening.root for opening in some} == {game.start}
    assert {len(opening.moves) for opening in some} <= {8, 9, 10}
    assert read_openings(game, None, seed=6)[0] != some[0]
    assert [read_openings(game, "start")[n].text for n in (0, 1)] == [game.start] * 2


def test_a_match_of_ones_own_game(tmp_path: Path) -> None:
    """Its games differ, but for the two of an opening; games from the start do not."""
    (tmp_path / "own.toml").write_text(OWN)
    pgn = tmp_path / "games.pgn"
    engine = f"'{sys.executable}' -m ryugi_engine --variants '{tmp_path / 'own.toml'}'"
    words = ["--variants", str(tmp_path / "own.toml"), "match", "--engine", engine, "--engine"]
    words += [engine, "--tc", "nodes=40", "--games", "8", "--max-plies", "12", "--quiet"]
    done = command(*words, "--pgn-out", str(pgn))
    assert done.returncode == 0, done.stdout + done.stderr
    records = read_records(pgn)
    lines = Counter(" ".join(step.move for step in record.steps) for record in records)
    assert len(lines) >= 4
    assert "Repeats" not in done.stdout
    assert all(record.steps[7].comment == "book" for record in records)
    begun = [tuple(s.move for s in r.steps if s.comment == "book") for r in records]
    assert begun[::2] == begun[1::2]
    done = command(*words, "--openings", "start")
    assert "Repeats: 6 of 8 games" in done.stdout


def test_an_engine_without_setboard_is_sent_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of a book from the start position; a book of positions alone is refused in a line."""
    monkeypatch.setenv("MATCH_ENGINE_LOG", str(tmp_path / "log"))
    book, pgn = tmp_path / "book.pgn", tmp_path / "games.pgn"
    book.write_text('[Event "x"]\n\n1. e4 e5 2. Nf3 *\n')
    words = ["match", "--variant", "chess", "--max-plies", "4", "--quiet", "--tc", "60"]
    words += ["--engine", f"{ENGINE} none"]
    words += ["--engine", f"cmd={ENGINE} no-setboard xboard", "proto=xboard"]
    done = command(*words, "--openings", str(book), "--pgn-out", str(pgn))
    assert done.returncode == 0, done.stdout + done.stderr
    heard = [path.read_text() for path in tmp_path.glob("log.*")]
    (cecp,) = [text for text in heard if text.startswith("xboard")]
    (uci,) = [text for text in heard if text.startswith("uci")]
    assert "\nsetboard" not in cecp
    assert "usermove e2e4\nusermove e7e5\nusermove g1f3\n" in cecp
    assert "position startpos moves e2e4 e7e5 g1f3\n" in uci
    for record in read_records(pgn):
        assert [step.comment for step in record.steps[:3]] == ["book"] * 3
        assert len(record.steps) == 7
    # the game's own openings are positions: random moves take their place
    done = command(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cannot be given positions" in done.stderr
    epd = tmp_path / "book.epd"
    epd.write_text(registry().game("chess").positions("openings")[0])
    done = command(*words, "--openings", str(epd))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{epd}:1: '" in done.stderr
    assert "cannot be given this position" in done.stderr


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("name", by_turns(["fairymax", "gnuchess"], 1))
def test_real_engines_play_a_book(name: str, tmp_path: Path) -> None:
    print(turn())
    path = shutil.which(name, path="/usr/games:/usr/bin")
    if path is None:
        pytest.skip(f"no {name} here")
    book = tmp_path / "book.pgn"
    book.write_text('[Event "x"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 *\n\n[Event "y"]\n\n1. d4 d5 *\n')
    words = ["match", "--variant", "chess", "--max-plies", "6", "--tc", "6", "--quiet"]
    words += ["--engine", f"{ENGINE} none", "--engine", f"cmd={path}", "proto=xboard"]
    done = command(*words, "--games", "4", "--openings", str(book))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Terminations: adjudication after 6 plies 4" in done.stdout
