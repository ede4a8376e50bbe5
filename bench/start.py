"""What users wait for besides the search: starts, cold and warm, a move, a ply of a match.

Stockfish and cutechess-cli are measured as well where they are installed. Medians of ROUNDS.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from bench.conftest import OURS, note_time, size
from bench.peers import stockfish_path
from ryugi_engine.games.registry import registry
from tests.support.helpers import ROOT

ENGINE = [sys.executable, "-P", "-m", "ryugi_engine"]
ROUNDS = int(os.environ.get("RYUGI_ROUNDS", size("5", "1")))
#: Moves of a game that a single move is asked after, and plies of the matches.
PLIES, MATCH_PLIES = size((80, 400), (4, 10))
#: Games of a short and of a long match.
MATCHES = size((2, 12), (1, 3))
#: Games that are started, with nothing compiled and with everything.
COLD = size(["ryugi", "gorogo", "goryujin"], ["gorogo"])
WARM = size([game.name for game in registry().games()], ["ryugi", "gorogo"])


def _peers() -> list[tuple[str, list[str]]]:
    stockfish = stockfish_path()
    return [(OURS, ENGINE)] + ([("Stockfish", [stockfish])] if stockfish else [])


class Conversation:
    """An engine, line by line."""

    def __init__(self, command: list[str], cache: Path | None = None) -> None:
        environment = {**os.environ, **({"RYUGI_CACHE_DIR": str(cache)} if cache else {})}
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1,
        )  # fmt: skip

    def ask(self, answer: str, *lines: str) -> float:
        """Send lines; return the seconds since the start when an answer has come."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n".join(lines) + "\n")
        for line in self._process.stdout:
            if line.startswith(answer):
                return time.perf_counter() - self.began
        raise AssertionError(f"no {answer}")

    def ready(self, *lines: str) -> float:
        """Be ready, however long the kernels are compiled."""
        while True:
            asked = time.perf_counter()
            seconds = self.ask("readyok", *lines, "isready")
            if time.perf_counter() - asked < 8.5:
                return seconds

    def close(self) -> None:
        """End the engine."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("quit\n")
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


def _start(command: list[str], variant: str, cache: Path | None = None) -> tuple[float, float]:
    """Seconds from the start to ``uciok`` and to ``readyok``."""
    engine = Conversation(command, cache)
    introduced = engine.ask("uciok", "uci")
    ready = engine.ready(*([f"setoption name UCI_Variant value {variant}"] if variant else []))
    if cache is not None:
        engine.ask("bestmove", "position startpos", "go depth 4")
    engine.close()
    return introduced, ready


@pytest.mark.parametrize("variant", COLD)
def test_cold(variant: str, benchmark: Any, tmp_path: Path) -> None:
    """To ``readyok`` with an empty cache."""
    times = []

    def start() -> None:
        times.append(_start(ENGINE, variant, tmp_path / str(len(times)))[1])

    benchmark.pedantic(start, rounds=ROUNDS)
    note_time(f"start, nothing compiled: {variant}", OURS, statistics.median(times))


@pytest.mark.parametrize("variant", WARM)
def test_warm(variant: str, benchmark: Any) -> None:
    """To ``uciok`` and ``readyok``; also of Stockfish."""
    for who, command in _peers():
        name = variant if who == OURS else ""
        if who == OURS:
            _start(command, name)  # compiles what is not
            benchmark.pedantic(_start, (command, name), rounds=1)
        times = [_start(command, name) for _ in range(ROUNDS)]
        introduced, ready = (statistics.median(part) for part in zip(*times, strict=True))
        note_time("start to uciok", who, introduced)
        note_time(f"start to readyok: {variant}", who, ready)


@pytest.fixture
def engines() -> Iterator[dict[str, Conversation]]:
    result = {who: Conversation(command) for who, command in _peers()}
    for engine in result.values():
        engine.ask("uciok", "uci")
        engine.ready()
    yield result
    for engine in result.values():
        engine.close()


def test_a_move(benchmark: Any, engines: dict[str, Conversation]) -> None:
    """From ``position`` to ``bestmove`` at one node, along a game of chess; in turns."""
    board, source = chess.Board(), random.Random(1)
    moves: list[str] = []
    while len(moves) < PLIES and not board.is_game_over():
        board.push(source.choice(list(board.legal_moves)))
        moves.append(board.peek().uci())
    times: dict[str, list[float]] = {who: [] for who in engines}

    def game() -> None:
        for who, engine in engines.items():
            for ply in range(len(moves)):
                position = " ".join(["position startpos moves", *moves[:ply]])
                began = time.perf_counter()
                engine.ask("bestmove", position, "go nodes 1")
                times[who].append(time.perf_counter() - began)

    benchmark.pedantic(game, rounds=ROUNDS, warmup_rounds=1)
    for who, seconds in times.items():
        note_time("a move beside its search", who, statistics.median(seconds))


def _plies(path: Path) -> int:
    total = 0
    with path.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            total += sum(1 for _ in game.mainline_moves())
    return total


def test_a_ply_of_a_match(benchmark: Any, tmp_path: Path) -> None:
    """Two Stockfishes at one node a move; the difference of a long and a short match."""
    stockfish, cutechess = stockfish_path(), shutil.which("cutechess-cli")
    if stockfish is None:
        pytest.skip("needs Stockfish")

    def ours(games: int, out: Path) -> list[str]:
        engine = ["--engine", f"cmd={stockfish}", "--engine", "name=B", f"cmd={stockfish}"]
        return [
            *(*ENGINE, "match", "--variant", "chess", *engine, "--games", str(games)),
            *("--tc", "nodes=1", "--max-plies", str(MATCH_PLIES), "--quiet", "--force"),
            *("--pgn-out", str(out)),
        ]

    def theirs(games: int, out: Path) -> list[str]:
        assert cutechess is not None
        return [
            *(cutechess, "-engine", f"cmd={stockfish}", "-engine", f"cmd={stockfish}", "name=B"),
            *("-each", "proto=uci", "tc=inf", "nodes=1", "-games", str(games), "-pgnout", str(out)),
            *("-maxmoves", str(MATCH_PLIES // 2)),
        ]

    runners = {OURS: ours} | ({"cutechess-cli": theirs} if cutechess else {})
    times: dict[str, list[float]] = {who: [] for who in runners}

    def matches() -> None:
        for who, command in runners.items():
            results = []
            for games in MATCHES:
                out = tmp_path / f"{who}-{len(times[who])}-{games}.pgn"
                began = time.perf_counter()
                subprocess.run(command(games, out), cwd=tmp_path, check=True, capture_output=True)
                results.append((time.perf_counter() - began, _plies(out)))
            (short, few), (long, many) = results
            times[who].append((long - short) / (many - few))

    benchmark.pedantic(matches, rounds=ROUNDS)
    for who, seconds in times.items():
        note_time("a ply of a match, two Stockfishes at one node", who, statistics.median(seconds))
