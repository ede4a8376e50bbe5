"""Goryujin: legal turns against the reference rules, the race's evaluation: ``pytest bench``."""

from __future__ import annotations

import random
import statistics
import time

from bench.conftest import NEVER, size
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.kernel.abi import ALL, list_moves

GORYUJIN = registry().game("goryujin")
#: Middle games, calls of a kernel in a measurement, and what a position may take.
POSITIONS, CALLS, SLOWEST = size((100, 200, 50e-6), (2, 2, NEVER))


def _middle_games() -> list[Position]:
    """Positions after 10 to 60 random turns in which dragons grow."""
    source = random.Random("middle games of Goryujin")
    results: list[Position] = []
    while len(results) < POSITIONS:
        position = Position(GORYUJIN)
        plies = source.randrange(10, 61)
        while len(position.moves) < plies and position.outcome() is None:
            moves = position.legal_moves()
            growing = [move for move in moves if not move.startswith("P")]
            often = growing and source.random() < 0.85
            position.push(source.choice(growing if often else moves))
        if position.outcome() is None:
            results.append(position)
    return results


def _evaluation(position: Position) -> float:
    """Return seconds to make a turn, evaluate and unmake: a position's result is kept."""
    kernels, state = position.kernels, position.state
    moves = list_moves(kernels.generate, state)
    began = time.perf_counter()
    for move in moves:
        kernels.make(state.address, move)
        kernels.evaluate(state.address)
        kernels.unmake(state.address)
    return (time.perf_counter() - began) / len(moves)


def test_legal_turns() -> None:
    """Generation through the entry, the call from Python included, against the reference rules."""
    ours, ref, evaluations, counts = [], [], [], []
    for position in _middle_games():
        out, state = int(position.header["moves"]), position.state.address
        began = time.perf_counter()
        for _ in range(CALLS):
            counts.append(position.kernels.generate(state, ALL, out))
        ours.append((time.perf_counter() - began) / CALLS)
        evaluations.append(_evaluation(position))
        reference = GORYUJIN.reference(position.text())
        began = time.perf_counter()
        assert len(reference.legal_moves()) == counts[-1]
        ref.append(time.perf_counter() - began)
    median, slow = statistics.median(ours), statistics.median(ref)
    print(
        f"\n{POSITIONS} middle games, {statistics.mean(counts):.0f} legal turns on average: median "
        f"{median * 1e6:.2f} us, slowest {max(ours) * 1e6:.2f} us; "
        f"reference rules {slow * 1e6:.0f} us, "
        f"{slow / median:.0f} times; "
        f"evaluation of a child {statistics.median(evaluations) * 1e6:.1f} us"
    )
    assert median < SLOWEST
