"""GoRoGo: perft against Stockfish's at chess, and late positions solved: ``pytest bench``."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import chess
import pytest

from bench.conftest import NEVER, OURS, note, size
from bench.peers import stockfish
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import ONGOING
from ryugi_engine.kernel.block import Block
from ryugi_engine.perft.count import Perft

GOROGO = registry().game("gorogo")
#: The depth, and what it counts.
DEPTH, NODES = size((5, 102009712), (3, 55200))
WHAT = f"GoRoGo perft {DEPTH} / chess perft 6"
#: Pieces in both hands of the positions to solve, how many positions, seconds for the slowest.
PIECES, POSITIONS, SLOWEST = size((12, 200, 10.0), (8, 2, NEVER))


def test_perft(benchmark: Any) -> None:
    perft = Perft(Position(GOROGO), DEPTH)
    nodes = benchmark.pedantic(lambda: perft.run().nodes, rounds=5, warmup_rounds=1)
    note(WHAT, OURS, nodes / benchmark.stats.stats.min)
    assert nodes == NODES


def test_perft_every_leaf(benchmark: Any) -> None:
    perft = Perft(Position(GOROGO), DEPTH, bulk=False)
    nodes = benchmark.pedantic(lambda: perft.run().nodes, rounds=3, warmup_rounds=1)
    note(WHAT, f"{OURS} --no-bulk", nodes / benchmark.stats.stats.min)


def test_perft_stockfish(benchmark: Any) -> None:
    peer = stockfish()
    if peer is None:
        pytest.skip("no Stockfish is installed")
    nodes = benchmark.pedantic(
        lambda: peer.perft(chess.STARTING_FEN, size(6, 2))[0], rounds=3, warmup_rounds=1
    )
    note(WHAT, "Stockfish, chess", nodes / benchmark.stats.stats.min)
    peer.close()


def test_late_positions() -> None:
    """200 positions after 13 random turns, each with an empty table, on one thread."""
    source = random.Random("late positions of GoRoGo")
    times = []
    while len(times) < POSITIONS:
        position = Position(GOROGO)
        while len(position.moves) < 25 - PIECES and position.outcome() is None:
            position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None:
            continue
        prover = position.rules.prover(64)
        assert prover is not None
        began = time.perf_counter()
        assert prover.prove(position.state, 1 << 60, Block(8)) != ONGOING
        times.append(time.perf_counter() - began)
    print(
        f"\n{PIECES} pieces in hand, {POSITIONS} positions: median "
        f"{statistics.median(times):.3f} s, slowest {max(times):.3f} s"
    )
    assert max(times) < SLOWEST
    assert statistics.median(times) < SLOWEST / 10
