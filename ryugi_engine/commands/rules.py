"""``rules``: the rules of a game on one page."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import game_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "the game, one of --variants too (default: with --variants FILE of one game that one)"
    parser.add_argument("variant", nargs="?", metavar="GAME", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules of a game with a diagram of each piece's moves."""
    from ryugi_engine.games.rules_page import rules_page

    for line in rules_page(game_of(arguments, default="")).lines():
        print(line)
    return 0
