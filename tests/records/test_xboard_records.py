"""Games that XBoard has saved: its names of castlings, its drawing, what engines told it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import Registry, registry
from ryugi_engine.records.annotation import without_diagram
from ryugi_engine.records.comments import Remark, read_remark
from ryugi_engine.records.pgn import format_record, parse_records
from ryugi_engine.records.playback import Playback
from ryugi_engine.records.san import in_san
from tests.support.helpers import command, walked

#: XBoard 4.9 has written these for ten files and nine, moves and tags.
TEN = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R"
NINE = "r3k3r/ppppppppp/9/9/9/9/PPPPPPPPP/R3K3R"
TEXT = """[Event "Computer Chess Game"]
[Result "*"]
[Variant "{variant}"]
[VariantMen "P:fmWfceFifmnD;R:R;K:KisO3isO2"]
[FEN "{rows} {side} KQkq - 0 1"]
[SetUp "1"]

{{--------------
r . . . . k . . . r
. . . . . . . . . .
R . . . . K . . . R
{who} to play
--------------}}
{moves}
*

"""
DEFINITIONS = """
[ten]
files = 10
ranks = 8
start = "r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1"
promotion = "R"
[ten.pieces]
K = "K"
R = "R"
[ten.castling]
K = ["f1 h1 j1 g1", "f1 i1 j1 h1"]
Q = ["f1 d1 a1 e1", "f1 c1 a1 d1"]
[nine]
files = 9
ranks = 8
start = "r3k3r/ppppppppp/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 1"
promotion = "R"
[nine.pieces]
K = "K"
R = "R"
[nine.castling]
K = ["e1 g1 i1 f1"]
Q = ["e1 c1 a1 d1"]
"""


def saved(variant: str, rows: str, moves: str, side: str = "w") -> str:
    who = "white" if side == "w" else "black"
    return TEXT.format(variant=variant, rows=rows, side=side, who=who, moves=moves)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The games, and two of a user's own."""
    path = tmp_path_factory.mktemp("own") / "own.toml"
    path.write_text(DEFINITIONS)
    games = Registry()
    games.load_file(str(path))
    return games


@pytest.mark.parametrize(
    ("variant", "rows", "side", "word", "move"),
    [
        (variant, rows, side, word, move)
        for variant, rows in (("ten", TEN), ("ryugi", TEN))
        for side, rank in (("w", 1), ("b", 8))
        for word, move in (
            ("O-O", f"f{rank}i{rank}"),
            ("O-O-O", f"f{rank}c{rank}"),
            (f"Kh{rank}", f"f{rank}h{rank}"),
            (f"Kd{rank}", f"f{rank}d{rank}"),
        )
    ]
    + [
        ("nine", "r3k3r/9/9/9/9/9/9/4K3R", "w", "O-O-O", "e1g1"),
        ("nine", "r3k3r/9/9/9/9/9/9/RR2K3R", "w", "O-O-O", "e1g1"),
        ("nine", "r3k3r/9/9/9/9/9/9/R3KR2R", "w", "O-O-O", "e1c1"),
        ("nine", "r3kr2r/9/9/9/9/9/9/R3K3R", "b", "O-O-O", "e8c8"),
        ("nine", "rr2k3r/9/9/9/9/9/9/R3K3R", "b", "O-O-O", "e8g8"),
        # nothing that XBoard writes so: by hand, and meant as the documents have it
        ("nine", NINE, "w", "O-O", "e1g1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R", "w", "O-O", "e1g1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R", "b", "O-O-O", "e8c8"),
    ],
)
def test_castlings_of_xboard(
    variant: str, rows: str, side: str, word: str, move: str, games: Registry
) -> None:
    """The same, whoever castles; the rights that a position has no rooks for are left out."""
    home = rows.split("/")
    rights = "".join(
        right
        for right, row, rook in (("K", 7, -1), ("Q", 7, 0), ("k", 0, -1), ("q", 0, 0))
        if home[row][rook] in "Rr"
    )
    text = saved(variant, rows, f"1. {word}" if side == "w" else f"1... {word}", side)
    record = parse_records(text.replace("KQkq", rights))[0]
    assert Playback.of(record, games).position.moves == [move]


