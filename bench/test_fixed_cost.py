"""What a move costs besides the search, in both protocols: from the clock's time to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bench.conftest import NEVER, size
from tests.support.helpers import EngineUnderTest

ROUNDS = size(300, 3)
#: Seconds a move at most, with a search of one ply.
ALLOWED = size(0.002, NEVER)


@pytest.fixture
def engine() -> Iterator[EngineUnderTest]:
    engine = EngineUnderTest()
    yield engine
    engine.process.kill()
    engine.process.wait()
    engine.close()


def _trip(engine: EngineUnderTest, answer: str, *lines: str) -> Callable[[], None]:
    def trip() -> None:
        engine.send(*lines)
        engine.wait(answer)

    return trip


def _assert_cheap(benchmark: Any) -> None:
    # the best of hundreds: on a busy machine the others show who else is running
    best = benchmark.stats.stats.min
    print(f"a move costs {1000 * best:.2f} ms")
    assert best < ALLOWED


def test_uci_move(benchmark: Any, engine: EngineUnderTest) -> None:
    engine.ready("setoption name UCI_Variant value janus")
    engine.send("position startpos")
    move = _trip(engine, "bestmove", "position startpos moves e2e4", "go depth 1")
    benchmark.pedantic(move, rounds=ROUNDS, warmup_rounds=20)
    _assert_cheap(benchmark)


def test_cecp_move(benchmark: Any, engine: EngineUnderTest) -> None:
    engine.send("xboard", "protover 2")
    engine.wait("feature done=1")
    engine.send("new", "variant janus", "sd 1", "force", "ping 1")
    engine.wait("pong 1")
    # what a match manager says: the clock, then the move
    lines = ("undo", "undo", "force", "time 6000", "otim 6000", "usermove e2e4", "go")
    engine.send("usermove e2e4", "usermove e7e5")
    move = _trip(engine, "move ", *lines)
    benchmark.pedantic(move, rounds=ROUNDS, warmup_rounds=20)
    _assert_cheap(benchmark)
