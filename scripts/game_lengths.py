"""Measure how long games are, for time management, and write variants/chess/lengths.json.

    .venv/bin/python scripts/game_lengths.py [--games N] [--nodes N] [GAME ...]

Each game begins with eight random plies, and both sides play it to its end with few nodes a move.
Games that are named are measured anew; without names, all chess-like games.
"""

from __future__ import annotations

import argparse
import json
import random

from ryugi_engine.games.game import Game
from ryugi_engine.games.position import Position
from ryugi_engine.games.registry import catalogue, registry
from ryugi_engine.search.limits import Limits
from ryugi_engine.search.searcher import Searcher
from variants import chess

_RANDOM_PLIES, _MOST_PLIES = 8, 800


def plies_of(game: Game, searcher: Searcher, nodes: int, source: random.Random) -> int:
    """Play a game; return its length in plies, 0 if the random plies have ended it."""
    position = Position(game)
    for _ in range(_RANDOM_PLIES):
        position.push(source.choice(position.legal_codes()))
        if position.outcome() is not None:
            return 0
    searcher.clear()
    while position.outcome() is None and len(position.moves) < _MOST_PLIES:
        searcher.prepare(position, Limits(nodes=nodes))
        position.push(searcher.run(position, lambda report: None).best)
    return len(position.moves)


def main() -> None:
    """Measure the games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("names", nargs="*", metavar="GAME")
    options = parser.parse_args()
    every = {game.name for game in registry().games()} | set(catalogue())
    games = [registry().game(name) for name in options.names or sorted(every)]
    games = [game for game in games if game.package.startswith(chess.__name__)]
    lengths = json.loads(chess.LENGTHS.read_text()) if chess.LENGTHS.exists() else {}
    for game in games:
        searcher, source, plies = Searcher(2), random.Random(game.name), []
        while len(plies) < options.games:
            one = plies_of(game, searcher, options.nodes, source)
            if one:
                plies.append(one)
        lengths[game.name] = round(sum(plies) / len(plies) / 2)
        print(game.name, lengths[game.name], flush=True)
        chess.LENGTHS.write_text(json.dumps(lengths, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
