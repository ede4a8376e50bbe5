"""The table of all mutants: the fault that `check --game` finds in each, as Markdown.

    python -m tests.simple_game.mutants_table [GAMES]

With GAMES each mutant that passes plays so many games against the sound version.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.conformance import test_mutants as by_hand
from tests.conformance.test_contract import broken
from tests.simple_game import test_mutants as simple
from tests.simple_game.test_games import GAMES
from tests.support.helpers import ROOT, command

_WIDTH = 100


def _mutants() -> Iterator[tuple[str, str, str]]:
    """Yield (game, mutant, folder of its environment)."""
    for name, (how, _) in by_hand.MUTANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            yield "breakthrough", name, broken(Path(folder), how)["RYUGI_GAMES"]
    for name in simple.MUTANTS:
        with tempfile.TemporaryDirectory() as folder:
            game, environment = simple.write_mutant(Path(folder), name)
            yield game, name, environment["RYUGI_GAMES"]


def _fault(game: str, folder: str) -> str:
    """Return the first fault that the check finds; "" for none."""
    done = command(
        *("check", "--game", game, "--positions", "300", "--seed", "1"),
        env=simple.environment_of(folder),
    )
    lines = (done.stdout + done.stderr).splitlines()
    faults = [line for line in lines if line.startswith(f"{game}: ")]
    return faults[0].removeprefix(f"{game}: ") if done.returncode and faults else ""


def _games_played(game: str, folder: str, games: int) -> str:
    """Return the result of a match of a mutant against the sound version."""
    own = ROOT / "tests" / "support" / "by_hand"
    sound = own if (own / game).is_dir() and (Path(folder) / game / "text.py").exists() else GAMES
    engine = f"{sys.executable} -m ryugi_engine uci"
    done = command(
        *("match", "--variant", game, "--games", str(games), "--tc", "nodes=2000", "--quiet"),
        *("--engine", f"env RYUGI_GAMES={folder} {engine}", "--engine"),
        f"env RYUGI_GAMES={sound} {engine}",
        env=simple.environment_of(str(sound)),
    )
    found = re.search(r"Games: .*", done.stdout)
    return found.group() if found else done.stdout + done.stderr


def main(games: int) -> None:
    """Write the table to the standard output."""
    print("| game | mutant | fault |\n|---|---|---|", flush=True)
    found = total = 0
    for game, name, folder in _mutants():
        fault = _fault(game, folder)
        total += 1
        found += bool(fault)
        if not fault and games:
            fault = f"(none; {_games_played(game, folder, games)})"
        print(f"| {game} | {name} | {fault[:_WIDTH].replace('|', '/') or '(none)'} |", flush=True)
    print(f"\n{found} of {total} found")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
