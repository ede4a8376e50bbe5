"""Definition files: faults are reported with line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from ryugi_engine.games.definitions import DefinitionError, read_text
from ryugi_engine.games.registry import Registry
from tests.support.helpers import command
from variants.chess.fast.game import FastGame, kernels_of
from variants.chess.formats.toml import read_game

GOOD = """\
[tiny]
title = "Tiny"
files = 5
ranks = 6
start = "rnbqk/ppppp/5/5/PPPPP/RNBQK w Qq - 0 1"
promotion = "QR"
n_move_rule = 40
lone_minors = "NB"

[tiny.pieces]
K = "WF"
Q = "RB"
R = "R"
B = "B"
N = "N"

[tiny.castling]
Q = ["e1 c1 a1 d1"]
"""


def load_text(text: str) -> list[FastGame]:
    games = [kernels_of(read_game(reader)).fast for reader in read_text(text, "tiny.toml")]
    return [game for game in games if game is not None]


def test_good_definition() -> None:
    (game,) = load_text(GOOD)
    assert (game.name, game.files, game.ranks, game.rules.n_move_limit) == ("tiny", 5, 6, 75)
    assert {w.king_to for w in game.castling["q"]} == {(2, 5)}


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("files = 5", "files = 17", 3, "tiny.files", "17 is not in 1..16"),
        ("files = 5", 'files = "5"', 3, "tiny.files", "must be a whole number"),
        ("files = 5", "files = true", 3, "tiny.files", "must be a whole number"),
        ('start = "', 'begin = "', 5, "tiny.begin", "is not a known key"),
        ("[tiny.pieces]", "[tiny.values]", 1, "tiny.pieces", "is missing"),
        ("ranks = 6", "ranks = 7", 5, "tiny.start", "6 ranks instead of 7"),
        ("/5/5/", "/5/6/", 5, "tiny.start", "rank 3: 6 squares instead of 5"),
        ("w Qq", "w Qz", 5, "tiny.start", "'z' is not a castling right"),
        ("rnbqk/", "rnbqx/", 5, "tiny.start", "unknown letter 'x'"),
        ("RNBQK", "RNBKK", 5, "tiny.start", "White has 2 kings"),
        ('"QR"', '"QX"', 6, "tiny.promotion", "'X' is not one of the pieces"),
        ('N = "N"', 'N = "xN"', 15, "tiny.pieces.N", "'x' in 'xN' is not a piece atom"),
        ("ranks = 6", "rank = 6", 4, "tiny.rank", "not a known key, did you mean 'ranks'?"),
        ("/RNBQK", "/RNBQK[Pp]", 5, "tiny.start", "holdings: tiny has no pieces in hand"),
        ('N = "N"', 'NN = "N"', 15, "tiny.pieces.NN", "one letter A-Z"),
        ('N = "N"', "N = 3", 15, "tiny.pieces.N", "must be a text"),
        ("e1 c1 a1 d1", "e1 c1 a1", 18, "tiny.castling.Q", "KING-FROM"),
        ("e1 c1 a1 d1", "e1 c9 a1 d1", 18, "tiny.castling.Q", "'c9' is not on a board"),
        ("e1 c1 a1 d1", "e2 c2 a1 d1", 18, "tiny.castling.Q", "leaves its rank"),
        ("n_move_rule", "n_move_rul", 7, "tiny.n_move_rul", "did you mean 'n_move_rule'?"),
        ("title", "titel", 2, "tiny.titel", "is not a known key"),
        ("n_move_rule = 40", "n_move_rule = -1", 7, "tiny.n_move_rule", "-1 is not in 0..1000"),
        ("n_move_rule = 40", "n_move_limit = 40", 7, "tiny.n_move_limit", "less than n_move_rule"),
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
    assert f"{bad}:15: tiny.pieces.N: 'x' in 'x' is not a piece atom" in done.stderr
    assert done.stderr.count("\n") == 1
    for net, reason in (
        ("none", "'none' is not a net that comes with the engine"),
        ("chess", "the net of chess does not fit: it has board 8x8, not 5x6"),
    ):
        bad.write_text(GOOD.replace("files = 5", f'net = "{net}"\nfiles = 5'))
        assert f"{bad}:3: tiny.net: {reason}" in command("check", str(bad)).stderr
    done = command("check", str(tmp_path / "none.toml"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
