"""``games``: the games by group, a line each."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ryugi_engine.commands.common import load_variants
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry
from ryugi_engine.search.levels import ladder_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "print a list for programs, with the Elo of each game's levels"
    parser.add_argument("--json", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Print names, titles and board sizes of all games, and what is special about them."""
    registry = load_variants(arguments)
    if arguments.json:
        _print_json(registry)
        return 0
    for group, games in registry.groups().items():
        print(group)
        for game in games:
            names = ", ".join((game.name, *game.aliases))
            about = f": {game.about}" if game.about else ""
            print(f"{'*' if game.played_well else ' '} {names}: {game.title}, {game.size}{about}")
        print()
    print("Games marked * are played by a net of their own or by an exact solver.")
    print("'ryugi-engine train --variant NAME --hours 1' makes a net.")
    return 0


def _print_json(registry: Registry) -> None:
    listed = [
        _described(game, group) for group, games in registry.groups().items() for game in games
    ]
    print(json.dumps(listed, indent=1))


def _described(game: Game, group: str) -> dict[str, Any]:
    ladder = ladder_of(game)
    return {
        "name": game.name,
        "aliases": game.aliases,
        "title": game.title,
        "group": group,
        "about": game.about,
        "played well": game.played_well,
        "files": game.files,
        "ranks": game.ranks,
        "levels": {
            "elo": [rung.elo for rung in ladder.rungs],
            "scale": ladder.scale,
            "of this game": ladder.own,
        },
    }
