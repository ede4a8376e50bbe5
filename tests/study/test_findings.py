"""Games with a fault each, which the first sentences of their study name."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ryugi_engine.commands.cli import main
from ryugi_engine.games.registry import registry
from ryugi_engine.study import findings
from ryugi_engine.study.balance import balance_of
from ryugi_engine.study.estimates import Figure
from ryugi_engine.study.odds import army_of
from ryugi_engine.study.pieces import Piece
from tests.support.effort import by_turns, turn
from tests.support.helpers import completed

INVENTIONS = Path(__file__).with_name("inventions.toml")


def sentences(page: Path) -> list[str]:
    """The first sentences of a page."""
    text = page.read_text(encoding="utf-8")
    (listed,) = re.findall(r'(?s)<ul class="findings">(.*?)</ul>', text)
    return [unescape(one) for one in re.findall(r"<li>(.*?)<span", listed)]


def studied(game: str, folder: Path, rounds: int) -> list[str]:
    page = folder / "page.html"
    done = completed([
        sys.executable, "-m", "ryugi_engine", "study", game, "--variants",
        str(INVENTIONS), "--nodes", "60", "120", "200", "--rounds", str(rounds), "--threads", "2",
        "--out", str(page), "--json", str(folder / "figures.json"),
    ])  # fmt: skip
    assert done.returncode == 0, done.stderr
    return sentences(page)


def test_an_unfair_game(tmp_path: Path) -> None:
    first, *others = studied("three", tmp_path, 1)
    assert first.startswith("Unfair: moving first is an advantage. White scores 100")
    assert any(other.startswith("Short: ") for other in others)


def always_drawn(folder: Path) -> None:
    found = studied("dull", folder, 5)
    assert re.match(r"Nearly always drawn: (9\d|100)\s%", found[0]), found
    assert not any(one.startswith("Unfair") for one in found)


def rule_that_never_matters(folder: Path) -> None:
    found = studied("odd", folder, 7)
    rule = "A rule never matters: the goal (a side wins by reaching these squares). It was used in"
    assert any(one.startswith(f"{rule} 0 of ") for one in found)
    figures = json.loads((folder / "figures.json").read_text())
    valued = [piece for piece in figures["pieces"] if piece["value"]]
    values = {piece["sign"]: piece["value"]["value"] for piece in valued}
    assert values["C"] < values["N"]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("fault", by_turns([always_drawn, rule_that_never_matters], 1))
def test_a_fault_of_many_games(fault: Callable[[Path], None], tmp_path: Path) -> None:
    print(turn())
    fault(tmp_path)


@pytest.mark.parametrize(("high", "useless"), [(0.4, True), (0.6, False)])
def test_a_useless_piece(high: float, useless: bool) -> None:
    """Named where the whole interval of its value is below half a pawn."""
    game, some = registry().game("chess"), Figure(1.0, 0.5, 1.5, 400)
    knight = Piece(
        "N",
        "Knight",
        Figure(0.1, -0.2, high, 400),
        None,
        None,
        3.0,
        3.0,
        some,
        some,
        some,
        some,
        None,
        some,
    )
    army = army_of(game)
    assert army is not None
    study: Any = SimpleNamespace(pieces=[knight], army=army, army_unit="P", game=game, course=None)
    said = [finding.text for finding in findings._pieces(study)]
    expected = "The knight is useless: it is worth 0.1 (-0.2 to 0.4) pawns."
    assert said == ([expected] if useless else [])


def test_safeguards_are_rules_that_games_have() -> None:
    rules = registry().game("chess").without
    assert rules is not None
    assert set(findings._SAFEGUARDS) < set(rules())


def test_a_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "--variants", str(INVENTIONS)]) == 2
    assert capsys.readouterr().err == (
        "ryugi-engine: which game? Name it, or give --variants FILE of one game\n"
    )


@pytest.mark.parametrize(
    ("results", "unfair"),
    [  # wins, draws and losses of the first side, from the weakest play to the strongest
        (((60, 20, 20), (30, 10, 10), (8, 1, 1)), True),
        (((90, 5, 5), (45, 3, 2), (3, 6, 3)), True),  # too few games to contradict
        (((90, 5, 5), (45, 3, 2), (10, 60, 10)), False),  # stronger play is even
        (((5, 5, 90), (2, 3, 45)), True),
        (((28, 46, 26), (15, 20, 15)), False),
        (((6, 0, 4), (3, 0, 1)), False),  # too few games
    ],
)
def test_when_a_game_is_unfair(results: tuple[tuple[int, int, int], ...], unfair: bool) -> None:
    by_strength = [
        [
            {"points": points}
            for points, count in zip((1.0, 0.5, 0.0), counts, strict=True)
            for _ in range(count)
        ]
        for counts in results
    ]
    balances = [balance_of(number, games) for number, games in enumerate(by_strength)]
    found = findings._unfairly(SimpleNamespace(balances=balances))  # type: ignore[arg-type]
    assert (found is not None) == unfair
