"""A game is played at once by the kernels for all games, and by its own from a later start on."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from ryugi_engine.games.registry import registry, rules_of
from ryugi_engine.kernel import background, targets
from tests.support.helpers import EngineUnderTest, command, copy_warm_cache, patient
from tests.support.leftovers import children
from variants.chess.general.memory.bundles import PLAY

pytestmark = pytest.mark.slow

GAME = "kingofthehill"
BORROWED = f"info string kernels for all games: {GAME}'s own are compiled in the background"


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """The environment of a user whose games have no kernels of their own."""
    copy_warm_cache(tmp_path)
    rules_of(registry().game(GAME))  # which imports all that the bundle has
    shared = {PLAY.key(targets.target()), PLAY.key(targets.BITCODE)}
    for path in (tmp_path / "kernels").glob(f"{PLAY.name}-*"):
        if path.stem.removeprefix(f"{PLAY.name}-") in shared:
            shared.remove(path.stem.removeprefix(f"{PLAY.name}-"))
        else:
            path.unlink()  # a game's own, from another test
    assert not shared, "the general kernels are not compiled"
    variables = {**os.environ, "RYUGI_CACHE_DIR": str(tmp_path)}
    variables.pop("RYUGI_KERNELS", None)
    del variables[background.NAME]
    return variables


def _kernels(folder: Path) -> set[str]:
    return {path.name for path in (folder / "kernels").glob("*.kernel")}


def _started(variables: dict[str, str]) -> EngineUnderTest:
    return EngineUnderTest("uci", env=variables).ready(f"setoption name UCI_Variant value {GAME}")


def _says(engine: EngineUnderTest, start: str) -> bool:
    return any(line.startswith(start) for line in engine.log)


def _search(engine: EngineUnderTest) -> list[str]:
    """Search to a depth; return nodes and lines, without times."""
    engine.send("ucinewgame", "position startpos moves e2e4", "go depth 6")
    engine.wait("bestmove")
    last = [line for line in engine.log if " depth 6 " in line][-1]
    return [last.partition(" nodes ")[2].split()[0], last.partition(" pv ")[2], engine.log[-1]]


def _runs(process: int) -> bool:
    """Return whether a process runs; one that has ended may have no parent that looks after it."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def _compiling(engine: EngineUnderTest) -> int:
    """Wait for the process that compiles for an engine; return its number."""
    end = time.monotonic() + patient(60.0)
    while not children(engine.process.pid):
        assert time.monotonic() < end, "nothing is compiled in the background"
        time.sleep(0.05)
    return children(engine.process.pid).pop()


def test_it_begins_with_the_kernels_for_all_games_and_goes_on_with_its_own(
    variables: dict[str, str], tmp_path: Path
) -> None:
    before = _kernels(tmp_path)
    engine = _started(variables)
    assert _says(engine, BORROWED)
    assert not _says(engine, "info string compiling"), engine.log
    first = _search(engine)
    helper = _compiling(engine)
    end = time.monotonic() + patient(120.0)
    while os.getpriority(os.PRIO_PROCESS, helper) < 19:  # it says so itself, after Python's start
        assert time.monotonic() < end, "it compiles at the engine's priority"
        time.sleep(0.05)
    while _kernels(tmp_path) == before:
        assert time.monotonic() < end, "the game's own kernels are not kept"
        time.sleep(0.1)
    assert _search(engine) == first
    assert engine.quit() == ""
    assert {name.partition("-")[0] for name in _kernels(tmp_path) - before} == {PLAY.name}

    later = _started(variables)
    assert not _says(later, BORROWED)
    assert _search(later) == first, "a game's own kernels search otherwise"
    assert later.quit() == ""


@pytest.mark.parametrize("killed", ["engine", "compiler"])
def test_a_kill_while_it_compiles_damages_nothing(
    variables: dict[str, str], tmp_path: Path, killed: str
) -> None:
    before = _kernels(tmp_path)
    engine = _started(variables)
    helper = _compiling(engine)
    os.kill(engine.process.pid if killed == "engine" else helper, signal.SIGKILL)
    if killed == "engine":
        engine.process.wait(patient(20.0))
        engine.close()
    else:
        _search(engine)
        assert engine.quit() == ""
    end = time.monotonic() + patient(30.0)
    while _runs(helper):
        assert time.monotonic() < end, "the process that compiles outlives the engine"
        time.sleep(0.05)
    assert _kernels(tmp_path) == before
    again = _started(variables)
    assert _says(again, BORROWED)
    assert not _says(again, "info string error"), again.log
    _search(again)
    assert again.quit() == ""


def test_warmup_compiles_a_games_own_kernels(variables: dict[str, str], tmp_path: Path) -> None:
    before = _kernels(tmp_path)
    result = command("warmup", "--variant", GAME, env=variables)
    assert result.returncode == 0, result.stderr
    assert len(_kernels(tmp_path) - before) == 1
    engine = _started(variables)
    assert not _says(engine, BORROWED)
    assert engine.quit() == ""
