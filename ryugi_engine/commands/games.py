"""``games``: the games, a line each."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from typing import Any

from ryugi_engine.commands.common import load_variants
from ryugi_engine.games.game import Game
from ryugi_engine.games.registry import Registry, catalogue, catalogue_nets
from ryugi_engine.search.levels import ladder_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "print a list for programs, with the Elo of each game's levels"
    parser.add_argument("--json", action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Print the names, titles and board sizes of all games, then the names in catalogues."""
    registry = load_variants(arguments)
    if arguments.json:
        _print_json(registry)
        return 0
    for game in registry.games():
        names = ", ".join((game.name, *game.aliases))
        print(f"{names}: {game.title}, {game.files}x{game.ranks}")
    trained = catalogue_nets()
    others = [name for name in catalogue() if name not in trained]
    _print_names("Chess variants that are found by name, and have a net", trained)
    _print_names("Chess variants that are found by name, played by material and squares", others)
    print()
    print("'ryugi-engine train --variant NAME --hours 1' makes a net.")
    return 0


def _print_names(title: str, names: Sequence[str]) -> None:
    if names:
        print()
        print(textwrap.fill(f"{title}: {', '.join(names)}", 100, break_on_hyphens=False))


def _print_json(registry: Registry) -> None:
    found = [*registry.games(), *(registry.game(name) for name in catalogue())]
    listed = {game.name: _described(game) for game in found}
    print(json.dumps(list(listed.values()), indent=1))


def _described(game: Game) -> dict[str, Any]:
    ladder = ladder_of(game)
    return {
        "name": game.name,
        "aliases": game.aliases,
        "title": game.title,
        "files": game.files,
        "ranks": game.ranks,
        "levels": {
            "elo": [rung.elo for rung in ladder.rungs],
            "scale": ladder.scale,
            "of this game": ladder.own,
        },
    }
