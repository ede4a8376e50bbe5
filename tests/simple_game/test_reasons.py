"""Why a game of one file has ended, and what its errors and pages show."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from ryugi_engine.errors import GameError, UserError
from ryugi_engine.games.move_diagram import draw_diagram
from ryugi_engine.games.notation import PositionError
from ryugi_engine.games.registry import move_marks
from ryugi_engine.simple_game.definition import Definition, definition_of
from ryugi_engine.simple_game.position import PlainPosition, parse_text
from ryugi_engine.simple_game.reference import SimpleReference

GAMES = Path(__file__).parent.parent / "support" / "games"


def _defined(
    monkeypatch: pytest.MonkeyPatch, name: str, *changes: tuple[str, str], more: str = ""
) -> Definition:
    """Return a game of the tests' with changes in its file."""
    path = GAMES / name / "__init__.py"
    source = path.read_text() + more
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    module = types.ModuleType(f"variants.{name}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.__path__ = [str(path.parent)]
    exec(compile(source, str(path), "exec"), vars(module))
    return definition_of(module.__name__)


REASON = '''

def reason(p):
    """Name the end."""
    return {text}
'''


def test_an_end_has_the_reason_that_the_game_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function sees the finished position; without it the reason is the usual one."""
    won = "7P/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPP1 b - - 0 9"
    definition = _defined(monkeypatch, "breakthrough")
    assert SimpleReference.parse(definition, won).result() == ("1-0", "normal")
    text = REASON.format(text='f"rank reached in move {p.number}"')
    definition = _defined(monkeypatch, "breakthrough", more=text)
    assert SimpleReference.parse(definition, won).result() == ("1-0", "rank reached in move 9")
    for wrong in ("3", '""', '"x" * 61', r'"a\nb"', "None"):
        definition = _defined(monkeypatch, "breakthrough", more=REASON.format(text=wrong))
        with pytest.raises(GameError, match="breakthrough.reason: it returns"):
            definition.reason(PlainPosition(definition))


COUNTED = ('{"pawns": Pieces("P")}', '{"pawns": Pieces("P"), "clock": Counter(9)}')


@pytest.mark.parametrize("field", ["KQkq", "0,0", "-1", "x", "٣"])
def test_a_wrong_counter_comes_with_an_example(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    definition = _defined(
        monkeypatch, "breakthrough", COUNTED, ("import (", "import (\n    Counter,")
    )
    with pytest.raises(PositionError, match="as '0'"):
        parse_text(definition, f"8/8/8/8/8/8/8/P6p w {field} - 0 1")
    assert parse_text(definition, "8/8/8/8/8/8/8/P6p w 7 - 0 1").side == 0


def test_a_game_without_counters_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = _defined(monkeypatch, "breakthrough")
    with pytest.raises(UserError, match="there are no counters"):
        parse_text(definition, "8/8/8/8/8/8/8/P6p w 7 - 0 1")


def test_diagrams_are_drawn_on_the_games_own_board() -> None:
    marks = move_marks("W")
    drawn = {board: draw_diagram("Piece", "", marks, board).svg() for board in
             ("chequered", "plain", "lines")}  # fmt: skip
    assert len({*drawn.values()}) == 3
    assert "<line" not in drawn["chequered"]
