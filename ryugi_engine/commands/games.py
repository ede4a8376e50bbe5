"""``games``: the games, a line each."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import load_variants


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Print the names, titles and board sizes of all games."""
    for game in load_variants(arguments).games():
        names = ", ".join((game.name, *game.aliases))
        print(f"{names}: {game.title}, {game.files}x{game.ranks}")
    return 0
