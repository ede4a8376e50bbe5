"""What an author does wrong is one line that names it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from ryugi_engine.errors import GameError
from tests.simple_game.test_games import GAMES
from tests.support.effort import effort
from tests.support.helpers import command

#: (game, what is replaced, by what, message)
MISTAKES = {
    "a field's name": ("hex", "p.stones[p.side] |=", "p.stoness[p.side] |=", "__init__.py:.*ston"),
    "no moves": ("hex", "def moves(", "def movess(", "hex.moves: the game has no function of that"),
    "arguments": ("hex", "def play(p, move)", "def play(p)", "takes 1 argument instead of 2"),
    "no function": ("hex", "def worth(", "worth = 3\n\n\ndef w(", "worth: a int instead of a func"),
    "beam": ("hex", "bench_depth=4", "bench_depth=4, beam=-3", r"__init__.py:9\d: beam: -3 is not"),
    "undefined": (
        "hex",
        "one(first(move))\n    p.st",
        "onee(first(move))\n    p.st",
        "hex.play: line 7[0-9]: the name 'onee' is not defined",
    ),
    "a pair": ("hex", "return -100 * missing(p, us)", "return (1, 2)", r"__init__.py:8\d: No imp"),
    "call": ("hex", "add_drop(found, 0, to)", "add_drop(found, to)", ":[0-9]+: .*argument: 'to'"),
    "print": ("amazons", "add_legs(f", "print(found); add_legs(f", "a kernel cannot print"),
    "an index": ("hex", "p.stock[p.side] -= 1", "p.stock[2] -= 1", "__init__.py:.*IndexError"),
    "division": ("amazons", "near = reach(p.q", "near = us / 1; reach(p.q", "'/' makes a float"),
    "moves play": (
        "hex",
        "        add_drop(found, 0, to)",
        "        add_drop(found, 0, to)\n    p.stock[0] -= 1",
        "moves: it changes the position|generate: it changes",
    ),
    "crowded": (
        "hex",
        "        add_drop(found, 0, to)",
        "        for _ in range(1500):\n            add_drop(found, 0, to)",
        "more than 4,096 legal moves",
    ),
    "longest": ("amazons", "longest=32", "longest=4", "longest: a game went on after ply 4"),
    "not a kernel": ("hex", "@kernel\ndef missing", "def missing", "'missing' is not marked"),
    "a list": (
        "hex",
        "return -100 * missing",
        "return -[9, 5][us] * missing",
        "kernels have no lists",
    ),
    "nothing": (
        "hex",
        "    return LOST if grown(edge, p.stones[them]) & goal else ONGOING",
        "    if grown(edge, p.stones[them]) & goal:\n        return LOST",
        "hex.result: line 8[0-9]: it returns nothing here, and a value elsewhere",
    ),
    "by zero": (
        "hex",
        "return -100 * missing(p, us)",
        "return 100 // (p.number - 3)",
        "ZeroDivisionE",
    ),
    "a float": (
        "hex",
        "return -100 * m",
        "return -0.5 * m",
        "worth: it returns -[0-9.]+, which is no",
    ),
    "a large hint": (
        "hex",
        "return 100 if near",
        "return 1 << 40 if near",
        "order: .* by the reference",
    ),
}


#: Those that are found when the game is defined.
OF_DEFINITIONS = {
    "side": ("hex", '"stock": H', '"side": H', "fields: side: every position has a field of that"),
    "letter": ("hex", 'Hand("S"', 'Hand("s"', "fields: stock: 's' is not a letter of A to Z"),
    "hand": ("hex", 'Hand("S", 61)', 'Hand("S", 0)', "fields: stock: high: 0 is not in 1..999"),
    "no field": ("hex", 'Hand("S", 61)', "61", "fields: stock: a int is no field"),
    "twice": (
        "amazons",
        'Neutral("A")',
        'Neutral("Q")',
        "fields: arrows: 'Q' is the letter of queens already",
    ),
    "size": ("hex", "Board(11, 11)", "Board(12, 11)", "size: 12x11 has more"),
    "property": ("hex", "bench_depth=4", "bench_dept=4", "no property 'bench_dept'"),
    "moves": ("hex", "longest=121", 'pieces={"S": "((("}', r"pieces: S: '\(\(\('"),
    "high": ("hex", 'Hand("S", 61)', 'Hand("S", "x")', "fields: stock: high: x is not"),
}


@pytest.mark.parametrize("name", OF_DEFINITIONS)
def test_a_mistake_of_a_definition_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, old, new, message = OF_DEFINITIONS[name]
    path = GAMES / game / "__init__.py"
    source = path.read_text()
    assert old in source
    module = types.ModuleType(f"variants.{game}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.__path__ = [str(path.parent)]
    mistaken_source = f"{source.replace(old, new)}\ngames()\n"
    with pytest.raises(GameError, match=message):
        exec(compile(mistaken_source, str(path), "exec"), vars(module))


def mistaken(folder: Path, game: str, old: str, new: str) -> dict[str, str]:
    """Write the game with a mistake; return the environment that has it."""
    shutil.copytree(GAMES / game, folder / game, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / game / "__init__.py"
    source = path.read_text()
    assert old in source
    path.write_text(source.replace(old, new))
    return {**os.environ, "RYUGI_GAMES": str(folder)}


def _checked(game: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return command("check", "--game", game, "--positions", "30", "--seed", "1", env=environment)


@pytest.mark.more
@pytest.mark.parametrize("name", effort(list(MISTAKES)[::2], MISTAKES))
def test_a_mistake_is_named(name: str, tmp_path: Path) -> None:
    game, old, new, message = MISTAKES[name]
    done = _checked(game, mistaken(tmp_path, game, old, new))
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert re.search(message, output), output
    assert "Traceback" not in output


def test_modules_of_the_games_own_replace_the_derived_ones(tmp_path: Path) -> None:
    """An ``entries.py`` next to the game's file is used, and so is a ``reference.py``."""
    environment = mistaken(tmp_path, "hex", "def worth(", "def worth(")
    template = Path("ryugi_engine/simple_game/template")
    source = (template / "entries.py").read_text()
    own = source.replace("new.side = 1 - us", "new.side = us")
    assert own != source
    (tmp_path / "hex" / "entries.py").write_text(own)
    done = _checked("hex", environment)
    assert re.search("make: |generate: |side", done.stdout), done.stdout
    assert done.returncode != 0
    (tmp_path / "hex" / "entries.py").write_text(source)
    assert _checked("hex", environment).returncode == 0
    reference = (template / "reference.py").read_text()
    (tmp_path / "hex" / "reference.py").write_text(
        reference.replace("_DEFINITION, text)", '_DEFINITION, text.replace(" w ", " b "))')
    )
    done = _checked("hex", environment)
    assert "reference" in done.stdout
    assert done.returncode != 0
