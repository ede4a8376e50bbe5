"""The contract that every game keeps to, and the report on one that does not."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ryugi_engine.conformance.contract import examine
from ryugi_engine.errors import GameError
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.jit import entry, routine
from tests.conftest import GAMES
from tests.support.effort import effort
from tests.support.helpers import ROOT, EngineUnderTest, command

BREAKTHROUGH = ROOT / "tests" / "support" / "by_hand" / "breakthrough"


@pytest.mark.more
@pytest.mark.parametrize("name", GAMES)
def test_every_game_keeps_to_it(name: str, source: random.Random) -> None:
    positions: int = effort(10, 200)
    report = examine(registry().game(name), source, positions)
    assert (report.faults, report.hints) == ([], ())
    assert report.positions == positions


class Break(NamedTuple):
    """A way to break a game: a text of a file to replace."""

    file: str
    old: str
    new: str


# the line of entries.py that the two float and zero breaks edit
_STEP_LINE = 1 + (BREAKTHROUGH / "entries.py").read_text().split("score += _STEP *")[0].count("\n")


def _edit(game: Path, how: Break) -> None:
    path = game / how.file
    text = path.read_text()
    assert how.old in text, (how.file, how.old)
    path.write_text(text.replace(how.old, how.new, 1))


def _without(name: str) -> Callable[[Path], None]:
    def remove(game: Path) -> None:
        if (game / name).is_dir():
            shutil.rmtree(game / name)
        else:
            (game / name).unlink()

    return remove


def _with_rules_elsewhere(game: Path) -> None:
    (game / "rules.py").rename(game / "laws.py")
    package = game / "__init__.py"
    package.write_text(package.read_text().replace("breakthrough.rules", "breakthrough.laws"))


_OWN_PERFT = """
from ryugi_engine.kernel.memory import call1, recurse{n}
from ryugi_engine.kernel.jit import routine


@routine
def count(S, depth, bulk, out):
    return 1 if depth == 0 else recurse{n}({arguments})


@entry(4)
def own_perft(S: int, depth: int, bulk: int, out: int) -> int:
    return count({call})


