"""Boards of three to five ranks, where a double step ends on the last rank or has no room."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pyffish
import pytest

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import read_definitions
from ryugi_engine.kernel.abi import TACTICAL
from ryugi_engine.perft.count import Perft
from tests.support.effort import effort
from tests.support.helpers import codes_of, reference_of, rounds, wild_position
from tests.variants.test_variants_ini import agree, ini_of

#: By ranks: a start position, and White's squares of a double step where they are not the pawns'.
LOW = {
    3: ("k3n/p2PP/K3N w - - 0 1", ""),
    4: ("knqrn/ppppp/PPPPP/KNQRN w - - 0 1", ""),
    5: ("knqrn/ppppp/5/PPPPP/KNQRN w - - 0 1", 'double_step_region = "a2 c2 b3 c3"'),
    8: ("knqrn/5/5/ppppp/PPPPP/5/5/KNQRN w - - 0 1", 'double_step_region = "a2 b4 c6 d6"'),
}


def low_board(ranks: int, name: str, folder: Path) -> Game:
    """A game on a board of five files, which Fairy-Stockfish knows, too."""
    start, steps = LOW[ranks]
    path = folder / "low.toml"
    path.write_text(
        f'[{name}]\nfiles = 5\nranks = {ranks}\nstart = "{start}"\npromotion = "QN"\n{steps}\n'
        f'[{name}.pieces]\nK = "K"\nQ = "Q"\nR = "R"\nN = "N"\n'
    )
    (game,) = read_definitions(str(path))
    pyffish.load_variant_config(ini_of(game, name))
    return game


def double_steps(moves: list[str]) -> list[str]:
    """Those that promote: two ranks in one move, and a letter."""
    return [m for m in moves if m[-1].isalpha() and abs(int(m[1]) - int(m[3])) == 2]


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("ranks", LOW)
def test_double_steps_on_low_boards(ranks: int, tmp_path: Path, source: random.Random) -> None:
    """Kernels, the reference rules and Fairy-Stockfish agree, and every text is read again."""
    name = f"low{ranks}"
    game = low_board(ranks, name, tmp_path)
    seen: Counter[str] = Counter()
    for _ in rounds(effort(10, 60), seen, promoted=1 if ranks > 3 else 0):
        position = wild_position(game, source, 5 * ranks - 2) or Position(game)
        for _ in range(10):
            moves = position.legal_moves()
            agree(name, position)
            after = reference_of(position).legal_moves()
            assert sorted(after) == sorted(moves), position.text()
            assert Perft(position, 1).run().nodes == len(moves), position.text()  # in bulk
            tactical = {position.move_text(code) for code in codes_of(position, TACTICAL)}
            assert tactical >= {move for move in moves if move[-1].isalpha()}, position.text()
            if not moves:
                break
            promotions = double_steps(moves)
            seen["promoted"] += bool(promotions)
            move = source.choice(promotions or moves)
            theirs = pyffish.get_fen(name, position.text(), [move])
            position.push(move)
            assert position.text() == after[move].text()
            assert position.text().split()[0] == theirs.split()[0]
            assert Position(game, position.text()).text() == position.text()
            if promotions:
                position.pop()
                assert position.legal_moves() == moves
                position.push(source.choice(moves))
    assert (seen["promoted"] > 0) == (ranks > 3)
