"""Definitions that would take for ever: every expansion is bounded while it is made."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ryugi_engine.errors import UserError
from ryugi_engine.games.registry import move_marks, read_with_faults
from tests.support.effort import effort
from variants.chess.definition import betza, betza_legs
from variants.chess.definition.definition import MAX_LEGS, MAX_MOVES, MAX_TRAILS
from variants.chess.formats import diagram_reading

#: Steps of legs that reading one piece may make: all moves, each with all its legs, and some over.
_MOST_STEPS = 2 * MAX_MOVES * MAX_LEGS


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the steps of legs, and stop what makes too many."""
    counted = [0]
    original = betza_legs.step_of

    def step_of(atom: str, direction: int) -> tuple[int, int]:
        counted[0] += 1
        assert counted[0] <= _MOST_STEPS, "the expansion is not bounded"
        return original(atom, direction)

    monkeypatch.setattr(betza_legs, "step_of", step_of)
    return counted


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("aaaaaaaaaaaaaaF", f"more than {MAX_LEGS} legs"),
        ("aaaaaF", f"more than {MAX_MOVES} moves"),
        ("aaaK" * 20, f"more than {MAX_MOVES} moves"),
        ("afabafabafR", f"more than {MAX_TRAILS} ways"),
        ("asasasR", f"more than {MAX_TRAILS} ways"),
        ("afafafafafpR", f"more than {MAX_LEGS} legs"),  # a hopper's last leg is two
        ("W" * 101, "more than 100 letters"),
        ("isO2" * 26, "more than 100 letters"),
        ("K9999999999", "is no range"),
    ],
)
def test_a_piece_is_bounded_while_it_is_read(moves: str, reason: str, steps: list[int]) -> None:
    with pytest.raises(ValueError, match=reason):
        betza.parse(moves)


def test_any_piece_is_bounded(steps: list[int], source: random.Random) -> None:
    for _ in range(effort(2000, 100_000)):
        moves = "".join(source.choices("aaaaamcdpgnjytofsblrKQRBNWFDAHO2", k=source.randint(1, 40)))
        steps[0] = 0
        try:
            found = betza.parse(moves)
        except ValueError:
            continue
        assert len(found.moves) <= MAX_MOVES


def test_a_diagram_of_moves_is_bounded(steps: list[int]) -> None:
    for moves in ("aaaaaaaaaaaaaaF", "afabafabafR", "W" * 10_000):
        with pytest.raises(UserError, match="no diagram of these moves"):
            move_marks(moves)


def _game(number: int, pieces: str, *more: str) -> str:
    lines = [f"[g{number}]", 'start = "k7/8/8/8/8/8/8/K7 w - - 0 1"', *more]
    return "\n".join([*lines, f'pieces = {{ K = "K", {pieces} }}', ""])


_MANY_LEGS = ", ".join(f'{letter} = "cafKKaK"' for letter in "ABCDEFGHIJLMNOPQRSTUVWXYZ")
#: (file's name, text, the message; "" if it is read)
HOSTILE: dict[str, tuple[str, Callable[[], str], str]] = {
    "legs of all pieces": ("a.toml", lambda: _game(1, _MANY_LEGS), "more than 4096 legs"),
    "ways to castle": (
        "a.toml",
        lambda: _game(1, 'R = "R"')
        .replace('"K"', f'"K{"".join(f"isO{n}" for n in range(2, 7))}"')
        .replace("k7/8/8/8/8/8/8/K7 w -", "r6k6r/15/15/15/15/15/15/R6K6R w KQkq")
        .replace("start", "files = 15\nstart"),
        "more than 8 ways for a side",
    ),
    "a region": ("a.toml", lambda: _game(1, 'M = "W"', f'flag_region = "{"** " * 19_000}"'), ""),
    "numbers": ("a.toml", lambda: _game(1, 'M = "W"', "n_move_rule = 0x" + "f" * 9000), "not in"),
    "sections": ("a.ini", lambda: "".join(f"[g{n}]\n" for n in range(9999)), "more than 1000 sec"),
    "heirs": (
        "a.ini",
        lambda: "[g0:chess]\n" + "".join(f"[g{n + 1}:g{n}]\n" for n in range(1500)),
        "more than 1000 sections",
    ),
    "a set": ("a.ini", lambda: "[g:chess]\npromotionPieceTypes = " + "qr" * 90_000, ""),
    "no pieces": (
        "a.toml",
        lambda: '[a]\npieces = {}\npiece_drops = true\nstart = "8/8/8/8/8/8/8/8[x] w"\n',
        "a.start: holdings: 'x' is not like",
    ),
    "tags": ("a.txt", lambda: "idiagram " + "<a " * 20_000, "syntax"),
    "comments": ("a.txt", lambda: "idiagram " + "<!--" * 15_000, "syntax"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_is_bounded_while_it_is_read(name: str, tmp_path: Path, steps: list[int]) -> None:
    """Most of these took minutes, or all memory."""
    file, text, reason = HOSTILE[name]
    path = tmp_path / file
    path.write_text(text())
    if not reason:
        assert read_with_faults(str(path))[0]
        return
    with pytest.raises(UserError, match=reason) as error:
        read_with_faults(str(path))
    assert "\n" not in str(error.value)


def test_the_diagram_of_a_page_is_found() -> None:
    """Its class in any spelling, comments aside, with the lines of the page."""
    page = "<p class='x'><!-- <div class=idiagram> -->\n<div class = 'a idiagram'>\nfiles=8\n"
    page += "ranks=8\nking:K&#58;K::<b>e1</b>\n</div><div>no more</div>"
    found = diagram_reading.diagram_in(page)
    assert found is not None
    assert found.splitlines()[2:4] == ["files=8", "ranks=8"]
    assert "no more" not in found
