"""Write a game's openings and bench positions: the files are made by this and then kept.

Openings: random moves from the start, kept where a search finds neither side ahead. Bench
positions: from games that the engine plays against itself out of such openings.

    scripts/make_positions.py GAME [--openings N] [--plies P] [--last L] [--seed S]
                              [--depth D] [--balance CP]
"""

from __future__ import annotations

import argparse
import random
import sys

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

DEPTH, BALANCE = 8, 60
#: So many games in a row that give no opening: there are no more of that kind.
PATIENCE = 200


def search(searcher: Searcher, position: Position, depth: int) -> tuple[str, int]:
    """Best move and score of a search."""
    searcher.prepare(position, Limits(depth=depth))
    result = searcher.run(position, lambda report: None)
    return result.best, result.score.cp


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("game")
    parser.add_argument("--openings", type=int, default=100)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--last", type=int, default=80, help="plies of the longest game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--depth", type=int, default=DEPTH, help="plies that an opening is searched"
    )
    parser.add_argument(
        "--balance", type=int, default=BALANCE, help="centipawns that a side may be ahead in one"
    )
    arguments = parser.parse_args()
    game = registry().game(arguments.game)
    source = random.Random(f"{game.name} {arguments.seed}")
    searcher = Searcher(16)
    openings: list[str] = []
    missed = 0
    while len(openings) < arguments.openings:
        if missed == PATIENCE:
            raise SystemExit(
                f"{game.name}: {counted(len(openings), 'opening')}, then {PATIENCE} games in a row"
                f" that gave none: other --plies, a smaller --depth or a larger --balance may"
            )
        missed += 1
        position = Position(game)
        for _ in range(arguments.plies):
            moves = position.legal_moves()
            if not moves:
                break
            position.push(source.choice(moves))
        if position.outcome() is None and position.text() not in openings:
            if abs(search(searcher, position, arguments.depth)[1]) <= arguments.balance:
                openings.append(position.text())
                missed = 0
                print(f"\r{len(openings)} of {arguments.openings}", end="", file=sys.stderr)
    print(file=sys.stderr)
    bench: list[str] = [game.start]
    stops = [round(arguments.last * part) for part in (0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1.0)]
    for text, stop in zip(openings, stops, strict=False):
        position = Position(game, text)
        searcher.clear()
        for _ in range(stop):
            move, _score = search(searcher, position, arguments.depth - 1)
            if not move or position.outcome() is not None:
                break
            position.push(move)
        while position.outcome() is not None:
            position.pop()
        bench.append(position.text())
    command = f"# scripts/make_positions.py {game.name} --openings {arguments.openings}"
    command += f" --plies {arguments.plies} --last {arguments.last} --seed {arguments.seed}"
    if (arguments.depth, arguments.balance) != (DEPTH, BALANCE):
        command += f" --depth {arguments.depth} --balance {arguments.balance}"
    command += "\n"
    for folder, texts in (("openings", openings), ("bench", bench)):
        path = game.data_file(folder)
        assert path is not None
        path.parent.mkdir(exist_ok=True)
        path.write_text(command + "".join(f"{text}\n" for text in texts), encoding="utf-8")
        print(f"{path}: {counted(len(texts), 'position')}")


if __name__ == "__main__":
    main()
