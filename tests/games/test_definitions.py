"""Definition files: faults are reported with line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from ryugi_engine.games.definitions import DefinitionError, read_text
from ryugi_engine.games.registry import Registry
from tests.conftest import FAMILY
from tests.support.helpers import ROOT, command
from variants.chess_family import betza
from variants.chess_family.definition import Definition
from variants.chess_family.reading import read_game

GOOD = """\
[tiny]
title = "Tiny"
files = 5
ranks = 6
start = "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1"
promotion = "QR"

[tiny.pieces]
K = "WF"
Q = "RB"
R = "R"
B = "B"
N = "N"

[tiny.castling]
Q = ["e1 c1 a1 d1"]

[tiny.rules]
claim_moves = 40
lone_minors = "NB"
"""


def load_text(text: str) -> list[Definition]:
    return [read_game(reader) for reader in read_text(text, "tiny.toml")]


def test_good_definition() -> None:
    (game,) = load_text(GOOD)
    assert (game.name, game.files, game.ranks, game.draw_moves) == ("tiny", 5, 6, 75)
    assert {w.king_to for w in game.castling["q"]} == {(2, 5)}


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("files = 5", "files = 11", 3, "tiny.files", "11 is not in 3..10"),
        ("files = 5", 'files = "5"', 3, "tiny.files", "must be a whole number"),
        ("files = 5", "files = true", 3, "tiny.files", "must be a whole number"),
        ("files = 5\n", "", 1, "tiny.files", "is missing"),
        ("ranks = 6", "ranks = 7", 5, "tiny.start", "6 ranks instead of 7"),
        ("/5/5/", "/5/6/", 5, "tiny.start", "rank 3: more than 5 squares"),
        ("w Qq", "w KQ", 5, "tiny.start", "'K' is not a castling right"),
        ("rnbqk/", "rnbqx/", 5, "tiny.start", "unknown letter 'x'"),
        ("RNBQK", "RNBKK", 5, "tiny.start", "White has 2 kings"),
        ('"QR"', '"QX"', 6, "tiny.promotion", "'X' is not one of the pieces"),
        ('"QR"', '"QK"', 6, "tiny.promotion", "'K' is not one of the pieces"),
        ('N = "N"', 'N = "xN"', 13, "tiny.pieces.N", "'x' in 'xN' is not a piece atom"),
        ('N = "N"', 'N = "gQ"', 13, "tiny.pieces.N", "'g' in 'gQ': hoppers cannot be defined"),
        ('N = "N"', 'N = "fN"', 13, "tiny.pieces.N", "in some directions only cannot be defined"),
        ('N = "N"', 'N = "R4"', 13, "tiny.pieces.N", "riders of a limited length cannot be"),
        ('N = "N"', 'N = "mN"', 13, "tiny.pieces.N", "'m' in 'mN': pieces that move and take in"),
        ("ranks = 6", "rank = 6", 4, "tiny.rank", "not a known key, did you mean 'ranks'?"),
        ("/RNBQK", "/RNBQK[Pp]", 5, "tiny.start", "'[': hands and drops cannot be defined"),
        ('N = "N"', 'N = "RD"', 13, "tiny.pieces.N", "jumps along the line of 'R'"),
        ('N = "N"', 'NN = "N"', 13, "tiny.pieces.NN", "one letter A-Z"),
        ('N = "N"', "N = 3", 13, "tiny.pieces.N", "must be a text"),
        ('K = "WF"', 'K = "R"', 9, "tiny.pieces.K", "must be a leaper"),
        ("e1 c1 a1 d1", "e1 c1 a1", 16, "tiny.castling.Q", "KING-FROM"),
        ("e1 c1 a1 d1", "e1 c9 a1 d1", 16, "tiny.castling.Q", "'c9' is not on a board"),
        ("e1 c1 a1 d1", "d1 b1 a1 c1", 16, "tiny.castling.Q", "no king on d1"),
        ("claim_moves", "claim_movez", 19, "tiny.rules.claim_movez", "did you mean 'claim_moves'?"),
        ("title", "titel", 2, "tiny.titel", "is not a known key"),
        ("claim_moves = 40", "claim_moves = 0", 19, "tiny.rules.claim_moves", "not in 1..1000"),
        ("[tiny]", "[Ti ny]", 1, "(syntax)", ""),
        ("files = 5", "files = ", 3, "(syntax)", ""),
        ("[tiny]\n", "x = 1\n[tiny]\n", 1, "x", "must stand in a game's table"),
    ],
)
def test_faults_have_line_and_key(old: str, new: str, line: int, key: str, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(DefinitionError) as caught:
        load_text(GOOD.replace(old, new, 1))
    error = caught.value
    assert (error.line, error.key) == (line, key)
    assert reason in error.reason
    assert str(error).startswith(f"tiny.toml:{line}: {key}: ")


def test_betza() -> None:
    assert betza.parse("Q") == betza.parse("RB")
    assert betza.parse("BN0") == betza.parse("BNN")
    assert betza.parse("RW") == betza.parse("R")
    assert betza.parse("NNN") == betza.parse("NN")
    assert betza.parse("K").offsets() == betza.parse("WF").offsets()
    assert len(betza.parse("N").offsets()) == 8
    assert betza.parse("FD").colourbound
    assert not betza.parse("BNN").colourbound
    assert not betza.parse("WD").colourbound


def test_every_game_has_its_data() -> None:
    folder = ROOT / "variants" / "chess_family"
    for name in FAMILY:
        for kind in ("perft", "bench", "openings"):
            assert (folder / kind / f"{name}.epd").is_file(), (kind, name)


def test_registry_keeps_what_it_had_when_a_file_is_wrong(tmp_path: Path) -> None:
    registry = Registry()
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(GOOD)
    bad.write_text(GOOD.replace("files = 5", "files = 99"))
    registry.load_file(str(good))
    with pytest.raises(DefinitionError):
        registry.load_file(str(bad))
    assert registry.game("TINY").files == 5
    clash = tmp_path / "clash.toml"
    clash.write_text(GOOD.replace("[tiny", "[chess"))
    with pytest.raises(ValueError, match="'chess' is the name of a built-in game"):
        registry.load_file(str(clash))


def test_check_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(GOOD)
    bad.write_text(GOOD.replace('N = "N"', 'N = "x"'))
    done = command("check", str(good))
    assert done.returncode == 0
    assert done.stdout.startswith("tiny: Tiny, 5x6, rnbqk/")
    done = command("check", str(bad))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{bad}:13: tiny.pieces.N: 'x' in 'x' is not a piece atom" in done.stderr
    assert done.stderr.count("\n") == 1
    done = command("check", str(tmp_path / "none.toml"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
