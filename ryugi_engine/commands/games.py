"""``games``: the games, a line each."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence

from ryugi_engine.commands.common import load_variants
from ryugi_engine.games.registry import catalogue, catalogue_nets


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the names, titles and board sizes of all games, then the names in catalogues."""
    for game in load_variants(arguments).games():
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
