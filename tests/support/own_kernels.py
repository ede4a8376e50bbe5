"""A process that plays games with their own kernels, which know what a game's tables hold.

Other tests play with one set for all games (``RYUGI_KERNELS``), as users do at first. The
process compiles without optimisation: it takes a fraction of the time, and the rules are the same.
Functions that games have in common are compiled once, so one process plays many.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parent.parent.parent


class OwnKernels:
    """The process, from here."""

    def __init__(self, folder: Path) -> None:
        """``folder`` holds what is compiled; processes may share it."""
        variables = {**os.environ, "NUMBA_OPT": "0", "RYUGI_CACHE_DIR": str(folder)}
        variables.pop("RYUGI_KERNELS", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.own_kernels"],
            cwd=_ROOT, env=variables, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, request: str, *arguments: Any) -> Any:
        """Return the result of one of the functions below; AssertionError if it raises."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([request, *arguments]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        assert line, f"the process ended, {self._process.wait()}, at {request} {arguments}"
        reply = json.loads(line)
        assert "error" not in reply, reply["error"]
        return reply["result"]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


# ---- what the process does -----------------------------------------------------------------------


def known(name: str) -> dict[str, int]:
    """Return the constants of a game's kernels by their paths."""
    return dict(_rules(name)._known)


def _rules(name: str, wrong: dict[str, int] | None = None) -> Any:
    """Return a game's rules, with some constants of its kernels wrong."""
    from variants import chess
    from variants.chess.general import entries
    from variants.chess.general.rules import GeneralRules

    game = chess.find(name)
    assert game is not None
    rules = game.load()
    assert isinstance(rules, GeneralRules), name
    if wrong:
        rules._known = tuple((path, wrong.get(path, value)) for path, value in rules._known)
        rules.kernels = entries.kernels(rules._known)
        rules._refresh = entries.refresh.given(rules._known)
    return rules


def play(name: str, seed: int, plies: int, wrong: dict[str, int] | None = None) -> dict[str, Any]:
    """Play random games; return perft 1 and 2, and each position with its moves and its end."""
    from ryugi_engine.games.position import Position
    from ryugi_engine.kernel.abi import HEADER

    rules = _rules(name, wrong)
    for entry in rules.entries():
        entry.load(own=True)
    source, game, seen = random.Random(seed), rules.game, []
    position = Position(game, rules=rules)
    first = int(HEADER.of(position.state)["moves"])
    counts = [position.kernels.perft(position.state.address, depth, 1, first) for depth in (1, 2)]
    for _ in range(plies):
        codes, outcome = position.legal_codes(), position.outcome()
        end = None if outcome is None else [outcome.result, outcome.reason]
        move = source.choice(codes) if codes and end is None else None
        text = position.move_text(move) if move is not None else None
        seen.append([position.text(), position.legal_moves(), end, text])
        if move is None:
            position = Position(game, rules=rules)
        else:
            position.push(move)
    return {"perft": counts, "seen": seen}


def bench(name: str, depth: int) -> list[str]:
    """Return what ``bench`` says of a game's positions."""
    from ryugi_engine.games.registry import load_kernels
    from ryugi_engine.search.bench import Bench
    from variants import chess

    game = chess.find(name)
    assert game is not None
    load_kernels(game, own=True)
    lines: list[str] = []
    Bench([game], depth, lines.append).run()
    return [line for line in lines if line.startswith(name)]


def _answer(line: str) -> dict[str, Any]:
    request, *arguments = json.loads(line)
    try:
        return {"result": {"play": play, "bench": bench, "known": known}[request](*arguments)}
    except Exception as error:
        return {"error": f"{request} {arguments}: {error}"}


if __name__ == "__main__":
    for request in sys.stdin:
        print(json.dumps(_answer(request)), flush=True)
    os._exit(0)  # to free everything takes seconds
