"""What ``check`` says of definitions that can be read, and that are hardly meant so."""

from __future__ import annotations

from pathlib import Path

import pytest

from ryugi_engine.commands import cli
from ryugi_engine.games.registry import catalogue, registry

_GOOD = {
    "files": 8,
    "ranks": 8,
    "start": "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1'",
    "promotion": "'QRBN'",
    "pieces": "{ P = 'fmWfcFifmnD', N = 'N', R = 'R', B = 'B', Q = 'Q', K = 'K' }",
}
_ODD = "{ P = 'fmWfcFifmnD', N = 'N', R = 'R', B = 'B', Q = 'Q', K = 'K', Z = 'W' }"
_MANY = "ABCDEFGHIJLMNOPQRSTUVWXYZ"
_CROWDED = {
    "files": 16,
    "ranks": 16,
    "start": f"'{'/'.join(['k15', *['16'] * 14, 'K15'])}[{_MANY}] w - - 0 1'",
    "piece_drops": "true",
    "pieces": "{ K = 'K', " + ", ".join(f"{letter} = 'W'" for letter in _MANY) + " }",
}


def _start(board: str, rest: str = "w - - 0 1") -> dict[str, object]:
    return {"start": f"'{board} {rest}'"}


#: Changes of a right definition, what is said, and whether it makes the game unplayable.
_CASES: dict[str, tuple[dict[str, object], str, bool]] = {
    "a castling queen": (
        {
            **_start("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", "w KQkq - 0 1"),
            "castling": "{ K = ['e1 g1 h1 f1'] }",
        },
        "castling.K: the king K is not on e1, Q is there",
        True,
    ),
    "no king": (
        _start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR"),
        "start: White has no K, so it cannot be checkmated",
        False,
    ),
    "no kings": (
        _start("rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR"),
        "royal: no side has a K",
        False,
    ),
    "a piece nowhere": ({"pieces": _ODD}, "pieces.Z: it is nowhere at the start", False),
    "no goal": ({"royal": "'-'"}, "no other rule ends a game by a win", False),
    "no drops": ({"piece_drops": "true"}, "no piece ever comes into a hand", False),
    "hands for nothing": ({"captures_to_hand": "true"}, "nothing is dropped without", False),
    "duties of drops": ({"must_drop": "true"}, "must_drop: it means nothing without drops", False),
    "no gates": ({"seirawan_gating": "true"}, "no piece may gate at the start", False),
    "no zone": ({"promotion_region": "''"}, "promotion_region: it has no square", False),
    "no one promotes": ({"promotion_pawn_types": "'-'"}, "promotion: no piece promotes", False),
    "a goal of nobody": (
        {"pieces": _ODD, "flag_piece": "'Z'", "flag_region": "'*8'"},
        "flag_piece: Z is nowhere",
        False,
    ),
    "idle rights": (
        _start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w KQkq - 0 1"),
        "for the rights KQkq there is no way to castle",
        False,
    ),
    "unused castling": (
        {"castling": "{ K = ['e1 g1 h1 f1'] }"},
        "castling: the start position has no right to castle",
        False,
    ),
    "won before it begins": (
        {"flag_piece": "'K'", "flag_region": "'*1'"},
        "start: the game is over: 0-1 (goal reached)",
        True,
    ),
    "mate at the start": (
        _start("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR"),
        "start: the game is over: 0-1 (checkmate)",
        True,
    ),
    "a crowd": (_CROWDED, "start: it has more than 4,096 moves", True),
}


def _checked(
    change: dict[str, object], path: Path, capfd: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    lines = [f"{key} = {value}" for key, value in {**_GOOD, **change}.items()]
    path.write_text("\n".join(["[odd]", *lines, ""]))
    code = cli.main(["check", str(path)])
    return code, capfd.readouterr().err


@pytest.mark.parametrize("name", _CASES)
def test_what_is_hardly_meant_is_said(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A warning, or a fault if nobody can play it; either names file and key."""
    change, words, unplayable = _CASES[name]
    if change is _CROWDED:
        change = {**change, "promotion": "''"}
    code, output = _checked(change, tmp_path / "odd.toml", capfd)
    (line,) = (line for line in output.splitlines() if words in line)
    assert "odd.toml" in line
    assert ("warning: " in line) != unplayable
    assert code == (2 if unplayable else 0)


def test_a_right_definition_has_no_mistakes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _checked({}, tmp_path / "odd.toml", capfd) == (0, "")


def test_the_games_that_come_with_the_engine_can_be_played() -> None:
    """The catalogue's are as Fairy-Stockfish has them, some with pieces that it does not use."""
    doubted = set()
    for name in catalogue():
        game = registry().game(name)
        assert game.mistakes is not None
        unplayable, doubts = game.mistakes()
        assert unplayable == [], name
        doubted |= {doubt.partition(".")[0] for doubt in doubts}
    assert doubted <= {"pieces", "start: White has no K, so it cannot be checkmated"}


def test_all_reasons_for_the_kernels_for_tables_are_named() -> None:
    """Also those after the first."""
    family = registry().game("shogi").family
    for reason in ("piece_drops", "captures_to_hand", "no n_move_rule", "stalemate_value"):
        assert f"it has {reason}" in family
    assert registry().game("chess").family == "fast kernels"
