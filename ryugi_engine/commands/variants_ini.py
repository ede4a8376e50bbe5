"""``variants-ini``: our chess-like games for Fairy-Stockfish."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import load_variants
from ryugi_engine.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "game",
        nargs="*",
        metavar="GAME",
        help="which games, those of --variants too (default: all that the format can say, or with"
        " --variants FILE of one game that one)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a section for each game; UserError for a game that the format cannot express."""
    registry = load_variants(arguments)
    if arguments.game:
        games = [registry.game(name) for name in dict.fromkeys(arguments.game)]
    elif registry.only_own is not None:
        games = [registry.only_own]
    else:
        games = [game for game in registry.games() if game.ini is not None]
    sections = []
    for game in games:
        if game.ini is None:
            raise UserError(f"{game.name}: Fairy-Stockfish's variants.ini cannot say this game")
        sections.append(game.ini())
    print("\n".join(sections), end="")
    return 0
