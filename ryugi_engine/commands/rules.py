"""``rules``: the rules of a game on one page."""

from __future__ import annotations

import argparse

from ryugi_engine.commands.common import game_of, put
from ryugi_engine.files.output import PAGE, output_option


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    text = "the game, one of --variants too (default: with --variants FILE of one game that one)"
    parser.add_argument("variant", nargs="?", metavar="GAME", help=text)
    text = "write a web page with the board and pictures of the moves"
    output_option(parser, "--html", PAGE, metavar="FILE", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules of a game with a diagram of each piece's moves."""
    from ryugi_engine.games.rules_page import rules_page

    game = game_of(arguments, default="")
    page = rules_page(game)
    if arguments.html is None:
        for line in page.lines():
            print(line)
        return 0
    from ryugi_engine.games.registry import figures, start_of
    from ryugi_engine.web.rules_html import rules_file

    text = rules_file(page, start_of(game).svg(captions=False), figures(game))
    put(arguments.html, text, PAGE, "Page")
    return 0
