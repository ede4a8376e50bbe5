"""Perft and search side by side with the peers, in one run: ``pytest bench``.

FAIRY_STOCKFISH names a large-board Fairy-Stockfish; without it those comparisons are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess
import pytest

from bench.conftest import OURS, note, size
from bench.peers import Peer, fairy_stockfish, stockfish
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.perft.count import Perft
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

START = "ribmqkdbir/ppppnnpppp/4pp4/10/10/4PP4/PPPPNNPPPP/RIBMQKDBIR w - - 0 1"
MIDDLE_GAMES = (
    "r1b1qk1b1r/1pp2n1p1p/pi3pp3/4mn1Pp1/P2PNP1D1P/3P3P2/2P3P3/RIBMd1KBIR w - - 0 20",
    "rib1k3ir/2p2n1R2/10/P1p7/Rp2p1nPD1/8P1/2Im1MBI2/2B1K5 w - - 0 36",
    "3m1k2ir/1p2nn2b1/rQP5p1/q2pp1PpPp/3pPpb1dP/3P1P4/RP3N3R/1IBM1DKBI1 w - - 0 23",
    "N4k3d/3q2b3/p4pp3/2p1M5/2p1n1QpRI/pP7P/1B3N4/RI3QK3 w - - 0 39",
)
CHESS = chess.STARTING_FEN
#: The depth, and what it counts.
CHESS_DEPTH, CHESS_NODES = size((6, 119060324), (3, 8902))
CHESS_PERFT = f"chess, perft {CHESS_DEPTH}"
#: Seconds of a search.
SECONDS = size(2.0, 0.05)
SEARCH = f"ryugi search, {SECONDS:g} s"
ROUNDS = size(3, 1)


def measure(benchmark: Any, what: str, who: str, count: Callable[[], int]) -> int:
    """Time a count of nodes and note the best round."""
    nodes: int = benchmark.pedantic(count, rounds=ROUNDS, warmup_rounds=1)
    note(what, who, nodes / benchmark.stats.stats.min)
    return nodes


def ours(name: str, text: str, depth: int, **options: Any) -> Callable[[], int]:
    perft = Position(registry().game(name), text)
    return lambda: Perft(perft, depth, **options).run().nodes


def theirs(peer: Peer, text: str, depth: int) -> Callable[[], int]:
    return lambda: peer.perft(text, depth)[0]


DEPTH = size(5, 3)
RYUGI_CASES = [(START, DEPTH), *((text, DEPTH - 1) for text in MIDDLE_GAMES)]
RYUGI_NAMES = [f"ryugi start, perft {DEPTH}"]
RYUGI_NAMES += [f"ryugi middle game {n}, perft {DEPTH - 1}" for n in range(1, 5)]


RYUGI = pytest.mark.parametrize(
    ("case", "name"), list(zip(RYUGI_CASES, RYUGI_NAMES, strict=True)), ids=range(5)
)


@RYUGI
def test_ryugi(benchmark: Any, case: tuple[str, int], name: str) -> None:
    measure(benchmark, name, OURS, ours("ryugi", *case))


@RYUGI
def test_ryugi_every_leaf(benchmark: Any, case: tuple[str, int], name: str) -> None:
    measure(benchmark, name, f"{OURS} --no-bulk", ours("ryugi", *case, bulk=False))


@RYUGI
def test_ryugi_two_threads(benchmark: Any, case: tuple[str, int], name: str) -> None:
    measure(benchmark, name, f"{OURS} 2 threads", ours("ryugi", *case, threads=2))


@RYUGI
def test_ryugi_fairy_stockfish(benchmark: Any, case: tuple[str, int], name: str) -> None:
    peer = fairy_stockfish()
    if peer is None:
        pytest.skip("FAIRY_STOCKFISH is not set")
    nodes = measure(benchmark, name, "Fairy-Stockfish", theirs(peer, *case))
    peer.close()
    assert nodes == ours("ryugi", *case)()


def test_chess(benchmark: Any) -> None:
    nodes = measure(benchmark, CHESS_PERFT, OURS, ours("chess", CHESS, CHESS_DEPTH))
    assert nodes == CHESS_NODES


def test_chess_stockfish(benchmark: Any) -> None:
    peer = stockfish()
    if peer is None:
        pytest.skip("no Stockfish is installed")
    nodes = measure(benchmark, CHESS_PERFT, "Stockfish", theirs(peer, CHESS, CHESS_DEPTH))
    peer.close()
    assert nodes == CHESS_NODES


def test_chess_python_chess(benchmark: Any) -> None:
    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        nodes = 0
        for move in board.legal_moves:
            board.push(move)
            nodes += count(board, depth - 1)
            board.pop()
        return nodes

    depth = size(3, 2)
    assert measure(benchmark, CHESS_PERFT, "python-chess", lambda: count(chess.Board(), depth))


def test_search(benchmark: Any) -> None:
    searcher = Searcher(16)
    position = Position(registry().game("ryugi"), MIDDLE_GAMES[0])

    def run() -> int:
        searcher.clear()
        searcher.prepare(position, Limits(move_time=SECONDS))
        return searcher.run(position, lambda report: None).nodes

    measure(benchmark, SEARCH, OURS, run)


def test_search_fairy_stockfish(benchmark: Any) -> None:
    peer = fairy_stockfish()
    if peer is None:
        pytest.skip("FAIRY_STOCKFISH is not set")
    figure = benchmark.pedantic(lambda: peer.search(MIDDLE_GAMES[0], int(1000 * SECONDS)), rounds=1)
    note(SEARCH, "Fairy-Stockfish", figure)
    peer.close()
