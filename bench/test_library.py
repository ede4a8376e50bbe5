"""The library side by side with python-chess and pyffish: legal moves and random games a second.

All take the same positions, from one random game of each. A random game ends where a side has no
legal move, or after PLIES. pyffish keeps no position: it sets one up at every call.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import chess
import chess.variant
import pyffish
import pytest

from bench.conftest import OURS, note_rate, size
from ryugi_engine import Batch, Position

GAMES = ("chess", "crazyhouse", "shogi")
BOARDS: dict[str, Callable[[], chess.Board]] = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
}
PLIES = size(200, 10)
#: Seconds for each figure.
SECONDS = size(2.0, 0.02)


def rate(act: Callable[[], int]) -> float:
    """How many things a second ``act`` does, which returns their number: the best of its calls."""
    act()
    best, until = 0.0, time.perf_counter() + SECONDS
    while time.perf_counter() < until or not best:
        began = time.perf_counter()
        count = act()
        best = max(best, count / (time.perf_counter() - began))
    return best


def moves_of_a_game(name: str) -> list[str]:
    source, position = random.Random(name), Position(name)
    while not position.is_game_over() and position.ply() < PLIES:
        position.push(source.choice(position.legal_moves))
    return position.moves


@pytest.mark.parametrize("name", GAMES)
def test_legal_moves(name: str) -> None:
    position, moves = Position(name), moves_of_a_game(name)
    positions = [position.copy()]
    for move in moves:
        position.push(move)
        positions.append(position.copy())
    texts = [one.fen() for one in positions]

    def listed(act: Callable[[Position], object]) -> int:
        for one in positions:
            one._legal = None  # a position keeps its list
            act(one)
        return len(positions)

    def read(act: Callable[[str], object]) -> int:
        for text in texts:
            act(text)
        return len(texts)

    what, reading = f"{name}: legal moves", f"{name}: position text read, legal moves"
    note_rate(what, OURS, rate(lambda: listed(lambda one: list(one.legal_moves))))
    note_rate(what, f"{OURS}, texts", rate(lambda: listed(lambda one: one.legal_moves.uci())))
    note_rate(
        reading, OURS, rate(lambda: read(lambda text: Position(name, text).legal_moves.uci()))
    )
    if name in BOARDS:
        boards = [BOARDS[name]()]
        for move in moves:
            boards.append(boards[-1].copy())
            boards[-1].push_uci(move)
        note_rate(what, "python-chess", rate(lambda: sum(bool([*b.legal_moves]) for b in boards)))
    assert sorted(pyffish.legal_moves(name, texts[0], [])) == sorted(positions[0].legal_moves.uci())
    pyffish_rate = rate(lambda: read(lambda text: pyffish.legal_moves(name, text, [])))
    note_rate(what, "pyffish", pyffish_rate)
    note_rate(reading, "pyffish", pyffish_rate)


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str) -> None:
    source = random.Random(1)

    def ours() -> int:
        position = Position(name)
        while position.legal_moves and position.ply() < PLIES:
            position.push(source.choice(position.legal_moves))
        return 1

    def python_chess() -> int:
        board = BOARDS[name]()
        for _ in range(PLIES):
            moves = [*board.legal_moves]
            if not moves:
                break
            board.push(source.choice(moves))
        return 1

    def fairy() -> int:
        start, moves = pyffish.start_fen(name), list[str]()
        for _ in range(PLIES):
            legal = pyffish.legal_moves(name, start, moves)
            if not legal:
                break
            moves.append(source.choice(legal))
        return 1

    batch, seeds = Batch(name, 64), iter(range(1 << 30))
    what = f"{name}: random games of up to {PLIES} plies"
    note_rate(what, OURS, rate(ours))

    def many() -> int:
        batch.playout(longest=PLIES, seed=next(seeds))
        return len(batch)

    note_rate(what, "Batch.playout", rate(many))
    if name in BOARDS:
        note_rate(what, "python-chess", rate(python_chess))
    note_rate(what, "pyffish", rate(fairy))