def test_without_xboards_tag_it_is_the_first_way(games: Registry) -> None:
    """As the documents say; and so are words that somebody types."""
    for word, move in (("O-O", "f1h1"), ("O-O-O", "f1d1")):
        text = saved("ryugi", TEN, f"1. {word}")
        plain = "".join(line + "\n" for line in text.splitlines() if "VariantMen" not in line)
        assert Playback.of(parse_records(plain)[0], games).position.moves == [move]
        playback = Playback.of(parse_records(saved("ryugi", TEN, ""))[0], games)
        playback.branch([word])
        assert playback.position.moves == [move]


def test_two_castlings_of_one_name_are_both_named(tmp_path: Path) -> None:
    """On nine files XBoard writes both as O-O-O."""
    path, own = tmp_path / "nine.pgn", tmp_path / "own.toml"
    own.write_text(DEFINITIONS)
    path.write_text(saved("nine", NINE, "1. O-O-O"))
    done = command("--variants", str(own), "record", "show", str(path))
    assert done.returncode == 2
    begin, end = f"ryugi-engine: {path}:14:4: 'O-O-O' can be ", f" in {NINE} w KQkq - 0 1\n"
    assert done.stderr in (f"{begin}{one}{end}" for one in ("e1g1 or e1c1", "e1c1 or e1g1"))


@pytest.mark.parametrize(
    ("comment", "side", "told"),
    [
        ("+0.30/20 5", 1, Remark("", -30, spent=5.0)),
        ("+0.30/20 2.9", 0, Remark("", 30, spent=2.9)),
        ("-0.30/20 1:05", 0, Remark("", -30, spent=65.0)),
        ("+0.30/20", 0, Remark("", 30)),
        ("[%eval -1.78] +1.77/22 3", 1, Remark("", -178, spent=3.0)),
        ("[%eval -1.78] Mistake. a2a3 was best. +1.77/22", 1,
            Remark("", -178, said="Mistake. a2a3 was best.")),
        # words of a person's
        ("+0.30/20 3 moves later it is lost", 0, Remark("3 moves later it is lost", 30)),
        ("lost in 3/4 5", 0, Remark("lost in 3/4 5")),
    ],
)  # fmt: skip
def test_what_engines_told_xboard(comment: str, side: int, told: Remark) -> None:
    assert read_remark(comment, side) == told


def test_the_drawing_is_not_shown_but_kept(tmp_path: Path) -> None:
    """On the page and in the terminal; words next to it are, and the file keeps all."""
    path, page = tmp_path / "game.pgn", tmp_path / "game.html"
    moves = "{a friendly game} 1. O-O a6 {[%eval -1.78] +1.77/22 3} 2. a3"
    path.write_text(saved("ryugi", TEN, moves))
    (record,) = parse_records(path.read_text())
    assert "white to play" in record.comment
    assert without_diagram(record.comment) == "a friendly game"
    assert read_remark(record.comment, None).text == "a friendly game"
    assert read_remark("-------------- a quiet opening --------------", None).text
    shown = command("record", "replay", str(path), "--all")
    assert shown.returncode == 0, shown.stderr
    assert "(ply 0 of 3)  {a friendly game}\n" in shown.stdout
    assert "to play" not in shown.stdout
    assert "1... a6   (ply 2 of 3)  -1.78  (Black's own: +1.77/22 3)\n" in shown.stdout
    done = command("record", "replay", str(path), "--html", str(page))
    assert done.returncode == 0, done.stderr
    assert command("record", "add", str(path), "a6a5").returncode == 0
    (kept,) = parse_records(path.read_text())
    assert kept.comment == record.comment


def ten_ranks(variant: str, moves: str, tags: str = "") -> Playback:
    (record,) = parse_records(f'{tags}[Variant "{variant}"]\n\n{moves}')
    return Playback.of(record, registry())


