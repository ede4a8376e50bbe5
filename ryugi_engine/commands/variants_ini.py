"""``variants-ini``: our chess-like games for Fairy-Stockfish."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import game_of, load_variants
from ryugi_engine.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument(
        "game",
        nargs="*",
        metavar="GAME",
        help="which games (default: all that the format can say, those of --variants too)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a section for each game; UserError for one that the format cannot say."""
    if arguments.game:
        games = [game_of(arguments, name) for name in dict.fromkeys(arguments.game)]
    else:
        games = [game for game in load_variants(arguments).games() if game.ini is not None]
    sections = []
    for game in games:
        if game.ini is None:
            raise UserError(f"{game.name}: Fairy-Stockfish's variants.ini cannot say this game")
        sections.append(game.ini())
    print("\n".join(sections), end="")
    return 0
