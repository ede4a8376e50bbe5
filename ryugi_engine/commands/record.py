"""``record``: games kept as files."""

from __future__ import annotations

import argparse
from pathlib import Path

from ryugi_engine.commands import record_analyse
from ryugi_engine.commands.common import (
    board_options,
    fen_option,
    game_option,
    load_variants,
    tell_of_compiling,
    variants_option,
    whole_number,
)
from ryugi_engine.files.output import PAGE, PICTURE, output_option
from ryugi_engine.processes import process


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text)
        variants_option(sub)
        text = "a record, .pgn or .kif alike"
        if name == "show":
            sub.add_argument("file", type=Path, metavar="FILE", help=text)
        else:
            output_option(sub, "file", None, metavar="FILE", help=text)
        if name not in ("new", "analyse"):
            sub.add_argument(
                "--game", type=whole_number(1, 10**9), metavar="N", help="which of the file's games"
            )
        return sub

    new = action("new", "begin a game in a new file, or behind the games of an old one")
    game_option(new)
    fen_option(new)
    for name in ("white", "black", "event", "site", "round", "date"):
        new.add_argument(f"--{name}", metavar="TEXT", help=f"the tag {name.capitalize()}")
    new.add_argument("--tc", metavar="TEXT", help="the tag TimeControl (default: -)")

    add = action("add", "play moves in an unfinished game")
    add.add_argument("moves", nargs="+", metavar="MOVE", help="a move, or at last resign or draw")
    add.add_argument("--comment", default="", metavar="TEXT", help="a comment for the last move")

    action("undo", "take the last move back, or the resignation or draw that ended the game")

    show = action("show", "show the board, the last move marked, and whose turn it is")
    replay = action("replay", "go through a game, by keys where the terminal has them")
    for sub in (show, replay):
        sub.add_argument(
            "--ply", type=whole_number(0, 10**6), metavar="N", help="after so many moves"
        )
        sub.add_argument(
            "--line",
            type=whole_number(0, 10**6),
            default=0,
            metavar="K",
            help="follow the file's K-th variation (default: 0, the game itself)",
        )
        board_options(sub)
    output_option(show, "--svg", PICTURE, metavar="OUT", help="write the picture to OUT")
    replay.add_argument("--all", action="store_true", help="show every position")
    output_option(
        replay,
        "--html",
        PAGE,
        metavar="OUT",
        help="write the game as a web page, or without --game all games of the file",
    )
    replay.add_argument(
        "--from-here",
        nargs="+",
        metavar="MOVE",
        help="with --ply: add these moves as a variation; the game is kept",
    )

    record_analyse.arguments(
        action("analyse", "go over games by the engine: evaluations, better moves, mistakes")
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the chosen action; return the exit code."""
    games = load_variants(arguments)
    tell_of_compiling()
    if arguments.action == "analyse":
        return record_analyse.run(arguments, games)
    from ryugi_engine.commands import record_actions

    with process.ending_tidily():
        return record_actions.run(arguments, games)
