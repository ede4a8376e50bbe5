"""Write a game's openings and bench positions: the files are made by this and then kept.

Openings: random moves from the start, kept where a search finds neither side ahead. Bench
positions: from games that the engine plays against itself out of such openings.

    scripts/make_positions.py GAME [--openings N] [--plies P] [--last L] [--seed S]
"""

from __future__ import annotations

import argparse
import random

from ryugi_engine.games.game import counted
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher

BALANCE = 60


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
    arguments = parser.parse_args()
    game = registry().game(arguments.game)
    source = random.Random(f"{game.name} {arguments.seed}")
    searcher = Searcher(16)
    openings: list[str] = []
    while len(openings) < arguments.openings:
        position = Position(game)
        for _ in range(arguments.plies):
            moves = position.legal_moves()
            if not moves:
                break
            position.push(source.choice(moves))
        if position.outcome() is None and position.text() not in openings:
            if abs(search(searcher, position, 8)[1]) <= BALANCE:
                openings.append(position.text())
    bench: list[str] = [game.start]
    stops = [round(arguments.last * part) for part in (0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1.0)]
    for text, stop in zip(openings, stops, strict=False):
        position = Position(game, text)
        searcher.clear()
        for _ in range(stop):
            move, _score = search(searcher, position, 7)
            if not move or position.outcome() is not None:
                break
            position.push(move)
        while position.outcome() is not None:
            position.pop()
        bench.append(position.text())
    command = f"# scripts/make_positions.py {game.name} --openings {arguments.openings}"
    command += f" --plies {arguments.plies} --last {arguments.last} --seed {arguments.seed}\n"
    for folder, texts in (("openings", openings), ("bench", bench)):
        path = game.data_file(folder)
        assert path is not None
        path.parent.mkdir(exist_ok=True)
        path.write_text(command + "".join(f"{text}\n" for text in texts), encoding="utf-8")
        print(f"{path}: {counted(len(texts), 'position')}")


if __name__ == "__main__":
    main()
