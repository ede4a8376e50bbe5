"""``games``: the games, a line each."""

from __future__ import annotations

import argparse
import textwrap

from ryugi_engine.commands.common import load_variants
from ryugi_engine.games.registry import catalogue


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the names, titles and board sizes of all games, then the names in catalogues."""
    for game in load_variants(arguments).games():
        names = ", ".join((game.name, *game.aliases))
        print(f"{names}: {game.title}, {game.files}x{game.ranks}")
    more = f"Chess variants that are found by name: {', '.join(catalogue())}"
    print()
    print(textwrap.fill(more, 100, break_on_hyphens=False))
    return 0
