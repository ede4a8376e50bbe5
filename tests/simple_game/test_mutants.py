"""Mutants of Othello and Amazons, in the game's own file and in a derived module put next to it.

Most are found because the game's functions are run by Python, too. Wrong rules are wrong in both:
what finds them are the published counts.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.simple_game.test_games import GAMES
from tests.support.effort import effort
from tests.support.helpers import ROOT, command

_TEMPLATE = ROOT / "ryugi_engine" / "simple_game" / "template"
_G, _E, _L, _R = "__init__.py", "entries.py", "layout.py", "rules.py"

#: (game, module, what is replaced, by what)
MUTANTS = {
    # derived modules
    "another side moves": ("othello", _E, "new.side = 1 - us", "new.side = us"),
    "no move number": ("othello", _E, "old.number + us", "old.number"),
    "a key without a field": ("othello", _E, "range(L.SET_WORDS //", "range(1, L.SET_WORDS //"),
    "a key without hands": ("othello", _E, "range(L.SET_WORDS, L", "range(L.FIELD_WORDS, L"),
    "a key without the side": ("othello", _E, "L.FRAME(S, f).side + 1", "1"),
    "no copy": ("amazons", _E, "    copy(new, old)\n", "    new.side = old.side\n"),
    "unmake stays": ("amazons", _E, "f = header.frame - L", "f = header.frame - 0 * L"),
    "unmake forgets the key": (
        "amazons",
        _E,
        "    header.key = frame.key\n    return",
        "    return",
    ),
    "unmake forgets the side": (
        "amazons",
        _E,
        "    header.side = frame.side\n    header.key = frame.key\n    return",
        "    header.key = frame.key\n    return",
    ),
    "a move too few": ("amazons", _E, "    n = found.next - out", "    n = found.next - out - 1"),
    "a move too many": ("othello", _E, "    n = found.next - out", "    n = found.next - out + 1"),
    "slots too large": ("amazons", _E, "64 - _SLOT_BITS", "40"),
    "negative scores": ("othello", _E, "hint(p, move))", "hint(p, move) - 200)"),
    "an evaluation that is not limited": (
        "amazons",
        _E,
        "select(value > EVAL_LIMIT, EVAL_LIMIT,",
        "40000 + select(value > EVAL_LIMIT, EVAL_LIMIT,",
    ),
    "an evaluation of the other side": (
        "amazons",
        _E,
        "value = _evaluation(",
        "value = -_evaluation(",
    ),
    "too few frames": ("othello", _L, "max(DEFINITION.longest, _FRAMES) + SEARCH_PLIES + 2", "20"),
    "a loss is a win": ("amazons", _E, "return no_moves_result(", "return 5 - no_moves_result("),
    "status changes the position": (
        "othello",
        _E,
        "    return result(L",
        "    L.FRAME(S, HEADER(S).frame).number += 1\n    return result(L",
    ),
    # the game's own functions
    "no pass": ("othello", _G, "        add_pass(found)", "        pass"),
    "one direction less": ("othello", _G, "found |= NE(RNE(own, enemy)) | SE", "found |= SE"),
    "one direction is not turned": (
        "othello",
        _G,
        "turned |= FNE(to, own, enemy) | ",
        "turned |= ",
    ),
    "a disc stays": ("othello", _G, "= enemy & ~turned", "= enemy"),
    "moves change the position": (
        "othello",
        _G,
        "    if not squares and targets",
        "    p.stock[0] = 5\n    if not squares and targets",
    ),
    "an arrow through queens": ("amazons", _G, "empty | one(origin)", "ALL() & ~p.arrows"),
    "no way back": ("amazons", _G, "reach(one(to), empty | one(origin))", "reach(one(to), empty)"),
    "a queen is lost": ("amazons", _G, "one(first(move)) | one(second(move))", "one(first(move))"),
    "an endless loop": ("amazons", _G, "to, targets = targets.pop()", "to, rest = targets.pop()"),
    "worth is negative": ("amazons", _G, "return 10 * near", "return -10 * near"),
}
#: What random games do not show: positions that differ in the hands alone.
UNSEEN = {"a key without hands"}


def environment_of(folder: str) -> dict[str, str]:
    """Return the environment in which the games of a folder are there."""
    return {**os.environ, "RYUGI_GAMES": folder}


def write_mutant(folder: Path, name: str) -> tuple[str, dict[str, str]]:
    """Write a mutant; return its game and the environment that has it."""
    game, module, old, new = MUTANTS[name]
    shutil.copytree(GAMES / game, folder / game, ignore=shutil.ignore_patterns("__pycache__"))
    origin = (GAMES / game if module == _G else _TEMPLATE) / module
    source = origin.read_text()
    assert old in source, name
    (folder / game / module).write_text(source.replace(old, new))
    return game, environment_of(str(folder))


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name: str, tmp_path: Path) -> None:
    game, environment = write_mutant(tmp_path, name)
    positions = str(effort(300, 300))
    words = ("check", "--game", game, "--positions", positions, "--seed", "1")
    done = command(*words, env=environment)
    assert "Traceback" not in done.stderr
    if name in UNSEEN:
        return
    assert done.returncode != 0, f"{name}: {done.stdout}"
