"""Diagrams of moves: by what moves pieces have in real positions, and as ``show`` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.move_diagram import (
    BOTH,
    CAPTURE,
    CASTLING,
    FIRST,
    HURDLE,
    LEGS,
    MUST_BE_EMPTY,
    QUIET,
    RADIUS,
    diagram_text,
    draw_diagram,
)
from ryugi_engine.games.registry import move_marks, registry
from tests.conftest import FAMILY
from tests.fairy.test_rules import GAMES
from tests.games.test_pictures import check_plain
from tests.support.helpers import command


def _mirrored(marks: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
    return {(x * s, y): sign for (x, y), sign in marks.items() for s in (1, -1)}


@pytest.mark.parametrize(
    ("betza", "some"),
    [
        ("fmWfceFifmnD", {(0, 1): QUIET, (1, 1): CAPTURE, (0, 2): FIRST}),
        ("mRcpR", {(1, 0): QUIET, (2, 0): HURDLE, (3, 0): CAPTURE, (4, 0): CAPTURE}),
        ("gQ", {(1, 0): "", (2, 0): HURDLE, (3, 0): BOTH, (4, 0): "", (3, 3): BOTH}),
        ("nN", {(1, 2): BOTH, (1, 0): MUST_BE_EMPTY, (1, 1): ""}),
        ("R2", {(0, 2): BOTH, (0, 3): ""}),
        ("KisO2", {(1, 1): BOTH, (2, 0): CASTLING, (3, 0): ""}),
        ("mNcB", {(1, 2): QUIET, (3, 3): CAPTURE}),
        ("mWcW", {(0, 1): BOTH}),
        ("mafsW", {(1, 2): LEGS, (1, 1): ""}),
    ],
)
def test_signs(betza: str, some: dict[tuple[int, int], str]) -> None:
    """Of pieces that everyone knows, symmetric from left to right."""
    marks = move_marks(betza)
    assert _mirrored(marks) == marks
    assert {at: marks.get(at, "") for at in some} == some


@pytest.mark.parametrize(
    "game", [*map(registry().game, FAMILY), *GAMES], ids=lambda game: game.name
)
def test_every_piece_has_a_diagram(game: Game) -> None:
    for letter, betza in game.pieces.items():
        marks = move_marks(betza)
        assert bool(marks) == bool(betza)
        text = diagram_text(letter, "title", marks)
        assert len(text.splitlines()) > 2 * (2 * RADIUS + 1)
        check_plain(draw_diagram("title", "", marks, game.look.board).svg())


def test_show(tmp_path: Path) -> None:
    picture = tmp_path / "c.svg"
    done = command("show", "--variant", "xiangqi", "--moves", "c", "--svg", str(picture))
    assert done.returncode == 0, done.stderr
    assert "C of Xiangqi: mRcpR" in done.stdout
    assert "#  a piece that it leaps over" in done.stdout
    assert "mRcpR" in picture.read_text()
    done = command("show", "--variant", "shogi", "--moves", "+B")
    assert "+B of Shogi: BW" in done.stdout
    done = command("show", "--variant", "chess", "--moves", "X")
    assert done.returncode == 2
    assert "illegal move 'X'" in done.stderr