KERNELS = KERNELS._replace(perft=own_perft)
"""


def _appended(text: str) -> Callable[[Path], None]:
    def append(game: Path) -> None:
        path = game / "entries.py"
        path.write_text(path.read_text() + text)

    return append


#: The traps, and the report on a game that is caught in one.
TRAPS: dict[str, tuple[Break | Callable[[Path], object], str]] = {
    "a negative order score": (
        Break("entries.py", "score = 100 *", "score = -100 *"),
        "order: a2a3 has the score -200, which is not in 0..536870911, abi.MAX_ORDER_SCORE,",
    ),
    "a history slot too large": (
        Break("entries.py", "move & (HISTORY_SLOTS - 1)", "move | 1 << 20"),
        "slot: order gives a2a3 the history slot 1052688, which is not in 0..1048575",
    ),
    "no plies for the search": (
        Break(
            "rules.py",
            "    def text(",
            "    def capacity(self, state: Block) -> int:\n"
            "        return L.MAX_PLIES - 2\n\n    def text(",
        ),
        "capacity: 510 moves more and 128 of a search, abi.SEARCH_PLIES, do not fit: there are 511",
    ),
    "one frame too few": (
        Break("layout.py", "MAX_PLIES = 512", "MAX_PLIES = 129"),
        "layout: 129 frames, at least 130 are needed",
    ),
    "a board that does not say whose turn it is": (
        Break(
            "rules.py",
            "    def text(",
            "    def board_text(self, state, last_move, outcome, ink, lines):  # type: ignore\n"
            "        return self.text(state)\n\n    def text(",
        ),
        "board_text: it does not say 'White to move' in ",
    ),
    "White's pieces that look like Black's": (
        Break(
            "rules.py",
            "    def text(",
            "    def figure(self, letter):  # type: ignore\n"
            "        return super().figure(letter.upper())\n\n    def text(",
        ),
        "figure: pieces look alike, or take more than a line in ",
    ),
    "move codes too large": (
        Break("entries.py", "(to - step) |", "1 << 31 | (to - step) |"),
        "generate: the move code -2147479536 is not in 1..2147483647, abi.MAX_CODE,",
    ),
    "rules in another module": (
        _with_rules_elsewhere,
        "there is no module variants.breakthrough.rules, which has to hold the rules of",
    ),
    "no reference": (
        Break("__init__.py", "    reference=_reference,\n", ""),
        "missing 1 required positional argument: 'reference'",
    ),
    "no games()": (
        Break("__init__.py", "def games()", "def game_list()"),
        "the package has no function games()",
    ),
    "a wrong recurseN": (
        _appended(
            _OWN_PERFT.format(
                n=5, arguments="S, depth - 1, bulk, out, 1", call="S, depth, bulk, out"
            )
        ),
        "recurse5 in a routine that takes 4 arguments: it has to be recurse4",
    ),
    "a literal into recursion": (
        _appended(
            _OWN_PERFT.format(n=4, arguments="S, depth - 1, bulk, out", call="S, depth, 1, out")
        ),
        "count recurses and was called with a literal",
    ),
    "/ in a kernel": (
        Break("entries.py", "score += _STEP *", "score += _STEP / 2 *"),
        f"entries.side_score: line {_STEP_LINE}: '/' makes a float, of which an int64 keeps",
    ),
    # what else may go wrong
    "another game's name": (
        Break("__init__.py", 'name="breakthrough"', 'name="gorogo"'),
        "another game is called 'gorogo' already",
    ),
    "a package that cannot be imported": (
        Break("text.py", "class PositionData:", "class PositionData"),
        "SyntaxError: expected ':'",
    ),
    "no evaluate": (
        Break("entries.py", "    evaluate=evaluate,\n", ""),
        "TypeError: kernels() missing 1 required keyword-only argument: 'evaluate'",
    ),
    "an entry of another arity": (
        Break("entries.py", "    status=status,\n", "    status=evaluate,\n"),
        "kernels.status must take 2 arguments, variants.breakthrough.entries.evaluate takes 1",
    ),
    "a call with too many arguments": (
        Break(
            "entries.py",
            "side_score(frame.by_color[us], us) -",
            "side_score(frame.by_color[us], us, 1) -",
        ),
        "entries.evaluate: entries.py:",
    ),
    "no text()": (
        Break("rules.py", "def text(", "def words("),
        "TypeError: Can't instantiate abstract class BreakthroughRules",
    ),
    "a move too few": (
        Break("entries.py", "aside = board & ~own", "aside = board & ~(own | enemy)"),
        "generate: ",
    ),
    "a key of the side that has moved": (
        Break(
            "entries.py",
            "    new.side = 1 - us\n    new.number = old.number + us\n"
            "    publish(S, f + L.FRAME_WORDS)\n",
            "    new.side = us\n    publish(S, f + L.FRAME_WORDS)\n    new.side = 1 - us\n"
            "    new.number = old.number + us\n",
        ),
        "key: ",
    ),
    "pieces that do not move": (
        Break("__init__.py", '"fmWfF"', '""'),
        "placed: no piece moves, and the game does not say that they are placed",
    ),
    "placed pieces without a hand": (
        Break("__init__.py", '"fmWfF"}', '""}, placed=True'),
        "pocket: pieces are placed, of 1 kind, and the hand has 0",
    ),
    "moves of another shape": (
        Break("__init__.py", "    draws=False,\n", '    draws=False,\n    move_shape="[a-z]+",\n'),
        "move_shape: ",
    ),
    "a shape that is none": (
        Break("__init__.py", "    draws=False,\n", '    draws=False,\n    move_shape="(",\n'),
        "move_shape: '(' is no regular expression",
    ),
}


def broken(folder: Path, how: Break | Callable[[Path], object]) -> dict[str, str]:
    """A copy of Breakthrough broken in one way; the environment that registers it."""
    game = folder / "breakthrough"
    shutil.copytree(BREAKTHROUGH, game, ignore=shutil.ignore_patterns("__pycache__"))
    layout = game / "layout.py"
    layout.write_text(layout.read_text() + "NOTHING = 0\n")
    if isinstance(how, Break):
        _edit(game, how)
    else:
        how(game)
    return {**os.environ, "RYUGI_GAMES": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("trap", effort(list(TRAPS)[::5], TRAPS))
def test_a_broken_game_is_named_in_a_line(trap: str, tmp_path: Path) -> None:
    how, output = TRAPS[trap]
    env = broken(tmp_path, how)
    done = command("check", "--game", "breakthrough", "--positions", "100", "--seed", "1", env=env)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if output in line]
    lines = [line for line in lines if not line.startswith("compiling ")]
    assert len(lines) == 1, done.stdout + done.stderr
    assert "breakthrough" in lines[0]
    assert "Traceback" not in done.stderr
    assert done.returncode in (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("files", [["perft"], ["RULES.md", "perft", "bench", "openings"]])
def test_what_a_right_game_lacks_is_a_hint(files: list[str], tmp_path: Path) -> None:
    """Whoever writes a game need not have counts, openings and a page of rules."""

    def remove(game: Path) -> None:
        for name in files:
            _without(name)(game)

    env = broken(tmp_path, remove)
    done = command("check", "--game", "breakthrough", "--positions", "50", "--seed", "1", env=env)
    assert done.returncode == 0, done.stdout
    hints = [line for line in done.stdout.splitlines() if "hint: " in line]
    assert len(hints) == (2 if "RULES.md" in files else 1)
    for name in files:
        assert any(name in hint for hint in hints)
    assert "'ryugi-engine positions' makes them" in hints[-1]
    assert "no faults in" in done.stdout


@pytest.mark.parametrize("trap", ["no games()", "rules in another module", "another game's name"])
def test_it_is_left_out_after_uciok(trap: str, tmp_path: Path) -> None:
    how, output = TRAPS[trap]
    done = command("uci", env=broken(tmp_path, how), input="uci\nquit\n")
    assert done.returncode == 0
    assert done.stderr == ""
    _options, after = done.stdout.split("uciok\n")
    assert after.startswith(f"info string error: {tmp_path / 'breakthrough'}: ")
    assert output in after
    assert "var gorogo" in done.stdout
    assert "var breakthrough" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trap", "late"), [("/ in a kernel", False), ("a call with too many arguments", True)]
)
def test_a_kernel_that_is_refused_leaves_the_engine_alive(
    trap: str, late: bool, tmp_path: Path
) -> None:
    """When it is marked, and when it is compiled; asked for a move before that, and after."""
    how, output = TRAPS[trap]
    engine = EngineUnderTest("uci", env=broken(tmp_path, how))
    engine.ready()
    engine.send("setoption name UCI_Variant value breakthrough")
    if late:
        engine.send("isready")
        engine.wait("readyok")
    engine.send("position startpos", "go depth 1")
    assert output in engine.wait("info string error")
    assert engine.wait("bestmove") == "bestmove (none)"
    engine.send("setoption name UCI_Variant value gorogo", "position startpos", "go depth 2")
    assert engine.wait("bestmove").startswith("bestmove H@")
    assert "Traceback" not in engine.quit()


# ---- what is not compiled ------------------------------------------------------------------------

_ZERO = 0


def _halved(a: int) -> int:
    a /= 2  # type: ignore[assignment]
    return a


def _raising(a: int) -> int:
    if a == 3:
        raise ValueError
    return a


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda a: a / 3, "'/' makes a float"),
        (_halved, "'/' makes a float"),
        (lambda a: a // _ZERO, "'//' by zero"),
        (lambda a: a % 0, "'%' by zero"),
        (_raising, "a kernel cannot raise or assert"),
    ],
)
def test_what_a_kernel_must_not_do_is_refused(function: Callable[[int], int], said: str) -> None:
    inner = routine(function)
    outer = entry(1)(lambda a: inner(a) + 1)
    with pytest.raises(GameError, match=said) as caught:
        outer(7)
    assert function.__qualname__ in str(caught.value)
    assert "line " in str(caught.value)


def test_an_entry_takes_what_it_is_marked_with() -> None:
    with pytest.raises(GameError, match="arity 2 and takes 1"):
        entry(2)(_halved)


def test_the_check_says_how_to_repeat_it() -> None:
    done = command("check", "--game", "gorogo", "--positions", "30")
    assert done.returncode == 0
    assert "gorogo: no faults in 30 positions, --seed " in done.stdout