@pytest.mark.parametrize(
    ("variant", "moves", "played"),
    [
        ("xiangqi", "1. Che2 Hg7 2. Hg2 *", "h3e3 h10g8 h1g3"),
        ("xiangqi", "1. Che3 Ng8 2. Ng3 *", "h3e3 h10g8 h1g3"),
        ("xiangqi", "1. Ra1 (1. h2e2) Ra8 *", "a1a2 a10a9"),
        ("xiangqi", "1. Cbe2 Cbe7 2. Hg2 Hg7 3. g4 Ha7 *", "b3e3 b8e8 h1g3 h10g8 g4g5 b10a8"),
        ("grand", "1. e4 e5 *", "e3e5 e8e6"),
        ("grand", "1. e5 e6 *", "e3e5 e8e6"),
        ("shako", "1. e4 e5 2. Nd3 *", "e3e5 e8e6 c2d4"),
    ],
)
def test_ten_ranks_are_counted_as_their_moves_are_legal(
    variant: str, moves: str, played: str
) -> None:
    playback = ten_ranks(variant, moves)
    assert " ".join(playback.position.moves) == played
    assert not playback.record.faults


@pytest.mark.parametrize("variant", ["xiangqi", "grand", "shako", "janggi"])
def test_either_count_gives_the_same_game(variant: str, source: random.Random) -> None:
    position = walked(registry().game(variant), source, 60)
    sans = in_san(Position(position.game), position.moves)
    event = '[Event "Computer Chess Game"]\n'
    xboard = [re.sub("(?<=[A-Za-z])[0-9]+", lambda r: str(int(r[0]) - 1), san) for san in sans]
    assert ten_ranks(variant, " ".join(sans)).position.moves == position.moves
    assert ten_ranks(variant, " ".join(xboard), event).position.moves == position.moves


def test_a_record_that_can_be_counted_in_two_ways(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A line says so, XBoard's tags decide, and what is added counts as the record does."""
    assert ten_ranks("grand", "1. e4 *").position.moves == ["e3e4"]
    assert "ranks are counted from 1" in capfd.readouterr().err
    event = '[Event "Computer Chess Game"]\n'
    assert ten_ranks("grand", "1. e4 *", event).position.moves == ["e3e5"]
    assert capfd.readouterr().err == ""
    path = tmp_path / "game.pgn"
    path.write_text('[Variant "grand"]\n\n1. e4 e5 2. Nc3 *\n')
    assert command("record", "add", str(path), "e8e7").returncode == 2
    assert command("record", "add", str(path), "b9c7").returncode == 0
    assert "1. e4 e5 2. Nc3 Nc6 *" in path.read_text()


@pytest.mark.parametrize(
    ("site", "rows", "moves", "played"),
    [
        ("", "R3KCABNR", "O-O", "e1b1"),
        ("", "R3KCABNR", "O-O-O", "e1b1"),
        ("", "RNBQK4R", "O-O", "e1h1"),
        ("", "RNBQK4R", "O-O-O+", "e1h1"),
        ("", "R3K4R", "O-O", "e1h1"),
        ("", "R3K4R", "O-O-O", "e1b1"),
        ("BrainKing.com (Prague, Czech Republic)", "R3K4R", "O-O", "e1b1"),
        ("BrainKing.com (Prague, Czech Republic)", "R3K4R", "O-O-O!", "e1h1"),
    ],
)
def test_castling_with_the_near_rook(site: str, rows: str, moves: str, played: str) -> None:
    fen = f"rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/{rows} w KQkq - 0 1"
    fen = fen if rows != "R3K4R" else fen.replace("rnbqkcabnr", "r3k4r")
    text = f'[Site "{site}"]\n[Variant "Embassy Chess"]\n[FEN "{fen}"]\n\n1. {moves} *\n'
    (record,) = parse_records(text)
    playback = Playback.of(record, registry())
    assert playback.position.moves == [played]
    playback.branch(["e8b8" if "r3k4r" in fen else "a7a6"])
    (again,) = parse_records(format_record(playback.record))
    assert Playback.of(again, registry()).position.moves == playback.position.moves
