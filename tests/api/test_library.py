"""The library's promises: its names, examples, errors; copies, threads."""

from __future__ import annotations

import doctest
import importlib
import inspect
import random
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ryugi_engine
from ryugi_engine import IllegalMove, Position, UserError, define, game
from tests.support.helpers import ROOT, completed

API = ROOT / "ryugi_engine" / "API.md"
PUBLIC = [name for name in ryugi_engine.__all__ if name[0] != "_"]
START = Position("chess").fen()


def documented() -> Iterator[tuple[str, Any]]:
    """Every public class and function with its public attributes."""
    for name in PUBLIC:
        thing = getattr(ryugi_engine, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for inner, attribute in vars(thing).items():
                if inner[0] != "_" and (callable(attribute) or isinstance(attribute, property)):
                    yield f"{name}.{inner}", attribute


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_name_has_an_example_that_is_so(name: str) -> None:
    thing = DOCUMENTED[name]
    module = importlib.import_module(getattr(ryugi_engine, name.partition(".")[0]).__module__)
    text = thing.__doc__ or ""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        assert text
        return
    assert ">>>" in text, f"{name} has no example"
    example = doctest.DocTestParser().get_doctest(text, dict(vars(module)), name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    said: list[str] = []
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


def test_the_page_is_so() -> None:
    results = doctest.testfile(str(API), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0
    text = API.read_text()
    for name in PUBLIC:
        assert name in text, f"{name} is not on the page"


def test_the_pages_numbers_are_those_of_the_games() -> None:
    rows = re.findall(
        r"^\| ([a-z]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", API.read_text(), re.M
    )
    assert len(rows) > 5
    for name, *numbers in rows:
        chosen = game(name)
        squares, actions, planes = (int(number.replace(",", "")) for number in numbers)
        assert (chosen.files * chosen.ranks, chosen.action_size) == (squares, actions), name
        assert len(chosen.plane_names) == planes, name


def test_the_module_is_so() -> None:
    assert doctest.testmod(ryugi_engine) == (0, 4)
    assert set(dir(ryugi_engine)) == {*ryugi_engine.__all__}
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ryugi_engine.nothing  # noqa: B018


def test_importing_is_cheap() -> None:
    """And a game needs no numba where its kernels are compiled."""
    code = (
        "import sys, ryugi_engine\n"
        "names = [n for n in sys.modules if n.startswith('ryugi_engine.')]\n"
        "assert not names and 'numpy' not in sys.modules, names\n"
        "position = ryugi_engine.Position('crazyhouse')\n"
        "position.push('e4')\n"
        "assert not {'numba', 'llvmlite', 'chess'} & set(sys.modules)\n"
    )
    Position("crazyhouse").push("e4")
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr


MISUSES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "an unknown game": (lambda: game("chesss"), UserError, "unknown variant 'chesss', did you"),
    "no name of a game": (lambda: Position(3), UserError, "the name of a game is a text, not int"),  # type: ignore[arg-type]
    "no text": (lambda: Position("chess", 3), UserError, "a position is a text, not int"),  # type: ignore[arg-type]
    "no definition": (lambda: define(3), UserError, "a definition is a text or a Path, not int"),  # type: ignore[arg-type]
    "no move": (lambda: Position("chess").push(None), IllegalMove, "illegal move None in"),  # type: ignore[arg-type]
    "no board": (lambda: Position("chess", ""), UserError, "position: is empty"),
    "a bad text": (lambda: Position("shogi", "9/9 w - - 0 1"), UserError, "board: 2 ranks instead"),
    "an illegal text": (
        lambda: Position("chess").push("e2e5"),
        IllegalMove,
        f"illegal move 'e2e5' in {START}",
    ),
    "nonsense": (
        lambda: Position("gorogo").push("?"),
        IllegalMove,
        re.escape("illegal move '?' in 5/5/5"),
    ),
    "an illegal int": (
        lambda: Position("chess").push(77),
        IllegalMove,
        f"illegal move 77 in {START}",
    ),
    "SAN of no move": (lambda: Position("chess").san(0), IllegalMove, "illegal move 0 in"),
    "an ambiguous move": (
        lambda: Position("chess", "6k1/8/8/8/8/K7/8/R6R w - - 0 1").parse("Rd1"),
        IllegalMove,
        "'Rd1' can be a1d1 or h1d1 in",
    ),
    "a null move": (lambda: Position("chess").push("--"), IllegalMove, "illegal move '--' in"),
    "pop at the start": (lambda: Position("chess").pop(), IndexError, "there is no move to take"),
    "no TOML": (lambda: define("chess"), UserError, re.escape("(text):1: (syntax): ")),
    "a fault in TOML": (
        lambda: define('[mine]\nfiles = "8"\n'),
        UserError,
        re.escape("(text):2: mine.files: must be a whole number"),
    ),
    "no file": (lambda: define(Path("/no/such.toml")), UserError, "/no/such.toml: No such file"),
    "a built-in name": (
        lambda: define(OWN.replace("[mine]", "[chess]")),
        UserError,
        re.escape("(text): 'chess' is the name of a built-in game"),
    ),
}
OWN = """
[mine]
files = 6
ranks = 6
start = "rnckbr/pppppp/6/6/PPPPPP/RNCKBR w - - 0 1"
promotion = "CRBN"
pieces = { K = "K", C = "KN", R = "R", B = "B", N = "N" }
"""


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_one_clear_line(misuse: str) -> None:
    act, kind, message = MISUSES[misuse]
    with pytest.raises(kind, match=f"^{message}") as raised:
        act()
    assert "\n" not in str(raised.value)


def test_an_illegal_move_changes_nothing() -> None:
    position = Position("crazyhouse")
    position.push("e4")
    for move in ("e4", 0, -1, "P@e5"):
        with pytest.raises(IllegalMove):
            position.push(move)
    assert position.moves == ["e2e4"]
    assert len(position.legal_moves) == 20


def test_own_definitions(tmp_path: Path) -> None:
    """From a text and from a file; others of that name are replaced, and games stay as they are."""
    (first,) = define(OWN)
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace("promotion", 'title = "Mine"\npromotion'))
    (second,) = define(path)
    assert (first.title, second.title) == ("mine", "Mine")
    assert game("mine") == second != first
    assert len(Position(first).legal_moves) == len(Position(second).legal_moves) == 16


def test_copies_are_independent() -> None:
    position = Position("shogi")
    position.push("P-7f" if "P-7f" in position.legal_moves else position.legal_moves[0])
    other = position.copy()
    assert other == position
    assert other.moves == position.moves
    other.push(other.legal_moves[3])
    assert other != position
    other.pop()
    assert other == position
    assert position != Position("chess") != "chess"
    with pytest.raises(TypeError):
        hash(position)


def playout(name: str, seed: int) -> list[str]:
    source, position = random.Random(seed), Position(name)
    while not position.is_game_over() and position.ply() < 120:
        position.push(source.choice(position.legal_moves))
    return position.moves


def test_threads_have_positions_of_their_own() -> None:
    """Their games are those that are played one after the other."""
    games = [("chess", 1), ("chess", 2), ("crazyhouse", 3), ("shogi", 4)]
    found: dict[tuple[str, int], list[str]] = {}

    def play(name: str, seed: int) -> None:
        found[name, seed] = playout(name, seed)

    threads = [threading.Thread(target=play, args=key) for key in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {key: playout(*key) for key in games}


def test_long_games_can_be_taken_back() -> None:
    """Beyond what the kernels keep: early positions are made again from the moves."""
    position = Position("gorogo")
    keys = [position.key()]
    while not position.is_game_over():
        position.push(position.legal_moves[-1])
        keys.append(position.key())
    while position.moves:
        assert position.key() == keys.pop()
        position.pop()
    assert position.key() == keys.pop()


def test_python_runs_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "doctest", str(API)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
